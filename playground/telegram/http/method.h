#ifndef PLAYGROUND_TELEGRAM_HTTP_METHOD_H
#define PLAYGROUND_TELEGRAM_HTTP_METHOD_H
/* The simulated Bot API methods. The table says what parameters each has; they are judged before it runs. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct bot;
struct chat;
struct exchange;
struct json_object;
struct spec_record;
struct task;
struct world;

/* One request of a bot. */
struct call {
	struct exchange *ex;
	struct world *world;
	struct bot *bot;
	const struct spec_record *spec; /* the method's row; NULL: there is no such method */
	struct json_object *params;     /* judged: what is known has the types of the row */
	bool multipart;                 /* Objects among the params are file parts */
	struct buf result;              /* JSON value */
	const char *description;        /* besides the result; NULL: none */
	int error_code;                 /* 0: success */
	unsigned retry_after;
	int64_t migrated_to;
	struct buf error;
};

/* May suspend. Returns 0 with call->result, or -1 after call_fail or call_refuse. */
typedef int method_fn(struct task *t, struct call *call);

struct method {
	const char *name;
	method_fn *run;
};

/* A row of NULLs ends them. */
extern const struct method methods[];
method_fn *method_find(const struct spec_record *spec); /* NULL when it is not simulated */

/* Judges call->params by the row. Returns -1 after call_refuse. */
int params_judge(struct call *call);

/* Fails a valid request because of the current state. Returns -1. */
__attribute__((format(printf, 3, 4))) int call_fail(struct call *call, int error_code, const char *fmt, ...);
/* Refuses an invalid request: the verdict is "refused". Prefixes the text with "Bad Request: ". Returns
 * -1. */
__attribute__((format(printf, 2, 3))) int call_refuse(struct call *call, const char *fmt, ...);
/* Responds 429. Returns -1. */
int call_limit(struct call *call, unsigned retry_after);
void call_result_true(struct call *call);

/* Returns the chat of chat_id if the bot may act there, or NULL after call_fail. */
struct chat *call_chat(struct call *call);
/* The same for another parameter than chat_id. */
struct chat *call_chat_of(struct call *call, const char *param);
/* Returns the message of message_id, or NULL after call_fail with "message WHAT not found". */
struct message *call_message(struct call *call, const struct chat *c, const char *what);
/* Takes over allowed_updates, if it is given. */
void call_read_allowed(struct call *call);
/* Checks message_thread_id against the chat and sets *thread, 0 for none. */
int call_thread(struct call *call, const struct chat *c, int64_t *thread);

#endif
