#ifndef GATEWAY_GATEWAY_H
#define GATEWAY_GATEWAY_H
/* The running daemon: starts its parts in order, stops them in reverse. Offers what the control socket
 * needs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget;
struct buf;
struct bus;
struct error;
struct gateway;
struct gateway_config;
struct health;
struct mcp;
struct sessions;
struct store;
struct task;

/* First of all, before secrets are read: no core file of this process is written and no other process of its
 * user can look into its memory; SIGTERM and SIGINT wait for gateway_run. */
void gateway_prepare(void);
/* What gateway_run returns when an admin asked for a restart: see restart.h, which must be prepared. */
#define GATEWAY_RESTART 1
/* Runs until SIGTERM or SIGINT, then stops within 10 s. 0, or -1 when it could not start. gc stays the
 * caller's, err is not NULL. */
int gateway_run(const struct gateway_config *gc, struct error *err);

/* Somebody who uses a gateway within their own process. */
struct gateway_guest {
	/* The only channel that is started, and whose open work is gone on with; the others' waits for the
	 * next daemon. */
	const char *channel;
	/* Runs in a task while the gateway is up, and is cancelled by SIGTERM; the gateway stops when it has
	 * returned. SIGINT is its own. */
	void (*run)(struct task *t, void *arg);
	void *arg;
};

/* gateway_run for a guest. -1: it could not start, and the guest did not run. */
int gateway_run_for(const struct gateway_config *gc, const struct gateway_guest *guest, struct error *err);

const struct gateway_config *gateway_config(const struct gateway *g);
struct bus *gateway_bus(struct gateway *g);
struct store *gateway_store(struct gateway *g);
struct sessions *gateway_sessions(struct gateway *g);
struct health *gateway_health(struct gateway *g);
struct budget *gateway_budget(struct gateway *g);
/* The MCP servers; NULL while they are not there. */
struct mcp *gateway_mcp(struct gateway *g);
/* Every channel receives. */
bool gateway_ready(struct gateway *g);
uint64_t gateway_uptime_ms(const struct gateway *g);
/* Things an operator must know, oldest first; at most a few. */
const char *gateway_notice(const struct gateway *g, size_t i);

#endif
