#ifndef STORE_JOURNAL_CURSOR_H
#define STORE_JOURNAL_CURSOR_H
/* Cursors: positions in the platforms' event streams. */
#include <stdint.h>

struct db;
struct error;
struct journal_cursor;
struct task;

/* Inside a write job. */
int cursor_set(struct db *db, const struct journal_cursor *cursor, int64_t now_ms, struct error *err);
/* Behaves as in struct journal_ops. */
int cursor_read(
    struct task *t, void *self, const char *account, const char *name, char **value, struct error *err);

#endif
