/* No model answers, for hours: each chat is told once, nothing is lost, and the provider is left in peace.
 * Time is sped up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/time/clock.h"
#include "lib/stage.h"
#include "llm/providers.h"

#define MINUTE 60000
#define HOUR   (60 * MINUTE)
#define WALL   1700000000000

/* Simulated milliseconds that pass in each real one, about. */
static uint64_t speed;

static void on_tick(uv_timer_t *tick)
{
	(void)tick;
	if (!stage_works())
		clock_advance(speed);
}

static void say_in_chats(struct task *t, struct stage *st, int chats, const char *text)
{
	for (int i = 1; i <= chats; i++) {
		char chat[16];
		snprintf(chat, sizeof(chat), "%d", i);
		stage_say(t, st, chat, text);
	}
}

static size_t waiting(const struct stage *st)
{
	struct llm_health health;

	llm_health(&st->llm, &health);
	return health.waiting;
}

/* So long, quickly. */
static void pass(struct task *t, uint64_t ms)
{
	uint64_t before = speed;

	speed = 10000;
	task_sleep(t, ms, NULL);
	speed = before;
}

static void go_down(struct stage *st, enum llm_error_class class)
{
	st->down = class;
	st->asked = 0;
}

static void come_back(struct task *t, struct stage *st)
{
	st->down = LLM_ERROR_NONE;
	speed = 300;
	stage_settle(t, st);
	speed = 60;
}

/* Each of the classes that pass, and what the chats are told. */
static const struct {
	enum llm_error_class class;
	const char *told;
} outages[] = {
    {LLM_ERROR_TRANSIENT, "I cannot reach my language model at the moment. I keep your message"},
    {LLM_ERROR_OVERLOADED, "My language model is overloaded at the moment. I keep your message"},
    {LLM_ERROR_RATE_LIMIT, "My language model asks me to slow down. I keep your message"},
    {LLM_ERROR_BILLING, "no credit left; the operator has to top it up. I keep your message"},
};

#define CHATS 30

/* Requests that one careful try for all allows in this time: at least half of 5 s, 10 s, … lies before each.
 */
static size_t careful_tries(uint64_t ms)
{
	size_t tries = 0;

	for (uint64_t wait_ms = 2500; ms >= wait_ms; wait_ms *= 2) {
		ms -= wait_ms;
		tries++;
	}
	return tries;
}

STAGE_TEST(in_six_hours_each_chat_is_told_once_and_the_provider_is_left_in_peace)
{
	st->llm.patience_ms = 24 * HOUR;
	for (size_t i = 0; i < ARRAY_LEN(outages); i++) {
		buf_reset(&st->shown);
		go_down(st, outages[i].class);
		uint64_t began = clock_now();
		say_in_chats(t, st, CHATS, "hello");
		/* What takes long on a busy machine is not to count as time in which one asks for all. */
		speed = 5;
		stage_await(t, st, CHATS);
		speed = 60;
		size_t first = st->asked, careful = careful_tries(clock_now() - began);
		pass(t, 6 * HOUR);
		assert_int_equal(count_of(st->shown.data, outages[i].told), CHATS);
		assert_int_equal(stage_lines(&st->shown), CHATS);
		/* Three tries of each that asked before it was known; then one request in 60 s to 2 min, for
		 * all. */
		assert_in_range(first, 1, 3 * CHATS + careful);
		assert_in_range(st->asked - first, 10, 6 * 60 + 10);
		print_message("%s: %zu requests at once, %zu in six hours\n",
		    llm_error_class_name(outages[i].class), first, st->asked - first);
		assert_int_equal(stage_counts(t, st).turns_open, CHATS);
		stage_until(t, sessions_running(st->sessions) == 0);
		come_back(t, st);
		assert_int_equal(count_of(st->shown.data, "re: hello\n"), CHATS);
		assert_int_equal(stage_lines(&st->shown), 2 * CHATS);
	}
	assert_lacks(st->log.data, "store failed");
}

STAGE_TEST(what_comes_meanwhile_waits_and_is_answered_in_order)
{
	go_down(st, LLM_ERROR_OVERLOADED);
	stage_say(t, st, "7", "one");
	stage_await(t, st, 1);
	pass(t, 10 * MINUTE);
	stage_rest(t);
	stage_say(t, st, "7", "two");
	stage_say(t, st, "7", "three");
	pass(t, 10 * MINUTE);
	assert_int_equal(stage_lines(&st->shown), 1);
	come_back(t, st);
	assert_string_equal(
	    strchr(st->shown.data, '\n') + 1, "7 >m1: re: one\n7 >m2: re: two\n7 >m3: re: three\n");
}

