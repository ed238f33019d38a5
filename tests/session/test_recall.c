/* What memory_search finds of what was said: of one chat alone, over conversations that are over, and nothing
 * that is gone. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "tools/tools.h"

static void say(struct task *t, struct stage *st, const char *chat, const char *text)
{
	stage_say(t, st, chat, text);
	stage_settle(t, st);
}

/* The model of the chat searches for it: the result is in heard. */
static void search(struct task *t, struct stage *st, const char *chat, const char *query)
{
	char *call = xasprintf("c1 memory_search {\"query\":\"%s\"}", query);

	stage_play(st, {.calls = call}, {.text = "done"});
	say(t, st, chat, "look");
	free(call);
	assert_has(st->heard.data, "\"matches\":");
}

static void expect(struct task *t, struct stage *st, const char *chat, const char *query, unsigned count)
{
	char *want = xasprintf("\"count\":%u}", count);

	search(t, st, chat, query);
	const char *result = strstr(st->heard.data, "tool c1: ");
	while (result && strstr(result + 1, "tool c1: "))
		result = strstr(result + 1, "tool c1: ");
	if (!result || !strstr(result, want))
		fail_msg("%s for \"%s\" in %s: %s", want, query, chat, st->heard.data);
	free(want);
}

STAGE_TEST(what_was_said_is_found_with_its_origin_and_date)
{
	say(t, st, "7", "The Übung is on Monday");
	search(t, st, "7", "monday übung");
	assert_has(st->heard.data, "The Übung is on Monday");
	assert_has(st->heard.data, "\"origin\":\"said by a person in chat:7\"");
	assert_has(st->heard.data, "\"origin\":\"said by you in chat:7\"");
	assert_has(st->heard.data, "\"scope\":\"chat\"");
	assert_has(st->heard.data, "\"date\":\"20");
	/* Whatever the case and the accents, and by the beginnings of words. */
	expect(t, st, "7", "ÜBUNG mon", 2);
	expect(t, st, "7", "ubung", 2);
	expect(t, st, "7", "tuesday", 0);
}

STAGE_TEST(conversations_that_are_over_are_found_too)
{
	say(t, st, "7", "the code is heron");
	say(t, st, "7", "/new");
	expect(t, st, "7", "heron", 2);
	say(t, st, "7/42", "in a thread: pelican");
	expect(t, st, "7", "pelican", 2);
	expect(t, st, "7/42", "heron", 2);
}

STAGE_TEST(no_other_chat_finds_it)
{
	say(t, st, "7", "the code is heron");
	for (size_t i = 0; i < 3; i++)
		expect(t, st, (const char *[]){"8", "-7", "77"}[i], "heron", 0);
}

/* Signs that the index would take for its own language. */
STAGE_TEST(every_query_is_words)
{
	static const char *const queries[] = {"heron OR x", "heron*", "-heron", "(heron", "text:heron",
	    "heron NEAR x", "^heron", "heron' --", "\xf0\x9f\x91\x8d", "*", "AND"};

	say(t, st, "7", "the code is heron");
	for (size_t i = 0; i < ARRAY_LEN(queries); i++)
		search(t, st, "7", queries[i]);
	expect(t, st, "7", "^heron*", 2);
	expect(t, st, "7", "heron OR zebra", 0);
}

STAGE_TEST(what_was_taken_back_is_not_found)
{
	say(t, st, "7", "the code is heron");
	say(t, st, "7", "/undo");
	expect(t, st, "7", "heron", 0);
}

STAGE_TEST(notes_follow_a_group_to_its_new_id)
{
	const struct journal_move move = {.channel = "chat", .old_chat = "-5", .new_chat = "-1005"};
	struct error err = {0};

	tools_set_state(st->tools, st->dir);
	stage_play(st, {.calls = "c1 memory_write {\"content\":\"the code is heron\"}"}, {.text = "done"});
	say(t, st, "-5", "note it");
	assert_int_equal(bus_move_chat(t, st->bus, &move, &err), 0);
	stage_play(st, {.calls = "c2 memory_read {}"}, {.text = "done"});
	say(t, st, "-1005", "what was it");
	assert_has(st->heard.data, "tool c2: {\"content\":\"the code is heron\"}");
	expect(t, st, "-1005", "note", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_said_is_found_with_its_origin_and_date),
	    cmocka_unit_test(conversations_that_are_over_are_found_too),
	    cmocka_unit_test(no_other_chat_finds_it),
	    cmocka_unit_test(every_query_is_words),
	    cmocka_unit_test(what_was_taken_back_is_not_found),
	    cmocka_unit_test(notes_follow_a_group_to_its_new_id),
	};

	return cmocka_run_group_tests_name("recall", tests, NULL, NULL);
}
