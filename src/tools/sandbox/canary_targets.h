#ifndef TOOLS_SANDBOX_CANARY_TARGETS_H
#define TOOLS_SANDBOX_CANARY_TARGETS_H
/*
 * What a canary is to reach for: a folder that everybody may use, files in it, and sockets that listen, none
 * of them granted. Our own side of the proof: what the canary says of itself is believed only when nothing
 * here was touched.
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
	int tcp, udp, named, unnamed; /* descriptors, -1: none */
};

/* Lays it out. Files are made on a worker thread. -1 with a sentence, or cancelled. */
int canary_targets_create(struct task *t, struct canary_targets *b, struct error *err);
/* Was something touched? Then what of it, in words. whole: also by calls that take a path and open nothing
 * (chmod, truncate). */
const char *canary_targets_touched_files(struct task *t, const struct canary_targets *b, bool whole);
const char *canary_targets_touched_network(const struct canary_targets *b);
/* Removes everything, whatever happens to t. */
void canary_targets_clear(struct task *t, struct canary_targets *b);

#endif
