/* Reminders: set, due, and what comes between. */
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/log.h"
#include "bus/channel.h"
#include "lib/sql_tap.h"
#include "lib/stage.h"
#include "session/queue_mode.h"
#include "session/session_internal.h"
#include "store/schedules.h"
#include "tools/tools.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static int64_t ahead;

/* Somebody sets the clock, and the scheduler is told of it. */
static void set_clock(struct stage *st, int64_t ms)
{
	(void)st;
	ahead += ms;
	clock_set_ahead(ms);
}

static int restore_clock(void **state)
{
	(void)state;
	clock_set_ahead(-ahead);
	ahead = 0;
	return 0;
}

/* A command, and what it is answered with. */
static const char *give_as(struct task *t, struct stage *st, const char *person, const char *text)
{
	buf_reset(&st->shown);
	stage_say_by(t, st, "7", person, text);
	stage_settle(t, st);
	return st->shown.data;
}

static const char *give(struct task *t, struct stage *st, const char *text)
{
	return give_as(t, st, "77", text);
}

static size_t count_due(struct task *t, struct stage *st)
{
	struct store_schedule **list;
	struct error err;
	int64_t next_ms;
	int count = store_schedules_due(t, st->store, clock_wall(), NULL, &list, &next_ms, &err);

	store_schedules_free(list, count);
	return (size_t)count;
}

/* Until the scheduler has looked, and nothing is left to do. */
static void settle(struct task *t, struct stage *st)
{
	stage_until(t, count_due(t, st) == 0);
	stage_settle(t, st);
}

static void pass(struct task *t, struct stage *st, int64_t ms)
{
	buf_reset(&st->shown);
	set_clock(st, ms);
	settle(t, st);
}

/* Killed now, and started again: how often the platform was told that before. */
static size_t kill(struct task *t, struct stage *st, const char *part)
{
	struct error err = {0};

	stage_snapshot(st);
	size_t shown = count_of(st->shown.data, part);
	/* What happens from here on never did. */
	stage_crash_quietly(t, st);
	buf_reset(&st->shown);
	if (sessions_resume(t, st->sessions, &err) < 0)
		fail_msg("%s", err.text);
	return shown;
}

STAGE_TEST(a_reminder_comes_once_at_its_time_as_a_turn)
{
	assert_has(give(t, st, "/remind add in 20 min water the plants"), "Reminder 1 is set, next: ");
	assert_has(give(t, st, "/remind"), "1 reminder in this chat:\n");
	assert_has(st->shown.data, "water the plants");
	pass(t, st, 19 * MINUTE);
	assert_string_equal(st->shown.data, "");
	pass(t, st, 2 * MINUTE);
	assert_int_equal(count_of(st->shown.data, "re: water the plants"), 1);
	assert_has(st->told.data, " set this, and it is due now. It was due at ");
	assert_has(give(t, st, "/remind list"), "There are no reminders");
	pass(t, st, DAY);
	assert_string_equal(st->shown.data, "");
}

STAGE_TEST(the_model_sets_and_removes_them_for_the_person_who_asks)
{
	stage_play(st,
	    {.calls = "a remind {\"action\":\"add\",\"content\":\"stand up\",\"every\":\"1 "
		      "h\",\"time_zone\":\"Europe/Berlin\"}"},
	    {.calls = "b remind {\"action\":\"list\"}"},
	    {.calls = "c remind {\"action\":\"pause\",\"id\":1}"},
	    {.calls = "d remind {\"action\":\"resume\",\"id\":1}"},
	    {.calls = "e remind {\"action\":\"remove\",\"id\":1}"},
	    {.calls = "f remind {\"action\":\"remove\",\"id\":1}"}, {.text = "done"});
	stage_say(t, st, "7", "remind me");
	stage_settle(t, st);
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "{\"id\":1,\"next\":\"20");
	assert_has(said, "{\"entries\":[{\"id\":1,\"content\":\"stand up\",\"next\":\"20");
	assert_has(said,
	    "\"when\":\"every 1 h\",\"time_zone\":\"Europe/Berlin\",\"owner\":\"77\",\"paused\":false}]}");
	assert_has(said, "{\"id\":1,\"next\":null}");
	assert_has(said, "there is no reminder 1 in this chat");
	free(said);
}

