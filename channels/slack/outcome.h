#ifndef CHANNELS_SLACK_OUTCOME_H
#define CHANNELS_SLACK_OUTCOME_H
/* Classifies responses of the Web API. Pure. Nearly all have status 200: "ok" and the word in "error"
 * decide (docs.slack.dev, the errors of each method, 2026-05). */
#include <stdint.h>

#include "base/error.h"

struct json_object;

enum slack_outcome_class {
	SLACK_OK,
	SLACK_ALREADY_DONE, /* refused because the state is as wanted already */
	SLACK_TOO_LONG,
	SLACK_BAD_MARKUP,     /* plain text may work */
	SLACK_MESSAGE_GONE,   /* the message cannot be changed or does not exist */
	SLACK_STREAMING,      /* the message is a stream: stop it first */
	SLACK_NO_STREAM,      /* the stream has ended */
	SLACK_STREAM_STOPPED, /* by a person */
	SLACK_NO_THREAD,
	SLACK_CHAT_UNREACHABLE,
	SLACK_REFUSED,   /* any other definite error */
	SLACK_BAD_TOKEN, /* the operator must fix it */
	SLACK_NO_SCOPE,  /* a scope is missing */
	SLACK_NO_METHOD,
	SLACK_RATE_LIMITED,
	SLACK_SERVER_ERROR /* not a response of the Web API, or a server failure: the effect is unknown */
};

struct slack_outcome {
	enum slack_outcome_class class;
	uint64_t retry_ms; /* RATE_LIMITED */
	char word[64];     /* value of "error", "" if absent */
	/* Unless OK or ALREADY_DONE: kind and sentence; SERVER_ERROR is uncertain. */
	struct error why;
};

/* reply is the parsed body, NULL if it is not a JSON object. header_ms is the value of Retry-After, 0 if
 * absent. */
void slack_outcome_read(struct slack_outcome *out, int status, struct json_object *reply, uint64_t header_ms);

#endif
