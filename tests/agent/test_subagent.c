/* Sub-agents: what the tool task does. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "tools/background.h"
#include "tools/subagent_tools.h"
#include "tools/tools.h"

static char *said_in(struct task *t, struct stage *st, const char *words)
{
	stage_say(t, st, "7", words);
	stage_settle(t, st);
	return stage_transcript(t, st, "7");
}

/* What the sub-agent's last request holds. */
static void keep_last(struct stage *st, const char *what)
{
	if (strcmp(what, "ask") != 0 || st->asked != 7)
		return;
	free(st->own);
	st->own = xstrdup(st->heard.data);
}

STAGE_TEST(its_answer_is_the_result_and_its_steps_are_not_in_the_conversation)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"Analyze the error handling\"}"},
	    {.calls = "x look {\"what\":\"one\"}\ny touch {\"what\":\"two\"}"}, {.text = "It is sound."},
	    {.text = "Told."});
	char *said = said_in(t, st, "look at it");
	assert_has(
	    said, "{\"status\":\"success\",\"stdout\":\"It is sound.\",\"stderr\":\"\",\"exit_code\":0}");
	assert_has(said, "assistant: Told.");
	assert_lacks(said, "look {");
	assert_string_equal(st->ran.data, "+one -one +two -two ");
	free(said);
}

STAGE_TEST(it_begins_with_the_prompt_alone)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"Count the files\"}"},
	    {.text = "Nine.", .takes_ms = 20}, {.text = "Told."});
	stage_say(t, st, "7", "a secret of ours");
	stage_until(t, st->asked == 2);
	assert_string_equal(st->heard.data, "user: Count the files\n");
	stage_settle(t, st);
}

STAGE_TEST(it_cannot_ask_remind_or_begin_another)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"},
	    {.calls = "p task {\"prompt\":\"deeper\"}\nq ask_user {\"question\":\"?\"}\nr remind "
		      "{\"action\":\"list\"}"},
	    {.text = "No.", .takes_ms = 20}, {.text = "Told."});
	stage_say(t, st, "7", "go");
	stage_until(t, st->asked == 3);
	char *first = strstr(st->heard.data, "NO_CHAT");
	assert_non_null(first);
	first = strstr(first + 1, "NO_CHAT");
	assert_non_null(first);
	assert_non_null(strstr(first + 1, "NO_CHAT"));
	stage_settle(t, st);
}

STAGE_TEST(a_model_that_fails_is_a_failed_task_and_no_error)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"Analyze this codebase\"}"},
	    {.fails = LLM_ERROR_RATE_LIMIT}, {.fails = LLM_ERROR_RATE_LIMIT}, {.fails = LLM_ERROR_RATE_LIMIT},
	    {.text = "Told."});
	st->retry_ms = 1;
	char *said = said_in(t, st, "go");
	assert_has(said,
	    "{\"status\":\"failed\",\"stdout\":\"\",\"stderr\":\"Error: API rate limit "
	    "exceeded\",\"exit_code\":1}");
	free(said);
}

STAGE_TEST(its_rounds_and_tokens_have_an_end)
{
	stage_configure(t, st, "tools = { rounds = 2; };");
	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"}, {.calls = "x look {\"what\":\"1\"}"},
	    {.calls = "y look {\"what\":\"2\"}"}, {.text = "That is all."}, {.text = "Told."});
	char *said = said_in(t, st, "go");
	assert_has(said, "\"stdout\":\"That is all.\"");
	free(said);
}

STAGE_TEST(it_is_kept_from_calling_the_same_again_and_again)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"}, {.calls = "- look {\"what\":\"a\",\"ms\":0}"},
	    {.calls = "- look {\"ms\":0, \"what\":\"a\"}\n- look {\"what\":\"a\",\"ms\":0}"},
	    {.calls = "- look {\"what\":\"a\",\"ms\":0}"}, {.calls = "- look {\"what\":\"a\",\"ms\":0}"},
	    {.calls = "- look {\"what\":\"b\"}"}, {.text = "I stop."});
	st->hook = keep_last;
	st->own = NULL;
	char *said = said_in(t, st, "go");
	assert_string_equal(st->ran.data, "+a -a +a -a +a -a +a -a +b -b ");
	const char *note =
	    strstr(st->own, "\"note\":\"This is the third identical call; a fifth will be refused.\"");
	assert_non_null(note);
	assert_null(strstr(note + 1, "\"note\""));
	assert_has(note, "\"cause\":\"LOOP\"");
	assert_null(strstr(strstr(note, "\"cause\":\"LOOP\"") + 1, "\"cause\":\"LOOP\""));
	assert_has(said, "\"stdout\":\"I stop.\"");
	free(st->own);
	free(said);
}

STAGE_TEST(a_stop_ends_it_at_once)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"},
	    {.calls = "x look {\"what\":\"long\",\"ms\":60000}"});
	stage_say(t, st, "7", "go");
	stage_until(t, strstr(st->ran.data, "+long"));
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
	assert_has(st->ran.data, "!long");
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "INTERRUPTED");
	assert_has(said, "(stopped)");
	free(said);
}

STAGE_TEST(after_a_crash_nothing_of_it_runs_again)
{
	st->tools_held = true;
	stage_play(st, {.calls = "a task {\"prompt\":\"go\"}"}, {.calls = "x touch {\"what\":\"once\"}"});
	stage_say(t, st, "7", "go");
	stage_until(t, strstr(st->ran.data, "+once"));
	stage_snapshot(st);
	st->tools_held = false;
	buf_reset(&st->ran);
	stage_crash_quietly(t, st);
	buf_reset(&st->ran);
	stage_play(st, {.text = "I do not know what came of it."});
	struct error err;
	assert_int_equal(sessions_resume(t, st->sessions, &err), 0);
	stage_settle(t, st);
	assert_string_equal(st->ran.data, "");
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "UNKNOWN_OUTCOME");
	free(said);
}

