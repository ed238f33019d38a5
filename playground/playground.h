#ifndef PLAYGROUND_PLAYGROUND_H
#define PLAYGROUND_PLAYGROUND_H
/* The playground: its platforms, its model and the state of the control interface. */
#include <stdbool.h>

#include "base/list.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "playground/server/fault.h"
#include "playground/server/feed.h"
#include "playground/server/request_log.h"
#include "playground/server/strict.h"

struct model_choice;
struct error;
struct daemon;
struct daemon_options;
struct model;
struct platform;
struct clock_world;
struct server;
struct server_request;
struct task;

#define PLAYGROUND_PLATFORMS    8
#define PLAYGROUND_REQUESTS_MAX 16384 /* limit of requests and connections */

/* A platform and its state. */
struct platform_instance {
	const struct platform *platform;
	void *self;
	struct record_log log;
};

struct playground {
	struct platform_instance platform_instances[PLAYGROUND_PLATFORMS]; /* ended by a NULL platform */
	struct model *model;
	struct faults faults;
	struct feed feed;
	struct strict strict;
	struct list exchanges; /* struct exchange: requests that are being answered */
	struct task_cond changed;
	uint64_t person_actions; /* number of actions of people */
	struct task_group tasks; /* background tasks of the platforms */
	struct daemon *daemon;
	struct model_choice *model_choice; /* the gateway's model; NULL: not chosen here */
	char *data;                        /* folder of the state file; NULL: state is not saved */
	char *script, *host;               /* the model's script, NULL: the embedded one; where it listens */
	const char *certificate;           /* a file: it is served over TLS, too; NULL: it is not */
	struct clock_world *clock;         /* NULL: the process's clock */
	struct list worlds;                /* struct side_world: see control/side_world.h */
};

/* Serves it at "HOST:PORT", over TLS unless certificate, a file, is NULL. Returns NULL with err set. */
struct server *playground_listen(
    struct playground *pg, const char *listen, const char *certificate, struct error *err);

/* Sets the gateway to observe; call it before serving. model_file: as for model_choice_new, or NULL. */
void playground_set_gateway(
    struct playground *pg, const struct daemon_options *options, const char *model_file);
/* script: a file, NULL for the embedded one. data may be NULL. Returns NULL with err set. */
struct playground *playground_new(const char *script, const char *data, struct error *err);
/* Ends the requests that it makes itself; to be called before playground_free. */
void playground_stop(struct task *t, struct playground *pg);
void playground_free(struct playground *pg);
/* Writes the state if there is a data folder. */
int playground_save(const struct playground *pg, struct error *err);
void playground_reset(struct playground *pg);
struct platform_instance *playground_platform(
    struct playground *pg, const char *name); /* NULL when there is none */
/* A chat has changed: wakes the waiters. */
void playground_changed(struct playground *pg);

/* The server's handler; arg is the playground. */
void playground_serve(struct task *t, struct server_request *req, void *arg);

#endif
