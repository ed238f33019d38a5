/* Commands from chat: which text is which command, who may give it, and what it takes. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "session/command.h"

static const struct {
	const char *text;
	bool command;
} texts[] = {
    {"/stop", true}, {"/stop@my_bot", true}, {"/STOP now", true}, {"/x", true},
    {"stop", false}, {"", false}, {"/", false}, {"/ stop", false}, {"//stop", false}, {"/1", false}, {" /stop", false},
    {"/\xc3\xa9t\xc3\xa9", false},
};

static void a_slash_and_a_letter_make_a_command(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (command_is(texts[i].text) != texts[i].command)
			fail_msg("%s", texts[i].text);
}

static void the_table_is_in_order_and_each_row_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];
		assert_true(i == 0 || strcmp(commands[i - 1]->name, c->name) < 0);
		assert_true(c->role == ACCESS_USER || c->role == ACCESS_ADMIN);
		assert_true(strlen(c->help) > 3);
		assert_non_null(c->run);
	}
}

/* Who says what, and what the reply begins with. */
static const struct {
	const char *text, *sender, *reply;
} rows[] = {
    {"/help", "77", "Write to me, and I answer."},
    {"/help@my_bot", "77", "Write to me, and I answer."},
    {"/HeLp", "77", "Write to me, and I answer."},
    {"/help   ", "77", "Write to me, and I answer."},
    {"/help me", "77", "/help takes no arguments."},
    {"/help\nme", "77", "/help takes no arguments."},
    {"/help@my_bot me", "77", "/help takes no arguments."},
    {"/hel", "77", "There is no command /hel. /help lists them."},
    {"/helpme", "77", "There is no command /helpme. /help lists them."},
    {"/nosuchcommandthatgoesonandonandonandon", "77", "There is no command /nosuchcommandthatgoesonandonando. /help"},
    {"/a\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "77",
        "There is no command /a\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9. "},
    {"/status", "77", "all is well\n"},
    {"/status", "78", "all is well, in detail\n"},
    {"/stop", "77", "Nothing is running here."},
    {"/broadcast ops hello", "77", "/broadcast is for admins. Ask one of them."},
    {"/broadcast", "78", "Write /broadcast TARGET TEXT, or /broadcast"},
    {"/broadcast ops", "78", "Write /broadcast TARGET TEXT, or /broadcast"},
    {"/broadcast --dry-run ops", "78", "Write /broadcast TARGET TEXT, or /broadcast"},
    {"/broadcast nobody hello", "78", "There is no target \"nobody\"."},
    {"/broadcast fax:1 hello", "78", "There is no channel named fax."},
    {"/new", "77", "A new conversation begins."},
    {"/new now", "77", "/new takes no arguments."},
    {"/whoami", "77", "You are Ann, id \"77\" on channel chat, and a user here."},
    {"/whoami", "78", "You are Ann, id \"78\" on channel chat, and an admin here."},
};

STAGE_TEST(each_command_is_answered_without_a_model)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct message *m = stage_message(st, "7", rows[i].text);
		char *want = xasprintf("7 >m%u: %s", st->said, rows[i].reply);
		free(m->sender_id);
		m->sender_id = xstrdup(rows[i].sender);
		buf_reset(&st->shown);
		stage_receive(t, st, &m, 1);
		stage_settle(t, st);
		if (strncmp(st->shown.data, want, strlen(want)) != 0)
			fail_msg("%s gave %s", rows[i].text, st->shown.data);
		free(want);
	}
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(who_may_not_give_a_command_is_told_so)
{
	struct message *m = stage_message(st, "7", "/new");
	struct buf reply = BUF_INIT;
	struct command_call call = {.all = st->sessions, .asked = m, .role = ACCESS_NONE, .reply = &reply};

	command_dispatch(t, &call);
	assert_string_equal(reply.data, "/new is for admins. Ask one of them.");
	assert_ptr_equal(call.asked, m);
	message_free(m);
	buf_clear(&reply);
}

STAGE_TEST(help_lists_every_command)
{
	struct message *m = stage_message(st, "7", "/help");

	stage_say(t, st, "7", "/help");
	stage_settle(t, st);
	assert_lacks(st->shown.data, "/broadcast");
	free(m->sender_id);
	m->sender_id = xstrdup("78");
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	for (size_t i = 0; commands[i]; i++) {
		const char *takes = commands[i]->arguments;
		char *line = xasprintf("/%s%s%s - %s\n", commands[i]->name, takes ? " " : "", takes ? takes : "", commands[i]->help);
		assert_has(st->shown.data, line);
		free(line);
	}
}

STAGE_TEST(a_stranger_gets_no_answer_to_a_command)
{
	struct message *m = stage_message(st, "7", "/help");

	free(m->sender_id);
	m->sender_id = xstrdup("99");
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
}

STAGE_TEST(a_command_is_answered_while_a_turn_runs)
{
	st->held = true;
	stage_say(t, st, "7", "work");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "7", "/whoami");
	stage_await(t, st, 1);
	assert_int_equal(st->asking, 1);
	assert_has(st->shown.data, "7 >m2: You are Ann");
	st->held = false;
	stage_settle(t, st);
}

STAGE_TEST(a_command_to_another_bot_is_not_ours)
{
	struct message *m = stage_message(st, "-100", "/help@other_bot");

	m->chat_kind = CHAT_GROUP;
	m->addressed = false;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_slash_and_a_letter_make_a_command),
	    cmocka_unit_test(the_table_is_in_order_and_each_row_is_whole),
	    cmocka_unit_test(each_command_is_answered_without_a_model),
	    cmocka_unit_test(who_may_not_give_a_command_is_told_so),
	    cmocka_unit_test(help_lists_every_command),
	    cmocka_unit_test(a_stranger_gets_no_answer_to_a_command),
	    cmocka_unit_test(a_command_is_answered_while_a_turn_runs),
	    cmocka_unit_test(a_command_to_another_bot_is_not_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
