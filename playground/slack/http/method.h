#ifndef PLAYGROUND_SLACK_HTTP_METHOD_H
#define PLAYGROUND_SLACK_HTTP_METHOD_H
/* The simulated Web API methods. The table says what arguments each has; they are judged before it runs. */
#include <stddef.h>
#include <stdint.h>

#include "playground/slack/http/rate_limit.h"
#include "playground/slack/world/world.h"

struct exchange;
struct slk_app;
struct slk_conv;
struct slk_message;
struct spec_record;

/* One request of an app. */
struct slk_call {
	struct exchange *ex;
	struct slk_world *world;
	struct slk_app *app;                     /* NULL: no token needed */
	const struct spec_record *spec;          /* the method's row; NULL: there is no such method */
	char *token;                             /* given as an argument; NULL: none */
	struct json_object *params;              /* judged: what is known has the types of the row */
	struct json_object *out;                 /* members of the response besides ok */
	struct json_object *messages, *warnings; /* of response_metadata; NULL: none */
	const char *error;                       /* a literal; NULL: none */
	unsigned retry_s;                        /* of error ratelimited */
};

/* Returns 0 with call->out, or -1 after slk_fail or slk_refuse. */
typedef int slk_method_fn(struct slk_call *call);

struct slk_method {
	const char *name;
	slk_method_fn *run;
};

extern const struct slk_method slk_methods[];                   /* by name; a row of NULLs ends it */
slk_method_fn *slk_method_find(const struct spec_record *spec); /* NULL if it is not simulated */

/* Judges the arguments by the method's row. Returns -1 after slk_refuse. */
int slk_params_judge(struct slk_call *call);

/* Fails a valid request because of the current state. error is a literal. Returns -1. */
int slk_fail(struct slk_call *call, const char *error);
/* Refuses an invalid request: the verdict is "refused" and the sentence goes into response_metadata. */
__attribute__((format(printf, 3, 4))) int slk_refuse(
    struct slk_call *call, const char *error, const char *fmt, ...);
void slk_warn(struct slk_call *call, const char *warning);
int slk_limited(struct slk_call *call, unsigned seconds);

/* Returns the conversation that the parameter names, if the app sees it; else fails and returns NULL. */
struct slk_conv *slk_call_conv(struct slk_call *call, const char *param);
/* The same if the app may write there; a user id means the direct message. */
struct slk_conv *slk_call_place(struct slk_call *call, const char *param);
/* Returns the message with the parameter's ts, or NULL after slk_fail with message_not_found. */
struct slk_message *slk_call_message(struct slk_call *call, const struct slk_conv *c, const char *param);
/* Checks thread_ts, the root of a thread. Sets *thread, 0 for none. */
int slk_call_thread(struct slk_call *call, const struct slk_conv *c, int64_t *thread);
/* Computes the page of a list of count entries from limit and cursor. Sets next_cursor. */
int slk_call_page(struct slk_call *call, size_t count, int64_t most, size_t *from, size_t *to);

#endif
