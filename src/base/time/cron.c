#include "base/time/cron.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/time/civil.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/zone.h"

/* 29 February on a given weekday, when both must match, comes at least this often. */
#define HORIZON (40LL * 366 * CIVIL_DAY)
/* A larger gap is a change of the calendar. */
#define GAP_MAX (3 * 3600)

static const char *const month_names[] = {
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", NULL};
static const char *const day_names[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat", NULL};

static const struct field {
	const char *name;
	int min, max;
	const char *const *names; /* names of the values from min on; NULL for none */
} fields[] = {
    {"minute", 0, 59, NULL},
    {"hour", 0, 23, NULL},
    {"day", 1, 31, NULL},
    {"month", 1, 12, month_names},
    {"weekday", 0, 7, day_names},
};

enum { MINUTE, HOUR, DAY, MONTH, WEEKDAY };

static const char *const words[][2] = {
    {"@hourly", "0 * * * *"},
    {"@daily", "0 0 * * *"},
    {"@midnight", "0 0 * * *"},
    {"@weekly", "0 0 * * 0"},
    {"@monthly", "0 0 1 * *"},
    {"@yearly", "0 0 1 1 *"},
    {"@annually", "0 0 1 1 *"},
};

static bool read_number(const char **at, int *out)
{
	int n = 0, digits = 0;

	for (; isdigit((unsigned char)**at) && digits < 4; digits++)
		n = n * 10 + (*(*at)++ - '0');
	*out = n;
	return digits > 0;
}

static bool read_value(const char **at, const struct field *f, int *out)
{
	for (int i = 0; f->names && f->names[i]; i++) {
		if (strncasecmp(*at, f->names[i], 3) == 0) {
			*at += 3;
			*out = f->min + i;
			return true;
		}
	}
	return read_number(at, out) && *out >= f->min && *out <= f->max;
}

/* Reads "*", "5", "1-5", each with an optional step "/2"; "5/2" continues to the end. */
static bool read_range(const char **at, const struct field *f, uint64_t *bits)
{
	int from = f->min, to = f->max, step = 1;

	if (**at == '*') {
		(*at)++;
		to = f == &fields[WEEKDAY] ? 6 : to;
	} else {
		if (!read_value(at, f, &from))
			return false;
		to = from;
		if (**at == '-' && (++*at, !read_value(at, f, &to)))
			return false;
		if (**at == '/' && to == from)
			to = f->max;
	}
	if (**at == '/' && (++*at, !read_number(at, &step)))
		return false;
	for (int i = from; i <= to && step > 0; i += step)
		*bits |= 1ULL << i;
	return step > 0 && from <= to;
}

static bool read_field(const char **at, const struct field *f, uint64_t *bits)
{
	*bits = 0;
	do {
		if (!read_range(at, f, bits))
			return false;
	} while (**at == ',' && (++*at, true));
	return true;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static int wrong(const char *text, const char *what, struct error *err)
{
	return error_set(err, ERROR_REFUSED,
	    "\"%.40s\" is no time for cron (%s): write minute, hour, day of the month, month, weekday, as in "
	    "\"30 8 * * mon-fri\"",
	    text, what);
}

/* Does any such day exist? */
static bool may_happen(const struct cron *c)
{
	for (int month = 1; month <= 12; month++)
		if (c->months & 1u << month)
			for (int day = 1; day <= civil_month_days(2000, month); day++)
				if (c->days & 1u << day)
					return true;
	return c->either_day;
}

static const char *expand(const char *text)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasecmp(text, words[i][0]) == 0)
			return words[i][1];
	return text;
}

int cron_parse(const char *text, struct cron *out, struct error *err)
{
	const char *at = skip_blanks(expand(text)), *begins[ARRAY_LEN(fields)];
	uint64_t bits[ARRAY_LEN(fields)];

	if (strlen(text) > CRON_TEXT_MAX)
		return wrong(text, "it is too long", err);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		begins[i] = at;
		if (!read_field(&at, &fields[i], &bits[i]) || (*at != '\0' && *at != ' ' && *at != '\t'))
			return wrong(text, fields[i].name, err);
		at = skip_blanks(at);
	}
	if (*at != '\0')
		return wrong(text, "more than five fields", err);
	/* Sunday is 0 and 7. */
	bits[WEEKDAY] = (bits[WEEKDAY] | bits[WEEKDAY] >> 7) & 0x7f;
	*out = (struct cron){.minutes = bits[MINUTE],
	    .hours = (uint32_t)bits[HOUR],
	    .days = (uint32_t)bits[DAY],
	    .months = (uint32_t)bits[MONTH],
	    .weekdays = (uint32_t)bits[WEEKDAY],
	    .every_hour = bits[HOUR] == 0xffffff,
	    .either_day = *begins[DAY] != '*' && *begins[WEEKDAY] != '*'};
	return may_happen(out) ? 0 : wrong(text, "there is no such day", err);
}

