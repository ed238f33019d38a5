#ifndef CHANNELS_DISCORD_API_H
#define CHANNELS_DISCORD_API_H
/* Makes a request to the REST API (v10) within its rate limits. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channels/discord/outcome.h"

struct discord;
struct error;
struct http_part;
struct json_object;
struct task;

/* The User-Agent of every request, in the form that Discord demands ("User Agent", API reference); its proxy
 * may refuse others. Needs config.h. */
#define DISCORD_USER_AGENT "DiscordBot (https://example.org/myna, " PACKAGE_VERSION ")"

struct discord_call {
	const char *method;
	const char *route;             /* the path with {} for its ids; selects the rate limit */
	const char *path;              /* borrowed until the call returns */
	const char *major;             /* id of the channel, guild or webhook in the path; NULL: none */
	struct json_object *params;    /* api takes it; NULL: none */
	const struct http_part *parts; /* instead of a JSON body; one part holds the parameters */
	size_t part_count;
	uint64_t total_ms; /* 0: the limit of a small call */
	bool id_only;      /* of the answer to a success only the id is read */
	bool once;         /* never resend on a dead connection */
	bool optional;     /* skip the call instead of waiting for a rate limit */
	bool token; /* the path holds its own token: no Authorization, no rate limit but Discord's 429 */
};

struct discord_answer {
	struct discord_outcome outcome; /* SERVER_ERROR when no response came */
	struct json_object *reply;      /* owned; NULL: none */
	bool sent;                      /* a byte of the request may have been sent */
	bool skipped;                   /* an optional call that was skipped */
};

/* Suspends. Returns 0 on success, else -1 with err set. Fills answer in both cases; the caller clears it.
 * A refused token stops the channel. */
int discord_api_call(struct task *t, struct discord *d, const struct discord_call *call,
    struct discord_answer *answer, struct error *err);
void discord_api_clear(struct discord_answer *answer);
/* GETs a small resource, at most tries times. Suspends. Returns the reply, owned by the caller, or NULL.
 * outcome may be NULL. */
struct json_object *discord_api_get(struct task *t, struct discord *d, const char *route, const char *path,
    const char *major, unsigned tries, struct discord_outcome *outcome, struct error *err);

#endif
