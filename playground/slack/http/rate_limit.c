#include "playground/slack/http/rate_limit.h"

#include <stdlib.h>

#include "base/time/clock.h"
#include "base/mem.h"

struct bucket {
	uint64_t spent_ms; /* when it will be full again */
};

static const struct {
	uint64_t each_ms; /* time to refill one token */
	uint64_t burst;   /* capacity */
} rates[] = {
    [SLK_TIER_1] = {60000, 3},
    [SLK_TIER_2] = {3000, 20},
    [SLK_TIER_3] = {1200, 50},
    [SLK_TIER_4] = {600, 100},
    [SLK_TIER_SPECIAL] = {100, 300},
    [SLK_TIER_MESSAGES] = {1000, 10},
};

enum slk_tier slk_limit_tier(const char *name)
{
	if (!name)
		return SLK_TIER_NONE;
	return name[0] >= '1' && name[0] <= '4' ? SLK_TIER_1 + (enum slk_tier)(name[0] - '1') :
						  SLK_TIER_SPECIAL;
}

unsigned slk_limit_take(struct slk_limits *l, enum slk_tier tier, uint64_t a)
{
	uint64_t now = clock_now(), room;
	struct bucket *b;

	l->used = 0;
	if (tier == SLK_TIER_NONE)
		return 0;
	b = map_get(&l->buckets, (int64_t)a, tier);
	if (!b) {
		b = xcalloc(1, sizeof(*b));
		map_put(&l->buckets, (int64_t)a, tier, b);
	}
	room = rates[tier].each_ms * (rates[tier].burst - 1);
	if (b->spent_ms > now + room)
		return (unsigned)((b->spent_ms - now - room + 999) / 1000);
	b->spent_ms = (b->spent_ms > now ? b->spent_ms : now) + rates[tier].each_ms;
	l->used = (unsigned)((b->spent_ms - now) * 100 / (rates[tier].each_ms * rates[tier].burst));
	return 0;
}

void slk_limits_clear(struct slk_limits *l)
{
	size_t count;
	void **all = map_values(&l->buckets, &count);

	for (size_t i = 0; i < count; i++)
		free(all[i]);
	free(all);
	map_clear(&l->buckets);
}
