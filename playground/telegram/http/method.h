#ifndef PLAYGROUND_TELEGRAM_HTTP_METHOD_H
#define PLAYGROUND_TELEGRAM_HTTP_METHOD_H
/* The simulated Bot API methods: one const row each, in the file of the method, collected in methods.c.
 * Parameters are checked before the method runs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct bot;
struct chat;
struct exchange;
struct json_object;
struct task;
struct world;

enum param_type {
	PARAM_BOOL,
	PARAM_CHAT, /* an Integer, or a String with an id or @username */
	PARAM_FILE, /* a part of a multipart body */
	PARAM_FLOAT,
	PARAM_INT,
	PARAM_JSON,  /* an Object or Array, or a String with its JSON */
	PARAM_MEDIA, /* a file part, or a String: file_id or attach://NAME */
	PARAM_STRING
};

enum param_flag {
	PARAM_REQUIRED = 1,
	PARAM_NOT_SIMULATED = 2, /* known but not simulated: refused */
	PARAM_MAY_BE_EMPTY = 4   /* required, but may be an empty String */
};

struct param {
	const char *name;
	enum param_type type;
	unsigned flags;
	const char *missing; /* the platform's error when it is absent; NULL: our own sentence */
};

/* One request of a bot. */
struct call {
	struct exchange *ex;
	struct world *world;
	struct bot *bot;
	const struct method *method;
	struct json_object *params; /* checked: values have the types of the row */
	bool multipart;             /* before the check, Objects in params are file parts */
	struct buf result;          /* JSON value */
	const char *description;    /* besides the result; NULL: none */
	int error_code;             /* 0: success */
	unsigned retry_after;
	int64_t migrated_to;
	struct buf error;
};

struct method {
	const char *name;
	const struct param *params;
	size_t param_count;
	/* May suspend. Returns 0 with call->result, or -1 after call_fail or call_refuse. */
	int (*run)(struct task *t, struct call *call);
	const struct param *shared; /* rows shared with other methods */
	size_t shared_count;
};

/* Returns the row of a parameter, or NULL. */
const struct param *method_param(const struct method *m, const char *name);

/* Sorted by name; NULL-terminated. */
extern const struct method *const methods[];

const struct method *method_find(const char *name); /* in any case; NULL if it is not simulated */
/* Does Bot API 10.3 have this method, simulated or not? */
bool method_is_known(const char *name);

/* Checks call->params against the row and converts the values. */
int params_check(struct call *call);

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
/* Returns the message of message_id, or NULL after call_fail with "message to WHAT not found". */
struct message *call_message(struct call *call, const struct chat *c, const char *what);
/* Checks message_thread_id against the chat and sets *thread, 0 for none. */
int call_thread(struct call *call, const struct chat *c, int64_t *thread);

#endif
