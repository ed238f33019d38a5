/* One turn, from its message to its committed end: what the model is asked, what the chat is told, what is
 * kept. */
#include <stdlib.h>
#include <string.h>

#include "bus/bus_internal.h"
#include "lib/stage.h"
#include "store/turn/turns.h"

static void expect_transcript(struct task *t, struct stage *st, const char *chat, const char *want)
{
	char *have = stage_transcript(t, st, chat);

	assert_string_equal(have, want);
	free(have);
}

/* The next turn of the chat is asked without a repair: what the turns before it left is valid as it is. */
static void expect_valid(struct task *t, struct stage *st, const char *chat)
{
	stage_ask(t, st, chat, "and now");
	assert_has(st->shown.data, "re: and now");
	assert_lacks(st->log.data, "mended the history");
}

STAGE_TEST(an_answer_ends_the_turn_and_goes_to_its_message)
{
	stage_ask(t, st, "7", "hello");
	assert_string_equal(st->shown.data, "7 >m1: re: hello\n");
	expect_transcript(t, st, "7", "user: hello\nassistant: re: hello\n");
	assert_int_equal(stage_counts(t, st).turns_open, 0);
}

STAGE_TEST(an_answer_goes_to_the_thread_that_asked)
{
	stage_ask(t, st, "7/42", "hello");
	assert_string_equal(st->shown.data, "7/42 >m1: re: hello\n");
}

STAGE_TEST(the_next_turn_sees_what_was_said_before)
{
	stage_ask(t, st, "7", "one");
	stage_ask(t, st, "8", "elsewhere");
	stage_ask(t, st, "7", "two");
	assert_string_equal(st->heard.data, "user: one\nassistant: re: one\nuser: two\n");
}

STAGE_TEST(typing_is_shown_while_the_turn_runs_and_no_longer)
{
	stage_play(st, {.text = "done", .takes_ms = 400});
	stage_ask(t, st, "7", "hello");
	assert_int_equal(st->typings, 1);
	assert_true(list_is_empty(&st->bus->previews));
}

STAGE_TEST(a_long_answer_is_all_its_parts)
{
	stage_play(st, {.text = "one|two|three"});
	stage_ask(t, st, "7", "hello");
	assert_string_equal(st->shown.data, "7 >m1: one\n7: two\n7: three\n");
}

/* What the model says, what the person reads of it, and what is kept. */
static const struct {
	struct line line;
	const char *shown, *kept;
} answers[] = {
    {{.text = ""}, ": (The model gave an empty answer.", "assistant: (The model gave an empty answer."},
    {{.text = " \n\t"}, ": (The model gave an empty answer.", "assistant: (The model gave an empty answer."},
    {{.text = "Half", .finish = LLM_FINISH_LENGTH}, ": Half\n\n(The answer was cut off", "assistant: Half\n"},
    {{.text = "", .finish = LLM_FINISH_LENGTH}, ": (The answer was cut off",
	"assistant: (The answer was cut off"},
    {{.text = "I will not.", .finish = LLM_FINISH_REFUSED}, ": I will not.\n", "assistant: I will not.\n"},
    {{.text = "", .finish = LLM_FINISH_REFUSED}, "declines to answer",
	"assistant: My language model declines"},
    {{.text = "No.", .finish = LLM_FINISH_REFUSED, .calls = "c1 touch {\"what\":\"a\"}"}, ": No.\n",
	"assistant: No.\n"},
    {{.fails = LLM_ERROR_AUTH}, "refuses my key", "assistant: My language model refuses my key"},
    {{.fails = LLM_ERROR_OVERFLOW}, "This message alone is too long",
	"assistant: This message alone is too long"},
    {{.fails = LLM_ERROR_REFUSAL}, "declines to answer", "assistant: My language model declines"},
};

STAGE_TEST(every_end_of_the_model_is_told_and_leaves_a_valid_transcript)
{
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		char *chat = xasprintf("%zu", i), *kept;
		/* An empty answer is asked for once more. */
		const struct line lines[] = {answers[i].line, answers[i].line};
		stage_script(st, lines, i < 2 ? 2 : 1);
		buf_reset(&st->shown);
		stage_ask(t, st, chat, "hello");
		assert_has(st->shown.data, answers[i].shown);
		kept = stage_transcript(t, st, chat);
		assert_has(kept, answers[i].kept);
		assert_string_equal(st->ran.data, "");
		expect_valid(t, st, chat);
		free(kept);
		free(chat);
	}
}

