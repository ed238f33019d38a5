/* The calls of a reply: which run together, in which order their results stand, and which are not run. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/tool_calls.h"
#include "agent/turn_state.h"
#include "base/mem.h"
#include "lib/stage.h"
#include "store/turn/turns.h"

/* One reply with these calls, then an answer. */
static void call(struct task *t, struct stage *st, const char *calls)
{
	stage_play(st, {.calls = calls}, {.text = "done"});
	buf_reset(&st->ran);
	stage_ask(t, st, "7", "go");
}

/* The lines of the last request from the first call on. */
static const char *results(const struct stage *st)
{
	const char *reply = strrchr(st->heard.data, ']');

	return reply ? reply + 2 : "";
}

STAGE_TEST(calls_that_only_look_run_together_and_results_keep_the_order_of_the_calls)
{
	call(t, st,
	    "c1 look {\"what\":\"slow\",\"ms\":40}\n"
	    "c2 look {\"what\":\"mid\",\"ms\":20}\n"
	    "c3 look {\"what\":\"fast\"}");
	assert_string_equal(st->ran.data, "+slow +mid +fast -fast -mid -slow ");
	assert_string_equal(results(st),
	    "tool c1: {\"seen\":\"slow\"}\ntool c2: {\"seen\":\"mid\"}\ntool c3: {\"seen\":\"fast\"}\n");
}

STAGE_TEST(at_most_four_run_at_once)
{
	call(t, st,
	    "c1 look {\"what\":\"1\",\"ms\":10}\nc2 look {\"what\":\"2\",\"ms\":10}\nc3 look "
	    "{\"what\":\"3\",\"ms\":10}\n"
	    "c4 look {\"what\":\"4\",\"ms\":10}\nc5 look {\"what\":\"5\"}\nc6 look {\"what\":\"6\"}");
	assert_has(st->ran.data, "+1 +2 +3 +4 -");
	assert_has(st->ran.data, "+5 +6 ");
	assert_true(strstr(st->ran.data, "+5") > strstr(st->ran.data, "-4"));
}

STAGE_TEST(the_settings_say_how_many_run_at_once)
{
	stage_configure(t, st, "tools: { calls_at_once = 2; };");
	call(t, st,
	    "c1 look {\"what\":\"1\",\"ms\":10}\nc2 look {\"what\":\"2\",\"ms\":10}\nc3 look "
	    "{\"what\":\"3\"}");
	assert_has(st->ran.data, "+1 +2 -");
	assert_true(strstr(st->ran.data, "+3") > strstr(st->ran.data, "-2"));
}

STAGE_TEST(a_call_that_writes_runs_alone_after_all_before_it)
{
	call(t, st,
	    "c1 look {\"what\":\"a\",\"ms\":20}\nc2 touch {\"what\":\"w\",\"ms\":5}\nc3 touch "
	    "{\"what\":\"x\",\"ms\":5}\n"
	    "c4 look {\"what\":\"b\",\"ms\":5}\nc5 look {\"what\":\"c\"}");
	assert_string_equal(st->ran.data, "+a -a +w -w +x -x +b +c -c -b ");
}

STAGE_TEST(one_that_fails_does_not_stop_the_rest)
{
	call(t, st,
	    "c1 look {\"what\":\"a\",\"fail\":true}\nc2 nothing {\"x\":1}\nc3 look {\"which\":2}\nc4 touch "
	    "{\"what\":\"b\"}");
	assert_has(results(st), "tool c1!: {\"error\":\"There is no a.");
	assert_has(results(st), "\ntool c2!: {\"error\":\"There is no tool 'nothing'.");
	assert_has(results(st), "INVALID_ARGUMENT");
	assert_has(results(st), "\ntool c4: {\"seen\":\"b\"}\n");
	assert_has(st->shown.data, ": done\n");
}

