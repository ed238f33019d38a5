#include "tools/reminders/schedule.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/time/civil.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/zone.h"
#include "store/schedules.h"

#define DURATION_MAX (366LL * 24 * 3600 * 1000)

static const struct {
	const char *name;
	int64_t ms;
} units[] = {
    {"s", 1000},
    {"sec", 1000},
    {"second", 1000},
    {"seconds", 1000},
    {"m", 60000},
    {"min", 60000},
    {"mins", 60000},
    {"minute", 60000},
    {"minutes", 60000},
    {"h", 3600000},
    {"hour", 3600000},
    {"hours", 3600000},
    {"d", 86400000},
    {"day", 86400000},
    {"days", 86400000},
    {"w", 604800000},
    {"week", 604800000},
    {"weeks", 604800000},
};

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* Reads between `least` and `most` digits. */
static bool read_digits(const char **at, size_t least, size_t most, int *out)
{
	size_t n = strspn(*at, "0123456789");

	*out = 0;
	if (n < least || n > most)
		return false;
	for (; n > 0; n--)
		*out = *out * 10 + (*(*at)++ - '0');
	return true;
}

static int64_t unit_of(const char *at, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (strlen(units[i].name) == len && strncasecmp(at, units[i].name, len) == 0)
			return units[i].ms;
	return 0;
}

bool schedule_duration(const char *text, int64_t *ms)
{
	const char *at = skip_blanks(text);
	int number;

	*ms = 0;
	do {
		if (!read_digits(&at, 1, 9, &number))
			return false;
		at = skip_blanks(at);
		size_t len = 0;
		while (isalpha((unsigned char)at[len]))
			len++;
		int64_t unit = len == 0 && *ms == 0 && *at == '\0' ? 1000 : unit_of(at, len);
		*ms += number * unit;
		if (unit == 0 || *ms > DURATION_MAX)
			return false;
		at = skip_blanks(at + len);
	} while (*at != '\0');
	return *ms > 0;
}

/* "HH:MM" or "HH:MM:SS", or "H:MM" */
static bool read_clock(const char **at, struct civil *c)
{
	return read_digits(at, 1, 2, &c->hour) && c->hour < 24 && *(*at)++ == ':' &&
	    read_digits(at, 2, 2, &c->minute) && c->minute < 60 &&
	    (**at != ':' || ((*at)++, read_digits(at, 2, 2, &c->second) && c->second < 60));
}

static bool read_date(const char **at, struct civil *c)
{
	int year;

	if (!read_digits(at, 4, 4, &year) || *(*at)++ != '-' || !read_digits(at, 2, 2, &c->month) ||
	    *(*at)++ != '-' || !read_digits(at, 2, 2, &c->day) || c->month < 1 || c->month > 12 || c->day < 1)
		return false;
	c->year = year;
	return c->day <= civil_month_days(year, c->month);
}

/* Parses "Z", "+01:00", "-0330" or "+01" at the end; returns false without one, with at unchanged. */
static bool read_offset(const char **at, int *seconds)
{
	const char *p = *at;
	int hours, minutes = 0, sign = *p == '-' ? -1 : 1;

	*seconds = 0;
	if (*p == 'Z' || *p == 'z') {
		(*at)++;
		return true;
	}
	if ((*p != '+' && *p != '-') || (p++, !isdigit((unsigned char)p[0])) || !isdigit((unsigned char)p[1]))
		return false;
	hours = (p[0] - '0') * 10 + (p[1] - '0');
	p += 2;
	if (*p == ':')
		p++;
	if (*p != '\0' && !read_digits(&p, 2, 2, &minutes))
		return false;
	if (hours > 18 || minutes > 59)
		return false;
	*seconds = sign * (hours * 3600 + minutes * 60);
	*at = p;
	return true;
}

