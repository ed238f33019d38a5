#ifndef PLAYGROUND_DISCORD_GATEWAY_SOCKET_H
#define PLAYGROUND_DISCORD_GATEWAY_SOCKET_H
/* A connection to the gateway. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_session;
struct cord_world;
struct websocket_peer;

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
	int64_t heartbeats;         /* received */
	int64_t version;            /* of the gateway */
	struct z_stream_s *deflate; /* compress=zlib-stream: one stream for all payloads; NULL: none */
	bool closing, no_acks;
};

void cord_socket_post(struct cord_socket *s, const char *text, size_t len);
/* Compresses all that is sent from here on. */
void cord_socket_compress(struct cord_socket *s);
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

#endif
