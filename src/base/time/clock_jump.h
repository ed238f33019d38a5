#ifndef BASE_TIME_CLOCK_JUMP_H
#define BASE_TIME_CLOCK_JUMP_H
/*
 * Notifies when the wall clock was set, also after the machine slept: timers do not follow it. On the
 * loop's thread.
 */
#include <stdbool.h>

#include "base/list.h"

/* Embedded; zero-initialised before first use. */
struct clock_jump_watch {
	struct list link;
	void (*fn)(void *arg);
	void *arg;
};

/* Calls fn on the loop for each change; fn may stop the watch. Does not keep the loop alive. Returns false
 * when the kernel cannot notify: the caller then checks the clock from time to time. */
bool clock_jump_watch_start(struct clock_jump_watch *w, void (*fn)(void *arg), void *arg);
void clock_jump_watch_stop(struct clock_jump_watch *w); /* no effect when it is not started */
/* Calls all watches. */
void clock_jumped(void);

#endif
