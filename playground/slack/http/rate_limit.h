#ifndef PLAYGROUND_SLACK_HTTP_RATE_LIMIT_H
#define PLAYGROUND_SLACK_HTTP_RATE_LIMIT_H
/*
 * Rate limits (docs.slack.dev/apis/web-api/rate-limits): each method has a tier of so many calls a minute for
 * an app in a workspace; messages go at one a second in a conversation, with short bursts, and at several
 * hundred a minute over all. Chosen here, for the documentation gives no numbers: how large a burst may be.
 */
#include <stdint.h>

#include "playground/world/map.h"

struct slk_limits { /* zeroed before first use */
	struct map buckets;
};

enum slk_tier {
	SLK_TIER_NONE,
	SLK_TIER_1,
	SLK_TIER_2,
	SLK_TIER_3,
	SLK_TIER_4,
	SLK_TIER_SPECIAL,
	SLK_TIER_MESSAGES
};

/* Takes one of what a (any number) may have: 0, or how many seconds to wait, when nothing is taken. */
unsigned slk_limit_take(struct slk_limits *l, enum slk_tier tier, uint64_t a);
void slk_limits_clear(struct slk_limits *l);

#endif
