#ifndef CHANNELS_DISCORD_OUTCOME_H
#define CHANNELS_DISCORD_OUTCOME_H
/*
 * What an answer of the REST API (v10) means. Pure. Discord's own code decides first ("JSON error codes"),
 * then the status; what is no JSON comes from the proxy in front of it (Cloudflare).
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct json_object;

enum discord_outcome_class {
	DISCORD_OK,
	DISCORD_CHAT_UNREACHABLE,  /* the channel or person cannot be written to: unknown, or no permission */
	DISCORD_MESSAGE_GONE,      /* the message is gone */
	DISCORD_REPLY_TARGET_GONE, /* the message to answer is gone */
	DISCORD_EMPTY,
	DISCORD_TOO_LARGE,
	DISCORD_BAD_FORM,            /* 50035: why holds where */
	DISCORD_ARCHIVED,            /* the thread must be opened again first */
	DISCORD_INTERACTION_EXPIRED, /* an interaction: unknown, expired or answered already */
	DISCORD_REFUSED,             /* any other definite no */
	DISCORD_BAD_TOKEN,
	DISCORD_RATE_LIMITED,
	DISCORD_BLOCKED,     /* by the proxy: nothing may be asked for a while */
	DISCORD_SERVER_ERROR /* not an answer of the API, or its own failure: the effect is not known */
};

struct discord_outcome {
	enum discord_outcome_class class;
	int status, code;  /* HTTP's, Discord's (0: none) */
	uint64_t retry_ms; /* RATE_LIMITED, BLOCKED */
	bool global;       /* RATE_LIMITED: everything waits */
	struct error why;  /* unless OK: the kind to act on, with a sentence; SERVER_ERROR is uncertain */
};

/* reply is the parsed body, NULL if it was no JSON; header_ms is that of Retry-After, 0 if none. */
void discord_outcome_read(
    struct discord_outcome *out, int status, struct json_object *reply, uint64_t header_ms);

#endif
