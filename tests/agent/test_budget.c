/* Budgets: what may be spent, by whom and when, and what is said when it is not. A request takes 107 tokens
 * here. */
#include <stdlib.h>
#include <string.h>

#include "base/time/civil.h"
#include "base/time/clock.h"
#include "bus/message.h"
#include "lib/sql_tap.h"
#include "lib/stage.h"
#include "store/usage.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

static const char *ask(struct task *t, struct stage *st, const char *chat)
{
	buf_reset(&st->shown);
	stage_say(t, st, chat, "hello");
	stage_settle(t, st);
	return st->shown.data;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

STAGE_TEST(requests_are_made_while_tokens_are_left_and_not_one_more)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; tokens = 250; } );");
	for (int i = 0; i < 3; i++)
		assert_has(ask(t, st, "7"), "re: hello");
	for (int i = 0; i < 3; i++) {
		assert_has(ask(t, st, "7"), "7 >m");
		assert_has(st->shown.data,
		    ": The budget of this chat is used up: 321 of 250 tokens today. It resets at midnight "
		    "(UTC). An admin can raise it, or lift it for today, with /budget.\n");
		assert_int_equal(st->asked, 3);
	}
	assert_int_equal(stage_counts(t, st).inbox_pending, 0);
	assert_int_equal(stage_counts(t, st).turns_open, 0);
	assert_has(ask(t, st, "8"), "re: hello");
	assert_has(ask(t, st, "7/5"), "used up");
}

STAGE_TEST(while_it_is_not_known_what_was_spent_no_request_is_made)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; tokens = 250; } );");
	sql_fail("FROM spending WHERE scope");
	stage_say(t, st, "7", "hello");
	stage_until(t, sql_failed());
	stage_until(t, strstr(st->log.data, "a turn waits because the store failed"));
	assert_int_equal(st->asked, 0);
	sql_fail(NULL);
	stage_settle(t, st);
	assert_has(st->shown.data, "re: hello");
}

STAGE_TEST(a_turn_counts_once_and_calls_count_each)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; turns = 2; calls = 4; } );");
	stage_play(
	    st, {.calls = "1 look {\"what\":\"a\"}"}, {.calls = "2 look {\"what\":\"b\"}"}, {.text = "done"});
	assert_has(ask(t, st, "7"), "done");
	assert_has(ask(t, st, "7"), "re: hello");
	assert_has(ask(t, st, "7"), "is used up: 2 of 2 turns today.");
	assert_int_equal(st->asked, 4);
}

STAGE_TEST(a_turn_that_runs_out_in_the_middle_says_so)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 1; } );");
	stage_play(st, {.calls = "1 look {\"what\":\"a\"}"});
	assert_has(ask(t, st, "7"),
	    "I stop here, before I am done. The budget of this chat is used up: 1 of 1 call today.");
	assert_string_equal(st->ran.data, "+a -a ");
	assert_int_equal(st->asked, 1);
	assert_int_equal(stage_counts(t, st).turns_open, 0);
}

STAGE_TEST(money_is_counted_by_the_price)
{
	st->providers[0].price =
	    (struct llm_price){.known = true, .input = 1000000, .cached = 100000, .output = 10000000};
	st->providers[1].price.known = true;
	stage_configure(t, st, "budgets = ( { scope = \"all\"; window = \"month\"; money = 0.0002; } );");
	/* 40 fresh, 60 cached, 7 written: 0.000116. */
	assert_has(ask(t, st, "7"), "re: hello");
	assert_has(ask(t, st, "8"), "re: hello");
	assert_has(ask(t, st, "9"),
	    "The budget of all chats together is used up: 0.0002 of 0.0002 USD this month. It resets on "
	    "2");
	assert_int_equal(st->asked, 2);
}

STAGE_TEST(what_nobody_knows_the_price_of_is_not_taken_for_free)
{
	st->providers[0].price.known = st->providers[1].price.known = true;
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; money = 5; } );");
	assert_has(ask(t, st, "7"), "re: hello");
	st->providers[0].price.known = false;
	assert_has(ask(t, st, "7"), "costs is not known. The operator has to add it to llm.prices.");
	assert_int_equal(st->asked, 1);
}