STAGE_TEST(what_is_wrong_with_a_wish_is_said)
{
	static const char *const wrong[][2] = {
	    {"{\"action\":\"add\",\"content\":\"x\"}", "one of 'at', 'every' and 'cron'"},
	    {"{\"action\":\"add\",\"content\":\"x\",\"at\":\"18:00\",\"every\":\"1 h\"}",
		"one of 'at', 'every' and 'cron'"},
	    {"{\"action\":\"add\",\"at\":\"18:00\"}", "needs 1 to 4000 characters"},
	    {"{\"action\":\"add\",\"content\":\" \",\"at\":\"18:00\"}", "needs 1 to 4000 characters"},
	    {"{\"action\":\"add\",\"content\":\"x\",\"at\":\"2001-01-01T00:00\"}", "is over: it is "},
	    {"{\"action\":\"add\",\"content\":\"x\",\"every\":\"30 s\"}",
		"that is too often: there must be 1 min between"},
	    {"{\"action\":\"add\",\"content\":\"x\",\"cron\":\"* * *\"}", "is no time for cron (month)"},
	    {"{\"action\":\"add\",\"content\":\"x\",\"at\":\"18:00\",\"time_zone\":\"Mars/Base\"}",
		"no time zone \\\"Mars/Base\\\""},
	    {"{\"action\":\"pause\"}", "missing 'id'"},
	    {"{\"action\":\"explode\"}", "action"},
	};
	struct tool_call call = {.tools = st->tools,
	    .store = st->store,
	    .person = "77",
	    .chat = &(struct address){.channel = "chat", .chat = "7"}};
	bool is_error;

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *text = tools_run(t, &call, "remind", wrong[i][0], &is_error);
		assert_true(is_error);
		assert_has(text, "INVALID_ARGUMENT");
		assert_has(text, wrong[i][1]);
		free(text);
	}
	call.person = NULL;
	char *text = tools_run(
	    t, &call, "remind", "{\"action\":\"add\",\"content\":\"x\",\"at\":\"18:00\"}", &is_error);
	assert_has(text, "\"cause\":\"ROLE\"");
	free(text);
	call.chat = NULL;
	text = tools_run(t, &call, "remind", "{\"action\":\"list\"}", &is_error);
	assert_has(text, "\"cause\":\"NO_CHAT\"");
	free(text);
}

STAGE_TEST(a_person_changes_their_own_and_an_admin_all)
{
	static char ann[] = "77", cid[] = "79", *allowed[] = {ann, cid};

	st->access.allow = (struct config_strings){allowed, 2};
	give(t, st, "/remind add every 2 h drink");
	assert_has(give_as(t, st, "79", "/remind remove 1"), "belongs to someone else");
	assert_has(give_as(t, st, "79", "/remind pause 4"), "There is no reminder 4 in this chat");
	assert_has(give(t, st, "/remind pause 1"), "Reminder 1 is paused.");
	pass(t, st, 3 * HOUR);
	assert_string_equal(st->shown.data, "");
	assert_has(give(t, st, "/remind"), "1: paused, every 2 h – drink");
	assert_has(give(t, st, "/remind resume 1"), "Reminder 1 is set again, next: ");
	pass(t, st, 2 * HOUR);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
	assert_has(give_as(t, st, "78", "/remind remove 1"), "Reminder 1 is removed.");
	pass(t, st, DAY);
	assert_string_equal(st->shown.data, "");
	assert_has(give(t, st, "/remind remove x"), "Say which one by its number");
	assert_has(give(t, st, "/remind add tomorrow swim"), "Write /remind add in 20 min TEXT");
}

STAGE_TEST(a_chat_has_no_more_than_the_settings_allow)
{
	stage_configure(
	    t, st, "reminders = { most = 2; time_zone = \"Europe/Berlin\"; interval = \"1 h\"; };");
	assert_has(give(t, st, "/remind add at 18:00 zone Asia/Kathmandu one"), "+05:45.");
	assert_has(give(t, st, "/remind add at 2099-07-01 09:00 two"), "2099-07-01T09:00:00+02:00");
	assert_has(give(t, st, "/remind add in 1 h three"),
	    "This chat has 2 reminders, and may have 2: remove one first.");
	assert_has(give(t, st, "/remind remove 1"), "removed");
	assert_has(give(t, st, "/remind add cron */30 * * * * often"),
	    "too often: there must be 1 h between two times");
	assert_has(give(t, st, "/remind add cron 30 8 * * mon-fri three"), "T08:30:00+0");
}