STAGE_TEST(after_the_last_round_the_model_must_answer_and_the_person_is_told)
{
	stage_configure(t, st, "tools: { rounds = 2; };");
	stage_play(st, {.calls = "c1 look {\"what\":\"a\"}"}, {.calls = "c2 look {\"what\":\"b\"}"},
	    {.text = "That is all."});
	stage_ask(t, st, "7", "look");
	assert_true(st->forbidden);
	assert_int_equal(st->asked, 3);
	assert_string_equal(st->shown.data,
	    "7 >m1: That is all.\n\n(I reached the limit of 2 rounds of tool calls and stopped there.)\n");
	stage_ask(t, st, "7", "and now");
	assert_false(st->forbidden);
}

STAGE_TEST(a_call_after_the_last_round_is_not_run)
{
	stage_configure(t, st, "tools: { rounds = 1; };");
	stage_play(st, {.calls = "c1 look {\"what\":\"a\"}"},
	    {.text = "One more.", .calls = "c2 touch {\"what\":\"b\"}"});
	stage_ask(t, st, "7", "look");
	assert_string_equal(st->ran.data, "+a -a ");
	assert_has(st->shown.data, ": One more.\n\n(I reached the limit of 1 rounds");
	expect_valid(t, st, "7");
}

STAGE_TEST(a_long_turn_pushes_old_ones_out_of_the_request)
{
	char *text = xcalloc(1, 150 * 1024 + 1);

	memset(text, 'x', 150 * 1024);
	st->providers[0].settings.context = 66000;
	stage_ask(t, st, "7", "first");
	stage_play(st, {.text = text});
	stage_ask(t, st, "7", "second");
	stage_play(
	    st, {.calls = "c1 look {\"what\":\"a\"}", .text = text}, {.text = "SUMMARY"}, {.text = "done"});
	stage_ask(t, st, "7", "third");
	assert_has(st->heard.data, "user: SUMMARY");
	assert_lacks(st->heard.data, "user: first");
	assert_lacks(st->heard.data, "user: second");
	assert_has(st->heard.data, "user: third");
	assert_has(st->heard.data, "tool c1: ");
	free(text);
}

STAGE_TEST(an_answer_whose_channel_is_gone_ends_its_turn)
{
	struct turn turn;

	stage_turn(t, st, "7", "hello", &turn);
	str_copy(turn.chat.channel, sizeof(turn.chat.channel), "gone");
	stage_play_turn(t, st, &turn);
	assert_has(st->log.data, "an answer cannot be addressed");
	assert_string_equal(st->shown.data, "");
}

/* --- a person stops it */

static void stop(struct task *t, struct stage_turn *run)
{
	run->turn.stopped = true;
	stage_turn_cancel(t, run);
	if (run->rc < 0)
		fail_msg("%s", run->err.text);
	stage_settle(t, run->stage);
	assert_string_equal(run->stage->shown.data, "");
	assert_int_equal(stage_counts(t, run->stage).turns_open, 0);
}

STAGE_TEST(a_turn_is_stopped_before_it_has_begun)
{
	struct stage_turn run = {0};

	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stop(t, &run);
	assert_int_equal(st->asked, 0);
	expect_transcript(t, st, "7", "user: hello\nassistant: (stopped)\n");
	expect_valid(t, st, "7");
}

STAGE_TEST(a_turn_is_stopped_while_the_model_is_asked)
{
	struct stage_turn run = {0};

	st->model_ms = 10000;
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->asking == 1);
	stop(t, &run);
	expect_transcript(t, st, "7", "user: hello\nassistant: (stopped)\n");
	st->model_ms = 0;
	expect_valid(t, st, "7");
}

STAGE_TEST(a_turn_is_stopped_while_a_tool_runs)
{
	struct stage_turn run = {0};

	stage_play(st, {.calls = "c1 touch {\"what\":\"a\",\"ms\":10000}\nc2 touch {\"what\":\"b\"}"});
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->ran.len > 0);
	stop(t, &run);
	assert_string_equal(st->ran.data, "+a !a ");
	char *kept = stage_transcript(t, st, "7"), *second = strstr(kept, "tool c2!: ");
	assert_has(kept, "tool c1!: {\"error\":\"The turn was stopped while this ran.");
	assert_has(second, "The turn was stopped before this began.");
	assert_has(second, "NOT_RUN");
	free(kept);
	expect_valid(t, st, "7");
}

static void stop_at_hook(struct stage *st, const char *what)
{
	struct stage_turn *run = st->own;

	(void)what;
	run->turn.stopped = true;
	task_cancel(run->task);
}

