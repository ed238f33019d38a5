#ifndef NET_CHILD_SPAWN_H
#define NET_CHILD_SPAWN_H
/* Starts a process, for child.c: none of our code runs between fork and exec. */
#include <sys/types.h>

#include "net/child/child.h"

/* Our ends of its streams, -1 for unused ones. They are non-blocking and close-on-exec. */
struct child_ends {
	int input;
	int output[CHILD_STREAMS];
};

/* Returns 0 with *pid and *ends, or -1 with err and errno in err->code. */
int child_spawn(const struct child_options *o, pid_t *pid, struct child_ends *ends, struct error *err);

#endif
