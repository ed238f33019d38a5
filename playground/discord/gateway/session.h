#ifndef PLAYGROUND_DISCORD_GATEWAY_SESSION_H
#define PLAYGROUND_DISCORD_GATEWAY_SESSION_H
/* A session of the gateway: what it was told, kept for a RESUME for some minutes after its connection
 * broke. */
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
	char *text; /* the whole payload */
	size_t len;
};

struct cord_session {
	struct list link; /* of the bot */
	struct cord_bot *bot;
	char id[33];
	uint64_t intents;
	int64_t seq;                /* of the newest event */
	struct cord_dispatch *ring; /* the newest events; that with seq stands last */
	size_t first, count, bytes;
	struct cord_socket *socket; /* NULL: not connected, since */
	uint64_t lost_ms;           /* of clock_now() */
};

struct cord_session *cord_session_new(struct cord_bot *b, uint64_t intents);
/* The connection, if there is one, has no session then. */
void cord_session_free(struct cord_session *s);
/* Nothing can be replayed any more. */
void cord_session_forget(struct cord_session *s);
/* NULL when there is none of that id, or its time is over. */
struct cord_session *cord_session_find(struct cord_bot *b, const char *id);
/* Tells it an event. A session whose time is over is freed instead. */
void cord_session_dispatch(struct cord_session *s, const char *name, struct json_object *d);
/* May it go on behind that event? */
bool cord_session_has(const struct cord_session *s, int64_t seq);
/* Sends again what came after seq. */
void cord_session_replay(struct cord_session *s, int64_t seq);
/* Its connection is gone. */
void cord_session_lose(struct cord_session *s);

/* Application flags: what is granted of the privileged intents. */
int64_t cord_application_flags(const struct cord_world *w);

#endif