STAGE_TEST(an_answer_that_comes_with_the_stop_is_not_told)
{
	struct stage_turn run = {0};

	/* A line that takes no time does not see that it was cancelled. */
	stage_play(st, {.text = "too late"});
	st->own = &run;
	st->hook = stop_at_hook;
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, !run.task);
	stop(t, &run);
	assert_int_equal(st->asked, 1);
	st->hook = NULL;
	expect_valid(t, st, "7");
}

/* --- the process stops, or crashes */

STAGE_TEST(a_stop_of_the_process_leaves_the_turn_open_and_the_next_start_goes_on)
{
	struct stage_turn run = {0};
	struct turn turn;

	st->model_ms = 10000;
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->asking == 1);
	stage_turn_cancel(t, &run);
	assert_int_equal(run.rc, -1);
	assert_int_equal(run.err.kind, ERROR_CANCELLED);
	assert_int_equal(stage_counts(t, st).turns_open, 1);
	st->model_ms = 0;
	stage_resume(t, st, "7", &turn);
	stage_play_turn(t, st, &turn);
	assert_string_equal(st->shown.data, "7 >m1: re: hello\n");
}

STAGE_TEST(what_a_stop_of_the_process_interrupts_is_told_to_the_model)
{
	struct stage_turn run = {0};
	struct turn turn;

	stage_play(st, {.calls = "c1 touch {\"what\":\"a\",\"ms\":10000}\nc2 touch {\"what\":\"b\"}"},
	    {.text = "done"});
	stage_turn(t, st, "7", "hello", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->ran.len > 0);
	stage_turn_cancel(t, &run);
	assert_int_equal(run.rc, -1);
	stage_resume(t, st, "7", &turn);
	stage_play_turn(t, st, &turn);
	/* What had begun is not run again, what had not is. */
	assert_string_equal(st->ran.data, "+a !a +b -b ");
	assert_has(st->heard.data, "tool c1!: {\"error\":\"The turn was stopped while this ran.");
	assert_has(st->heard.data, "tool c2: {\"seen\":\"b\"}");
	assert_string_equal(st->shown.data, "7 >m1: done\n");
}

/* An instant of a turn whose first reply calls touch and whose second answers; and the turn after a crash
 * there. */
struct crash {
	const char *at; /* what happens then, the nth time */
	int nth;
	struct line after[2]; /* what the model says after the crash */
	const char *ran;      /* after the crash */
	const char *told;     /* what the model knows at last */
};

static const struct crash crashes[] = {
    {"ask", 1, {{.calls = "c1 touch {\"what\":\"a\"}"}, {.text = "done"}}, "+a -a ",
	"tool c1: {\"seen\":\"a\"}"},
    {"a", 1, {{.text = "done"}}, "", "UNKNOWN_OUTCOME"},
    {"ask", 2, {{.text = "done"}}, "", "tool c1: {\"seen\":\"a\"}"},
};

struct countdown {
	const char *at;
	int left;
};

static bool is_now(struct stage *st, const char *what)
{
	struct countdown *c = st->own;

	return strcmp(what, c->at) == 0 && c->left > 0 && --c->left == 0;
}

static void snapshot_at(struct stage *st, const char *what)
{
	if (is_now(st, what))
		stage_snapshot(st);
}

STAGE_TEST(after_a_crash_the_turn_goes_on_from_what_was_journalled)
{
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++) {
		const struct crash *crash = &crashes[i];
		struct countdown c = {crash->at, crash->nth};
		struct turn turn;
		st->own = &c;
		st->hook = snapshot_at;
		stage_play(st, {.calls = "c1 touch {\"what\":\"a\"}"}, {.text = "done"});
		stage_ask(t, st, "7", "touch");
		assert_int_equal(c.left, 0);
		st->hook = NULL;
		stage_script(st, crash->after, ARRAY_LEN(crash->after));
		buf_reset(&st->ran);
		buf_reset(&st->shown);
		/* Without sessions, which would go on by themselves. */
		stage_crash_quietly(t, st);
		stage_resume(t, st, "7", &turn);
		stage_play_turn(t, st, &turn);
		assert_string_equal(st->ran.data, crash->ran);
		assert_has(st->heard.data, crash->told);
		assert_has(st->shown.data, ": done\n");
		assert_int_equal(stage_lines(&st->shown), 1);
	}
}

#define CUT_OFF_CALLS 12