STAGE_TEST(a_row_for_some_stands_before_the_one_for_all)
{
	stage_configure(t, st,
	    "budgets = ( { scope = \"chat\"; calls = 1; }, { scope = \"chat\"; of = [\"chat:8\"]; calls = 2; "
	    "}, { scope = \"chat\"; of = [\"chat:9\"]; } );");
	for (int i = 0; i < 3; i++) {
		ask(t, st, "7");
		ask(t, st, "8");
		assert_has(ask(t, st, "9"), "re: hello");
	}
	assert_has(ask(t, st, "7"), "1 of 1 call today");
	assert_has(ask(t, st, "8"), "2 of 2 calls today");
	assert_int_equal(st->asked, 6);
}

STAGE_TEST(a_person_has_one_budget_in_all_chats)
{
	static char all[] = "*", *allow[] = {all};

	st->access.allow = (struct config_strings){allow, 1};
	stage_configure(t, st,
	    "budgets = ( { scope = \"person\"; turns = 2; }, { scope = \"person\"; of = [\"admin\"]; turns = "
	    "0; } );");
	ask(t, st, "7");
	ask(t, st, "8");
	assert_has(ask(t, st, "9"), "Your own budget is used up: 2 of 2 turns today.");
	struct message *m = stage_message(st, "9", "hello");
	free(m->sender_id);
	m->sender_id = xstrdup("79");
	buf_reset(&st->shown);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->shown.data, "re: hello");
	assert_int_equal(st->asked, 3);
}

STAGE_TEST(each_warning_is_given_once_also_across_a_crash)
{
	char *all = xstrdup("");

	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 10; } );");
	for (int i = 0; i < 12; i++) {
		if (i == 5 || i == 8) {
			stage_snapshot(st);
			stage_crash(t, st);
		}
		char *more = xasprintf("%s%s", all, ask(t, st, "7"));
		free(all);
		all = more;
	}
	assert_int_equal(count(all, "The budget of this chat is used to 50 %: 5 of 10 calls today."), 1);
	assert_int_equal(count(all, "The budget of this chat is used to 80 %: 8 of 10 calls today."), 1);
	assert_int_equal(
	    count(all, "is used up: 10 of 10 calls today. It resets at midnight (UTC). /budget shows it."),
	    1);
	assert_int_equal(count(all, "An admin can raise it"), 2);
	assert_int_equal(st->asked, 10);
	free(all);
}

static bool to_ops(void *arg, struct address **to, size_t *count)
{
	(void)arg;
	*to = xcalloc(1, sizeof(**to));
	*count = 1;
	return address_parse("chat:78", *to, NULL) == 0;
}

/* Of 10 calls, that one cannot store its warning. */
static void lose_a_warning(struct task *t, struct stage *st, int calls, const char *warning)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 10; } );");
	for (int i = 1; i < calls; i++)
		ask(t, st, "7");
	sql_fail("INSERT INTO warnings");
	stage_say(t, st, "7", "hello");
	stage_until(t, sql_failed());
	stage_until(t, st->asked == (size_t)calls);
	sql_fail(NULL);
	stage_settle(t, st);
	char *before = xstrdup(st->shown.data), *all = xasprintf("%s%s", before, ask(t, st, "7"));
	assert_int_equal(count(all, warning), 1);
	free(before);
	free(all);
}

STAGE_TEST(a_warning_that_cannot_be_stored_is_given_with_the_next_request)
{
	lose_a_warning(t, st, 5, "The budget of this chat is used to 50 %");
}

STAGE_TEST(so_is_a_second_one)
{
	lose_a_warning(t, st, 8, "The budget of this chat is used to 80 %");
}

STAGE_TEST(the_admins_are_warned_of_the_budget_of_all)
{
	st->reports = to_ops;
	stage_configure(t, st, "budgets = ( { scope = \"all\"; calls = 2; } );");
	assert_lacks(ask(t, st, "7"), "7: The budget");
	assert_has(
	    st->shown.data, "78: The budget of all chats together is used to 50 %: 1 of 2 calls today.");
	ask(t, st, "7");
	assert_has(st->shown.data, "78: The budget of all chats together is used up");
	assert_lacks(ask(t, st, "7"), "78: ");
}

