/* Conversations that are over by their time. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time/clock.h"
#include "lib/stage.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
/* 2026-03-28 12:00 UTC: the night after it, clocks in Berlin go from 02:00 to 03:00. */
#define NOON INT64_C(1774699200000)

static bool expires(const struct session_settings *s, int64_t said_ms, int64_t now_ms)
{
	return said_ms < session_settings_cutoff_ms(s, now_ms);
}

static void a_quiet_time_ends_it(void **state)
{
	const struct session_settings never = {.daily_minute = -1}, s = {.idle_ms = HOUR, .daily_minute = -1};

	(void)state;
	assert_false(expires(&never, NOON - 1000 * HOUR, NOON));
	assert_false(expires(&s, NOON - HOUR + 1, NOON));
	assert_true(expires(&s, NOON - HOUR, NOON));
	/* A clock that was set back. */
	assert_false(expires(&s, NOON + 5 * HOUR, NOON));
}

static void a_time_of_the_day_ends_it(void **state)
{
	static char text[] = "04:00";
	const struct session_settings s = {.daily = text, .daily_minute = 240};

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	assert_false(expires(&s, NOON - 8 * HOUR, NOON));
	assert_true(expires(&s, NOON - 8 * HOUR - 1, NOON));
	/* In the night before it, the day of yesterday counts. */
	assert_false(expires(&s, NOON - 20 * HOUR, NOON - 9 * HOUR));
	assert_true(expires(&s, NOON - 33 * HOUR, NOON - 9 * HOUR));
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	/* 04:00 is 03:00 UTC on the 28th, and 02:00 UTC on the 29th. */
	assert_false(expires(&s, NOON - 9 * HOUR, NOON));
	assert_true(expires(&s, NOON - 9 * HOUR - 1, NOON));
	assert_false(expires(&s, NOON, NOON + 14 * HOUR - 1));
	assert_true(expires(&s, NOON, NOON + 14 * HOUR));
	assert_false(expires(&s, NOON + 14 * HOUR, NOON + 15 * HOUR));
	unsetenv("TZ");
	tzset();
}

static void what_is_no_time_is_a_mistake(void **state)
{
	static const char *const bad[] = {"4:00", "24:00", "04:60", "04:00 ", "noon", ""};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char *text = xasprintf("\nsessions: { daily = \"%s\"; };", bad[i]);
		struct config *cfg = config_parse("x.conf", text, NULL);
		struct session_settings s = {0};
		struct buf errors = BUF_INIT;

		session_settings_read(&s, cfg);
		assert_int_equal(config_error_count(cfg), 1);
		config_errors(cfg, &errors);
		assert_has(errors.data, "x.conf:2:");
		session_settings_clear(&s);
		config_free(cfg);
		buf_clear(&errors);
		free(text);
	}
}

STAGE_TEST(the_next_message_begins_a_new_one_and_those_behind_it_go_on)
{
	stage_configure(t, st, "sessions: { idle = \"1 h\"; };");
	stage_say(t, st, "7", "first");
	stage_settle(t, st);
	stage_say(t, st, "7", "second");
	stage_settle(t, st);
	assert_string_equal(st->heard.data, "user: first\nassistant: re: first\nuser: second\n");
	clock_set_ahead(HOUR);
	stage_say(t, st, "7", "third");
	stage_settle(t, st);
	assert_string_equal(st->heard.data, "user: third\n");
	assert_has(st->shown.data,
	    "7: (A new conversation begins: the last one ended by its time. I remember my notes of it "
	    "only.)\n7 >m3: re: third");
	buf_reset(&st->shown);
	stage_say(t, st, "7", "fourth");
	stage_settle(t, st);
	assert_string_equal(st->heard.data, "user: third\nassistant: re: third\nuser: fourth\n");
	assert_lacks(st->shown.data, "A new conversation");
	assert_lacks(st->log.data, " error ");
}

STAGE_TEST(a_crash_right_after_its_beginning_ends_no_other)
{
	stage_configure(t, st, "sessions: { idle = \"1 h\"; };");
	stage_say(t, st, "7", "first");
	stage_settle(t, st);
	clock_set_ahead(HOUR);
	st->held = true;
	stage_say(t, st, "7", "second");
	stage_until(t, st->asking == 1);
	stage_snapshot(st);
	st->held = false;
	stage_settle(t, st);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_string_equal(st->heard.data, "user: second\n");
	stage_say(t, st, "7", "third");
	stage_settle(t, st);
	assert_string_equal(st->heard.data, "user: second\nassistant: re: second\nuser: third\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_quiet_time_ends_it),
	    cmocka_unit_test(a_time_of_the_day_ends_it),
	    cmocka_unit_test(what_is_no_time_is_a_mistake),
	    cmocka_unit_test(the_next_message_begins_a_new_one_and_those_behind_it_go_on),
	    cmocka_unit_test(a_crash_right_after_its_beginning_ends_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