/* How many commits a turn takes whose reply, with these calls, is cut off. */
static int64_t commits_of_cut_off(struct task *t, struct stage *st, const char *calls)
{
	int64_t before = stage_counts(t, st).commits;

	stage_play(st, {.calls = calls, .finish = LLM_FINISH_LENGTH}, {.text = "done"});
	stage_ask(t, st, "7", "touch");
	assert_has(st->heard.data, "cut off by the length limit");
	return stage_counts(t, st).commits - before;
}

/* Between two commits a crash could come, and the next start would run what was not refused yet. */
STAGE_TEST(a_reply_that_was_cut_off_is_refused_in_the_commit_that_keeps_it)
{
	struct buf calls = BUF_INIT;

	stage_ask(t, st, "7", "hello");
	int64_t one = commits_of_cut_off(t, st, "c1 touch {\"what\":\"a\"}");
	for (int i = 0; i < CUT_OFF_CALLS; i++)
		buf_addf(&calls, "%sd%d touch {\"what\":\"%d\"}", i > 0 ? "\n" : "", i, i);
	/* A commit of another part of the store may come with either; one for each call would be many more.
	 */
	assert_in_range(commits_of_cut_off(t, st, calls.data), 1, one + CUT_OFF_CALLS / 4);
	assert_string_equal(st->ran.data, "");
	buf_clear(&calls);
}

STAGE_TEST(rounds_are_counted_over_a_crash)
{
	struct countdown c = {"ask", 2};
	struct turn turn;

	stage_configure(t, st, "tools: { rounds = 1; };");
	st->own = &c;
	st->hook = snapshot_at;
	stage_play(st, {.calls = "c1 look {\"what\":\"a\"}"}, {.text = "done"});
	stage_ask(t, st, "7", "look");
	st->hook = NULL;
	stage_play(st, {.text = "done"});
	stage_crash_quietly(t, st);
	st->forbidden = false;
	stage_resume(t, st, "7", &turn);
	stage_play_turn(t, st, &turn);
	assert_true(st->forbidden);
}

STAGE_TEST(a_stop_of_what_a_crash_cut_off_says_what_is_known)
{
	struct countdown c = {"a", 1};
	struct stage_turn run = {0};

	st->own = &c;
	st->hook = snapshot_at;
	stage_play(st, {.calls = "c1 touch {\"what\":\"a\"}\nc2 touch {\"what\":\"b\"}"}, {.text = "done"});
	stage_ask(t, st, "7", "touch");
	st->hook = NULL;
	stage_crash_quietly(t, st);
	buf_reset(&st->shown);
	stage_resume(t, st, "7", &run.turn);
	stage_turn_start(st, &run);
	stop(t, &run);
	char *kept = stage_transcript(t, st, "7");
	assert_has(strstr(kept, "tool c1!: "), "UNKNOWN_OUTCOME");
	assert_has(strstr(kept, "tool c2!: "), "NOT_RUN");
	free(kept);
	expect_valid(t, st, "7");
}

STAGE_TEST(a_turn_that_is_given_up_is_told_and_not_tried_again)
{
	struct turn turn;
	struct error err = {0};

	stage_turn(t, st, "7", "hello", &turn);
	assert_int_equal(agent_give_up(t, &st->agent, &turn, "I leave it.", &err), 0);
	store_turn_clear(&turn.row);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "7 >m1: I leave it.\n");
	assert_int_equal(st->asked, 0);
	expect_valid(t, st, "7");
}

STAGE_TEST(a_broken_history_is_mended_and_the_log_says_so)
{
	struct llm_message *reply = llm_message_new(LLM_ASSISTANT, "");
	struct turn turn;
	struct error err = {0};

	llm_message_add_call(reply, "c1", "look", "{}");
	stage_turn(t, st, "7", "hello", &turn);
	assert_int_equal(store_turn_append(t, st->store, &turn.row, &reply, 1, &err), 0);
	assert_int_equal(
	    store_turn_end(t, st->store, &turn.row, STORE_TURN_FAILED, NULL, 0, NULL, 0, &err), 0);
	llm_message_free(reply);
	store_turn_clear(&turn.row);
	stage_ask(t, st, "7", "and now");
	assert_has(st->heard.data, "tool c1!: interrupted, outcome unknown\n");
	assert_has(st->log.data, "mended the history in 1 places");
}

STAGE_TEST(what_was_given_up_is_no_part_of_later_requests)
{
	struct turn turn;
	struct error err = {0};

	stage_ask(t, st, "7", "before");
	stage_turn(t, st, "7", "poison", &turn);
	assert_int_equal(agent_give_up(t, &st->agent, &turn, "I leave it.", &err), 0);
	store_turn_clear(&turn.row);
	stage_ask(t, st, "7", "and now");
	assert_has(st->shown.data, "I leave it.");
	assert_string_equal(st->heard.data, "user: before\nassistant: re: before\nuser: and now\n");
}

