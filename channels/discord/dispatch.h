#ifndef CHANNELS_DISCORD_DISPATCH_H
#define CHANNELS_DISCORD_DISPATCH_H
/* What each event of the gateway does. An event may be handled more than once. */
#include <stdbool.h>
#include <stdint.h>

struct discord;
struct discord_queued_event;
struct error;
struct message;
struct task;

struct discord_event_out {
	struct message *message; /* NULL: nothing to commit; the caller's */
	uint64_t mark;           /* id of a message that it tells of; 0: none */
};

/* Does the event say anything to us? */
bool discord_dispatch_wants(const char *type);
/* Must what stands before it be committed first? Then it may fetch what was missed. */
bool discord_dispatch_is_first(const char *type);
/* -1: it cannot be handled now. */
int discord_dispatch(struct task *t, struct discord *d, struct discord_queued_event *item,
    struct discord_event_out *out, struct error *err);
/* So long after they were missed, messages of servers that do not come back are given up. */
void discord_dispatch_give_up_guilds(struct discord *d);

#endif