static bool to_nine(void *arg, struct address **to, size_t *count)
{
	(void)arg;
	*to = xmemdup(&(struct address){.channel = "chat", .chat = "9"}, sizeof(**to));
	*count = 1;
	return true;
}

STAGE_TEST(whose_access_was_withdrawn_is_not_served_and_admins_know)
{
	static char bea[] = "78", *allowed[] = {bea};

	st->reports = to_nine;
	give(t, st, "/remind add every 2 h sell everything");
	st->access.allow = (struct config_strings){allowed, 1};
	pass(t, st, 2 * HOUR);
	assert_int_equal(st->asked, 0);
	assert_lacks(st->shown.data, "7: re: ");
	assert_has(st->shown.data, "The reminder 1 in chat:7 did not run, and will not");
	assert_has(st->shown.data, "It says: sell everything");
	pass(t, st, 5 * HOUR);
	assert_string_equal(st->shown.data, "");
	assert_has(give_as(t, st, "78", "/remind"), "paused, every 2 h (its person may not use me any more");
}

STAGE_TEST(a_right_that_is_lost_while_a_reminder_waits_counts)
{
	static char bea[] = "78", *allowed[] = {bea};

	st->reports = to_nine;
	give(t, st, "/remind add in 1 h sell everything");
	st->held = true;
	stage_say(t, st, "7", "work");
	stage_until(t, st->asking == 1);
	set_clock(st, 2 * HOUR);
	stage_until(
	    t, sessions_waiting(st->sessions, &(struct address){.channel = "chat", .chat = "7"}) == 1);
	st->access.allow = (struct config_strings){allowed, 1};
	buf_reset(&st->shown);
	st->held = false;
	stage_settle(t, st);
	assert_lacks(st->shown.data, "re: sell");
	assert_has(st->shown.data, "The reminder 1 in chat:7 did not run");
}

STAGE_TEST(a_right_that_is_lost_counts_also_when_the_store_fails)
{
	static char bea[] = "78", *allowed[] = {bea};

	st->reports = to_nine;
	give(t, st, "/remind add in 1 h sell everything");
	st->held = true;
	stage_say(t, st, "7", "work");
	stage_until(t, st->asking == 1);
	set_clock(st, 2 * HOUR);
	stage_until(
	    t, sessions_waiting(st->sessions, &(struct address){.channel = "chat", .chat = "7"}) == 1);
	st->access.allow = (struct config_strings){allowed, 1};
	buf_reset(&st->shown);
	sql_fail("FROM schedules WHERE channel");
	st->held = false;
	stage_until(t, strstr(st->log.data, "cannot pause a reminder whose owner lost access"));
	stage_close(t, st);
	sql_fail(NULL);
	stage_open(t, st);
	stage_settle(t, st);
	assert_lacks(st->shown.data, "re: sell");
	assert_has(st->shown.data, "The reminder 1 in chat:7 did not run");
}

STAGE_TEST(reminders_wait_for_a_store_that_fails)
{
	give(t, st, "/remind add in 20 min water the plants");
	buf_reset(&st->shown);
	sql_fail("paused = 0 AND next_ms <=");
	set_clock(st, 21 * MINUTE);
	stage_until(t, strstr(st->log.data, "reminders wait because the store failed"));
	/* It is asked again after half a second or more, and does not spin. */
	task_turns(t, 200);
	assert_true(count_of(st->log.data, "reminders wait because the store failed") < 4);
	sql_fail(NULL);
	settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: water the plants"), 1);
}

