#ifndef PLAYGROUND_SLACK_HTTP_RATE_LIMIT_H
#define PLAYGROUND_SLACK_HTTP_RATE_LIMIT_H
/*
 * Rate limits (docs.slack.dev/apis/web-api/rate-limits): calls per minute by the method's tier, per app and
 * workspace; one message per second in a conversation, with short bursts; several hundred messages per minute
 * in all. Undocumented: burst sizes; they are chosen here.
 */
#include <stdint.h>

#include "playground/world/map.h"

struct slk_limits { /* zero-initialised */
	struct map buckets;
	unsigned used; /* how much of the bucket of the last token is used up, in percent */
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

/* As tables write it: 1 to 4, special; NULL: none. */
enum slk_tier slk_limit_tier(const char *name);
/* Takes a token of key a. Returns 0, or the seconds to wait when nothing was taken. */
unsigned slk_limit_take(struct slk_limits *l, enum slk_tier tier, uint64_t a);
void slk_limits_clear(struct slk_limits *l);

#endif
