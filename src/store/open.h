#ifndef STORE_OPEN_H
#define STORE_OPEN_H
/* The first and the last job of the store's thread. */
struct db;
struct job;
struct store;

/* A read job: locks the directory, opens the database, checks it after an unclean stop, recovers it when
 * damaged, and migrates it. Sets check_later. */
struct job *open_job_new(struct store *s);
/* An idle job: records the clean stop, closes the database, unlocks the directory. Works after a failed
 * opening too. */
struct job *close_job_new(struct store *s);
/* On the store's thread, after each job: reports new trouble to the operator. */
void open_report_trouble(void *store, struct db *db);

#endif
