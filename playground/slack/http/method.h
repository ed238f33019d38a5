#ifndef PLAYGROUND_SLACK_HTTP_METHOD_H
#define PLAYGROUND_SLACK_HTTP_METHOD_H
/*
 * The Web API methods that are simulated: one const row each, in the file of the method or of its family,
 * collected in methods.c. A row's parameters are checked before it runs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "playground/slack/http/rate_limit.h"
#include "playground/slack/world/world.h"

struct exchange;
struct slk_app;
struct slk_conv;
struct slk_message;

enum slk_type {
	SLK_STRING,
	SLK_BOOL,
	SLK_INT,
	SLK_ARRAY,  /* in forms, and where it stands as a string, JSON text */
	SLK_OBJECT, /* likewise */
};

enum slk_param_flag {
	SLK_REQUIRED = 1,
	SLK_NOT_SIMULATED = 2, /* known, but giving it is refused here */
};

struct slk_param {
	const char *name;
	enum slk_type type;
	unsigned flags;
	const char *error; /* when it is missing or cannot be read; NULL: invalid_arguments */
};

enum slk_method_flag {
	SLK_APP_TOKEN = 1, /* wants an app-level token, in the header; others a bot token */
	SLK_NO_TOKEN = 2,  /* wants none */
	SLK_FORM_ONLY = 4, /* arguments in a JSON body are not seen */
};

/* One request of an app. */
struct slk_call {
	struct exchange *ex;
	struct slk_world *world;
	struct slk_app *app; /* NULL where no token is wanted */
	const struct slk_method *method;
	char *token;                             /* as an argument; NULL: none */
	struct json_object *params;              /* after the check: of the types that the row names */
	struct json_object *out;                 /* the answer's members beside ok */
	struct json_object *messages, *warnings; /* of response_metadata; NULL: none */
	bool json;                               /* the arguments came as JSON */
	const char *error;                       /* a literal; NULL: none */
	unsigned retry_s;                        /* of ratelimited */
};

struct slk_method {
	const char *name;
	enum slk_tier tier;
	unsigned flags;
	const char *scope; /* that the token must have; NULL: none */
	const struct slk_param *params;
	size_t param_count;
	/* 0 with call->out, or -1 after slk_fail or slk_refuse. */
	int (*run)(struct slk_call *call);
};

#define SLK_PARAMS(rows) (rows), sizeof(rows) / sizeof((rows)[0])

extern const struct slk_method *const slk_methods[];        /* by name; a NULL ends it */
const struct slk_method *slk_method_find(const char *name); /* NULL if it is not simulated */
/* Does the platform have a method of that name, simulated or not? */
bool slk_method_is_known(const char *name);

int slk_params_check(struct slk_call *call);

/* The request was well made, but the state of things forbids it. error is a literal. Returns -1. */
int slk_fail(struct slk_call *call, const char *error);
/* The request itself is wrong: the verdict on it is "refused", and the sentence goes into
 * response_metadata. */
__attribute__((format(printf, 3, 4))) int slk_refuse(
    struct slk_call *call, const char *error, const char *fmt, ...);
void slk_warn(struct slk_call *call, const char *warning);
int slk_limited(struct slk_call *call, unsigned seconds);

/* The conversation that the parameter names, as far as the app may see it; NULL after slk_fail. */
struct slk_conv *slk_call_conv(struct slk_call *call, const char *param);
/* The same, where the app may write; a user's id means the direct message. */
struct slk_conv *slk_call_place(struct slk_call *call, const char *param);
/* The message whose ts the parameter holds; NULL after slk_fail with message_not_found. */
struct slk_message *slk_call_message(struct slk_call *call, const struct slk_conv *c, const char *param);
/* Checks thread_ts: the root of a thread. *thread gets it, 0 for none. */
int slk_call_thread(struct slk_call *call, const struct slk_conv *c, int64_t *thread);
/* The part of a list that limit and cursor mean, of count entries: *from and *to. Adds next_cursor. */
int slk_call_page(struct slk_call *call, size_t count, int64_t most, size_t *from, size_t *to);

#endif
