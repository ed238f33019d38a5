#ifndef GATEWAY_GATEWAY_H
#define GATEWAY_GATEWAY_H
/* The running daemon: starts its parts in order, stops them in reverse. */
struct error;
struct gateway_config;
struct task;

/* Call it first, before secrets are read: disables core files and access of the user's other processes to
 * our memory; SIGTERM and SIGINT wait for gateway_run. */
void gateway_prepare(void);
/* How long a start waits for a temporary obstacle: a database that another process has open, an unreadable
 * file. Shorter than TimeoutStartSec of the unit. */
#define GATEWAY_WAIT_MS (10 * 60 * 1000)
/* Result of gateway_run when an admin asked for a restart: see restart.h, which must be prepared. */
#define GATEWAY_RESTART 1
/* Runs until SIGTERM or SIGINT, then stops within 10 s. Returns 0, or -1 when it could not start. The
 * caller keeps gc; err is not NULL. */
int gateway_run(const struct gateway_config *gc, struct error *err);

/* A user of a gateway within the same process. */
struct gateway_guest {
	/* The only channel that is started and whose open work continues; other channels' work waits for
	 * the next daemon. */
	const char *channel;
	/* Runs in a task while the gateway is up; SIGTERM cancels it, and the gateway stops when it
	 * returns. It handles SIGINT itself. */
	void (*run)(struct task *t, void *arg);
	void *arg;
};

/* gateway_run for a guest. Returns -1 when it could not start; the guest did not run then. */
int gateway_run_for(const struct gateway_config *gc, const struct gateway_guest *guest, struct error *err);

#endif
