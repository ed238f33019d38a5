#ifndef CHANNELS_DISCORD_RECEIVE_H
#define CHANNELS_DISCORD_RECEIVE_H
/* From the queue of events to the journal: in order, as many in one commit as wait. */
#include <stddef.h>
#include <stdint.h>

struct discord;
struct error;
struct message;
struct task;

/* Starts the task that commits. */
void discord_receive_start(struct discord *d);
/* Commits messages, and with them that the session stands at seq (-1: where it stood) and the newest message
 * is mark (0: as before). Takes the messages. */
int discord_receive_commit(struct task *t, struct discord *d, struct message **messages, size_t count,
    int64_t seq, uint64_t mark, struct error *err);
/* At the end: where the session stands, so that a new process can resume it. */
void discord_receive_save_session(struct task *t, struct discord *d);

#endif