STAGE_TEST(what_was_spent_before_a_crash_counts_after_it)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 2; } );");
	ask(t, st, "7");
	ask(t, st, "7");
	stage_snapshot(st);
	stage_crash(t, st);
	assert_has(ask(t, st, "7"), "2 of 2 calls today");
	assert_int_equal(st->asked, 2);
}

STAGE_TEST(a_day_begins_at_midnight_and_a_clock_that_is_set_back_gives_nothing)
{
	stage_configure(t, st,
	    "budgets = ( { scope = \"chat\"; calls = 1; }, { scope = \"chat\"; window = \"ever\"; calls = 3; "
	    "} );");
	ask(t, st, "7");
	assert_has(ask(t, st, "7"), "1 of 1 call today");
	clock_set_ahead(DAY_MS);
	assert_has(ask(t, st, "7"), "re: hello");
	clock_set_ahead(-DAY_MS);
	assert_has(ask(t, st, "7"), "1 of 1 call today");
	clock_set_ahead(DAY_MS);
	assert_has(ask(t, st, "7"), "1 of 1 call today");
	clock_set_ahead(DAY_MS);
	assert_has(ask(t, st, "7"), "re: hello");
	clock_set_ahead(DAY_MS);
	assert_has(ask(t, st, "7"), "3 of 3 calls so far. It does not reset.");
	clock_set_ahead(-3 * DAY_MS);
	assert_int_equal(st->asked, 3);
}

STAGE_TEST(who_would_overrun_a_budget_waits_for_those_on_their_way)
{
	static const char *const chats[] = {"1", "2", "3", "4", "5", "6"};

	stage_configure(t, st, "budgets = ( { scope = \"all\"; calls = 4; } );");
	st->held = true;
	for (size_t i = 0; i < ARRAY_LEN(chats); i++)
		stage_say(t, st, chats[i], "hello");
	stage_until(t, st->asking == 4);
	stage_calm(t, st);
	assert_int_equal(st->asking, 4);
	assert_string_equal(st->shown.data, "");
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(count(st->shown.data, "re: hello"), 4);
	assert_int_equal(count(st->shown.data, "used up: 4 of 4 calls today"), 2);
	assert_int_equal(st->asked, 4);
}

STAGE_TEST(tokens_are_overrun_by_what_was_reserved_at_most)
{
	static const char *const chats[] = {"1", "2", "3", "4"};

	/* A request reserves thousands: one at a time. */
	st->providers[0].settings.max_tokens = 5000;
	stage_configure(t, st, "budgets = ( { scope = \"all\"; tokens = 300; } );");
	for (size_t i = 0; i < ARRAY_LEN(chats); i++)
		stage_say(t, st, chats[i], "hello");
	stage_settle(t, st);
	assert_int_equal(st->max_asking, 1);
	assert_int_equal(st->asked, 3);
	assert_int_equal(count(st->shown.data, "used up: 321 of 300 tokens today"), 1);
}

STAGE_TEST(who_waits_for_room_can_be_stopped)
{
	struct stage_turn run = {0};

	stage_configure(t, st, "budgets = ( { scope = \"all\"; calls = 1; } );");
	st->held = true;
	stage_say(t, st, "1", "hello");
	stage_until(t, st->asking == 1);
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_calm(t, st);
	run.turn.stopped = true;
	stage_turn_cancel(t, &run);
	assert_int_equal(run.rc, 0);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(st->asked, 1);
}

STAGE_TEST(a_request_that_fails_costs_nothing_and_leaves_nothing_reserved)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 1; } );");
	stage_play(st, {.fails = LLM_ERROR_AUTH}, {.text = "here"});
	assert_has(ask(t, st, "7"), "refuses my key");
	assert_has(ask(t, st, "7"), "here");
	assert_has(ask(t, st, "7"), "1 of 1 call today");
}

static struct store_usage spent_ever(struct task *t, struct stage *st)
{
	const struct store_account chat = {.scope = STORE_CHAT, .channel = "chat", .who = "7"};
	struct store_usage found = {0};
	const int64_t ever = 0;