STAGE_TEST(nobody_sees_typing_while_a_turn_waits)
{
	go_down(st, LLM_ERROR_OVERLOADED);
	stage_say(t, st, "7", "one");
	stage_until(t, waiting(st) == 1);
	size_t shown = st->typings, asked = st->asked;
	pass(t, HOUR);
	/* While it tries it may be shown, again where a try takes long; an hour of it would be 900. */
	assert_true(st->asked > asked);
	assert_in_range(st->typings - shown, 0, 600);
	come_back(t, st);
}

STAGE_TEST(a_chat_that_writes_first_while_all_is_down_is_told_at_once)
{
	go_down(st, LLM_ERROR_OVERLOADED);
	say_in_chats(t, st, 3, "one");
	stage_until(t, waiting(st) == 3);
	size_t asked = st->asked;
	stage_say(t, st, "8", "two");
	stage_await(t, st, 4);
	assert_has(st->shown.data, "8 >m4: My language model is overloaded");
	assert_true(st->asked <= asked + 1);
	come_back(t, st);
}

STAGE_TEST(commands_work_meanwhile)
{
	go_down(st, LLM_ERROR_TRANSIENT);
	stage_say(t, st, "7", "one");
	stage_until(t, waiting(st) == 1);
	stage_say(t, st, "7", "/whoami");
	stage_say(t, st, "7", "two");
	stage_await(t, st, 3);
	stage_say(t, st, "7", "/stop");
	stage_await(t, st, 4);
	assert_has(st->shown.data, "7 >m4: Stopped. 1 more message is waiting");
	/* The next one begins, and its chat is told of it too. */
	task_until_or(t, count_of(st->shown.data, "I keep your message") == 2, st->shown.data);
	stage_until(t, waiting(st) == 1);
	/* Long before the next try, which is a minute away. */
	speed = 1;
	uint64_t before = clock_now();
	stage_say(t, st, "7", "/new");
	stage_until(t, strstr(st->shown.data, "A new conversation begins"));
	assert_true(clock_now() - before < MINUTE / 2);
	speed = 60;
	stage_settle(t, st);
	st->down = LLM_ERROR_NONE;
	pass(t, 10 * MINUTE);
	assert_lacks(st->shown.data, "re: one");
	assert_lacks(st->shown.data, "re: two");
	stage_say(t, st, "7", "three");
	stage_settle(t, st);
	assert_has(st->shown.data, "7 >m6: re: three\n");
}

STAGE_TEST(after_the_patience_one_message_says_that_nothing_follows)
{
	st->llm.patience_ms = 2 * HOUR;
	go_down(st, LLM_ERROR_TRANSIENT);
	stage_say(t, st, "7", "one");
	stage_until(t, waiting(st) == 1);
	pass(t, HOUR);
	for (int i = 0; i < 100; i++)
		stage_say(t, st, "7", "more");
	pass(t, HOUR / 2);
	assert_int_equal(stage_lines(&st->shown), 1);
	stage_say(t, st, "7", "/whoami");
	pass(t, HOUR);
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "I am sorry: my language model could not be reached"), 1);
	assert_int_equal(stage_lines(&st->shown), 1 + 2 + 1);
	st->down = LLM_ERROR_NONE;
	pass(t, 3 * HOUR);
	stage_say(t, st, "7", "again");
	stage_settle(t, st);
	assert_has(st->shown.data, "re: again\n");
	assert_lacks(st->shown.data, "re: more");
}

STAGE_TEST(without_patience_the_person_is_told_at_once)
{
	st->llm.patience_ms = 0;
	go_down(st, LLM_ERROR_OVERLOADED);
	stage_say(t, st, "7", "one");
	stage_settle(t, st);
	assert_string_equal(st->shown.data,
	    "7 >m1: My language model is overloaded at the moment. Please try again in a few minutes.\n");
}

STAGE_TEST(the_wait_survives_any_number_of_crashes)
{
	go_down(st, LLM_ERROR_OVERLOADED);
	say_in_chats(t, st, 5, "hello");
	stage_await(t, st, 5);
	stage_calm(t, st);
	stage_until(t, waiting(st) == 5);
	for (int i = 0; i < 6; i++) {
		stage_snapshot(st);
		st->asked = 0;
		stage_crash(t, st);
		stage_until(t, waiting(st) == 5);
		/* After the start one asks for all. */
		assert_in_range(st->asked, 1, 3);
		stage_say(t, st, "1", "more");
	}
	assert_int_equal(stage_lines(&st->shown), 5);
	come_back(t, st);
	assert_int_equal(count_of(st->shown.data, "re: hello\n"), 5);
	assert_int_equal(count_of(st->shown.data, "re: more\n"), 6);
	assert_int_equal(stage_lines(&st->shown), 5 + 5 + 6);
}

