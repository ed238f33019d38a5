#ifndef BASE_TIME_CLOCK_JUMP_H
#define BASE_TIME_CLOCK_JUMP_H
/*
 * Tells when the wall clock was set, also because the machine has slept: timers do not follow it.
 * On the loop's thread.
 */
#include <stdbool.h>

#include "base/list.h"

/* Embedded; zero-initialised before first use. */
struct clock_jump_watch {
	struct list link;
	void (*fn)(void *arg);
	void *arg;
};

/* fn is called on the loop each time, and may stop the watch. It does not keep the loop alive. Returns false
 * when the kernel does not tell: then nothing is watched, and the caller looks at the clock now and then. */
bool clock_jump_watch_start(struct clock_jump_watch *w, void (*fn)(void *arg), void *arg);
void clock_jump_watch_stop(struct clock_jump_watch *w); /* not started: nothing happens */
/* Calls everybody who watches. */
void clock_jumped(void);

#endif
