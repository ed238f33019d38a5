#ifndef TOOLS_SANDBOX_CANARY_TARGETS_H
#define TOOLS_SANDBOX_CANARY_TARGETS_H
/*
 * Targets for a canary: a world-accessible folder, files in it, and listening sockets, none of them
 * granted. They are our side of the sandbox test: the canary's report counts only if nothing here was
 * touched.
 */
#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

struct error;
struct task;

struct canary_targets {
	char *dir, *secret, *victim, *listener, *abstract;
	char content[33];
	int tcp_port, udp_port;
	int tcp, udp, named, unnamed; /* descriptors, -1 for none */
};

/* Creates the targets, files on a worker thread. Returns -1 with an error sentence, or when cancelled. */
int canary_targets_create(struct task *t, struct canary_targets *b, struct error *err);
/* Returns a description of what was touched, NULL for nothing. whole: also checks calls that take a path
 * without opening it (chmod, truncate). */
const char *canary_targets_touched_files(struct task *t, const struct canary_targets *b, bool whole);
const char *canary_targets_touched_network(const struct canary_targets *b);
/* Removes everything, even when t is cancelled. */
void canary_targets_clear(struct task *t, struct canary_targets *b);

#endif
