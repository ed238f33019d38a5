#ifndef CONTROL_CONSOLE_H
#define CONTROL_CONSOLE_H
/*
 * Requests of terminals on the control socket, see channels/console/console.h:
 * - POST /v1/console/say {"chat","text","id","user"?,"terminal"?}: {"ok":true} once the message is on disk;
 * 400 when it is invalid; 503 to repeat it;
 * - GET /v1/console/events?chat=&after=&wait=MS: new events; waits up to MS for one.
 */
struct gateway;
struct json_object;
struct server_request;
struct task;

void control_console_say(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
void control_console_events(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);

#endif
