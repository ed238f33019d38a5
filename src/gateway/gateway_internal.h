#ifndef GATEWAY_GATEWAY_INTERNAL_H
#define GATEWAY_GATEWAY_INTERNAL_H
/* What a gateway is, for gateway.c, which starts and stops it, and parts.c, which knows its parts. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/agent.h"
#include "base/task.h"

struct background;
struct budget;
struct channel_command;
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
	/* In force. What a reload replaces lives as base/epoch.h says, but the first one, with the adapters'
	 * settings, to the end. */
	const struct gateway_config *config, *first;
	const struct gateway_guest *guest; /* NULL: a daemon */
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
	struct task *starter; /* while parts are started */
	size_t started;       /* how many of gateway_parts */
	bool is_up;           /* all of them */
	uint64_t started_ms;
	char *notices[GATEWAY_NOTICES_MAX];
	size_t notice_count;
	bool reload_wanted;   /* by a signal */
	bool stopping, again; /* again: it starts anew when it has stopped */
	int rc;
	struct error *err;
};

struct gateway_part {
	const char *name;
	int (*start)(struct task *t, struct gateway *g);
	void (*stop)(struct task *t, struct gateway *g); /* NULL: nothing is to be stopped */
};

/* In the order of their start; stopped in reverse. Ends with a NULL name. */
extern const struct gateway_part gateway_parts[];

/* Whatever begins it, the stop has its time from here on. */
void gateway_begin_stop(struct gateway *g);
/* Puts gc in force, which is malloc'd, and takes it. */
void gateway_put_config(struct gateway *g, struct gateway_config *gc);
/* Proves the sandbox of the configuration in force soon, beside everything else; a tool that is called before
 * proves it at once. */
void gateway_prove_sandbox(struct gateway *g);
/* Frees a struct gateway_config. */
void gateway_retire_config(void *config);

#endif
