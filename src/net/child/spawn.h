#ifndef NET_CHILD_SPAWN_H
#define NET_CHILD_SPAWN_H
/* Starting a process, for child.c: nothing of ours runs between fork and exec. */
#include <sys/types.h>

#include "net/child/child.h"

/* Our ends of its streams, -1 for those that were not asked for. They do not block and are closed on exec. */
struct child_ends {
	int input;
	int output[CHILD_STREAMS];
};

/* 0 with *pid and *ends; -1 with a sentence, and errno in err->code. */
int child_spawn(const struct child_options *o, pid_t *pid, struct child_ends *ends, struct error *err);

#endif
