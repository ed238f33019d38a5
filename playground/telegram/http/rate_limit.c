#include "playground/telegram/http/rate_limit.h"

static const struct {
	uint64_t each_ms; /* time to refill one token */
	uint64_t burst;   /* capacity */
} rates[] = {
    [BUCKET_PRIVATE] = {1000, 20},
    [BUCKET_GROUP] = {3000, 20},
    [BUCKET_PRIVATE_EDIT] = {1000, 30},
    [BUCKET_GROUP_EDIT] = {3000, 20},
    [BUCKET_OVERALL] = {33, 60},
};

unsigned bucket_wait(const struct bucket *b, enum bucket_kind kind, uint64_t now_ms)
{
	uint64_t room = rates[kind].each_ms * (rates[kind].burst - 1);

	return b->spent_ms > now_ms + room ? (unsigned)((b->spent_ms - now_ms - room + 999) / 1000) : 0;
}

unsigned bucket_take(struct bucket *b, enum bucket_kind kind, uint64_t now_ms)
{
	b->spent_ms = (b->spent_ms > now_ms ? b->spent_ms : now_ms) + rates[kind].each_ms;
	return (unsigned)((b->spent_ms - now_ms) * 100 / (rates[kind].each_ms * rates[kind].burst));
}
