#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time/civil.h"
#include "base/time/cron.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/zone.h"

static struct zone *load(const char *name)
{
	struct error err = {0};
	struct zone *z = zone_load(name, &err);

	if (!z)
		print_message("%s\n", err.text);
	assert_non_null(z);
	return z;
}

static struct cron parse(const char *text)
{
	struct error err = {0};
	struct cron c;

	if (cron_parse(text, &c, &err) < 0)
		fail_msg("%s", err.text);
	return c;
}

/* "2026-03-29 02:30" */
static int64_t seconds(const char *text)
{
	struct civil c = {0};

	assert_int_equal(
	    sscanf(text, "%4d-%2d-%2d %2d:%2d", (int *)&c.weekday, &c.month, &c.day, &c.hour, &c.minute), 5);
	c.year = c.weekday;
	return civil_seconds(&c);
}

static char *text_of(int64_t at)
{
	struct civil c = civil_of(at);

	return xasprintf("%04d-%02d-%02d %02d:%02d", (int)c.year, c.month, c.day, c.hour, c.minute);
}

static void assert_times(const char *cron, const char *zone, const char *after, const char *const *utc)
{
	struct cron c = parse(cron);
	struct zone *z = load(zone);
	int64_t at = seconds(after);

	for (; *utc; utc++) {
		assert_true(cron_next(&c, z, at, &at));
		char *text = text_of(at);
		assert_string_equal(text, *utc);
		free(text);
	}
	zone_free(z);
}

#define TIMES(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

static void an_hour_that_does_not_exist_is_made_up_for_once_at_its_end(void **state)
{
	(void)state;
	assert_times("30 2 * * *", "Europe/Berlin", "2026-03-28 00:00",
	    TIMES("2026-03-28 01:30", "2026-03-29 01:00", "2026-03-30 00:30"));
	assert_times("*/20 2 * * *", "Europe/Berlin", "2026-03-28 02:00",
	    TIMES("2026-03-29 01:00", "2026-03-30 00:00"));
	assert_times("*/15 2,3 * * *", "America/New_York", "2026-03-08 06:59",
	    TIMES("2026-03-08 07:00", "2026-03-08 07:15", "2026-03-08 07:30", "2026-03-08 07:45",
		"2026-03-09 06:00"));
}

static void an_hour_that_comes_twice_counts_once(void **state)
{
	(void)state;
	assert_times(
	    "30 2 * * *", "Europe/Berlin", "2026-10-24 12:00", TIMES("2026-10-25 00:30", "2026-10-26 01:30"));
	assert_times("0 1 * * *", "America/New_York", "2026-10-31 12:00",
	    TIMES("2026-11-01 05:00", "2026-11-02 06:00"));
	assert_times("45 1 * * *", "Australia/Lord_Howe", "2026-04-03 20:00",
	    TIMES("2026-04-04 14:45", "2026-04-05 15:15"));
}

static void times_of_every_hour_follow_the_hours_that_pass(void **state)
{
	(void)state;
	assert_times(
	    "30 * * * *", "Europe/Berlin", "2026-03-29 00:00", TIMES("2026-03-29 00:30", "2026-03-29 01:30"));
	assert_times("30 * * * *", "Europe/Berlin", "2026-10-25 00:00",
	    TIMES("2026-10-25 00:30", "2026-10-25 01:30", "2026-10-25 02:30"));
}

static void a_day_that_a_zone_left_out_is_not_made_up_for(void **state)
{
	(void)state;
	assert_times(
	    "0 9 * * *", "Pacific/Apia", "2011-12-28 20:00", TIMES("2011-12-29 19:00", "2011-12-30 19:00"));
}

static void days_fit_as_cron_has_them(void **state)
{
	(void)state;
	assert_times("0 0 13 * fri", "UTC", "2026-11-01 00:00",
	    TIMES("2026-11-06 00:00", "2026-11-13 00:00", "2026-11-20 00:00"));
	assert_times("0 0 29 2 *", "UTC", "2096-03-01 00:00", TIMES("2104-02-29 00:00"));
	assert_times("0 0 * * 7", "UTC", "2026-11-21 00:00", TIMES("2026-11-22 00:00"));
	assert_times("@weekly", "UTC", "2026-11-21 00:00", TIMES("2026-11-22 00:00"));
	assert_times("0 12 31 * *", "Asia/Kathmandu", "2026-03-01 00:00",
	    TIMES("2026-03-31 06:15", "2026-05-31 06:15"));
	assert_times("10-40/15,50 8 1 JAN,jul mon-7", "UTC", "2026-06-30 00:00",
	    TIMES("2026-07-01 08:10", "2026-07-01 08:25", "2026-07-01 08:40", "2026-07-01 08:50",
		"2026-07-02 08:10"));
}

