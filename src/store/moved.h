#ifndef STORE_MOVED_H
#define STORE_MOVED_H
/* The mark of a store that was copied to another place: it stays as it was then, and nothing opens it any
 * more. */
#include <stdbool.h>
#include <stdint.h>

struct db;
struct error;

/* The mark is among the cursors, which every version has, and which a recovery of the file keeps. */
#define MOVED_ACCOUNT "store"
#define MOVED_NAME    "moved"

/* Inside a transaction. to: a path, or a URL without a password. */
int moved_mark(struct db *db, const char *to, int64_t now_ms, struct error *err);
/* Returns -1 when the store has the mark: ERROR_REFUSED, with a sentence that says where it is. */
int moved_check(struct db *db, struct error *err);
bool moved_is_marked(struct db *db);

#endif