STAGE_TEST(patience_counts_what_went_by_before_a_stop)
{
	st->llm.patience_ms = 3 * HOUR;
	go_down(st, LLM_ERROR_OVERLOADED);
	stage_say(t, st, "7", "hello");
	stage_until(t, waiting(st) == 1);
	for (int i = 0; i < 4; i++) {
		pass(t, HOUR / 2);
		stage_close(t, st);
		pass(t, HOUR / 2);
		stage_open(t, st);
		stage_until(t, i > 1 || waiting(st) == 1);
	}
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "I am sorry: my language model could not be reached"), 1);
	assert_int_equal(stage_lines(&st->shown), 2);
}

STAGE_TEST(a_wall_clock_that_jumps_ends_no_wait)
{
	static const int64_t walls[] = {WALL + 48LL * HOUR, WALL - 48LL * HOUR, 0, WALL};

	st->llm.patience_ms = 12 * HOUR;
	go_down(st, LLM_ERROR_OVERLOADED);
	stage_say(t, st, "7", "hello");
	stage_until(t, waiting(st) == 1);
	for (size_t i = 0; i < ARRAY_LEN(walls); i++) {
		clock_fake(walls[i], 1);
		pass(t, HOUR);
		assert_int_equal(stage_lines(&st->shown), 1);
	}
	come_back(t, st);
	assert_has(st->shown.data, "7 >m1: re: hello\n");
}

STAGE_TEST(the_wait_that_a_provider_asks_for_is_the_least_for_all)
{
	go_down(st, LLM_ERROR_RATE_LIMIT);
	st->retry_ms = 20 * MINUTE;
	say_in_chats(t, st, 3, "hello");
	stage_until(t, waiting(st) == 3);
	size_t asked = st->asked;
	pass(t, 19 * MINUTE);
	assert_int_equal(st->asked, asked);
	stage_until(t, st->asked > asked);
	assert_int_equal(st->asked, asked + 1);
	st->retry_ms = 0;
	st->down = LLM_ERROR_NONE;
	pass(t, 22 * MINUTE);
	come_back(t, st);
	assert_int_equal(count_of(st->shown.data, "re: hello\n"), 3);
}

STAGE_TEST(chats_go_on_one_after_another)
{
	go_down(st, LLM_ERROR_OVERLOADED);
	say_in_chats(t, st, 100, "hello");
	stage_until(t, waiting(st) == 100);
	st->model_ms = 10;
	st->max_asking = 0;
	st->down = LLM_ERROR_NONE;
	size_t asked = st->asked;
	stage_until(t, st->asked > asked);
	/* From here on the machine keeps up with the clock. */
	speed = 1;
	stage_settle(t, st);
	speed = 60;
	assert_int_equal(count_of(st->shown.data, "re: hello\n"), 100);
	assert_true(st->max_asking < 50);
}

STAGE_TEST(a_turn_that_waits_between_its_tools_goes_on_there)
{
	stage_play(st, {.calls = "c1 touch {\"what\":\"a\"}"}, {.fails = LLM_ERROR_OVERLOADED},
	    {.fails = LLM_ERROR_OVERLOADED}, {.fails = LLM_ERROR_OVERLOADED},
	    {.calls = "c2 touch {\"what\":\"b\"}"}, {.text = "done"});
	stage_say(t, st, "7", "work");
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "+a -a +b -b ");
	assert_int_equal(stage_lines(&st->shown), 2);
	assert_has(st->shown.data, "7 >m1: done\n");
}

STAGE_TEST(chats_that_fail_always_hold_up_nobody)
{
	st->llm.patience_ms = 24 * HOUR;
	st->poison = "poison";
	for (size_t failing = 1; failing <= 2; failing++) {
		stage_say(t, st, failing == 1 ? "1" : "2", "poison");
		stage_until(t, waiting(st) == failing);
		pass(t, HOUR);
		uint64_t before = clock_now();
		stage_say(t, st, "9", "hello");
		stage_until(t, count_of(st->shown.data, "re: hello\n") == failing);
		assert_true(clock_now() - before < MINUTE);
	}
	/* With a third the models rest; whoever has not failed goes first, and the answer ends it. */
	stage_say(t, st, "3", "poison");
	stage_until(t, waiting(st) == 3);
	pass(t, HOUR);
	uint64_t before = clock_now();
	stage_say(t, st, "8", "hello");
	stage_until(t, count_of(st->shown.data, "re: hello\n") == 3);
	assert_true(clock_now() - before < 3 * MINUTE);
	/* Stopped, each is free. */
	say_in_chats(t, st, 3, "/stop");
	stage_until(t, count_of(st->shown.data, "Stopped.") == 3);
	stage_settle(t, st);
	assert_int_equal(waiting(st), 0);
}

