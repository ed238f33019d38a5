#ifndef PLAYGROUND_DISCORD_GATEWAY_SESSION_H
#define PLAYGROUND_DISCORD_GATEWAY_SESSION_H
/* Gateway sessions. Sent events are kept for a RESUME for some minutes after a disconnect. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_socket;
struct cord_world;
struct json_object;

#define CORD_SESSION_STARTS  1000   /* in 24 hours (Discord: events/gateway, Session Start Limit) */
#define CORD_SESSION_KEPT_MS 300000 /* documented as "a few minutes" */

struct cord_dispatch {
	char *text; /* the complete payload */
	size_t len;
};

struct cord_session {
	struct list link; /* of the bot */
	struct cord_bot *bot;
	char id[33];
	uint64_t intents;
	int64_t shard, shards;      /* one of how many: it gets the events of its guilds */
	int64_t seq;                /* of the newest event */
	struct cord_dispatch *ring; /* the newest events, ending with seq */
	size_t first, count, bytes;
	struct cord_socket *socket; /* NULL: disconnected, since */
	uint64_t lost_ms;           /* of clock_now() */
};

struct cord_session *cord_session_new(struct cord_bot *b, uint64_t intents);
/* Its connection, if any, has no session afterwards. */
void cord_session_free(struct cord_session *s);
/* Drops all events: a RESUME will fail. */
void cord_session_forget(struct cord_session *s);
/* Returns NULL for an unknown or expired session. */
struct cord_session *cord_session_find(struct cord_bot *b, const char *id);
/* Is the guild one of the session's shard? 0 stands for direct messages, which the first gets. */
bool cord_session_serves(const struct cord_session *s, uint64_t guild_id);
/* Sends an event to the session, or frees the session if it has expired. */
void cord_session_dispatch(struct cord_session *s, const char *name, struct json_object *d);
/* Can a RESUME continue after that event? */
bool cord_session_has(const struct cord_session *s, int64_t seq);
/* Sends the events after seq again. */
void cord_session_replay(struct cord_session *s, int64_t seq);
/* Its connection has closed. */
void cord_session_lose(struct cord_session *s);

/* Application flags: the granted privileged intents. */
int64_t cord_application_flags(const struct cord_world *w);

#endif
