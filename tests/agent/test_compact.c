/* Room in the model's window: what is asked, what is kept, what the chat is told, and crashes in between. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "store/turn/turns.h"

#define NOTICE "(To make room I go on with a summary of what we said before: "

/* So many letters, as words. */
static char *long_text(const char *begin, size_t len)
{
	char *text = xmalloc(len + 1);

	for (size_t i = 0; i < len; i++)
		text[i] = i % 6 == 5 ? ' ' : 'a';
	memcpy(text, begin, strlen(begin));
	text[len] = '\0';
	return text;
}

static void say_long(struct task *t, struct stage *st, const char *begin, size_t len)
{
	char *text = long_text(begin, len);

	stage_ask(t, st, "7", text);
	free(text);
}

/* Some 115,000 letters, of which a conversation may fill 86,000, and what the tools leave of that. */
static void use_small_window(struct stage *st)
{
	st->providers[0].settings.context = 32768;
}

STAGE_TEST(what_is_old_gives_way_to_a_summary_and_the_chat_is_told)
{
	use_small_window(st);
	say_long(t, st, "one", 20000);
	say_long(t, st, "two", 20000);
	assert_lacks(st->shown.data, NOTICE);
	/* In two parts, because half the window is left for them. */
	stage_play(st, {.text = "FIRST"}, {.text = "SUMMARY of one"}, {.text = "and so on"});
	say_long(t, st, "three", 15000);
	assert_has(st->shown.data, NOTICE);
	assert_has(st->shown.data, ": and so on\n");
	/* What is asked begins with the summary, and holds the newest message whole. */
	assert_has(st->heard.data, "user: SUMMARY of one\nuser: three");
	assert_lacks(st->heard.data, "user: one");
	assert_has(st->heard.data, "user: three");
	/* The transcript is whole. */
	size_t asked = st->asked;
	stage_ask(t, st, "7", "four");
	assert_has(st->heard.data, "SUMMARY of one");
	assert_int_equal(st->asked, asked + 1);
}

STAGE_TEST(a_history_that_is_refused_is_summarised_and_asked_again)
{
	say_long(t, st, "one", 20000);
	say_long(t, st, "two", 20000);
	stage_play(st, {.fails = LLM_ERROR_OVERFLOW}, {.text = "SUMMARY"}, {.text = "now it fits"});
	stage_ask(t, st, "7", "three");
	assert_has(st->shown.data, NOTICE);
	assert_has(st->shown.data, ": now it fits\n");
	assert_lacks(st->shown.data, "has grown too long");
	/* The question is asked again, and is no second one. */
	assert_string_equal(st->heard.data, "user: SUMMARY\nuser: three\n");
}

STAGE_TEST(what_is_refused_again_and_again_ends_with_words)
{
	say_long(t, st, "one", 20000);
	say_long(t, st, "two", 20000);
	stage_play(st, {.fails = LLM_ERROR_OVERFLOW}, {.text = "SUMMARY"}, {.fails = LLM_ERROR_OVERFLOW},
	    {.fails = LLM_ERROR_OVERFLOW}, {.fails = LLM_ERROR_OVERFLOW}, {.fails = LLM_ERROR_OVERFLOW});
	stage_ask(t, st, "7", "three");
	assert_has(st->shown.data, "has grown too long");
	assert_true(st->asked <= 5);
	assert_int_equal(stage_counts(t, st).turns_open, 0);
}

STAGE_TEST(a_summary_that_cannot_be_made_is_none_and_the_rest_goes_on)
{
	use_small_window(st);
	say_long(t, st, "one", 20000);
	say_long(t, st, "two", 20000);
	stage_play(st, {.fails = LLM_ERROR_REFUSAL}, {.text = "and so on"});
	say_long(t, st, "three", 15000);
	assert_has(st->shown.data, ": and so on\n");
	assert_has(st->heard.data, "could not be summarised");
	assert_has(st->heard.data, "user: three");
}

STAGE_TEST(a_summary_that_is_as_long_as_what_it_stands_for_is_not_used)
{
	char *text = long_text("SUMMARY", 9000);

	use_small_window(st);
	say_long(t, st, "one", 3000);
	say_long(t, st, "two", 3000);
	stage_play(st, {.text = text}, {.text = "and so on"});
	say_long(t, st, "three", 75000);
	assert_has(st->heard.data, "could not be summarised");
	assert_lacks(st->heard.data, "SUMMARY");
	free(text);
}

