#ifndef STORE_SQLITE_BACKUP_H
#define STORE_SQLITE_BACKUP_H
/* Copies the database into a new file, page by page, while other jobs write. */
struct backup;
struct db;
struct error;
struct store;
struct task;

/* The copy is written beside file under a temporary name (0600) and renamed when it is complete. */
struct backup *backup_new(const char *file);
void backup_free(struct backup *b); /* removes an incomplete copy */
/* Copies some pages. Returns 1 when there are more, 0 at the end, -1 on an error. */
int backup_slice(struct backup *b, struct db *db, struct error *err);
/* Call it after the last slice, on any thread: checks the copy, syncs and renames it. */
int backup_complete(struct backup *b, struct error *err);
/* store_backup of struct store_engine. */
int backup_store(struct task *t, struct store *s, const char *file, struct error *err);

#endif
