#ifndef CHANNELS_DISCORD_GATEWAY_CONNECTION_H
#define CHANNELS_DISCORD_GATEWAY_CONNECTION_H
/* One connection to the gateway, from HELLO to its end: heartbeats, IDENTIFY or RESUME, events into the
 * queue. */
#include <stdbool.h>
#include <stdint.h>

#include "channels/discord/close_code.h"

struct discord;
struct error;
struct task;
struct websocket;

/* How it ended. */
struct discord_end {
	enum discord_next next;
	uint64_t wait_ms;  /* at least, before the next */
	unsigned code;     /* of the close, 0 if none */
	bool ready;        /* READY or RESUMED had come */
	uint64_t ready_ms; /* clock_now() then */
	const char *meaning;
};

/* Serves w until it ends; the caller closes it. -1: cancelled. */
int discord_gateway_connection_serve(
    struct task *t, struct discord *d, struct websocket *w, struct discord_end *end, struct error *err);

#endif