static void what_is_no_time_is_refused_with_the_field(void **state)
{
	static const char *const wrong[][2] = {
	    {"", "minute"},
	    {"* * * *", "weekday"},
	    {"60 * * * *", "minute"},
	    {"* 24 * * *", "hour"},
	    {"* * 0 * *", "day"},
	    {"* * * 13 *", "month"},
	    {"* * * * 8", "weekday"},
	    {"*/0 * * * *", "minute"},
	    {"5-1 * * * *", "minute"},
	    {"* * * * * *", "five"},
	    {"0 0 31 2 *", "no such day"},
	    {"1,,2 * * * *", "minute"},
	    {"@never", "minute"},
	    {"x * * * *", "minute"},
	    {"1- * * * *", "minute"},
	    {"99999 * * * *", "minute"},
	};
	struct error err = {0};
	struct cron c;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(cron_parse(wrong[i][0], &c, &err), -1);
		if (!strstr(err.text, wrong[i][1]))
			fail_msg("%s: %s", wrong[i][0], err.text);
	}
}

/* The reference: goes through all minutes that pass, and asks the C library what the clocks show. */
struct slow {
	struct cron c;
	int64_t wall;    /* that was shown in the minute before */
	int64_t highest; /* ever */
};

static int64_t shown(int64_t utc)
{
	time_t at = (time_t)utc;
	struct tm tm;

	localtime_r(&at, &tm);
	return (int64_t)timegm(&tm);
}

static bool slow_fits(const struct cron *c, int64_t wall)
{
	time_t at = (time_t)wall;
	struct tm tm;

	gmtime_r(&at, &tm);
	bool day = c->days >> tm.tm_mday & 1, weekday = c->weekdays >> tm.tm_wday & 1;
	return c->minutes >> tm.tm_min & 1 && c->hours >> tm.tm_hour & 1 &&
	    c->months >> (tm.tm_mon + 1) & 1 && (c->either_day ? day || weekday : day && weekday);
}

static void progress_notice_begin(struct slow *s, int64_t utc)
{
	s->wall = shown(utc);
	s->highest = s->wall;
	for (int64_t back = utc - 30 * 3600; back < utc; back += 60)
		s->highest = shown(back) > s->highest ? shown(back) : s->highest;
}

static bool slow_minute(struct slow *s, int64_t utc)
{
	int64_t wall = shown(utc), before = s->wall;
	bool again = wall <= s->highest, fires = slow_fits(&s->c, wall) && (!again || s->c.every_hour);

	for (int64_t w = before + 60; !s->c.every_hour && w < wall && wall - before - 60 <= 3 * 3600; w += 60)
		fires = fires || slow_fits(&s->c, w);
	s->wall = wall;
	s->highest = again ? s->highest : wall;
	return fires;
}

static void compare(const char *cron, const struct zone *z, int64_t from, int64_t until)
{
	struct slow s = {.c = parse(cron)};
	int64_t next;

	progress_notice_begin(&s, from);
	bool some = cron_next(&s.c, z, from, &next);
	for (int64_t utc = from + 60; utc < until; utc += 60) {
		bool expected = slow_minute(&s, utc), got = some && next == utc;
		if (expected != got)
			fail_msg("%s in %s at %lld: %s", cron, getenv("TZ"), (long long)utc,
			    got ? "too much" : "missing");
		if (got)
			some = cron_next(&s.c, z, utc, &next);
	}
}

static const char *const samples[] = {
    "0 9 * * *",
    "30 2 * * *",
    "*/7 1-3 * * *",
    "15 * * * *",
    "0 0 * * *",
    "0,30 0,2,23 * * 0",
    "59 23 31 12 *",
    "*/30 */2 * * *",
    "5 2 * 3,4,9,10,11 sat,sun",
};

