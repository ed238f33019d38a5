#ifndef PLAYGROUND_SLACK_SOCKET_SOCKET_H
#define PLAYGROUND_SLACK_SOCKET_SOCKET_H
/* Socket Mode: tickets and connections. */
#include "playground/slack/world/world.h"

struct buf;
struct error;
struct exchange;
struct json_object;
struct slk_app;
struct slk_socket;
struct task;

/* A ticket of apps.connections.open: valid for one connection within 30 seconds. */
struct slk_ticket {
	struct list link;
	struct slk_app *app;
	char secret[33];
	uint64_t until_ms;
};

struct slk_ticket *slk_ticket_new(struct slk_app *a);
void slk_tickets_clear(struct slk_world *w);

/* Serves a connection until it ends, and ends the exchange. Suspends. */
void slk_socket_serve(struct task *t, struct slk_world *w, struct exchange *ex);
/* Returns the next connection in turn, or NULL when the app is not connected. */
struct slk_socket *slk_socket_choose(struct slk_app *a);
void slk_socket_post(struct slk_socket *s, const struct buf *text);
struct slk_app *slk_socket_app(const struct slk_socket *s);
size_t slk_socket_count(const struct slk_app *a);
/* Resets all connections without a close frame. self is the world. */
void slk_sockets_abort(void *self);

/* POST /control/socket: acts on connections. */
int slk_control_socket(void *self, struct json_object *in, struct json_object *out, struct error *err);

#endif