/* Each round of the turn would pay for it. */
STAGE_TEST(no_summary_is_made_that_could_not_make_enough_room)
{
	use_small_window(st);
	say_long(t, st, "one", 3000);
	stage_play(st, {.calls = "a look {\"what\":\"x\"}"}, {.calls = "b look {\"what\":\"y\"}"},
	    {.text = "and so on"});
	size_t asked = st->asked;
	say_long(t, st, "two", 100000);
	assert_int_equal(st->asked, asked + 3);
	assert_has(st->shown.data, ": and so on\n");
}

STAGE_TEST(a_summary_of_what_is_too_long_is_made_in_parts)
{
	use_small_window(st);
	for (int i = 0; i < 4; i++)
		say_long(t, st, "word", 10000);
	stage_play(st, {.fails = LLM_ERROR_OVERFLOW}, {.text = "FIRST"}, {.text = "SECOND"},
	    {.text = "THIRD"}, {.text = "FOURTH"}, {.text = "FIFTH"});
	say_long(t, st, "last", 40000);
	assert_has(st->heard.data, "user: last");
	assert_lacks(st->heard.data, "user: word");
	assert_lacks(st->heard.data, "FIRST");
}

STAGE_TEST(the_newest_message_is_never_dropped_however_long_it_is)
{
	use_small_window(st);
	say_long(t, st, "one", 5000);
	stage_play(st, {.text = "read it all"});
	say_long(t, st, "huge", 160000);
	assert_has(st->heard.data, "user: huge");
	assert_has(st->shown.data, ": read it all\n");
}

STAGE_TEST(results_of_tools_give_way_where_nothing_is_old)
{
	char *what = long_text("result", 50000),
	     *calls = xasprintf("c1 look {\"what\":\"%s\"}\nc2 look {\"what\":\"%s\"}", what, what);

	use_small_window(st);
	stage_play(st, {.calls = calls}, {.text = "seen"});
	stage_ask(t, st, "7", "look");
	assert_has(st->shown.data, ": seen\n");
	free(calls);
	free(what);
}

STAGE_TEST(a_crash_behind_the_summary_keeps_it_and_tells_of_it_once)
{
	struct turn turn;

	use_small_window(st);
	say_long(t, st, "one", 20000);
	say_long(t, st, "two", 20000);
	char *text = long_text("three", 15000);
	stage_play(st, {.text = "FIRST"}, {.text = "SUMMARY"}, {.takes_ms = 60000, .text = "never"});
	stage_turn(t, st, "7", text, &turn);
	struct stage_turn run = {.stage = st, .turn = turn};
	stage_turn_start(st, &run);
	stage_until(t, st->asked == 3 && st->asking == 1);
	stage_until(t, strstr(st->shown.data, NOTICE) && stage_counts(t, st).outbox_queued == 0);
	stage_snapshot(st);
	stage_turn_cancel(t, &run);
	stage_crash_quietly(t, st);
	stage_play(st, {.text = "at last"});
	stage_resume(t, st, "7", &turn);
	stage_play_turn(t, st, &turn);
	assert_has(st->heard.data, "SUMMARY");
	assert_has(st->shown.data, ": at last\n");
	const char *first = strstr(st->shown.data, NOTICE);
	assert_non_null(first);
	assert_null(strstr(first + 1, NOTICE));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_old_gives_way_to_a_summary_and_the_chat_is_told),
	    cmocka_unit_test(a_history_that_is_refused_is_summarised_and_asked_again),
	    cmocka_unit_test(what_is_refused_again_and_again_ends_with_words),
	    cmocka_unit_test(a_summary_that_cannot_be_made_is_none_and_the_rest_goes_on),
	    cmocka_unit_test(a_summary_that_is_as_long_as_what_it_stands_for_is_not_used),
	    cmocka_unit_test(no_summary_is_made_that_could_not_make_enough_room),
	    cmocka_unit_test(a_summary_of_what_is_too_long_is_made_in_parts),
	    cmocka_unit_test(the_newest_message_is_never_dropped_however_long_it_is),
	    cmocka_unit_test(results_of_tools_give_way_where_nothing_is_old),
	    cmocka_unit_test(a_crash_behind_the_summary_keeps_it_and_tells_of_it_once),
	};

	return cmocka_run_group_tests_name("compact", tests, NULL, NULL);
}
