#ifndef PLAYGROUND_GATEWAY_DAEMON_H
#define PLAYGROUND_GATEWAY_DAEMON_H
/*
 * The gateway that talks to these platforms, where this program was told of one: its status, its trace and
 * its live events by its control socket, and, where it has a supervisor, orders to that.
 */
#include <stdbool.h>
#include <stdint.h>

struct buf;
struct error;
struct feed;
struct daemon;
struct json_object;
struct task;

struct daemon_options {
	const char *socket;     /* its control socket; NULL: there is no gateway */
	const char *supervisor; /* a pipe that its supervisor reads orders from; NULL: none */
};

/* The options' strings must outlive it. */
struct daemon *daemon_new(const struct daemon_options *options, struct feed *feed);
void daemon_free(struct daemon *g);
/* Ends what runs in the background. */
void daemon_stop(struct task *t, struct daemon *g);
/* Somebody sees what happens, or nobody does any more: its events are asked for only then. NULL is fine. */
void daemon_watch(struct daemon *g, bool on);

bool daemon_is_known(const struct daemon *g);
bool daemon_is_supervised(const struct daemon *g);
/* Appends "known":…,"supervised":…,"state":… and so on. */
void daemon_write_members(const struct daemon *g, struct buf *out);
/* What its supervisor says of it: state, pid, exit, starts, held. */
int daemon_note(struct daemon *g, struct json_object *in, struct error *err);
/* One line to the supervisor. */
int daemon_order(const struct daemon *g, const char *order, struct error *err);
/* Asks its control socket; the answer is the caller's. NULL with err, whose code is the status to pass on.
 * body NULL: GET. */
struct json_object *daemon_ask(
    struct task *t, const struct daemon *g, const char *path, const char *body, struct error *err);

#endif
