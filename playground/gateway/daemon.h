#ifndef PLAYGROUND_GATEWAY_DAEMON_H
#define PLAYGROUND_GATEWAY_DAEMON_H
/* The gateway under observation, if the program knows one: its status, trace and live events through its
 * control socket, and orders to its supervisor. */
#include <stdbool.h>
#include <stdint.h>

struct buf;
struct error;
struct feed;
struct daemon;
struct json_object;
struct task;

struct daemon_options {
	const char *socket;     /* its control socket; NULL: no gateway */
	const char *supervisor; /* the supervisor's pipe for orders; NULL: none */
};

/* Borrows the strings of options for its lifetime. */
struct daemon *daemon_new(const struct daemon_options *options, struct feed *feed);
void daemon_free(struct daemon *g);
/* Ends its background tasks. Suspends. */
void daemon_stop(struct task *t, struct daemon *g);
/* Turns its live events on while a page listens, else off. g may be NULL. */
void daemon_watch(struct daemon *g, bool on);

bool daemon_is_known(const struct daemon *g);
bool daemon_is_supervised(const struct daemon *g);
/* Appends the members "known", "supervised", "state" and so on. */
void daemon_write_members(const struct daemon *g, struct buf *out);
/* Stores the supervisor's report: state, pid, exit, starts, held. */
int daemon_note(struct daemon *g, struct json_object *in, struct error *err);
/* Sends one line to the supervisor. */
int daemon_order(const struct daemon *g, const char *order, struct error *err);
/* Calls its control socket. Suspends. The caller owns the answer. Returns NULL with err; err->code is the
 * HTTP status to return. body NULL: GET. */
struct json_object *daemon_ask(
    struct task *t, const struct daemon *g, const char *path, const char *body, struct error *err);

#endif
