#ifndef NET_BACKOFF_H
#define NET_BACKOFF_H
/* Exponential back-off: waits double from base_ms to max_ms, each with random jitter in its upper half. */
#include <stdint.h>

struct backoff {
	uint64_t base_ms, max_ms;
	unsigned tries; /* failures since the last success */
};

/* Returns the next wait in milliseconds: between half of base * 2^tries and all of it, at most max_ms. */
uint64_t backoff_next(struct backoff *b);
void backoff_reset(struct backoff *b);

#endif