/* Returns the next time at which clocks show this. */
static int64_t next_time(const struct civil *clock, const struct zone *z, int64_t now)
{
	struct zone_span span = zone_span_at(z, now);
	struct civil c = civil_of(now + span.offset);
	int64_t utc;

	c.hour = clock->hour;
	c.minute = clock->minute;
	c.second = clock->second;
	utc = zone_utc(z, civil_seconds(&c));
	return utc > now ? utc : zone_utc(z, civil_seconds(&c) + CIVIL_DAY);
}

/* Returns seconds of UTC; 0 when the text is invalid. */
static int64_t read_moment(const char *at, const struct zone *z, int64_t now)
{
	struct civil c = {0};
	const char *begin = at;
	int offset;

	if (read_clock(&at, &c) && *skip_blanks(at) == '\0')
		return next_time(&c, z, now);
	c = (struct civil){0};
	at = begin;
	if (!read_date(&at, &c) || (*at != 'T' && *at != 't' && *at != ' '))
		return 0;
	at = skip_blanks(at + 1);
	if (!read_clock(&at, &c))
		return 0;
	at = skip_blanks(at);
	bool has_offset = read_offset(&at, &offset);
	if (*skip_blanks(at) != '\0')
		return 0;
	return has_offset ? civil_seconds(&c) - offset : zone_utc(z, civil_seconds(&c));
}

int schedule_moment(const char *text, const struct zone *z, int64_t now_ms, int64_t *ms, struct error *err)
{
	const char *at = skip_blanks(text);
	struct buf now = BUF_INIT;
	int64_t wait;

	if (strncasecmp(at, "in ", 3) == 0 && schedule_duration(at + 3, &wait)) {
		*ms = now_ms + wait;
		return 0;
	}
	*ms = read_moment(at, z, now_ms / 1000) * 1000;
	if (*ms == 0)
		return error_set(err, ERROR_REFUSED,
		    "\"%.40s\" is no time: write it as 2026-12-24T18:00, 18:00 or \"in 20 min\"", text);
	if (*ms > now_ms)
		return 0;
	schedule_add_time(&now, now_ms, z);
	error_set(err, ERROR_REFUSED, "\"%.40s\" is over: it is %s now. Give a later time", text, now.data);
	buf_clear(&now);
	return -1;
}

void schedule_add_time(struct buf *out, int64_t ms, const struct zone *z)
{
	int64_t at = ms / 1000;
	int32_t offset = zone_span_at(z, at).offset, minutes = offset / 60;
	struct civil c = civil_of(at + offset);

	buf_addf(out, "%04lld-%02d-%02dT%02d:%02d:%02d%c%02d:%02d", (long long)c.year, c.month, c.day, c.hour,
	    c.minute, c.second, offset < 0 ? '-' : '+', (minutes < 0 ? -minutes : minutes) / 60,
	    (minutes < 0 ? -minutes : minutes) % 60);
}

void schedule_add_duration(struct buf *out, int64_t ms)
{
	static const struct {
		const char *name;
		int64_t ms;
	} shown[] = {{"d", 86400000}, {"h", 3600000}, {"min", 60000}, {"s", 1000}};
	int parts = 0;

	for (size_t i = 0; i < ARRAY_LEN(shown) && parts < 2; i++) {
		int64_t n = ms / shown[i].ms;
		if (n > 0 || (parts == 0 && i == ARRAY_LEN(shown) - 1))
			buf_addf(out, "%s%lld %s", parts++ > 0 ? " " : "", (long long)n, shown[i].name);
		else if (parts > 0)
			break;
		ms -= n * shown[i].ms;
	}
}

void schedule_add_rule(struct buf *out, const struct store_schedule *e, const struct zone *z)
{
	if (e->at_ms > 0) {
		buf_addstr(out, "at ");
		schedule_add_time(out, e->at_ms, z);
	} else if (e->every_ms > 0) {
		buf_addstr(out, "every ");
		schedule_add_duration(out, e->every_ms);
	} else {
		buf_addf(out, "cron %s (%s)", e->cron, e->zone);
	}
}