STAGE_TEST(without_a_model_the_words_themselves_come)
{
	st->down = LLM_ERROR_BILLING;
	give(t, st, "/remind add in 1 h call *Ann*");
	pass(t, st, 5 * HOUR);
	assert_has(st->shown.data, "Reminder: call *Ann*");
	assert_has(st->shown.data, "4 h late");
	assert_has(st->shown.data, "cannot be reached");
	assert_int_equal(stage_counts(t, st).turns_open, 0);
	st->down = LLM_ERROR_NONE;
	/* It is asked for once more. */
	stage_play(st, {.text = ""}, {.text = ""});
	give(t, st, "/remind add in 1 h breathe");
	pass(t, st, HOUR);
	assert_has(st->shown.data, "Reminder: breathe");
}

STAGE_TEST(what_was_due_while_nothing_ran_comes_once_or_is_skipped_and_seen)
{
	give(t, st, "/remind add every 1 h drink");
	stage_close(t, st);
	set_clock(st, 5 * HOUR + MINUTE);
	buf_reset(&st->shown);
	stage_open(t, st);
	stage_await(t, st, 1);
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
	assert_has(st->told.data, "4 h 1 min late; 4 further times between then and now were missed.");
	assert_has(give(t, st, "/remind"), "missed 4");
	stage_configure(t, st, "reminders = { catch_up = \"skip\"; };");
	give(t, st, "/remind add in 1 h sleep");
	pass(t, st, 3 * HOUR);
	assert_string_equal(st->shown.data, "");
	assert_has(give(t, st, "/remind"), "missed 7");
	assert_has(st->shown.data, "2: paused, missed 1 (it was missed) – sleep");
	assert_has(give(t, st, "/remind resume 2"), "is over: remove it");
}

STAGE_TEST(a_clock_that_goes_back_repeats_nothing)
{
	give(t, st, "/remind add every 1 h drink");
	pass(t, st, HOUR + MINUTE);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
	pass(t, st, -HOUR);
	assert_string_equal(st->shown.data, "");
	pass(t, st, HOUR);
	assert_string_equal(st->shown.data, "");
	pass(t, st, -DAY);
	assert_string_equal(st->shown.data, "");
	pass(t, st, DAY + HOUR);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
}

STAGE_TEST(after_a_clock_that_was_wrong_by_days_they_begin_anew)
{
	give(t, st, "/remind add every 1 h drink");
	pass(t, st, 400 * DAY);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
	pass(t, st, -400 * DAY);
	stage_until(t, strstr(st->log.data, "the clock was set back by days"));
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
	pass(t, st, HOUR);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
}

STAGE_TEST(a_reminder_is_a_turn_of_its_own_also_where_messages_are_collected)
{
	st->settings.queue = 0; /* collect */
	give(t, st, "/remind add in 1 h drink");
	st->held = true;
	stage_say(t, st, "7", "one");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "two");
	set_clock(st, HOUR);
	stage_until(
	    t, sessions_waiting(st->sessions, &(struct address){.channel = "chat", .chat = "7"}) == 2);
	stage_say(t, st, "7", "three");
	buf_reset(&st->shown);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: "), 4);
	assert_has(st->shown.data, "re: drink");
}

/* Where messages join a turn that runs. */
static void play_look(struct stage *st)
{
	st->settings.queue = QUEUE_STEER - 1;
	st->tools_held = true;
	buf_reset(&st->shown);
	stage_play(st, {.calls = "c1 look {\"what\":\"here\"}"}, {.text = "seen"});
}

STAGE_TEST(a_reminder_joins_no_turn)
{
	give(t, st, "/remind add in 1 h drink");
	play_look(st);
	stage_say(t, st, "7", "look around");
	stage_until(t, st->ran.len > 0);
	set_clock(st, HOUR);
	stage_until(
	    t, sessions_waiting(st->sessions, &(struct address){.channel = "chat", .chat = "7"}) == 1);
	st->tools_held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, ": seen\n");
	assert_has(st->shown.data, "re: drink");
	assert_int_equal(st->asked, 3);
}

STAGE_TEST(no_message_joins_the_turn_of_a_reminder)
{
	give(t, st, "/remind add in 1 h drink");
	play_look(st);
	set_clock(st, HOUR);
	stage_until(t, st->ran.len > 0);
	stage_say(t, st, "7", "hello");
	st->tools_held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "seen");
	assert_has(st->shown.data, "re: hello\n");
	assert_int_equal(st->asked, 3);
}

