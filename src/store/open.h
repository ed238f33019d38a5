#ifndef STORE_OPEN_H
#define STORE_OPEN_H
/* The first and the last job of the store's thread. */
struct db;
struct job;
struct store;

/* A read job: takes the directory, opens the database, checks it where the last stop was unclean, saves it
 * where it is damaged, brings it up to date. Sets check_later. */
struct job *open_job_new(struct store *s);
/* An idle job: notes the clean stop, closes, gives the directory back. Fine also after a failed opening. */
struct job *close_job_new(struct store *s);
/* On the store's thread, after each job: tells the operator what the database met. */
void open_report_trouble(void *store, struct db *db);

#endif
