#ifndef CHANNELS_SLACK_OUTCOME_H
#define CHANNELS_SLACK_OUTCOME_H
/*
 * What an answer of Slack's Web API means. Pure. Nearly all have status 200: "ok" and the word in "error"
 * decide (docs.slack.dev, errors of each method, 2026-05).
 */
#include <stdint.h>

#include "base/error.h"

struct json_object;

enum slack_outcome_class {
	SLACK_OK,
	SLACK_ALREADY_DONE, /* refused, because it is so already */
	SLACK_TOO_LONG,
	SLACK_BAD_MARKUP,     /* plain text may be taken */
	SLACK_MESSAGE_GONE,   /* the message to change is not there, or must not be changed */
	SLACK_STREAMING,      /* the message is streamed: stop that first */
	SLACK_NO_STREAM,      /* the message is not streamed any more */
	SLACK_STREAM_STOPPED, /* by a person */
	SLACK_NO_THREAD,
	SLACK_CHAT_UNREACHABLE,
	SLACK_REFUSED,   /* any other definite no */
	SLACK_BAD_TOKEN, /* a person has to put it right */
	SLACK_NO_SCOPE,  /* the app may not do that */
	SLACK_NO_METHOD,
	SLACK_RATE_LIMITED,
	SLACK_SERVER_ERROR /* Slack's own failure, or not an answer of the Web API: the effect is not known */
};

struct slack_outcome {
	enum slack_outcome_class class;
	uint64_t retry_ms; /* RATE_LIMITED */
	char word[64];     /* of "error", "" if none */
	/* Unless OK or DONE: the kind to act on, with a sentence; SERVER_ERROR is uncertain. */
	struct error why;
};

/* reply is the parsed body, NULL if it was not a JSON object; header_ms is that of Retry-After, 0 if none. */
void slack_outcome_read(struct slack_outcome *out, int status, struct json_object *reply, uint64_t header_ms);

#endif