STAGE_TEST(the_third_identical_call_is_noted_and_the_fifth_refused)
{
	static const struct line again = {.calls = "- look {\"what\":\"a\"}"};

	stage_script(
	    st, (const struct line[]){again, again, again, again, again, again, {.text = "done"}}, 7);
	stage_ask(t, st, "7", "go");
	assert_string_equal(st->ran.data, "+a -a +a -a +a -a +a -a ");
	const char *note = strstr(st->heard.data, "\"note\":\"This is the third identical call");
	assert_non_null(note);
	assert_null(strstr(note + 1, "\"note\""));
	assert_has(note, "\"cause\":\"LOOP\"");
	assert_has(st->heard.data, "LIMIT_REACHED");
	/* A new turn counts anew. */
	buf_reset(&st->ran);
	call(t, st, "c9 look {\"what\":\"a\"}");
	assert_string_equal(st->ran.data, "+a -a ");
}

/* A prompt that demands a tool which is not there: the model is told so, and then that it goes round in
 * circles. */
STAGE_TEST(a_tool_that_is_not_there_is_not_asked_for_without_end)
{
	static const struct line again = {.calls = "- nothing {\"what\":\"a\"}"};

	stage_configure(t, st, "tools: { rounds = 6; };");
	stage_script(
	    st, (const struct line[]){again, again, again, again, again, again, {.text = "I cannot."}}, 7);
	stage_ask(t, st, "7", "go");
	assert_has(st->heard.data, "There is no tool 'nothing'. The nearest are: ");
	assert_has(st->heard.data, "\"cause\":\"LOOP\"");
	assert_int_equal(st->asked, 7);
	assert_has(st->shown.data, ": I cannot.\n");
}

STAGE_TEST(another_spelling_of_the_name_is_the_same_call)
{
	call(t, st,
	    "c1 memory_read {}\nc2 memory-read {}\nc3 memory_read {}\nc4 memory-read {}\nc5 memory_read "
	    "{}\nc6 memory-read {\"query\":\"x\"}");
	const char *refused = strstr(st->heard.data, "\"cause\":\"LOOP\"");
	assert_non_null(refused);
	assert_null(strstr(refused + 1, "\"cause\":\"LOOP\""));
	assert_has(refused, "\"query\":\"x\"");
}

STAGE_TEST(another_tool_with_the_same_arguments_is_another_call)
{
	call(t, st,
	    "c1 look {\"what\":\"a\"}\nc2 look {\"what\":\"a\"}\nc3 touch {\"what\":\"a\"}\nc4 touch "
	    "{\"what\":\"a\"}\n"
	    "c5 nothing {\"what\":\"a\"}\nc6 touch {\"what\":\"a\"}");
	assert_string_equal(st->ran.data, "+a +a -a -a +a -a +a -a +a -a ");
	assert_lacks(results(st), "\"cause\":\"LOOP\"");
	/* The third of one tool is the sixth of all. */
	assert_has(results(st), "tool c6: {\"seen\":\"a\",\"note\"");
	assert_lacks(results(st), "tool c4: {\"seen\":\"a\",\"note\"");
	/* Also of tools that are not there. */
	buf_reset(&st->heard);
	call(t, st,
	    "d1 none {\"what\":\"a\"}\nd2 nothing {\"what\":\"a\"}\nd3 none {\"what\":\"a\"}\nd4 nothing "
	    "{\"what\":\"a\"}\nd5 none {\"what\":\"a\"}");
	assert_lacks(results(st), "\"cause\":\"LOOP\"");
}

STAGE_TEST(another_spelling_of_the_arguments_is_the_same_call)
{
	call(t, st,
	    "c1 look {\"what\":\"a\",\"ms\":1}\nc2 look {\"ms\":1,\"what\":\"a\"}\nc3 look { \"what\" : "
	    "\"a\", \"ms\" : 1 }\n"
	    "c4 look {\"what\":\"\\u0061\",\"ms\":1}\nc5 look {\"what\":\"a\", \"ms\":1}\nc6 look "
	    "{\"what\":\"a\",\"ms\":2}");
	assert_has(results(st), "tool c3: {\"seen\":\"a\",\"note\"");
	assert_has(results(st), "tool c5!: ");
	assert_has(results(st), "tool c6: {\"seen\":\"a\"}");
}