/* --- the store fails */

static void disk_full_at(struct stage *st, const char *what)
{
	if (is_now(st, what))
		stage_disk_left(st, 0);
}

/* Where the disk is full, and how often touch begins in all, over the failure and the next try. */
static const struct {
	struct countdown at;
	const char *ran, *told;
} full[] = {
    {{"ask", 1}, "+a -a ",
	"{\"seen\":\"a\"}"}, /* the reply is not kept, nothing of it runs; it is asked again */
    {{"a", 1}, "+a -a ", "UNKNOWN_OUTCOME"}, /* the result is lost, and never gained again by a second run */
    {{"ask", 2}, "+a -a ", "{\"seen\":\"a\"}"}, /* the answer is lost, and asked for again */
};

STAGE_TEST(a_full_disk_loses_no_turn_and_runs_no_tool_twice)
{
	static const struct line calls = {.calls = "c1 touch {\"what\":\"a\"}"}, done = {.text = "done"};

	for (size_t i = 0; i < ARRAY_LEN(full); i++) {
		struct countdown c = full[i].at;
		struct error err = {0};
		struct turn turn;
		char *chat = xasprintf("%zu", i);
		st->own = &c;
		st->hook = disk_full_at;
		buf_reset(&st->ran);
		buf_reset(&st->shown);
		stage_script(st, (const struct line[]){calls, done}, 2);
		stage_turn(t, st, chat, "touch", &turn);
		assert_int_equal(agent_run(t, &st->agent, &turn, &err), -1);
		assert_has(err.text, "no space left");
		assert_true(list_is_empty(&st->bus->previews));
		store_turn_clear(&turn.row);
		st->hook = NULL;
		stage_disk_left(st, -1);
		/* What the model says again follows from what it is told again. */
		stage_script(st, (const struct line[]){i == 0 ? calls : done, done}, 2);
		stage_resume(t, st, chat, &turn);
		stage_play_turn(t, st, &turn);
		assert_string_equal(st->ran.data, full[i].ran);
		assert_has(st->heard.data, full[i].told);
		assert_has(st->shown.data, ": done\n");
		free(chat);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_ends_the_turn_and_goes_to_its_message),
	    cmocka_unit_test(an_answer_goes_to_the_thread_that_asked),
	    cmocka_unit_test(the_next_turn_sees_what_was_said_before),
	    cmocka_unit_test(typing_is_shown_while_the_turn_runs_and_no_longer),
	    cmocka_unit_test(a_long_answer_is_all_its_parts),
	    cmocka_unit_test(every_end_of_the_model_is_told_and_leaves_a_valid_transcript),
	    cmocka_unit_test(after_the_last_round_the_model_must_answer_and_the_person_is_told),
	    cmocka_unit_test(a_call_after_the_last_round_is_not_run),
	    cmocka_unit_test(a_long_turn_pushes_old_ones_out_of_the_request),
	    cmocka_unit_test(an_answer_whose_channel_is_gone_ends_its_turn),
	    cmocka_unit_test(a_turn_is_stopped_before_it_has_begun),
	    cmocka_unit_test(a_turn_is_stopped_while_the_model_is_asked),
	    cmocka_unit_test(a_turn_is_stopped_while_a_tool_runs),
	    cmocka_unit_test(an_answer_that_comes_with_the_stop_is_not_told),
	    cmocka_unit_test(a_stop_of_the_process_leaves_the_turn_open_and_the_next_start_goes_on),
	    cmocka_unit_test(what_a_stop_of_the_process_interrupts_is_told_to_the_model),
	    cmocka_unit_test(after_a_crash_the_turn_goes_on_from_what_was_journalled),
	    cmocka_unit_test(a_reply_that_was_cut_off_is_refused_in_the_commit_that_keeps_it),
	    cmocka_unit_test(rounds_are_counted_over_a_crash),
	    cmocka_unit_test(a_stop_of_what_a_crash_cut_off_says_what_is_known),
	    cmocka_unit_test(a_turn_that_is_given_up_is_told_and_not_tried_again),
	    cmocka_unit_test(a_broken_history_is_mended_and_the_log_says_so),
	    cmocka_unit_test(what_was_given_up_is_no_part_of_later_requests),
	    cmocka_unit_test(a_full_disk_loses_no_turn_and_runs_no_tool_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