STAGE_TEST(an_admin_ends_all_waits)
{
	st->retry_ms = 20 * MINUTE;
	go_down(st, LLM_ERROR_RATE_LIMIT);
	say_in_chats(t, st, 3, "hello");
	stage_until(t, waiting(st) == 3);
	stage_until(t, count_of(st->shown.data, "I keep your message and try again in 20 min") > 0);
	st->down = LLM_ERROR_NONE;
	uint64_t before = clock_now();
	assert_int_equal(llm_retry_now(&st->llm), 3);
	stage_until(t, count_of(st->shown.data, "re: hello\n") == 3);
	assert_true(clock_now() - before < 5 * MINUTE);
}

STAGE_TEST(one_whose_requests_alone_fail_holds_up_nobody)
{
	/* Its first tries fail; everybody else is answered. */
	stage_play(st, {.fails = LLM_ERROR_TRANSIENT}, {.fails = LLM_ERROR_TRANSIENT},
	    {.fails = LLM_ERROR_TRANSIENT});
	stage_say(t, st, "7", "one");
	stage_await(t, st, 1);
	stage_say(t, st, "8", "two");
	stage_settle(t, st);
	assert_has(st->shown.data, "re: one\n");
	assert_has(st->shown.data, "re: two\n");
}

STAGE_TEST(typing_ends_long_before_a_turn_that_takes_hours)
{
	stage_play(st, {.text = "done", .takes_ms = 3 * HOUR});
	stage_say(t, st, "7", "hello");
	stage_until(t, st->typings > 0);
	pass(t, 15 * MINUTE);
	size_t shown = st->typings;
	pass(t, HOUR);
	assert_int_equal(st->asking, 1);
	assert_int_equal(st->typings, shown);
	pass(t, 2 * HOUR);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: done\n");
}

STAGE_TEST(a_chat_in_which_nobody_writes_asks_no_model)
{
	stage_say(t, st, "7", "hello");
	stage_settle(t, st);
	speed = 10 * MINUTE;
	task_sleep(t, 72 * HOUR, NULL);
	speed = 60;
	assert_int_equal(st->asked, 1);
	assert_int_equal(stage_lines(&st->shown), 1);
}

STAGE_TEST(a_stop_of_the_process_leaves_the_turn_open)
{
	go_down(st, LLM_ERROR_OVERLOADED);
	stage_say(t, st, "7", "hello");
	stage_until(t, waiting(st) == 1);
	stage_close(t, st);
	st->down = LLM_ERROR_NONE;
	stage_open(t, st);
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: hello\n"), 1);
	assert_int_equal(stage_lines(&st->shown), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(in_six_hours_each_chat_is_told_once_and_the_provider_is_left_in_peace),
	    cmocka_unit_test(what_comes_meanwhile_waits_and_is_answered_in_order),
	    cmocka_unit_test(nobody_sees_typing_while_a_turn_waits),
	    cmocka_unit_test(a_chat_that_writes_first_while_all_is_down_is_told_at_once),
	    cmocka_unit_test(commands_work_meanwhile),
	    cmocka_unit_test(after_the_patience_one_message_says_that_nothing_follows),
	    cmocka_unit_test(without_patience_the_person_is_told_at_once),
	    cmocka_unit_test(the_wait_survives_any_number_of_crashes),
	    cmocka_unit_test(patience_counts_what_went_by_before_a_stop),
	    cmocka_unit_test(a_wall_clock_that_jumps_ends_no_wait),
	    cmocka_unit_test(the_wait_that_a_provider_asks_for_is_the_least_for_all),
	    cmocka_unit_test(chats_go_on_one_after_another),
	    cmocka_unit_test(a_turn_that_waits_between_its_tools_goes_on_there),
	    cmocka_unit_test(chats_that_fail_always_hold_up_nobody),
	    cmocka_unit_test(an_admin_ends_all_waits),
	    cmocka_unit_test(one_whose_requests_alone_fail_holds_up_nobody),
	    cmocka_unit_test(typing_ends_long_before_a_turn_that_takes_hours),
	    cmocka_unit_test(a_chat_in_which_nobody_writes_asks_no_model),
	    cmocka_unit_test(a_stop_of_the_process_leaves_the_turn_open),
	};
	uv_timer_t tick;

	clock_fake(WALL, 1);
	speed = 60;
	uv_timer_init(uv_default_loop(), &tick);
	uv_timer_start(&tick, on_tick, 1, 1);
	cmocka_set_test_filter(getenv("STAGE_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
