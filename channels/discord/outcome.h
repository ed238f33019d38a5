#ifndef CHANNELS_DISCORD_OUTCOME_H
#define CHANNELS_DISCORD_OUTCOME_H
/* Classifies responses of the REST API (v10). Pure. Discord's own code decides first ("JSON error codes"),
 * then the status. A body that is not JSON comes from its proxy (Cloudflare). */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct json_object;

enum discord_outcome_class {
	DISCORD_OK,
	DISCORD_CHAT_UNREACHABLE,  /* cannot write to the channel or person: unknown, or no permission */
	DISCORD_MESSAGE_GONE,      /* the message does not exist any more */
	DISCORD_REPLY_TARGET_GONE, /* the message to reply to does not exist any more */
	DISCORD_EMPTY,
	DISCORD_TOO_LARGE,
	DISCORD_BAD_FORM,            /* 50035; why names the field */
	DISCORD_ARCHIVED,            /* the thread is archived: unarchive it first */
	DISCORD_INTERACTION_EXPIRED, /* an interaction: unknown, expired or already answered */
	DISCORD_REFUSED,             /* any other definite error */
	DISCORD_BAD_TOKEN,
	DISCORD_RATE_LIMITED,
	DISCORD_BLOCKED,     /* by the proxy: make no requests for a while */
	DISCORD_SERVER_ERROR /* not a response of the API, or a server failure: the effect is unknown */
};

struct discord_outcome {
	enum discord_outcome_class class;
	int status, code;  /* HTTP status; Discord's code, 0: none */
	uint64_t retry_ms; /* RATE_LIMITED, BLOCKED */
	bool global;       /* RATE_LIMITED: applies to all requests */
	struct error why;  /* unless OK: the kind to act on, with a sentence; SERVER_ERROR is uncertain */
};

/* reply is the parsed body, NULL if it is not JSON. header_ms is the value of Retry-After, 0 if absent. */
void discord_outcome_read(
    struct discord_outcome *out, int status, struct json_object *reply, uint64_t header_ms);

#endif
