#ifndef STORE_BACKUP_H
#define STORE_BACKUP_H
/* A copy of the database into a new file, page by page, while others go on writing. */
struct backup;
struct db;
struct error;

/* The copy is made beside file, under another name (0600), and gets its own when it is whole. */
struct backup *backup_new(const char *file);
void backup_free(struct backup *b); /* what is not complete is removed */
/* Copies some pages. 1: there is more. 0: all are there. */
int backup_slice(struct backup *b, struct db *db, struct error *err);
/* After that, on any thread: checks the whole copy, syncs it, and gives it its name. */
int backup_complete(struct backup *b, struct error *err);

#endif
