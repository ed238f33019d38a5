#ifndef CHANNELS_DISCORD_DISPATCH_H
#define CHANNELS_DISCORD_DISPATCH_H
/* Handles gateway events. An event may be handled more than once. */
#include <stdbool.h>
#include <stdint.h>

struct discord_queued_event;
struct discord_shard;
struct error;
struct message;
struct task;

struct discord_event_out {
	struct message *message; /* NULL: nothing to commit; owned by the caller */
	uint64_t mark;           /* id of the newest message in the event; 0: none */
};

/* Does the daemon use this event? */
bool discord_dispatch_wants(const char *type);
/* Must earlier events be committed first? Such an event may start a backfill. */
bool discord_dispatch_is_first(const char *type);
/* Handles an event. Suspends. Returns -1 when it must be retried. */
int discord_dispatch(struct task *t, struct discord_shard *s, struct discord_queued_event *item,
    struct discord_event_out *out, struct error *err);
/* Gives up the backfill of guilds that stayed unavailable too long. */
void discord_dispatch_give_up_guilds(struct discord_shard *s);

#endif