static const struct {
	const char *zone, *around;
} edges[] = {
    {"Europe/Berlin", "2026-03-29 01:00"},
    {"Europe/Berlin", "2026-10-25 01:00"},
    {"Europe/Berlin", "2045-03-26 01:00"},
    {"Europe/Berlin", "2045-10-29 01:00"},
    {"America/New_York", "2026-03-08 07:00"},
    {"America/New_York", "2039-11-06 06:00"},
    {"Australia/Lord_Howe", "2026-04-04 15:00"},
    {"Australia/Lord_Howe", "2026-10-03 15:30"},
    {"Australia/Lord_Howe", "2041-10-05 15:30"},
    {"Pacific/Apia", "2011-12-30 10:00"},
    {"Pacific/Apia", "2010-09-26 11:00"},
    {"Asia/Kathmandu", "2026-01-01 00:00"},
    {"America/Sao_Paulo", "2018-11-04 03:00"},
    {"America/Nuuk", "2040-03-25 01:00"},
    {"Africa/Casablanca", "2026-03-22 02:00"},
    {"Europe/Dublin", "2026-10-25 01:00"},
    {"Asia/Tehran", "2022-03-21 20:30"},
    {"Pacific/Kwajalein", "1993-08-21 12:00"},
    {"America/Havana", "2040-03-11 05:00"},
};

static void use_zone(const char *name)
{
	setenv("TZ", name, 1);
	tzset();
}

static void around_each_change_of_the_clocks_nothing_is_lost_or_doubled(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(edges); i++) {
		struct zone *z = load(edges[i].zone);
		int64_t at = seconds(edges[i].around);
		use_zone(edges[i].zone);
		for (size_t k = 0; k < ARRAY_LEN(samples); k++)
			compare(samples[k], z, at - 30 * 3600, at + 30 * 3600);
		zone_free(z);
	}
	unsetenv("TZ");
}

/* Days drawn over sixty years, in zones of all kinds; MYNA_CRON_DAYS of them. */
static void on_days_drawn_by_chance_it_is_as_the_slow_reference_says(void **state)
{
	static const char *const zones[] = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
	    "Pacific/Apia", "Asia/Kathmandu", "Africa/Cairo", "America/Asuncion"};
	const char *size = getenv("MYNA_CRON_DAYS");
	uint64_t seed = 1;

	(void)state;
	for (long n = size ? strtol(size, NULL, 10) : 100; n > 0; n--) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		uint64_t r = seed >> 20;
		const char *zone = zones[r % ARRAY_LEN(zones)];
		int64_t at = (int64_t)(r / 7 % (60 * 365)) * CIVIL_DAY + seconds("1995-01-01 00:00");
		struct zone *z = load(zone);
		use_zone(zone);
		compare(samples[r / 1000003 % ARRAY_LEN(samples)], z, at, at + 3 * CIVIL_DAY);
		zone_free(z);
	}
	unsetenv("TZ");
}

static void a_preview_of_four_hundred_days_is_in_order_and_complete(void **state)
{
	struct zone *z = load("Europe/Berlin");
	struct cron c = parse("30 2 * * *");
	int64_t begin = seconds("2026-01-01 00:00"), at = begin;
	int count = 0;

	(void)state;
	for (int64_t last = at; cron_next(&c, z, at, &at) && at < begin + 400 * CIVIL_DAY; last = at, count++)
		assert_true(at > last);
	assert_int_equal(count, 400);
	zone_free(z);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_hour_that_does_not_exist_is_made_up_for_once_at_its_end),
	    cmocka_unit_test(an_hour_that_comes_twice_counts_once),
	    cmocka_unit_test(times_of_every_hour_follow_the_hours_that_pass),
	    cmocka_unit_test(a_day_that_a_zone_left_out_is_not_made_up_for),
	    cmocka_unit_test(days_fit_as_cron_has_them),
	    cmocka_unit_test(what_is_no_time_is_refused_with_the_field),
	    cmocka_unit_test(around_each_change_of_the_clocks_nothing_is_lost_or_doubled),
	    cmocka_unit_test(on_days_drawn_by_chance_it_is_as_the_slow_reference_says),
	    cmocka_unit_test(a_preview_of_four_hundred_days_is_in_order_and_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
