#ifndef CHANNELS_SLACK_API_H
#define CHANNELS_SLACK_API_H
/* One call of a Web API method, and what came of it. The token stands in a header and nowhere else. */
#include <stdbool.h>
#include <stdint.h>

#include "channels/slack/outcome.h"

struct rate_limit;
struct error;
struct json_object;
struct task;
struct slack;

struct slack_call {
	const char *method;
	struct json_object *params; /* taken; NULL: none */
	uint64_t total_ms;
	bool app_token;   /* else the bot's */
	bool once;        /* never resent silently */
	const char *chat; /* which a penalty pauses; NULL: none */
};

struct slack_answer {
	struct slack_outcome outcome; /* class SERVER_ERROR when there was no answer at all */
	struct json_object *reply;    /* owned; NULL if there is none */
	bool sent;                    /* a byte of the request may have left */
};

/* 0: the answer is ok (class OK or DONE). -1: err has the kind to act on and a sentence. A penalty has
 * paused the chat and the method then, and a refused token has stopped the channel. answer is filled either
 * way, to be cleared. */
int slack_api_call(struct task *t, struct slack *sk, const struct slack_call *call,
    struct slack_answer *answer, struct error *err);
void slack_api_clear(struct slack_answer *answer);

/* The tiers of the methods, for struct rate_limiter by name of method. */
void slack_api_tiers(struct slack *sk);

#endif