static bool fits_day(const struct cron *c, const struct civil *at)
{
	bool day = c->days & 1u << at->day, weekday = c->weekdays & 1u << at->weekday;

	return (c->months & 1u << at->month) && (c->either_day ? day || weekday : day && weekday);
}

/* Finds the first matching minute of that day, from the given one on. */
static bool find_minute(const struct cron *c, struct civil *at)
{
	for (; at->hour < 24; at->hour++, at->minute = 0)
		for (; (c->hours & 1u << at->hour) && at->minute < 60; at->minute++)
			if (c->minutes & 1ULL << at->minute)
				return true;
	return false;
}

/* Finds the first matching minute in local time from that one on, before the end. */
static bool find_on_wall(const struct cron *c, int64_t from, int64_t end, int64_t *found)
{
	struct civil at;

	while (from < end) {
		at = civil_of(from);
		if (fits_day(c, &at) && find_minute(c, &at)) {
			*found = civil_seconds(&at);
			return *found < end;
		}
		at = civil_of(from);
		int days = c->months & 1u << at.month ? 1 : civil_month_days(at.year, at.month) - at.day + 1;
		from += days * CIVIL_DAY - (at.hour * 3600 + at.minute * 60 + at.second);
	}
	return false;
}

static int64_t minute_from(int64_t seconds)
{
	int64_t rest = seconds % 60;

	return rest == 0 ? seconds : seconds - rest + (rest > 0 ? 60 : 0);
}

/* Did clocks show that time before the span, too? */
static bool was_shown(const struct zone *z, const struct zone_span *span, int64_t wall)
{
	if (span->from == INT64_MIN)
		return false;
	struct zone_span before = zone_span_at(z, span->from - 1);
	int64_t utc = wall - before.offset;
	return utc < span->from && utc >= before.from;
}

static bool find_in_span(const struct cron *c, const struct zone *z, const struct zone_span *span,
    int64_t from, int64_t end, int64_t *next)
{
	int64_t until = span->until < end ? span->until : end, wall;

	for (; find_on_wall(c, from, until + span->offset, &wall); from = wall + 60) {
		*next = wall - span->offset;
		if (c->every_hour || !was_shown(z, span, wall))
			return true;
	}
	return false;
}

/* Is there a matching time in the gap between two spans? */
static bool falls_between(const struct cron *c, const struct zone_span *before, const struct zone_span *after)
{
	int64_t from = minute_from(before->until + before->offset), end = after->from + after->offset, wall;

	return !c->every_hour && end - from <= GAP_MAX && find_on_wall(c, from, end, &wall);
}

bool cron_next(const struct cron *c, const struct zone *z, int64_t after, int64_t *next)
{
	struct zone_span span = zone_span_at(z, after), before;
	int64_t from = minute_from(after + span.offset + 1), end = after + HORIZON;

	while (!find_in_span(c, z, &span, from, end, next)) {
		if (span.until >= end)
			return false;
		before = span;
		span = zone_span_at(z, before.until);
		if (falls_between(c, &before, &span)) {
			*next = span.from;
			return true;
		}
		from = minute_from(span.from + span.offset);
	}
	return true;
}
