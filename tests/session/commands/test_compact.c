/* /compact: what the model sees afterwards, what is said, and a crash behind it. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"

static void say_and_settle(struct task *t, struct stage *st, const char *text)
{
	stage_say(t, st, "7", text);
	stage_settle(t, st);
}

STAGE_TEST(compact_puts_a_summary_in_the_place_of_all_but_the_newest_exchange)
{
	say_and_settle(t, st, "first");
	say_and_settle(t, st, "second");
	say_and_settle(t, st, "third");
	stage_play(st, {.text = "They *counted* to two."});
	say_and_settle(t, st, "/compact");
	assert_has(
	    st->shown.data, "I go on with a summary in place of 4 messages:\n\nThey \\*counted\\* to two.");
	say_and_settle(t, st, "fourth");
	assert_string_equal(st->heard.data,
	    "user: They *counted* to two.\nuser: third\nassistant: re: third\nuser: fourth\n");
	/* What is in the summary cannot be taken out of it. */
	say_and_settle(t, st, "/undo");
	say_and_settle(t, st, "/undo");
	say_and_settle(t, st, "/undo");
	assert_has(st->shown.data,
	    "There is nothing to take back: nothing was said since the conversation began, or since its "
	    "summary.");
	/* And once more: the summary is part of the next one. */
	say_and_settle(t, st, "fifth");
	stage_play(st, {.text = "Second summary."});
	say_and_settle(t, st, "/compact");
	assert_has(st->heard.data, "counted");
}

STAGE_TEST(there_may_be_nothing_to_summarise)
{
	say_and_settle(t, st, "/compact");
	assert_has(st->shown.data, "There is nothing to summarise yet");
	say_and_settle(t, st, "first");
	size_t asked = st->asked;
	say_and_settle(t, st, "/compact");
	assert_int_equal(st->asked, asked);
}

STAGE_TEST(without_a_model_the_conversation_stays_as_it_is)
{
	say_and_settle(t, st, "first");
	say_and_settle(t, st, "second");
	stage_play(st, {.fails = LLM_ERROR_AUTH});
	say_and_settle(t, st, "/compact");
	assert_has(st->shown.data, "The conversation stays as it is: ");
	say_and_settle(t, st, "third");
	assert_has(st->heard.data, "user: first\n");
}

STAGE_TEST(a_crash_while_it_is_made_does_it_once)
{
	say_and_settle(t, st, "first");
	say_and_settle(t, st, "second");
	stage_play(st, {.text = "SUMMARY", .takes_ms = 60000});
	stage_say(t, st, "7", "/compact");
	stage_until(t, st->asking == 1);
	stage_snapshot(st);
	stage_play(st, {.text = "SUMMARY"});
	stage_crash(t, st);
	stage_settle(t, st);
	assert_has(st->shown.data, "I go on with a summary in place of 2 messages");
	say_and_settle(t, st, "third");
	assert_string_equal(
	    st->heard.data, "user: SUMMARY\nuser: second\nassistant: re: second\nuser: third\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(compact_puts_a_summary_in_the_place_of_all_but_the_newest_exchange),
	    cmocka_unit_test(there_may_be_nothing_to_summarise),
	    cmocka_unit_test(without_a_model_the_conversation_stays_as_it_is),
	    cmocka_unit_test(a_crash_while_it_is_made_does_it_once),
	};

	return cmocka_run_group_tests_name("compact command", tests, NULL, NULL);
}
