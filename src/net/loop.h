#ifndef NET_LOOP_H
#define NET_LOOP_H
/* The one loop (uv_default_loop): running it, ending it, and signals as callbacks. */
#include <stdbool.h>

struct error;

typedef void loop_signal_fn(int signo, void *arg);

/* Prepares the process: SIGPIPE ignored, stack overflow handler, at most once. */
void loop_init(void);
/* Calls fn on the loop for each arrival of signo until loop_finish. */
int loop_on_signal(int signo, loop_signal_fn *fn, void *arg, struct error *err);
/* Runs until loop_stop, or until nothing is left that could call it. */
void loop_run(void);
/* Before loop_run: it returns at once. On the loop's thread only. */
void loop_stop(void);
/* Closes the signal watchers and runs what is left to close. */
void loop_finish(void);

#endif