STAGE_TEST(identical_calls_of_one_reply_are_counted_too)
{
	call(t, st,
	    "c1 look {\"what\":\"a\"}\nc2 look {\"what\":\"a\"}\nc3 look {\"what\":\"a\"}\nc4 look "
	    "{\"what\":\"a\"}\n"
	    "c5 look {\"what\":\"a\"}\nc6 look {\"what\":\"b\"}");
	assert_string_equal(st->ran.data, "+a +a +a +a -a -a -a -a +b -b ");
	assert_has(results(st), "tool c3: {\"seen\":\"a\",\"note\"");
	assert_has(results(st), "tool c5!: ");
	assert_has(results(st), "tool c6: {\"seen\":\"b\"}");
}

STAGE_TEST(nothing_runs_of_a_reply_that_was_cut_off_and_the_model_may_try_again)
{
	stage_play(st,
	    {.calls = "c1 look {\"what\":\"a\"}\nc2 touch {\"what\":\"b\"}", .finish = LLM_FINISH_LENGTH},
	    {.calls = "c3 touch {\"what\":\"b\"}"}, {.text = "done"});
	stage_ask(t, st, "7", "go");
	assert_string_equal(st->ran.data, "+b -b ");
	assert_has(st->heard.data, "tool c1!: {\"error\":\"Your message was cut off by the length limit");
	assert_has(st->heard.data, "tool c2!: {\"error\":\"Your message was cut off by the length limit");
	assert_has(st->shown.data, ": done\n");
}

/* Some servers number the calls of each reply anew. */
STAGE_TEST(calls_whose_ids_come_again_are_told_apart)
{
	stage_play(st, {.calls = "call_0 touch {\"what\":\"a\"}"},
	    {.calls = "call_0 touch {\"what\":\"b\"}\n- touch {\"what\":\"c\"}"}, {.text = "done"});
	stage_ask(t, st, "7", "go");
	assert_string_equal(st->ran.data, "+a -a +b -b +c -c ");
	assert_has(st->heard.data, "tool call_0: {\"seen\":\"a\"}\n");
	assert_lacks(st->heard.data, "tool call_0: {\"seen\":\"b\"}");
	assert_has(st->heard.data, "{\"seen\":\"b\"}");
	assert_lacks(st->log.data, "mended");
	assert_has(st->shown.data, ": done\n");
	/* Also over turns. */
	call(t, st, "call_0 touch {\"what\":\"d\"}");
	assert_string_equal(st->ran.data, "+d -d ");
	assert_lacks(st->log.data, "mended");
}

/* What the model heard when a tool asked it. */
static char *pondered;

static void note_question(struct stage *st, const char *what)
{
	if (strcmp(what, "ask") == 0 && st->asked == 2)
		pondered = xstrdup(st->heard.data);
}

STAGE_TEST(a_tool_may_ask_the_model_about_a_text_beside_the_conversation)
{
	st->hook = note_question;
	stage_play(
	    st, {.calls = "c1 ponder {\"what\":\"Is it red?\"}"}, {.text = "It is."}, {.text = "done"});
	stage_ask(t, st, "7", "look at it");
	assert_has(pondered, "Is it red?");
	assert_has(pondered, "[A text] of a stranger");
	assert_lacks(pondered, "look at it");
	assert_has(results(st), "tool c1: {\"answer\":\"It is.\"}\n");
	assert_lacks(st->heard.data, "A text");
	assert_has(st->shown.data, ": done\n");
	free(pondered);
	pondered = NULL;
}

STAGE_TEST(when_the_model_cannot_be_asked_the_tool_says_so_and_the_turn_goes_on)
{
	stage_play(st, {.calls = "c1 ponder {\"what\":\"Is it red?\"}"}, {.fails = LLM_ERROR_FATAL},
	    {.text = "done"});
	stage_ask(t, st, "7", "go");
	assert_has(results(st), "tool c1!: {\"error\":");
	assert_has(st->shown.data, ": done\n");
}

/* Where the message tool may write to from a group. */
static const struct {
	const char *calls, *shown, *told;
} messages[] = {
    {"c1 message {\"channel\":\"chat\",\"chat_id\":\"-100\",\"content\":\"here\"}", "-100: here\n",
	"\"status\":\"sent\""},
    {"c1 message {\"target\":\"ops\",\"content\":\"green\"}", "55: green\n", "\"status\":\"sent\""},
    {"c1 message {\"channel\":\"chat\",\"chat_id\":\"66\",\"content\":\"psst\"}", NULL, "TARGET_NOT_ALLOWED"},
    {"c1 message {\"channel\":\"nowhere\",\"chat_id\":\"66\",\"content\":\"psst\"}", NULL, "NOT_FOUND"},
};

