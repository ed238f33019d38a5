#ifndef BASE_WALL_H
#define BASE_WALL_H
/*
 * Tells when the wall clock was set, also because the machine has slept: timers do not follow it.
 * On the loop's thread.
 */
#include <stdbool.h>

#include "base/list.h"

/* Embedded; zero-initialised before first use. */
struct wall_watch {
	struct list link;
	void (*fn)(void *arg);
	void *arg;
};

/* fn is called on the loop each time, and may stop the watch. It does not keep the loop alive. Returns false
 * when the kernel does not tell: then nothing is watched, and the caller looks at the clock now and then. */
bool wall_watch_start(struct wall_watch *w, void (*fn)(void *arg), void *arg);
void wall_watch_stop(struct wall_watch *w); /* not started: nothing happens */
/* Calls everybody who watches. */
void wall_was_set(void);

#endif
