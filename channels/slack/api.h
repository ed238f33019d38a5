#ifndef CHANNELS_SLACK_API_H
#define CHANNELS_SLACK_API_H
/* Calls a method of the Web API. The token appears in a header only. */
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
	struct json_object *params; /* api takes it; NULL: none */
	uint64_t total_ms;
	bool app_token;   /* use the app token, not the bot token */
	bool id_only;     /* of the answer to a success only the ts is read */
	bool once;        /* never resend on a dead connection */
	const char *chat; /* the chat that a 429 pauses; NULL: none */
};

struct slack_answer {
	struct slack_outcome outcome; /* class SERVER_ERROR when no response came */
	struct json_object *reply;    /* owned; NULL: none */
	bool sent;                    /* a byte of the request may have been sent */
};

/* Suspends. Returns 0 on class OK or ALREADY_DONE, else -1 with err set. A 429 pauses the chat and the
 * method; a refused token stops the channel. Fills answer in both cases; the caller clears it. */
int slack_api_call(struct task *t, struct slack *sk, const struct slack_call *call,
    struct slack_answer *answer, struct error *err);
void slack_api_clear(struct slack_answer *answer);

/* Sets the rate tiers of the methods. */
void slack_api_tiers(struct slack *sk);

#endif
