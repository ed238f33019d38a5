#ifndef PLAYGROUND_TELEGRAM_HTTP_METHOD_H
#define PLAYGROUND_TELEGRAM_HTTP_METHOD_H
/*
 * The methods of the Bot API that are simulated: one const row each, in the file of the
 * method, collected in methods.c. A row's parameters are checked before it runs.
 */
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
	PARAM_CHAT, /* an Integer, or a String: an id or @username */
	PARAM_FILE, /* a part of a multipart body */
	PARAM_FLOAT,
	PARAM_INT,
	PARAM_JSON,  /* an Object or Array; as a String it is read as JSON */
	PARAM_MEDIA, /* a file part, or a String: file_id or attach://NAME */
	PARAM_STRING
};

enum param_flag {
	PARAM_REQUIRED = 1,
	PARAM_NOT_SIMULATED = 2, /* known, but giving it is refused here */
	PARAM_MAY_BE_EMPTY = 4   /* required, but an empty String will do */
};

struct param {
	const char *name;
	enum param_type type;
	unsigned flags;
	const char *missing; /* what the platform says when it is absent; NULL: a sentence of ours */
};

/* One request of a bot. */
struct call {
	struct exchange *ex;
	struct world *world;
	struct bot *bot;
	const struct method *method;
	struct json_object *params; /* after the check: of the types that the row names */
	bool multipart;             /* Objects among the params before the check are file parts */
	struct buf result;          /* JSON value */
	const char *description;    /* beside the result; NULL: none */
	int error_code;             /* 0: no failure */
	unsigned retry_after;
	int64_t migrated_to;
	struct buf error;
};

struct method {
	const char *name;
	const struct param *params;
	size_t param_count;
	/* 0 with call->result, or -1 after call_fail or call_refuse. May suspend. */
	int (*run)(struct task *t, struct call *call);
	const struct param *shared; /* rows that it has in common with others */
	size_t shared_count;
};

/* The row of a parameter; NULL when the method has none of that name. */
const struct param *method_param(const struct method *m, const char *name);

/* By name; a NULL ends it. */
extern const struct method *const methods[];

const struct method *method_find(const char *name); /* in any case; NULL if it is not simulated */
/* Does Bot API 10.3 have a method of that name, simulated or not? */
bool method_is_known(const char *name);

/* Checks call->params against the row and brings values to their types. */
int params_check(struct call *call);

/* The request was well made, but the state of things forbids it. Returns -1. */
__attribute__((format(printf, 3, 4))) int call_fail(struct call *call, int error_code, const char *fmt, ...);
/* The request itself is wrong: the verdict on it is "refused". "Bad Request: " is put before the text.
 * Returns -1. */
__attribute__((format(printf, 2, 3))) int call_refuse(struct call *call, const char *fmt, ...);
/* 429. Returns -1. */
int call_limit(struct call *call, unsigned retry_after);
void call_result_true(struct call *call);

/* The chat that chat_id names, where the bot may act; NULL after call_fail. */
struct chat *call_chat(struct call *call);
/* The message that message_id names; NULL after call_fail with "message to WHAT not found". */
struct message *call_message(struct call *call, const struct chat *c, const char *what);
/* Checks message_thread_id against the chat; *thread gets it, 0 for none. */
int call_thread(struct call *call, const struct chat *c, int64_t *thread);

#endif
