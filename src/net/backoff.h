#ifndef NET_BACKOFF_H
#define NET_BACKOFF_H
/* Exponential back-off: waits double from base_ms to max_ms, each with random jitter in its upper half. */
#include <stdint.h>

#include "base/error.h"

#define BACKOFF_SOON_MS 8000

struct backoff {
	uint64_t base_ms, max_ms;
	unsigned tries; /* failures since the last success */
};

/* Returns the next wait in milliseconds: between half of base * 2^tries and all of it, at most max_ms. */
uint64_t backoff_next(struct backoff *b);
/* The same, and at most BACKOFF_SOON_MS if nothing came back or our own side failed, such as a full disk:
 * such tries are no burden to a service, and show within seconds that it works again. */
uint64_t backoff_after(struct backoff *b, const struct error *why);
void backoff_reset(struct backoff *b);

#endif
