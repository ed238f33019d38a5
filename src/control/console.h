#ifndef CONTROL_CONSOLE_H
#define CONTROL_CONSOLE_H
/*
 * What terminals ask on the control socket, see channels/console/console.h:
 *   POST /v1/console/say  {"chat","text","id","user"?,"terminal"?} -> {"ok":true} once the message is on
 * disk; 400: it is none; 503: say it again GET  /v1/console/events?chat=&after=&wait=MS  what is new, waited
 * for at most so long
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