#define BEHIND "a task {\"prompt\":\"Run the tests\",\"background\":true}"

STAGE_TEST(behind_the_conversation_it_goes_on_and_the_chat_is_told)
{
	stage_play(st, {.calls = BEHIND}, {.text = "All are green."}, {.text = "Begun."});
	stage_say(t, st, "7", "test it");
	stage_await(t, st, 2);
	stage_settle(t, st);
	assert_has(st->shown.data, "Begun.");
	assert_has(st->shown.data, "The background task \"Run the tests\" is done.\n\nAll are green.");
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "{\"task_id\":\"bg-");
	assert_has(said, "\"status\":\"running\",\"prompt\":\"Run the tests\"}");
	free(said);
	stage_say(t, st, "7", "and?");
	stage_settle(t, st);
	assert_has(st->told.data, "The background task \"Run the tests\" is done.");
	buf_reset(&st->shown);
	stage_close(t, st);
	stage_open(t, st);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
}

STAGE_TEST(what_a_crash_ended_behind_a_conversation_is_told_once_and_not_begun_again)
{
	st->tools_held = true;
	stage_play(st, {.calls = BEHIND}, {.calls = "x touch {\"what\":\"once\"}"}, {.text = "Begun."});
	stage_say(t, st, "7", "test it");
	stage_until(t, strstr(st->ran.data, "+once"));
	stage_await(t, st, 1);
	stage_snapshot(st);
	stage_crash(t, st);
	buf_reset(&st->ran);
	st->tools_held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "The background task \"Run the tests\" was interrupted when I stopped.");
	assert_string_equal(st->ran.data, "");
	buf_reset(&st->shown);
	stage_close(t, st);
	stage_open(t, st);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
}

STAGE_TEST(a_stop_ends_what_goes_on_behind_the_conversation)
{
	stage_play(
	    st, {.calls = BEHIND}, {.calls = "x look {\"what\":\"long\",\"ms\":60000}"}, {.text = "Begun."});
	stage_say(t, st, "7", "test it");
	stage_until(t, strstr(st->ran.data, "+long"));
	stage_settle(t, st);
	stage_say(t, st, "7", "/stop");
	stage_until(t, strstr(st->ran.data, "!long"));
	stage_settle(t, st);
	buf_reset(&st->shown);
	stage_close(t, st);
	stage_open(t, st);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
}

STAGE_TEST(the_limit_that_keeps_one_from_beginning_is_named)
{
	const struct background_limits limits = tools_task_limits(st->agent.tools);
	struct background_slot slots[64];

	assert_in_range(limits.in_all, 1, ARRAY_LEN(slots));
	for (size_t i = 0; i < limits.in_all; i++) {
		struct address other = {.channel = "other"};

		snprintf(other.chat, sizeof(other.chat), "%zu", i);
		assert_true(background_slot_take(st->agent.background, &other, &limits, &slots[i]));
	}
	stage_play(st, {.calls = BEHIND}, {.text = "Not now."});
	char *said = said_in(t, st, "test it");
	assert_has(said, "Not begun: ");
	assert_has(
	    said, " commands run already in all chats (tools.commands_at_once). Try again in a moment.");
	assert_lacks(said, "kill_shell");
	free(said);
	for (size_t i = 0; i < limits.in_all; i++)
		background_slot_release(&slots[i]);
}

STAGE_TEST(a_failure_behind_the_conversation_is_told)
{
	stage_play(st, {.calls = BEHIND}, {.fails = LLM_ERROR_BILLING}, {.text = "Begun."});
	stage_say(t, st, "7", "test it");
	stage_await(t, st, 2);
	assert_has(st->shown.data, "The background task \"Run the tests\" failed.\n\nError: ");
	stage_settle(t, st);
}

STAGE_TEST(without_a_conversation_there_is_no_agent_to_begin_one)
{
	struct tool_call call = {.tools = st->tools};
	bool is_error;
	char *text = tools_run(t, &call, "task", "{\"prompt\":\"x\"}", &is_error);

	assert_true(is_error);
	assert_has(text, "\"cause\":\"NO_CHAT\"");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(its_answer_is_the_result_and_its_steps_are_not_in_the_conversation),
	    cmocka_unit_test(it_begins_with_the_prompt_alone),
	    cmocka_unit_test(it_cannot_ask_remind_or_begin_another),
	    cmocka_unit_test(a_model_that_fails_is_a_failed_task_and_no_error),
	    cmocka_unit_test(its_rounds_and_tokens_have_an_end),
	    cmocka_unit_test(it_is_kept_from_calling_the_same_again_and_again),
	    cmocka_unit_test(a_stop_ends_it_at_once),
	    cmocka_unit_test(after_a_crash_nothing_of_it_runs_again),
	    cmocka_unit_test(behind_the_conversation_it_goes_on_and_the_chat_is_told),
	    cmocka_unit_test(what_a_crash_ended_behind_a_conversation_is_told_once_and_not_begun_again),
	    cmocka_unit_test(the_limit_that_keeps_one_from_beginning_is_named),
	    cmocka_unit_test(a_stop_ends_what_goes_on_behind_the_conversation),
	    cmocka_unit_test(a_failure_behind_the_conversation_is_told),
	    cmocka_unit_test(without_a_conversation_there_is_no_agent_to_begin_one),
	};

	return cmocka_run_group_tests_name("subagent", tests, NULL, NULL);
}
