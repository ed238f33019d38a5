#ifndef CONTROL_STORE_H
#define CONTROL_STORE_H
/* Database queries on the control socket: /v1/trace, /v1/dead and /v1/backup. */
struct gateway;
struct json_object;
struct server_request;
struct task;

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

#endif
