#ifndef HELPERS_SANDBOX_SUPERVISE_H
#define HELPERS_SANDBOX_SUPERVISE_H
/* Watching over a program until it and all that it started are gone. */
#include <stdbool.h>
#include <sys/types.h>

struct options;

/* Before anything is forked: what ends us waits until it is asked for. */
void supervise_prepare(void);
/* In a child, before the program: signals are as they were. */
void supervise_forget(void);
/* Waits for the program; a TERM to us goes on to all, and KILL after the grace. Then ends whatever else there
 * is. all: we are process 1 of a namespace, so that everything is below us; else what has no parent any more
 * comes to us. Returns the wait status of the program. */
int supervise(const struct options *p, pid_t program, bool all);
/* Passes a TERM on to the process 1 of a namespace and waits for its end; returns its exit status. */
int supervise_namespace(pid_t first);

#endif
