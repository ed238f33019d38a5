#include "net/backoff.h"

#include "base/time/clock.h"

static uint64_t backoff_ceiling(const struct backoff *b)
{
	if (b->tries >= 64 || b->base_ms > b->max_ms >> b->tries)
		return b->max_ms;
	return b->base_ms << b->tries;
}

static uint64_t next_below(struct backoff *b, uint64_t ceiling)
{
	uint64_t half = ceiling / 2;

	if (b->tries < 64)
		b->tries++;
	return half + clock_random_below(ceiling - half + 1);
}

uint64_t backoff_next(struct backoff *b)
{
	return next_below(b, backoff_ceiling(b));
}

uint64_t backoff_after(struct backoff *b, const struct error *why)
{
	uint64_t ceiling = backoff_ceiling(b);

	if ((why->unanswered || why->kind == ERROR_OURS) && ceiling > BACKOFF_SOON_MS)
		ceiling = BACKOFF_SOON_MS;
	return next_below(b, ceiling);
}

void backoff_reset(struct backoff *b)
{
	b->tries = 0;
}
