#ifndef CHANNELS_DISCORD_RECEIVE_H
#define CHANNELS_DISCORD_RECEIVE_H
/* Commits the event queue of a shard to the journal, in order; all waiting events share a commit. */
#include <stddef.h>
#include <stdint.h>

struct discord_shard;
struct error;
struct message;
struct task;

/* Starts the task that commits. */
void discord_receive_start(struct discord_shard *s);
/* Commits messages together with the session's seq (-1: unchanged) and the newest message id, mark (0:
 * unchanged). Takes the messages. Suspends. */
int discord_receive_commit(struct task *t, struct discord_shard *s, struct message **messages, size_t count,
    int64_t seq, uint64_t mark, struct error *err);
/* Stores the session at stop, so that a new process can resume it. Suspends. */
void discord_receive_save_session(struct task *t, struct discord_shard *s);

#endif
