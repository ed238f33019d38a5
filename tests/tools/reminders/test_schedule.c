/* When reminders are due. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/zone.h"
#include "store/schedules.h"
#include "tools/reminders/schedule.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
/* 2026-11-21T12:00:00Z, 13:00 in Berlin */
#define NOW INT64_C(1795262400000)

static struct zone *berlin;

static int setup(void **state)
{
	(void)state;
	berlin = zone_load("Europe/Berlin", NULL);
	return berlin ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	zone_free(berlin);
	return 0;
}

static void durations_are_read_as_people_write_them(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} right[] = {{"90", 90000}, {"20 min", 20 * MINUTE}, {"2h30m", 150 * MINUTE},
	    {"1 h 30 min", 90 * MINUTE}, {"1 WEEK", 7 * DAY}, {"1d", DAY}, {" 5 minutes ", 5 * MINUTE},
	    {"45s", 45000}, {"366 d", 366 * DAY}};
	static const char *const wrong[] = {"", "0", "min", "-5 min", "5 parsecs", "1.5 h", "367 d",
	    "9999999999 s", "5 min and more", "2 h 3"};
	int64_t ms;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(right); i++) {
		assert_true(schedule_duration(right[i].text, &ms));
		assert_int_equal(ms, right[i].ms);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (schedule_duration(wrong[i], &ms))
			fail_msg("%s", wrong[i]);
}

static void moments_are_meant_in_the_zone_unless_they_name_an_offset(void **state)
{
	static const struct {
		const char *text, *then;
	} right[] = {
	    {"2026-12-24T18:00", "2026-12-24T18:00:00+01:00"},
	    {"2026-12-24 18:00:30", "2026-12-24T18:00:30+01:00"},
	    {"2026-12-24T18:00Z", "2026-12-24T19:00:00+01:00"},
	    {"2027-07-01T09:00+02:00", "2027-07-01T09:00:00+02:00"},
	    {"2026-12-24T18:00-0530", "2026-12-25T00:30:00+01:00"},
	    {"2027-03-28T02:30", "2027-03-28T03:00:00+02:00"},
	    {"2027-10-31T02:30", "2027-10-31T02:30:00+02:00"},
	    {"18:00", "2026-11-21T18:00:00+01:00"},
	    {"9:30", "2026-11-22T09:30:00+01:00"},
	    {"13:00", "2026-11-22T13:00:00+01:00"},
	    {"in 20 min", "2026-11-21T13:20:00+01:00"},
	    {"In 2h", "2026-11-21T15:00:00+01:00"},
	};
	static const char *const wrong[] = {"", "soon", "2026-12-24", "2026-13-01T00:00", "2026-02-30T10:00",
	    "25:00", "2026-12-24T18:60", "2026-12-24T18:00+", "2026-12-24T18:00X", "24-12-2026 18:00", "in",
	    "in a while", "2026-11-21T12:59", "1999-01-01T00:00Z"};
	int64_t ms;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(right); i++) {
		struct buf out = BUF_INIT;
		assert_int_equal(schedule_moment(right[i].text, berlin, NOW, &ms, NULL), 0);
		schedule_add_time(&out, ms, berlin);
		assert_string_equal(out.data, right[i].then);
		buf_clear(&out);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err = {0};
		if (schedule_moment(wrong[i], berlin, NOW, &ms, &err) == 0)
			fail_msg("%s", wrong[i]);
		assert_int_equal(err.kind, ERROR_REFUSED);
	}
}

static struct schedule_decision judge(struct store_schedule e, int catch_up, int64_t late_ms)
{
	e.next_ms = NOW;
	return schedule_decide(&e, berlin, catch_up, NOW + late_ms);
}

static void assert_decision(struct schedule_decision f, bool fires, int64_t next_ms, int64_t missed)
{
	assert_int_equal(f.fires, fires);
	assert_int_equal(f.next_ms, next_ms);
	assert_int_equal(f.missed, missed);
}

static void what_was_missed_comes_once_or_not_at_all(void **state)
{
	const struct store_schedule once = {.at_ms = NOW},
				    hourly = {.every_ms = HOUR, .created_ms = NOW - 10 * HOUR};
	struct store_schedule daily = {.cron = (char *)(uintptr_t) "0 13 * * *"};

	(void)state;
	assert_decision(judge(once, SCHEDULE_ONCE, 0), true, 0, 0);
	assert_decision(judge(once, SCHEDULE_ONCE, 9 * DAY), true, 0, 0);
	assert_decision(judge(once, SCHEDULE_SKIP, 4 * MINUTE), true, 0, 0);
	assert_decision(judge(once, SCHEDULE_SKIP, 9 * DAY), false, 0, 1);
	assert_decision(judge(hourly, SCHEDULE_ONCE, 20), true, NOW + HOUR, 0);
	assert_decision(judge(hourly, SCHEDULE_ONCE, 2 * HOUR), true, NOW + 3 * HOUR, 2);
	assert_decision(judge(hourly, SCHEDULE_SKIP, 2 * HOUR + 1), false, NOW + 3 * HOUR, 3);
	assert_decision(judge(daily, SCHEDULE_ONCE, 3 * DAY + HOUR), true, NOW + 4 * DAY, 3);
	assert_decision(judge(daily, SCHEDULE_ONCE, 2000 * DAY), true, NOW + 2001 * DAY - HOUR, 1000);
}

static void a_late_one_says_so(void **state)
{
	const struct store_schedule hourly = {.every_ms = HOUR, .created_ms = NOW - HOUR, .next_ms = NOW};
	struct schedule_decision decision = judge(hourly, SCHEDULE_ONCE, 2 * HOUR + 5 * MINUTE);
	struct buf out = BUF_INIT;

	(void)state;
	schedule_add_delay(&out, &hourly, berlin, &decision);
	assert_string_equal(out.data,
	    "It was due at 2026-11-21T13:00:00+01:00, and comes 2 h 5 min late; 2 further times between then "
	    "and now were missed.");
	buf_reset(&out);
	decision = judge(hourly, SCHEDULE_ONCE, 59 * 1000);
	schedule_add_delay(&out, &hourly, berlin, &decision);
	assert_int_equal(out.len, 0);
	buf_clear(&out);
}

static void intervals_count_from_when_they_were_set_wherever_the_clock_is(void **state)
{
	const struct store_schedule e = {.every_ms = HOUR, .created_ms = NOW};

	(void)state;
	assert_int_equal(schedule_after(&e, berlin, NOW), NOW + HOUR);
	assert_int_equal(schedule_after(&e, berlin, NOW + 90 * MINUTE), NOW + 2 * HOUR);
	assert_int_equal(schedule_after(&e, berlin, NOW - 1), NOW);
	assert_int_equal(schedule_after(&e, berlin, NOW - 90 * MINUTE), NOW - HOUR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(durations_are_read_as_people_write_them),
	    cmocka_unit_test(moments_are_meant_in_the_zone_unless_they_name_an_offset),
	    cmocka_unit_test(what_was_missed_comes_once_or_not_at_all),
	    cmocka_unit_test(a_late_one_says_so),
	    cmocka_unit_test(intervals_count_from_when_they_were_set_wherever_the_clock_is),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