STAGE_TEST(a_reminder_that_is_set_costs_nothing)
{
	give(t, st, "/remind add in 1 h drink");
	give(t, st, "/remind add every 2 h stand up");
	stage_rest(t);
	pass(t, st, HOUR);
	assert_int_equal(count_of(st->shown.data, "re: drink"), 1);
	stage_rest(t);
}

STAGE_TEST(words_that_look_like_a_command_are_none)
{
	give(t, st, "/remind add in 1 h /new");
	pass(t, st, HOUR);
	assert_has(st->shown.data, "re: /new");
}

STAGE_TEST(a_reminders_turn_has_nobody_to_ask)
{
	stage_play(st, {.calls = "a ask_user {\"question\":\"Now?\"}"}, {.text = "done"});
	give(t, st, "/remind add in 1 h ask me");
	pass(t, st, HOUR);
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "\"cause\":\"NO_CHAT\"");
	free(said);
}

/* Two "in 1 s" of each would be fifty turns a second, for ever. */
STAGE_TEST(what_a_reminder_sets_keeps_the_interval)
{
	stage_play(st, {.calls = "a remind {\"action\":\"add\",\"content\":\"on\",\"at\":\"in 1 s\"}"},
	    {.calls = "b remind {\"action\":\"add\",\"content\":\"later\",\"at\":\"in 2 min\"}"},
	    {.text = "done"});
	give(t, st, "/remind add in 1 s begin");
	pass(t, st, 2 * 1000);
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "that is too soon: what a reminder sets is due after 1 min at the earliest");
	free(said);
	assert_has(give(t, st, "/remind"), "1 reminder in this chat:\n");
	assert_has(st->shown.data, "later");
	pass(t, st, 3 * MINUTE);
	assert_int_equal(count_of(st->shown.data, "re: later"), 1);
}

/* Killed after so many steps of the loop behind the instant when it is due, and started again: it comes once.
 * At MYNA_SCHEDULE_KILLS instants. */
STAGE_TEST(a_crash_at_any_instant_neither_loses_nor_repeats_it)
{
	const char *size = getenv("MYNA_SCHEDULE_KILLS");
	int instants = size ? (int)strtol(size, NULL, 10) : 4;

	for (int n = 0, steps = 0; n < instants; n++, steps += size ? 1 : 8) {
		buf_reset(&st->shown);
		stage_settle(t, st);
		give(t, st, "/remind add in 1 h drink");
		buf_reset(&st->shown);
		set_clock(st, HOUR);
		for (int i = 0; i < steps; i++)
			task_yield(t, NULL);
		size_t shown = kill(t, st, "re: drink");
		stage_until(t, shown + count_of(st->shown.data, "re: drink") > 0);
		stage_settle(t, st);
		assert_int_equal(shown + count_of(st->shown.data, "re: drink"), 1);
		assert_has(give(t, st, "/remind"), "There are no reminders");
	}
}

static uint64_t seed;

static uint64_t drawn(uint64_t bound)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % bound;
}

static int64_t fired_of(struct task *t, struct stage *st, int64_t *missed)
{
	struct store_schedule **list;
	struct error err;
	int64_t fired = 0;
	int count =
	    store_schedules(t, st->store, &(struct address){.channel = "chat", .chat = "7"}, &list, &err);

	*missed = 0;
	for (int i = 0; i < count; i++) {
		fired += list[i]->fired;
		*missed += list[i]->missed;
	}
	store_schedules_free(list, count);
	return fired;
}

/* MYNA_SCHEDULE_DAYS of them. */
STAGE_TEST(over_months_of_restarts_and_clock_jumps_nothing_is_lost_or_doubled)
{
	const char *size = getenv("MYNA_SCHEDULE_DAYS");
	int64_t days = size ? strtoll(size, NULL, 10) : 2, began = clock_wall(), highest = began, missed;
	size_t shown = 0;

	seed = 7;
	give(t, st, "/remind add every 4 h alpha");
	while (clock_wall() < began + days * DAY) {
		int64_t step = (int64_t)drawn(3 * HOUR / MINUTE) * MINUTE + MINUTE;
		uint64_t what = drawn(10);
		if (what == 0)
			step = -(int64_t)drawn(HOUR);
		if (what == 1)
			step = (int64_t)drawn(DAY);
		if (what == 2)
			stage_close(t, st);
		buf_reset(&st->shown);
		set_clock(st, step);
		if (what == 2)
			stage_open(t, st);
		if (what == 3)
			shown += kill(t, st, "re: alpha");
		settle(t, st);
		shown += count_of(st->shown.data, "re: alpha");
		highest = clock_wall() > highest ? clock_wall() : highest;
		/* Every four hours that the clock has reached are one time that came, or one that was counted
		 * as missed. */
		int64_t fired = fired_of(t, st, &missed);
		assert_int_equal(fired + missed, (highest - began) / (4 * HOUR));
		assert_int_equal(shown, fired);
	}
}

