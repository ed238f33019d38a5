#ifndef CONTROL_CONTROL_INTERNAL_H
#define CONTROL_CONTROL_INTERNAL_H
/* What the files of this folder share. */
#include <stddef.h>

struct error;
struct gateway;
struct json_object;
struct post;
struct server_request;
struct task;

/*
 * console.c: Requests of terminals on the control socket, see channels/console/console.h:
 * - POST /v1/console/say {"chat","text","id","user"?,"terminal"?}: {"ok":true} once the message is on disk;
 * 400 when it is invalid; 503 to repeat it;
 * - GET /v1/console/events?chat=&after=&wait=MS: new events; waits up to MS for one.
 */

void control_console_say(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
void control_console_events(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);

/* store.c: Database queries on the control socket: /v1/trace, /v1/dead and /v1/backup. */

/* GET /v1/trace?message=: see store_trace. */
void control_trace(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
/* GET /v1/dead: {"dead": […]}, see store_dead_turns. */
void control_dead_turns(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
/* POST /v1/dead {"turn", "action": "retry" or "drop"}: {"messages"}, the number pending again. */
void control_dead_turn_end(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
/* POST /v1/backup {"file"}: see store_backup. */
void control_backup(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);

/* pairings.c: Strangers who ask to be let in, for the operator: `myna init`. */

/* GET /v1/pairings: {"pairings": [{"code", "channel", "id", "name", "expires_ms"}], "no_admin": [CHANNEL]}.
 * For a minute after it strangers get codes on channels without an admin, too. */
void control_pairings(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
/* POST /v1/pairings {"code", "role": "admin", "user", "guest" or "none"}: {"text"}; 404: no such code, 409:
 * it is decided already. */
void control_pairing_decide(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);

/* http_page.c: The status page of http.listen: GET / and GET /status.css. */

void http_page(struct task *t, struct gateway *g, struct server_request *req);
void http_page_style(struct server_request *req);
/* Answers 401, so that a browser asks for the token. */
void http_page_refuse(struct server_request *req);

/* send_files.c: The file of a post: a copy in the outbox for each recipient. */

/* Makes the copies under this name. Returns -1 with err, and no copies, when a channel takes no files or
 * none that large, the bytes hold a secret, or the disk is full. */
int send_copy_files(
    struct task *t, struct post *p, const char *name, const void *data, size_t len, struct error *err);

#endif
