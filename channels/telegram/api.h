#ifndef CHANNELS_TELEGRAM_API_H
#define CHANNELS_TELEGRAM_API_H
/* Calls a Bot API method. The token appears in the URL only. */
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
	struct json_object *params;   /* api takes it; NULL: none */
	const struct http_part *file; /* sent with params as multipart/form-data; borrowed; NULL: none */
	uint64_t total_ms;
	size_t answer_max; /* 0: the default limit */
	bool once;         /* never resend on a dead connection */
	bool fresh;        /* use a new connection */
	/* Of the answer to a success only the message_id is read. */
	bool id_only;
	bool warm; /* the server has just responded on the pooled connection */
};

struct telegram_answer {
	struct telegram_outcome outcome; /* class SERVER_ERROR when no response came */
	struct json_object *reply;       /* owned; NULL: none */
	struct json_object *result;      /* inside reply */
	int64_t message_id;              /* of an answer read for its id only, which has no reply; 0: none */
	bool sent;                       /* a byte of the request may have been sent */
	/* Status 2xx, but the body is too large or not JSON; body holds what was received. */
	bool unreadable;
	struct buf body;
};

/* Suspends. Returns 0 on class OK or UNCHANGED, else -1 with err set. Fills answer in both cases; the
 * caller clears it. */
int telegram_api_call(struct task *t, struct telegram *tg, const struct telegram_call *call,
    struct telegram_answer *answer, struct error *err);
void telegram_api_clear(struct telegram_answer *answer);

#endif
