#ifndef GATEWAY_RESTART_H
#define GATEWAY_RESTART_H
/*
 * Restarts the process in place (exec): it keeps its process id, so that a supervisor sees a continuous
 * service. Runs the program now at the old path, which may be newer.
 */

/* Remembers the program's path, its configuration and its command line (all borrowed); before restart_now. */
void restart_prepare(const char *file, int argc, char **argv);
/* Returns only on failure. Async-signal-safe. */
void restart_now(void);

#endif