	assert_int_equal(store_usage_total(t, st->store, &chat, &ever, 1, &found, NULL), 0);
	return found;
}

STAGE_TEST(a_try_that_broke_off_is_paid_though_another_follows)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 3; turns = 9; } );");
	stage_play(st, {.fails = LLM_ERROR_TRANSIENT, .broke = true}, {.text = "here"});
	assert_has(ask(t, st, "7"), "here");
	struct store_usage u = spent_ever(t, st);
	assert_int_equal(u.requests, 2);
	assert_int_equal(u.estimated, 1);
	assert_int_equal(u.unpriced, 2);
	assert_int_equal(u.turns, 1);
	assert_int_equal(u.input, 190);
	assert_int_equal(u.output, 10);
	assert_has(ask(t, st, "7"), "re: hello");
	assert_has(ask(t, st, "7"), "3 of 3 calls today");
}

STAGE_TEST(a_turn_that_only_broke_off_is_paid_and_is_none)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 1; turns = 1; } );");
	stage_play(st, {.fails = LLM_ERROR_AUTH, .broke = true});
	assert_has(ask(t, st, "7"), "refuses my key");
	struct store_usage u = spent_ever(t, st);
	assert_int_equal(u.requests, 1);
	assert_int_equal(u.turns, 0);
	assert_has(ask(t, st, "7"), "1 of 1 call today");
	assert_int_equal(st->asked, 1);
}

STAGE_TEST(what_a_person_stopped_is_paid_as_far_as_it_came)
{
	struct stage_turn run = {0};

	stage_play(st, {.text = "long", .broke = true, .takes_ms = 60000});
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->asking == 1);
	run.turn.stopped = true;
	stage_turn_cancel(t, &run);
	assert_int_equal(run.rc, 0);
	struct store_usage u = spent_ever(t, st);
	assert_int_equal(u.requests, 1);
	assert_int_equal(u.estimated, 1);
	assert_int_equal(u.input + u.output, 93);
}

STAGE_TEST(what_a_stop_of_the_process_cut_off_is_paid_too)
{
	struct stage_turn run = {0};

	stage_play(st, {.text = "long", .broke = true, .takes_ms = 60000});
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->asking == 1);
	stage_turn_cancel(t, &run);
	assert_int_equal(run.rc, -1);
	assert_int_equal(spent_ever(t, st).requests, 1);
	assert_int_equal(stage_counts(t, st).turns_open, 1);
}

STAGE_TEST(a_reminder_is_said_without_a_model)
{
	struct turn turn;

	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 0; } );");
	stage_turn(t, st, "7", "water the plants", &turn);
	turn.row.asked->kind = MESSAGE_SCHEDULE;
	free(turn.row.asked->text);
	turn.row.asked->text = xstrdup("water the plants");
	stage_play_turn(t, st, &turn);
	assert_has(st->shown.data,
	    "Reminder: water the plants\n\n(The budget of this chat is used up: 0 of 0 calls today.");
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(a_sub_agent_has_the_budget_of_its_chat)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 3; turns = 1; } );");
	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"}, {.calls = "x look {\"what\":\"one\"}"},
	    {.calls = "y look {\"what\":\"two\"}"});
	assert_has(ask(t, st, "7"),
	    "I stop here, before I am done. The budget of this chat is used up: 3 of 3 calls today.");
	char *kept = stage_transcript(t, st, "7");
	assert_has(kept, "\"stderr\":\"Error: The budget of this chat is used up");
	free(kept);
	assert_int_equal(st->asked, 3);
}

STAGE_TEST(what_a_sub_agent_spent_is_stored_before_it_ends)
{
	const struct store_account chat = {.scope = STORE_CHAT, .channel = "chat", .who = "7"};
	struct store_usage found = {0};
	const int64_t ever = 0;

	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"}, {.calls = "x look {\"what\":\"one\"}"});
	st->script_count = 2;
	stage_say(t, st, "7", "go");
	stage_until(t, st->asked >= 3);
	assert_int_equal(store_usage_total(t, st->store, &chat, &ever, 1, &found, NULL), 0);
	assert_true(found.requests >= 2);
	stage_settle(t, st);
	assert_int_equal(store_usage_total(t, st->store, &chat, &ever, 1, &found, NULL), 0);
	assert_int_equal(found.requests, st->asked);
	assert_int_equal(found.turns, 1);
	assert_int_equal(found.unpriced, st->asked);
}

