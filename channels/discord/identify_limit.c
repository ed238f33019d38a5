#include "channels/discord/identify_limit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/format.h"
#include "base/mem.h"
#include "channels/discord/settings.h"

#define HOUR_MS (3600 * 1000)
/* The interval between two after many in an hour. */
#define NOTICE_AFTER_MS (15 * 60 * 1000)
/* By how much the clocks of two nodes may differ. */
#define SKEW_MS 2000
/* Discord's usual number for a day. */
#define TOTAL 1000

/* Advances to the current hour. A clock that was set back changes nothing. */
static void advance(struct discord_identify_limit *i, int64_t wall_ms)
{
	int64_t hour = wall_ms / HOUR_MS;

	if (hour - i->hour > DISCORD_IDENTIFY_HOURS)
		i->hour = hour - DISCORD_IDENTIFY_HOURS;
	while (i->hour < hour)
		i->hours[++i->hour % DISCORD_IDENTIFY_HOURS] = 0;
}

/* Every number that Discord gives is 1 or a multiple of 16. */
unsigned discord_identify_limit_buckets(int64_t max_concurrency)
{
	if (max_concurrency >= 1 && max_concurrency <= DISCORD_BUCKETS)
		return (unsigned)max_concurrency;
	return max_concurrency % DISCORD_BUCKETS == 0 && max_concurrency > 0 ? DISCORD_BUCKETS : 1;
}

void discord_identify_limit_note(struct discord_identify_limit *i, unsigned bucket, int64_t wall_ms)
{
	advance(i, wall_ms);
	i->hours[i->hour % DISCORD_IDENTIFY_HOURS]++;
	i->wall_ms[bucket] = wall_ms;
}

unsigned discord_identify_limit_day(struct discord_identify_limit *i, int64_t wall_ms)
{
	unsigned sum = 0;

	advance(i, wall_ms);
	for (size_t n = 0; n < DISCORD_IDENTIFY_HOURS; n++)
		sum += i->hours[n];
	return sum;
}

unsigned discord_identify_limit_hour(struct discord_identify_limit *i, int64_t wall_ms)
{
	advance(i, wall_ms);
	return i->hours[i->hour % DISCORD_IDENTIFY_HOURS] +
	    i->hours[(i->hour + DISCORD_IDENTIFY_HOURS - 1) % DISCORD_IDENTIFY_HOURS];
}

uint64_t discord_identify_limit_wait(struct discord_identify_limit *i, const struct discord_limits *limits,
    unsigned bucket, size_t shards, int64_t wall_ms, uint64_t now_ms)
{
	uint64_t gap = limits->identify_gap_ms, last = i->last_ms[bucket];
	/* Bots that need more connections are allowed more sessions. */
	unsigned day = i->total > TOTAL ? (unsigned)(i->total / 2) : limits->identifies_day;

	if (discord_identify_limit_day(i, wall_ms) >= (i->units > 1 ? day / i->units : day))
		return UINT64_MAX;
	if (last == 0)
		return 0;
	/* Each shard may begin twice. */
	if (discord_identify_limit_hour(i, wall_ms) >= limits->identifies_hour + 2 * (shards - 1))
		gap = NOTICE_AFTER_MS;
	return now_ms < last + gap ? last + gap - now_ms : 0;
}

void discord_identify_limit_cursor(unsigned unit, char name[static DISCORD_CURSOR_MAX])
{
	if (unit == 0)
		str_copy(name, DISCORD_CURSOR_MAX, "identifies");
	else
		str_format(name, DISCORD_CURSOR_MAX, "identifies %u", unit);
}

char *discord_identify_limit_text(const struct discord_identify_limit *i)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "%" PRId64, i->hour);
	for (size_t n = 0; n < DISCORD_IDENTIFY_HOURS; n++)
		buf_addf(&out, " %u", i->hours[n]);
	for (size_t n = 0; n < DISCORD_BUCKETS; n++)
		buf_addf(&out, " %" PRId64, i->wall_ms[n]);
	return buf_take(&out);
}

void discord_identify_limit_read(
    struct discord_identify_limit *i, const char *text, int64_t wall_ms, uint64_t now_ms)
{
	char *at;

	*i = (struct discord_identify_limit){0};
	if (!text)
		return;
	i->hour = strtoll(text, &at, 10);
	for (size_t n = 0; n < DISCORD_IDENTIFY_HOURS; n++)
		i->hours[n] = (unsigned)strtoul(at, &at, 10);
	for (size_t n = 0; n < DISCORD_BUCKETS; n++) {
		int64_t age;

		i->wall_ms[n] = strtoll(at, &at, 10);
		age = wall_ms - i->wall_ms[n] - SKEW_MS;
		age = age > 0 ? age : 0;
		if (i->wall_ms[n] > 0 && age < HOUR_MS)
			i->last_ms[n] = now_ms > (uint64_t)age ? now_ms - (uint64_t)age : 1;
	}
	if (i->hour < 0)
		*i = (struct discord_identify_limit){0};
}
