#include "base/time/zone_rule.h"

#include <ctype.h>

#include "base/time/civil.h"

struct reader {
	const char *at, *end;
};

static bool take(struct reader *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static bool read_number(struct reader *r, int max, int *out)
{
	int n = 0;
	const char *begin = r->at;

	while (r->at < r->end && isdigit((unsigned char)*r->at) && r->at - begin < 4)
		n = n * 10 + (*r->at++ - '0');
	*out = n;
	return r->at > begin && n <= max;
}

/* [+-]hh[:mm[:ss]] */
static bool read_time(struct reader *r, int hours_max, int *seconds)
{
	bool minus = take(r, '-');
	int h, m = 0, s = 0;

	if (!minus)
		take(r, '+');
	if (!read_number(r, hours_max, &h) ||
	    (take(r, ':') && (!read_number(r, 59, &m) || (take(r, ':') && !read_number(r, 59, &s)))))
		return false;
	*seconds = (minus ? -1 : 1) * (h * 3600 + m * 60 + s);
	return true;
}

/* Three letters or more, or anything between < and >. */
static bool skip_name(struct reader *r)
{
	const char *begin = r->at;

	if (take(r, '<')) {
		while (r->at < r->end && *r->at != '>')
			r->at++;
		return take(r, '>');
	}
	while (r->at < r->end && isalpha((unsigned char)*r->at))
		r->at++;
	return r->at - begin >= 3;
}

static bool read_month_date(struct reader *r, struct zone_date *d)
{
	return read_number(r, 12, &d->month) && d->month > 0 && take(r, '.') && read_number(r, 5, &d->week) &&
	    d->week > 0 && take(r, '.') && read_number(r, 6, &d->day);
}

static bool read_date(struct reader *r, struct zone_date *d)
{
	bool ok;

	d->seconds = 2 * 3600;
	if (take(r, 'M')) {
		d->kind = 'M';
		ok = read_month_date(r, d);
	} else if (take(r, 'J')) {
		d->kind = 'J';
		ok = read_number(r, 365, &d->day) && d->day > 0;
	} else {
		d->kind = 'n';
		ok = read_number(r, 365, &d->day);
	}
	return ok && (!take(r, '/') || read_time(r, 167, &d->seconds));
}

int zone_rule_parse(const char *text, size_t len, struct zone_rule *out)
{
	struct reader r = {text, text + len};
	int west;

	*out = (struct zone_rule){0};
	if (!skip_name(&r) || !read_time(&r, 24, &west))
		return -1;
	out->standard = out->summer = -west;
	if (r.at == r.end)
		return 0;
	out->changes = true;
	out->summer = out->standard + 3600;
	if (!skip_name(&r))
		return -1;
	if (r.at < r.end && *r.at != ',') {
		if (!read_time(&r, 24, &west))
			return -1;
		out->summer = -west;
	}
	return take(&r, ',') && read_date(&r, &out->begin) && take(&r, ',') && read_date(&r, &out->end) &&
		r.at == r.end ?
	    0 :
	    -1;
}

/* Returns the local time of the change in that year. */
static int64_t date_in(const struct zone_date *d, int64_t year)
{
	struct civil c = {.year = year, .month = 1, .day = 1};
	int64_t january = civil_seconds(&c);

	if (d->kind == 'n')
		return january + (int64_t)d->day * CIVIL_DAY + d->seconds;
	if (d->kind == 'J')
		return january +
		    (int64_t)(d->day - 1 + (d->day > 59 && civil_month_days(year, 2) == 29)) * CIVIL_DAY +
		    d->seconds;
	c.month = d->month;
	int64_t first = civil_seconds(&c);
	int day = 1 + (d->day - civil_of(first).weekday + 7) % 7 + (d->week - 1) * 7;
	while (day > civil_month_days(year, d->month))
		day -= 7;
	return first + (int64_t)(day - 1) * CIVIL_DAY + d->seconds;
}

struct zone_span zone_rule_span(const struct zone_rule *r, int64_t utc)
{
	struct zone_span span = {INT64_MIN, INT64_MAX, r->standard};

	if (!r->changes)
		return span;
	int64_t year = civil_of(utc).year;
	for (int64_t y = year - 1; y <= year + 1; y++) {
		const struct zone_span changes[] = {
		    {.from = date_in(&r->begin, y) - r->standard, .offset = r->summer},
		    {.from = date_in(&r->end, y) - r->summer, .offset = r->standard},
		};
		for (int i = 0; i < 2; i++) {
			if (changes[i].from <= utc && changes[i].from >= span.from) {
				span.from = changes[i].from;
				span.offset = changes[i].offset;
			} else if (changes[i].from > utc && changes[i].from < span.until) {
				span.until = changes[i].from;
			}
		}
	}
	return span;
}
