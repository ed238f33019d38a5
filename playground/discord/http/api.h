#ifndef PLAYGROUND_DISCORD_HTTP_API_H
#define PLAYGROUND_DISCORD_HTTP_API_H
/* Everything below /discord/: REST calls, the gateway, files. */
#include <stdbool.h>

struct cord_call;
struct cord_message;
struct cord_world;
struct exchange;
struct json_object;
struct server_request;
struct task;

/* As in struct platform. */
bool cord_api_has_method(const char *name);
void cord_api_serve(struct task *t, void *world, struct server_request *req);

/* Responses of the REST API: bodies, errors, rate limit headers. */

void cord_answer(struct cord_call *call);
/* What it answers, which --strict-answers judges; NULL: no body. The caller owns it. */
struct json_object *cord_answer_json(struct cord_call *call, int *status);
/* An exchange_fail_fn: the response of an injected fault. */
void cord_answer_fault(struct exchange *ex, int status, unsigned retry_s);
/* Cloudflare's response after too many invalid requests. */
void cord_answer_banned(struct exchange *ex);

/* Reads query and body of a call, and judges them by the operation's row. Return -1 after a failure. */
int cord_request_read(struct cord_call *call);
int cord_request_judge(struct cord_call *call);
/* Finds the operation of a call and its args. Returns true when only the method is wrong. */
bool cord_call_find(struct cord_call *call, const char *method, const char *path);
/* Does what the call asks for; it has its bot, its query and its body as they were read. Returns -1 after a
 * failure. */
int cord_call_run(struct cord_call *call);
/* Frees what the call owns. */
void cord_call_clear(struct cord_call *call);

/* Files of a message: the parts files[n] and the "attachments" that describe them. */

/* Adds the files of the call to m. Returns -1 after a failure. */
int cord_upload_read(struct cord_call *call, struct json_object *body, struct cord_message *m);
/* The same for an edit: "attachments", if given, lists the files to keep. */
int cord_upload_read_edit(struct cord_call *call, struct json_object *body, struct cord_message *m);
/* Discord: resources/message, Voice Messages. */
int cord_upload_check_voice(struct cord_call *call, const struct cord_message *m);

#endif
