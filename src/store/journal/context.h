#ifndef STORE_JOURNAL_CONTEXT_H
#define STORE_JOURNAL_CONTEXT_H
/* Chat messages that need no answer, kept as context for the next turn. All but the first function run
 * inside a write job. */
#include <stddef.h>
#include <stdint.h>

struct address;
struct db;
struct error;

struct message;
struct store;
struct task;

/* Gets the newest message of a chat and its threads, text or edit, answered or not; NULL when none is among
 * the newest 20,000 rows of the inbox. Behaves as in store.h. */
int store_newest_message(
    struct task *t, struct store *s, const struct address *where, struct message **out, struct error *err);

/* Lists the context messages of a chat since its last turn, in order: at most JOURNAL_CONTEXT_MAX, which the
 * caller frees, also after a failure. *count begins at 0. */
int context_read(
    struct db *db, const struct address *where, struct message **out, size_t *count, struct error *err);
/* After a message became context: drops what exceeds the newest JOURNAL_CONTEXT_MAX of its chat. */
int context_trim(struct db *db, int64_t id, struct error *err);
/* At the start of a new conversation: drops the context before before_id; all of it for 0. */
int context_forget(struct db *db, const struct address *where, int64_t before_id, struct error *err);

#endif
