#ifndef GATEWAY_RESTART_H
#define GATEWAY_RESTART_H
/*
 * The process becomes a new one of the same program, in place: it keeps its id, so that a supervisor sees one
 * service that goes on. A newer program at the old path is what runs then.
 */

/* Notes where the program is, which configuration it runs with, and the command with its options (all
 * borrowed); before restart_now. */
void restart_prepare(const char *file, int argc, char **argv);
/* Returns when that fails. Async-signal-safe. */
void restart_now(void);

#endif
