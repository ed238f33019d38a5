#ifndef CHANNELS_TELEGRAM_API_H
#define CHANNELS_TELEGRAM_API_H
/* One call of a Bot API method, and what came of it. The token stands in the URL and nowhere else. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "channels/telegram/outcome.h"

struct error;
struct http_part;
struct json_object;
struct task;
struct telegram;

struct telegram_call {
	const char *method;
	struct json_object *params;   /* taken; NULL: none */
	const struct http_part *file; /* goes with the params as multipart/form-data; borrowed; NULL: none */
	uint64_t total_ms;
	size_t answer_max; /* 0: the ordinary limit */
	bool once;         /* never resent silently */
	bool fresh;        /* a new connection */
	bool warm;         /* the server has just answered */
};

struct telegram_answer {
	struct telegram_outcome outcome; /* class SERVER_ERROR when there was no answer at all */
	struct json_object *reply;       /* owned; NULL if there is none */
	struct json_object *result;      /* in reply */
	bool sent;                       /* a byte of the request may have left */
	/* A good status, but the body is too large or not JSON: as much of it as there is. */
	bool unreadable;
	struct buf body;
};

/* 0: the answer is ok (class OK or UNCHANGED). -1: err has the kind to act on and a sentence. answer is
 * filled either way, to be cleared. */
int telegram_api_call(struct task *t, struct telegram *tg, const struct telegram_call *call,
    struct telegram_answer *answer, struct error *err);
void telegram_api_clear(struct telegram_answer *answer);

#endif
