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
/* Behave as in struct journal_ops. */
int cursor_claim(struct task *t, void *self, const struct journal_cursor *cursor, uint64_t gap_ms,
    uint64_t *wait_ms, struct error *err);
int cursor_read(
    struct task *t, void *self, const char *account, const char *name, char **value, struct error *err);

#endif
