#ifndef STORE_SQLITE_CHECK_H
#define STORE_SQLITE_CHECK_H
/* Integrity checks of the database. They record damage in db->trouble. */
struct db;
struct error;
struct job;
struct schema;

/* Checks everything at once, indexes against tables too. 90 ms for 25 MiB; quick_check takes 50 ms, but
 * misses a damaged index that would let a message be claimed twice. */
int check_everything(struct db *db, struct error *err);
/* Reports damage when the tables differ from what the steps create. */
int check_schema(struct db *db, const struct schema *schema, struct error *err);
/* Finds an index without entries whose first page is of another kind: integrity_check has nothing to compare
 * in it, but the first entry is refused. Writes the log into the file. */
int check_roots(struct db *db, struct error *err);
/* Returns an idle job that checks everything in slices. */
struct job *check_slices(void);

#endif