STAGE_TEST(a_reminder_is_set_for_days_as_people_say_them)
{
	static const struct {
		const char *said, *shown;
	} rows[] = {
	    {"every monday at 9 clean up", "0 9 \\* \\* 1"},
	    {"every Fri at 17:30 go home", "30 17 \\* \\* 5"},
	    {"every weekday 8am stand up", "0 8 \\* \\* 1-5"},
	    {"every day at 9:15 pm sleep", "15 21 \\* \\* \\*"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = xasprintf("/remind add %s", rows[i].said);
		assert_has(give(t, st, text), " is set, next: ");
		free(text);
		assert_has(give(t, st, "/remind"), rows[i].shown);
	}
	assert_has(give(t, st, "/remind add every monday at 9"), "A reminder needs 1 to ");
	assert_has(st->shown.data, "/remind add every monday at 9 TEXT");
	assert_has(give(t, st, "/remind add every moonday at 9 howl"), "/remind add every monday at 9 TEXT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(a_reminder_is_set_for_days_as_people_say_them, restore_clock),
	    cmocka_unit_test_teardown(a_reminder_comes_once_at_its_time_as_a_turn, restore_clock),
	    cmocka_unit_test_teardown(the_model_sets_and_removes_them_for_the_person_who_asks, restore_clock),
	    cmocka_unit_test_teardown(what_is_wrong_with_a_wish_is_said, restore_clock),
	    cmocka_unit_test_teardown(a_person_changes_their_own_and_an_admin_all, restore_clock),
	    cmocka_unit_test_teardown(a_chat_has_no_more_than_the_settings_allow, restore_clock),
	    cmocka_unit_test_teardown(
		whose_access_was_withdrawn_is_not_served_and_admins_know, restore_clock),
	    cmocka_unit_test_teardown(a_right_that_is_lost_while_a_reminder_waits_counts, restore_clock),
	    cmocka_unit_test_teardown(a_right_that_is_lost_counts_also_when_the_store_fails, restore_clock),
	    cmocka_unit_test_teardown(reminders_wait_for_a_store_that_fails, restore_clock),
	    cmocka_unit_test_teardown(without_a_model_the_words_themselves_come, restore_clock),
	    cmocka_unit_test_teardown(
		what_was_due_while_nothing_ran_comes_once_or_is_skipped_and_seen, restore_clock),
	    cmocka_unit_test_teardown(a_clock_that_goes_back_repeats_nothing, restore_clock),
	    cmocka_unit_test_teardown(after_a_clock_that_was_wrong_by_days_they_begin_anew, restore_clock),
	    cmocka_unit_test_teardown(
		a_reminder_is_a_turn_of_its_own_also_where_messages_are_collected, restore_clock),
	    cmocka_unit_test_teardown(a_reminder_joins_no_turn, restore_clock),
	    cmocka_unit_test_teardown(no_message_joins_the_turn_of_a_reminder, restore_clock),
	    cmocka_unit_test_teardown(a_reminder_that_is_set_costs_nothing, restore_clock),
	    cmocka_unit_test_teardown(words_that_look_like_a_command_are_none, restore_clock),
	    cmocka_unit_test_teardown(a_reminders_turn_has_nobody_to_ask, restore_clock),
	    cmocka_unit_test_teardown(what_a_reminder_sets_keeps_the_interval, restore_clock),
	    cmocka_unit_test_teardown(a_crash_at_any_instant_neither_loses_nor_repeats_it, restore_clock),
	    cmocka_unit_test_teardown(
		over_months_of_restarts_and_clock_jumps_nothing_is_lost_or_doubled, restore_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
