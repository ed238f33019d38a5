#ifndef CHANNELS_DISCORD_API_H
#define CHANNELS_DISCORD_API_H
/* One request of the REST API (v10), within its limits, and what came of it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channels/discord/outcome.h"

struct discord;
struct error;
struct http_part;
struct json_object;
struct task;

/* Of every request, as the API asks (needs config.h). */
#define DISCORD_USER_AGENT "DiscordBot (https://example.org/myna, " PACKAGE_VERSION ")"

struct discord_call {
	const char *method;
	const char *route;             /* the path with {} for its ids: what its limits go by */
	const char *path;              /* borrowed until the call returns */
	const char *major;             /* the id of the channel, server or webhook in the path; NULL: none */
	struct json_object *params;    /* taken; NULL: none */
	const struct http_part *parts; /* instead, with the parameters in one of them */
	size_t part_count;
	uint64_t total_ms; /* 0: that of a small call */
	bool once;         /* never resent silently */
	bool optional;     /* nobody misses it: not made when it would have to wait */
	bool token; /* its path holds a token of its own: no Authorization, and no limits but Discord's 429 */
};

struct discord_answer {
	struct discord_outcome outcome; /* SERVER_ERROR when there was no answer at all */
	struct json_object *reply;      /* owned; NULL if there is none */
	bool sent;                      /* a byte of the request may have left */
	bool skipped;                   /* an optional one that was not made */
};

/* 0: done. -1: err has the kind to act on and a sentence. answer is filled either way, to be cleared. A
 * refused token has stopped the channel. */
int discord_api_call(struct task *t, struct discord *d, const struct discord_call *call,
    struct discord_answer *answer, struct error *err);
void discord_api_clear(struct discord_answer *answer);
/* GET of a small thing, repeated while that may help, at most tries times. The reply, or NULL; outcome may be
 * NULL. */
struct json_object *discord_api_get(struct task *t, struct discord *d, const char *route, const char *path,
    const char *major, unsigned tries, struct discord_outcome *outcome, struct error *err);

#endif
