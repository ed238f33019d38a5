#ifndef PLAYGROUND_DISCORD_GATEWAY_GATEWAY_H
#define PLAYGROUND_DISCORD_GATEWAY_GATEWAY_H
/* The gateway: its sessions, its connections, and what clients send over them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/world.h"

struct cord_socket;
struct exchange;
struct task;
struct websocket_peer;

/* Gateway sessions. Sent events are kept for a RESUME for some minutes after a disconnect. */

#define CORD_SESSION_STARTS 1000 /* in 24 hours (Discord: events/gateway, Session Start Limit) */
/* Discord: events/gateway, Disconnecting: "a few minutes". Undocumented: how many; a choice. */
#define CORD_SESSION_KEPT_MS 300000

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
	bool compress;              /* IDENTIFY asked for payload compression */
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
/* Is the guild one of that shard's? 0 stands for direct messages, which the first gets. */
bool cord_shard_has(int64_t shard, int64_t shards, uint64_t guild_id);
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

/* A connection to the gateway. */

/* Discord: topics/opcodes-and-status-codes. */
enum cord_op {
	CORD_OP_DISPATCH = 0,
	CORD_OP_HEARTBEAT = 1,
	CORD_OP_IDENTIFY = 2,
	CORD_OP_PRESENCE = 3,
	CORD_OP_VOICE = 4,
	CORD_OP_RESUME = 6,
	CORD_OP_RECONNECT = 7,
	CORD_OP_MEMBERS = 8,
	CORD_OP_INVALID_SESSION = 9,
	CORD_OP_HELLO = 10,
	CORD_OP_ACK = 11,
	CORD_OP_SOUNDS = 31
};

enum cord_close {
	CORD_CLOSE_UNKNOWN = 4000,
	CORD_CLOSE_UNKNOWN_OP = 4001,
	CORD_CLOSE_DECODE = 4002,
	CORD_CLOSE_NOT_AUTHENTICATED = 4003,
	CORD_CLOSE_AUTHENTICATION_FAILED = 4004,
	CORD_CLOSE_ALREADY_AUTHENTICATED = 4005,
	CORD_CLOSE_INVALID_SEQ = 4007,
	CORD_CLOSE_RATE_LIMITED = 4008,
	CORD_CLOSE_TIMED_OUT = 4009,
	CORD_CLOSE_INVALID_SHARD = 4010,
	CORD_CLOSE_SHARDING_REQUIRED = 4011,
	CORD_CLOSE_INVALID_VERSION = 4012,
	CORD_CLOSE_INVALID_INTENTS = 4013,
	CORD_CLOSE_DISALLOWED_INTENTS = 4014
};

struct cord_socket {
	struct list link; /* in the world's list */
	struct cord_world *world;
	struct websocket_peer *peer;
	struct cord_session *session; /* NULL: not identified */
	struct cord_bot *bot;         /* of the session, after the first IDENTIFY or RESUME */
	int64_t heartbeat_ms;         /* the interval sent in HELLO */
	uint64_t due_ms;              /* clock_machine() by which the next heartbeat is due */
	uint64_t end_ms;              /* clock_machine() at which the server closes in any case; 0: never */
	uint64_t window_ms;           /* start of the payload rate window */
	unsigned payloads;
	uint64_t hello_ms;  /* clock_machine() at which HELLO is due; 0: it was sent, or never will be */
	int64_t heartbeats; /* received */
	int64_t version;    /* of the gateway */
	struct z_stream_s *deflate; /* compress=zlib-stream: one stream for all payloads; NULL: none */
	struct ZSTD_CCtx_s *zstd;   /* the same for compress=zstd-stream */
	bool etf;                   /* encoding=etf */
	bool closing, no_acks;
};

/* Sends a payload, which is JSON, as the connection encodes and compresses it. */
void cord_socket_post(struct cord_socket *s, const char *text, size_t len);
/* Compresses all that is sent from here on; method is the query's compress. Returns false for another one. */
bool cord_socket_compress(struct cord_socket *s, const char *method);
/* Frees what it needs for itself. */
void cord_socket_clear(struct cord_socket *s);
/* Sends a payload without an event. d is JSON text. */
void cord_socket_op(struct cord_socket *s, enum cord_op op, const char *d);
/* Closes with the platform's reason text. Drops the session if this code forbids RESUME. */
void cord_socket_close(struct cord_socket *s, unsigned code);
/* The same; resumable decides about the session. */
void cord_socket_end(struct cord_socket *s, unsigned code, bool resumable);
/* Resets all connections without a close frame. self is the world. */
void cord_sockets_abort(void *self);

/* The gateway: a WebSocket at /discord/gateway, from HELLO to its end. */

void cord_gateway_serve(struct task *t, struct cord_world *w, struct exchange *ex);

/* Is that version of API and gateway one that answers? */
bool cord_version_is_served(const char *number);

/* IDENTIFY and RESUME: give a connection its session. */

void cord_identify(struct cord_socket *s, struct json_object *d);
void cord_resume(struct cord_socket *s, struct json_object *d);

/* Handles payloads from gateway clients. */

/* Handles the payload, or closes the connection with the code of its error. */
void cord_opcode_run(struct cord_socket *s, int64_t op, struct json_object *d);

/* What clients ask for over the gateway: members, sounds, a place in a voice channel. */

void cord_request_members(struct cord_socket *s, struct json_object *d);
void cord_request_sounds(struct cord_socket *s, struct json_object *d);
void cord_request_voice(struct cord_socket *s, struct json_object *d);

#endif
