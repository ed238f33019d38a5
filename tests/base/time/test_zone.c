#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time/civil.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/time/zone.h"
#include "base/time/zone_rule.h"

static void the_calendar_is_that_of_the_c_library(void **state)
{
	(void)state;
	for (int64_t at = -70000LL * CIVIL_DAY + 12345; at < 200000LL * CIVIL_DAY;
	     at += 37LL * CIVIL_DAY + 4321) {
		struct civil c = civil_of(at);
		time_t t = (time_t)at;
		struct tm tm;
		gmtime_r(&t, &tm);
		assert_int_equal(c.year, tm.tm_year + 1900);
		assert_int_equal(c.month, tm.tm_mon + 1);
		assert_int_equal(c.day, tm.tm_mday);
		assert_int_equal(c.weekday, tm.tm_wday);
		assert_int_equal(
		    c.hour * 3600 + c.minute * 60 + c.second, tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec);
		assert_int_equal(civil_seconds(&c), at);
	}
}

static void offsets_are_those_of_the_c_library(void **state)
{
	static const char *const names[] = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
	    "Pacific/Apia", "Asia/Kathmandu", "America/Nuuk", "Africa/Casablanca", "Europe/Dublin",
	    "Asia/Gaza", "America/Havana", "Etc/GMT+5"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct zone *z = zone_load(names[i], NULL);
		assert_non_null(z);
		setenv("TZ", names[i], 1);
		tzset();
		/* From 1951 to 2099, hours apart that drift over the day. */
		for (int64_t at = -600000000; at < 4070000000; at += 200003) {
			struct zone_span span = zone_span_at(z, at);
			time_t t = (time_t)at;
			struct tm tm;
			localtime_r(&t, &tm);
			if (span.offset != tm.tm_gmtoff || span.from > at || span.until <= at)
				fail_msg("%s at %lld: %d, not %ld", names[i], (long long)at, span.offset,
				    tm.tm_gmtoff);
		}
		zone_free(z);
	}
	unsetenv("TZ");
}

static int64_t utc_of(const struct zone *z, int month, int day, int hour, int minute)
{
	return zone_utc(z,
	    civil_seconds(
		&(struct civil){.year = 2026, .month = month, .day = day, .hour = hour, .minute = minute}));
}

static void a_time_on_the_wall_is_the_first_one_or_the_end_of_the_gap(void **state)
{
	struct zone *z = zone_load("Europe/Berlin", NULL);

	(void)state;
	assert_int_equal(utc_of(z, 1, 15, 12, 0), 1768474800);
	assert_int_equal(utc_of(z, 7, 15, 12, 0), 1784109600);
	assert_int_equal(utc_of(z, 3, 29, 2, 30), 1774746000);  /* 03:00 */
	assert_int_equal(utc_of(z, 10, 25, 2, 30), 1792888200); /* in summer time */
	zone_free(z);
}

static void a_rule_is_read_or_refused(void **state)
{
	static const char *const right[] = {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3",
	    "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "<+0330>-3:30", "IST-1GMT0,M10.5.0,M3.5.0/1",
	    "XXX3EDT4,0/0,J365/23", "EST5EDT,M3.2.0,M11.1.0"};
	static const char *const wrong[] = {"", "X1", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0",
	    "CET-1CEST,M3.6.0,M1.1.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "<CET-1", "CET-1CEST,J0,J1",
	    "CET-1CEST,M3.5.0/168,M10.5.0", "CET25"};
	struct zone_rule rule;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(right); i++)
		assert_int_equal(zone_rule_parse(right[i], strlen(right[i]), &rule), 0);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (zone_rule_parse(wrong[i], strlen(wrong[i]), &rule) == 0)
			fail_msg("%s", wrong[i]);
}

static void no_name_leads_out_of_the_database(void **state)
{
	static const char *const names[] = {"", "/etc/localtime", "../../../etc/passwd", "Europe",
	    "Europe/Nowhere", "Europe/Berlin ", "right/Europe/Berlin\n", "tzdata.zi", "Europe/B\xc3\xa9rlin",
	    "zone.tab"};
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_null(zone_load(names[i], &err));
		assert_int_equal(err.kind, ERROR_REFUSED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_calendar_is_that_of_the_c_library),
	    cmocka_unit_test(offsets_are_those_of_the_c_library),
	    cmocka_unit_test(a_time_on_the_wall_is_the_first_one_or_the_end_of_the_gap),
	    cmocka_unit_test(a_rule_is_read_or_refused),
	    cmocka_unit_test(no_name_leads_out_of_the_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
