#ifndef GATEWAY_GATEWAY_H
#define GATEWAY_GATEWAY_H
/* The running daemon: starts its parts in order, stops them in reverse. */
struct error;
struct gateway_config;
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

#endif
