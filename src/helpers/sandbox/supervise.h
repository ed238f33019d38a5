#ifndef HELPERS_SANDBOX_SUPERVISE_H
#define HELPERS_SANDBOX_SUPERVISE_H
/* Supervises a program until it and all its descendants have ended. */
#include <stdbool.h>
#include <sys/types.h>

struct options;

/* Before the first fork: defers the signals that end us. */
void supervise_prepare(void);
/* In a child, before exec: restores the signals. */
void supervise_restore_signals(void);
/* Waits for the program; forwards a TERM to all, and kills after the grace. Then ends all remaining
 * processes. all: we are process 1 of a namespace, so everything is below us; otherwise orphans are
 * reparented to us. Returns the program's wait status. */
int supervise(const struct options *p, pid_t program, bool all);
/* Forwards a TERM to process 1 of a namespace and waits for its end; returns its exit status. */
int supervise_namespace(const struct options *p, pid_t first);

#endif