/* 2026-10-25 is 25 hours long in Berlin, 2026-03-29 23. */
static void days_are_those_of_the_zone_whatever_their_length(void **state)
{
	static const struct {
		struct civil utc;
		int64_t day;
	} rows[] = {
	    {{.year = 2026, .month = 10, .day = 24, .hour = 21, .minute = 59}, 20261024},
	    {{.year = 2026, .month = 10, .day = 24, .hour = 22}, 20261025},
	    {{.year = 2026, .month = 10, .day = 25, .hour = 22, .minute = 59}, 20261025},
	    {{.year = 2026, .month = 10, .day = 25, .hour = 23}, 20261026},
	    {{.year = 2026, .month = 3, .day = 28, .hour = 23}, 20260329},
	    {{.year = 2026, .month = 3, .day = 29, .hour = 21, .minute = 59}, 20260329},
	    {{.year = 2026, .month = 3, .day = 29, .hour = 22}, 20260330},
	    {{.year = 2026, .month = 12, .day = 31, .hour = 23}, 20270101},
	};
	struct budget_settings s = {.zone = zone_load("Europe/Berlin", NULL)};
	struct budget *b = budget_new(NULL, NULL);

	(void)state;
	assert_non_null(s.zone);
	budget_apply(b, &s, NULL);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		clock_set_ahead(civil_seconds(&rows[i].utc) * 1000 - clock_wall());
		assert_int_equal(budget_day(b), rows[i].day);
	}
	budget_free(b);
	zone_free(s.zone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(requests_are_made_while_tokens_are_left_and_not_one_more),
	    cmocka_unit_test(while_it_is_not_known_what_was_spent_no_request_is_made),
	    cmocka_unit_test(a_turn_counts_once_and_calls_count_each),
	    cmocka_unit_test(a_turn_that_runs_out_in_the_middle_says_so),
	    cmocka_unit_test(money_is_counted_by_the_price),
	    cmocka_unit_test(what_nobody_knows_the_price_of_is_not_taken_for_free),
	    cmocka_unit_test(a_row_for_some_stands_before_the_one_for_all),
	    cmocka_unit_test(a_person_has_one_budget_in_all_chats),
	    cmocka_unit_test(each_warning_is_given_once_also_across_a_crash),
	    cmocka_unit_test(a_warning_that_cannot_be_stored_is_given_with_the_next_request),
	    cmocka_unit_test(so_is_a_second_one),
	    cmocka_unit_test(the_admins_are_warned_of_the_budget_of_all),
	    cmocka_unit_test(what_was_spent_before_a_crash_counts_after_it),
	    cmocka_unit_test(a_day_begins_at_midnight_and_a_clock_that_is_set_back_gives_nothing),
	    cmocka_unit_test(who_would_overrun_a_budget_waits_for_those_on_their_way),
	    cmocka_unit_test(tokens_are_overrun_by_what_was_reserved_at_most),
	    cmocka_unit_test(who_waits_for_room_can_be_stopped),
	    cmocka_unit_test(a_request_that_fails_costs_nothing_and_leaves_nothing_reserved),
	    cmocka_unit_test(a_try_that_broke_off_is_paid_though_another_follows),
	    cmocka_unit_test(a_turn_that_only_broke_off_is_paid_and_is_none),
	    cmocka_unit_test(what_a_person_stopped_is_paid_as_far_as_it_came),
	    cmocka_unit_test(what_a_stop_of_the_process_cut_off_is_paid_too),
	    cmocka_unit_test(a_reminder_is_said_without_a_model),
	    cmocka_unit_test(a_sub_agent_has_the_budget_of_its_chat),
	    cmocka_unit_test(what_a_sub_agent_spent_is_stored_before_it_ends),
	    cmocka_unit_test(days_are_those_of_the_zone_whatever_their_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