STAGE_TEST(the_message_tool_reaches_its_own_chat_and_targets_only)
{
	stage_configure(t, st, "targets: { ops = [\"chat:55\"]; };");
	for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
		buf_reset(&st->shown);
		stage_play(st, {.calls = messages[i].calls}, {.text = "done"});
		stage_ask(t, st, "-100", "tell");
		assert_has(st->heard.data, messages[i].told);
		if (messages[i].shown)
			assert_has(st->shown.data, messages[i].shown);
		assert_int_equal(stage_lines(&st->shown), messages[i].shown ? 2 : 1);
		assert_has(st->shown.data, ": done\n");
	}
}

STAGE_TEST(a_writing_call_is_journalled_before_it_begins)
{
	struct stage_turn run = {0};
	struct turn turn;

	stage_play(st, {.calls = "c1 touch {\"what\":\"a\",\"ms\":10000}"}, {.text = "done"});
	stage_turn(t, st, "7", "go", &run.turn);
	stage_turn_start(st, &run);
	stage_until(t, st->ran.len > 0);
	stage_resume(t, st, "7", &turn);
	assert_string_equal(turn.row.unfinished[0], "c1");
	assert_null(turn.row.unfinished[1]);
	store_turn_clear(&turn.row);
	stage_turn_cancel(t, &run);
}

/* Half a minute of the processor when both arguments are parsed for each two calls. */
STAGE_TEST(many_calls_of_one_turn_are_compared_in_no_time)
{
	struct turn turn = {.row.id = 5};
	struct turn_state d = {.agent = &st->agent, .turn = &turn};
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "");
	struct buf arguments = BUF_INIT;
	clock_t began;

	(void)t;
	m->turn = 5;
	for (int i = 0; i < 500; i++) {
		buf_reset(&arguments);
		buf_addf(&arguments, "{\"what\":\"%d\",\"list\":[0", i);
		while (arguments.len < 4000)
			buf_addstr(&arguments, ",1");
		buf_addstr(&arguments, "]}");
		llm_message_add_call(m, "c", "look", arguments.data);
	}
	llm_history_init(&d.history);
	llm_history_add(&d.history, m);
	began = clock();
	for (size_t i = 0; i < m->call_count; i++)
		assert_null(tool_calls_refuse_loop(&d, &m->calls[i]));
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
	llm_history_clear(&d.history);
	buf_clear(&arguments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls_that_only_look_run_together_and_results_keep_the_order_of_the_calls),
	    cmocka_unit_test(at_most_four_run_at_once),
	    cmocka_unit_test(the_settings_say_how_many_run_at_once),
	    cmocka_unit_test(a_call_that_writes_runs_alone_after_all_before_it),
	    cmocka_unit_test(one_that_fails_does_not_stop_the_rest),
	    cmocka_unit_test(the_third_identical_call_is_noted_and_the_fifth_refused),
	    cmocka_unit_test(a_tool_that_is_not_there_is_not_asked_for_without_end),
	    cmocka_unit_test(another_spelling_of_the_name_is_the_same_call),
	    cmocka_unit_test(another_tool_with_the_same_arguments_is_another_call),
	    cmocka_unit_test(another_spelling_of_the_arguments_is_the_same_call),
	    cmocka_unit_test(identical_calls_of_one_reply_are_counted_too),
	    cmocka_unit_test(nothing_runs_of_a_reply_that_was_cut_off_and_the_model_may_try_again),
	    cmocka_unit_test(calls_whose_ids_come_again_are_told_apart),
	    cmocka_unit_test(the_message_tool_reaches_its_own_chat_and_targets_only),
	    cmocka_unit_test(a_tool_may_ask_the_model_about_a_text_beside_the_conversation),
	    cmocka_unit_test(when_the_model_cannot_be_asked_the_tool_says_so_and_the_turn_goes_on),
	    cmocka_unit_test(many_calls_of_one_turn_are_compared_in_no_time),
	    cmocka_unit_test(a_writing_call_is_journalled_before_it_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
