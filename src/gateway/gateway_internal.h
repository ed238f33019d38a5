#ifndef GATEWAY_GATEWAY_INTERNAL_H
#define GATEWAY_GATEWAY_INTERNAL_H
/* The state of a gateway, and what the files of this folder share. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/agent.h"
#include "base/task.h"

struct background;
struct budget;
struct channel;
struct channel_command;
struct cluster_ops;
struct control;
struct error;
struct gateway_config;
struct gateway_guest;
struct health;
struct http_api;
struct mcp;
struct reports;

#define GATEWAY_NOTICES_MAX 8

struct gateway {
	/* The configuration in use. A reload replaces it by the rules of base/epoch.h; the first one, with
	 * the adapters' settings, lives to the end. */
	const struct gateway_config *config, *first;
	const struct gateway_guest *guest; /* NULL in a daemon */
	struct task_group guests, reloads;
	struct store *store;
	struct bus *bus;
	struct channel_command *menu;
	struct background *background; /* of agent */
	struct budget *budget;
	struct agent agent;
	struct mcp *mcp;
	struct sessions *sessions;
	struct reports *reports;
	struct control *control;
	struct http_api *http;
	struct health *health;
	struct task *task;    /* NULL once it has ended */
	struct task *starter; /* during startup */
	size_t started;       /* number of gateway_parts started */
	bool is_up;           /* all parts are */
	bool taking_channels; /* a task takes the channels that were gained */
	uint64_t started_ms;
	char *notices[GATEWAY_NOTICES_MAX];
	size_t notice_count;
	bool reload_requested;         /* by a signal */
	atomic_bool stopping, restart; /* restart: run the program again after the stop */
	int rc;
	struct error *err;
};

struct gateway_part {
	const char *name;
	int (*start)(struct task *t, struct gateway *g);
	void (*stop)(struct task *t, struct gateway *g); /* NULL: needs no stop */
};

/* In starting order; stopped in reverse. Ends with a NULL name. */
extern const struct gateway_part gateway_parts[];

/* Starts the stop and its time limit, whatever the cause. */
void gateway_begin_stop(struct gateway *g);
/* Makes gc, which is malloc'd, the current configuration, and takes it. */
void gateway_put_config(struct gateway *g, struct gateway_config *gc);
/* Starts the test of the configured sandbox in the background; a tool that runs earlier tests it at once. */
void gateway_prove_sandbox(struct gateway *g);
/* Frees a struct gateway_config. */
void gateway_retire_config(void *config);

/*
 * node.c: This gateway as a node of a cluster, if the configuration has one.
 */

extern const struct cluster_ops node_ops;
/* Call it once the store is open: from then on the process sends only while the node is sure of its lease. */
void node_begin(struct gateway *g);
void node_end(struct gateway *g);
/* Fails when the folder of cluster.shared is not that of the other nodes. */
int node_open_shared(struct task *t, struct gateway *g);
/* Is the channel shared between the nodes? Such a channel starts only once this node has acquired it. */
bool node_shares(const struct gateway *g, const struct channel *ch);
/* Of struct bus_handler. */
void node_put_elsewhere(void *arg, const char *channel);
bool node_has_owner(struct task *t, void *arg, const char *channel);
/* Tells the other nodes about the current configuration. */
void node_configured(const struct gateway *g);
/* All parts run: begins to take channels. */
void node_serve(struct gateway *g);

/*
 * sd_notify.c: Notifies the service manager by the protocol of sd_notify(3): datagrams to the socket of
 * $NOTIFY_SOCKET; no effect without one. The loop feeds the watchdog: when the loop hangs, the manager
 * restarts us.
 */

/* Removes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment, so that child processes do
 * not get them. */
void sd_notify_begin(void);
/* All parts run. status: a line for `systemctl status`. */
void sd_notify_ready(const char *status);
void sd_notify_status(const char *status);
void sd_notify_stopping(void);
void sd_notify_end(void);

#endif
