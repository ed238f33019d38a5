#include "net/backoff.h"

#include "base/time/clock.h"

static uint64_t backoff_ceiling(const struct backoff *b)
{
	if (b->tries >= 64 || b->base_ms > b->max_ms >> b->tries)
		return b->max_ms;
	return b->base_ms << b->tries;
}

uint64_t backoff_next(struct backoff *b)
{
	uint64_t ceiling = backoff_ceiling(b), half = ceiling / 2;

	if (b->tries < 64)
		b->tries++;
	return half + clock_random_below(ceiling - half + 1);
}

void backoff_reset(struct backoff *b)
{
	b->tries = 0;
}
