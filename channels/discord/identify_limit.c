#include "channels/discord/identify_limit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "channels/discord/settings.h"

#define HOUR_MS (3600 * 1000)
/* Between two, when there were many in an hour. */
#define NOTICE_AFTER_MS (15 * 60 * 1000)

/* Moves on to the present hour. A clock that was set back changes nothing. */
static void advance(struct discord_identify_limit *i, int64_t wall_ms)
{
	int64_t hour = wall_ms / HOUR_MS;

	if (hour - i->hour > DISCORD_IDENTIFY_HOURS)
		i->hour = hour - DISCORD_IDENTIFY_HOURS;
	while (i->hour < hour)
		i->hours[++i->hour % DISCORD_IDENTIFY_HOURS] = 0;
}

void discord_identify_limit_note(struct discord_identify_limit *i, int64_t wall_ms)
{
	advance(i, wall_ms);
	i->hours[i->hour % DISCORD_IDENTIFY_HOURS]++;
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

uint64_t discord_identify_limit_wait(
    struct discord_identify_limit *i, const struct discord_limits *limits, int64_t wall_ms, uint64_t now_ms)
{
	uint64_t gap = limits->identify_gap_ms;

	if (discord_identify_limit_day(i, wall_ms) >= limits->identifies_day)
		return UINT64_MAX;
	if (i->last_ms == 0)
		return 0;
	if (discord_identify_limit_hour(i, wall_ms) >= limits->identifies_hour)
		gap = NOTICE_AFTER_MS;
	return now_ms < i->last_ms + gap ? i->last_ms + gap - now_ms : 0;
}

char *discord_identify_limit_text(const struct discord_identify_limit *i)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "%" PRId64, i->hour);
	for (size_t n = 0; n < DISCORD_IDENTIFY_HOURS; n++)
		buf_addf(&out, " %u", i->hours[n]);
	return buf_take(&out);
}

void discord_identify_limit_read(struct discord_identify_limit *i, const char *text)
{
	char *at;

	*i = (struct discord_identify_limit){0};
	if (!text)
		return;
	i->hour = strtoll(text, &at, 10);
	for (size_t n = 0; n < DISCORD_IDENTIFY_HOURS; n++)
		i->hours[n] = (unsigned)strtoul(at, &at, 10);
	if (i->hour < 0)
		*i = (struct discord_identify_limit){0};
}
