#ifndef STORE_JOURNAL_CONTEXT_H
#define STORE_JOURNAL_CONTEXT_H
/* What was said in a chat and needs no answer, kept until a turn has seen it. Inside a write job, but for the
 * first. */
#include <stdint.h>

struct address;
struct db;
struct error;

struct message;
struct store;
struct task;

/* The newest message of a chat and its threads among those that are kept, NULL: none. A call as those of
 * store.h. */
int store_newest_message(
    struct task *t, struct store *s, const struct address *where, struct message **out, struct error *err);

/* After the row became context: forgets what is beyond the newest JOURNAL_CONTEXT_MAX of its chat. */
int context_trim(struct db *db, int64_t id, struct error *err);
/* A new conversation begins: what stands before the row is forgotten; 0: all. */
int context_forget(struct db *db, const struct address *where, int64_t before_id, struct error *err);

#endif
