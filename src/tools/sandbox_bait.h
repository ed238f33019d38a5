#ifndef TOOLS_SANDBOX_BAIT_H
#define TOOLS_SANDBOX_BAIT_H
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

struct bait {
	char *dir, *secret, *victim, *listener, *abstract;
	char content[33];
	int tcp_port, udp_port;
	int tcp, udp, named, unnamed; /* descriptors, -1: none */
};

/* Lays it out. Files are made on a worker thread. -1 with a sentence, or cancelled. */
int bait_lay(struct task *t, struct bait *b, struct error *err);
/* Was something touched? Then what of it, in words. whole: also by calls that take a path and open nothing
 * (chmod, truncate). */
const char *bait_touched_files(struct task *t, const struct bait *b, bool whole);
const char *bait_touched_network(const struct bait *b);
/* Removes everything, whatever happens to t. */
void bait_clear(struct task *t, struct bait *b);

#endif
