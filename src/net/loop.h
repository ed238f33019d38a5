#ifndef NET_LOOP_H
#define NET_LOOP_H
/* The event loop (uv_default_loop): running it, stopping it, and signal callbacks. */
#include <stdbool.h>

struct error;

typedef void loop_signal_fn(int signo, void *arg);

/* Prepares the process, once: ignores SIGPIPE, installs the stack overflow handler. */
void loop_init(void);
/* Calls fn on the loop for each signo until loop_finish. */
int loop_on_signal(int signo, loop_signal_fn *fn, void *arg, struct error *err);
/* On any thread: the signal has come, although fn may not have been called yet. */
bool loop_caught(int signo);
/* Runs until loop_stop, or until no event can occur. */
void loop_run(void);
/* Makes loop_run return, at once if called before it. On the loop's thread only. */
void loop_stop(void);
/* Closes the signal watchers and runs the pending close callbacks. */
void loop_finish(void);

#endif
