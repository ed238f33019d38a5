/* Commands from chat: which text is which command, who may give it, and what it takes. */
#include <stdlib.h>
#include <string.h>

#include "bus/command_menu.h"
#include "lib/stage.h"
#include "session/commands/command.h"

static const struct {
	const char *text;
	bool command;
} texts[] = {
    {"/stop", true},
    {"/stop@my_bot", true},
    {"/STOP now", true},
    {"/x", true},
    {"stop", false},
    {"", false},
    {"/", false},
    {"/ stop", false},
    {"//stop", false},
    {"/1", false},
    {" /stop", false},
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
		assert_true(c->role >= ACCESS_GUEST && c->role <= ACCESS_ADMIN);
		assert_true(strlen(c->help) > 3 && strlen(c->help) <= 100);
		assert_non_null(c->run);
		assert_true(!c->takes || !c->arguments);
	}
}

static const char name_chars[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";

/* What all platforms can show, and the reader can read. */
static void arguments_are_rows_that_can_be_typed(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i]; i++) {
		bool optional = false, all = false;
		size_t n = 0;
		for (const struct channel_argument *a = commands[i]->takes; a && a->name; a++, n++) {
			assert_true(strspn(a->name, name_chars) == strlen(a->name) && strlen(a->name) <= 32);
			assert_true(strlen(a->help) > 3 && strlen(a->help) <= 100);
			assert_false(all);
			assert_false(a->required && optional);
			assert_true(a->kind != CHANNEL_ARGUMENT_FLAG || (!a->required && !optional));
			assert_true(!a->choices || a->kind == CHANNEL_ARGUMENT_WORD);
			optional = optional || (!a->required && a->kind != CHANNEL_ARGUMENT_FLAG);
			all = a->kind == CHANNEL_ARGUMENT_TEXT;
		}
		assert_true(n < ARGUMENTS_MAX);
	}
}

static const char *const sizes[] = {"big", "small", NULL};
static const struct channel_argument takes[] = {
    {.name = "quick", .kind = CHANNEL_ARGUMENT_FLAG, .help = "at once"},
    {.name = "size", .choices = sizes, .required = true, .help = "how big"},
    {.name = "count", .kind = CHANNEL_ARGUMENT_NUMBER, .help = "how many"},
    {.name = "words", .kind = CHANNEL_ARGUMENT_TEXT, .help = "what to say"},
    {.name = NULL},
};

static const struct {
	const char *text, *quick, *size, *count, *words, *wrong;
} reads[] = {
    {"big", NULL, "big", NULL, NULL, NULL},
    {" --quick\tsmall 12  all \n of it ", "", "small", "12", "all \n of it ", NULL},
    {"big 0", NULL, "big", "0", NULL, NULL},
    {"", .wrong = "SIZE is missing."},
    {"--quick", .quick = "", .wrong = "SIZE is missing."},
    {"--quic big", .size = "--quic", .wrong = "SIZE is one of big, small."},
    {"huge", .size = "huge", .wrong = "SIZE is one of big, small."},
    {"big many", .size = "big", .count = "many", .wrong = "COUNT is a number."},
    {"big 1234567890", .size = "big", .count = "1234567890", .wrong = "COUNT is a number."},
    {"big -1", .size = "big", .count = "-1", .wrong = "COUNT is a number."},
};

static void same(const char *got, const char *want)
{
	if (want)
		assert_string_equal(got ? got : "(none)", want);
	else
		assert_null(got);
}

static void arguments_are_read_as_the_row_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
		struct buf out = BUF_INIT;
		char *values[ARGUMENTS_MAX];
		assert_int_equal(arguments_read(takes, reads[i].text, values, &out), reads[i].wrong ? -1 : 0);
		same(values[0], reads[i].quick);
		same(values[1], reads[i].size);
		same(values[2], reads[i].count);
		same(values[3], reads[i].words);
		same(out.data, reads[i].wrong ? reads[i].wrong : "");
		arguments_clear(values);
		buf_clear(&out);
	}
}

static void the_menu_has_every_row_with_its_arguments(void **state)
{
	struct channel_command *menu = command_menu();
	size_t n = 0;

	(void)state;
	for (; commands[n]; n++) {
		assert_string_equal(menu[n].name, commands[n]->name);
		assert_true(menu[n].admin == (commands[n]->role >= ACCESS_ADMIN));
		assert_true(!commands[n]->takes || menu[n].arguments == commands[n]->takes);
		assert_true(commands[n]->takes || commands[n]->arguments || !menu[n].arguments->name);
	}
	assert_null(menu[n].name);
	free(menu);
}

/* Who says what, and what the reply begins with. */
static const struct {
	const char *text, *sender, *reply;
} rows[] = {
    {"/help", "77", "Write to me, and I answer."},
    {"/help@my_bot", "77", "Write to me, and I answer."},
    {"/HeLp", "77", "Write to me, and I answer."},
    {"/help   ", "77", "Write to me, and I answer."},
    {"/whoami me", "77", "/whoami takes no arguments."},
    {"/whoami\nme", "77", "/whoami takes no arguments."},
    {"/whoami@my_bot me", "77", "/whoami takes no arguments."},
    {"/help me", "77", "There is no command /me. /help lists them."},
    {"/help new", "77", "/new\nbegin a new conversation. For everybody"},
    {"/help /new", "77", "/new\nbegin a new conversation. For everybody"},
    {"/help broadcast", "77",
	"/broadcast [--dry-run] TARGET TEXT\nsend a text to all chats of a target. For admins.\n"
	"- --dry-run: show first who would get it, and ask\n- TARGET: "},
    {"/help new now", "77", "That is more than it takes. Write /help [COMMAND]"},
    {"/hel", "77", "There is no command /hel. /help lists them."},
    {"/helpme", "77", "There is no command /helpme. /help lists them."},
    {"/nosuchcommandthatgoesonandonandonandon", "77",
	"There is no command /nosuchcommandthatgoesonandonando. /help"},
    {"/a\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
     "\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
	"77",
	"There is no command "
	"/a\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
	"\xc3\xa9\xc3\xa9\xc3\xa9. "},
    {"/status", "77", "all is well\n"},
    {"/status", "78", "all is well, in detail\n"},
    {"/stop", "77", "Nothing is running here."},
    {"/stop please, now", "77", "Nothing is running here."},
    {"/broadcast ops hello", "77", "/broadcast is for admins. Ask one of them."},
    {"/broadcast", "78", "TARGET is missing. Write /broadcast [--dry-run] TARGET TEXT"},
    {"/broadcast ops", "78", "TEXT is missing. Write /broadcast [--dry-run] TARGET TEXT"},
    {"/broadcast --dry-run ops", "78", "TEXT is missing. Write /broadcast [--dry-run] TARGET TEXT"},
    {"/broadcast nobody hello", "78", "There is no target \"nobody\"."},
    {"/broadcast fax:1 hello", "78", "There is no channel named fax."},
    {"/new", "77", "A new conversation begins."},
    {"/reload", "77", "/reload is for admins. Ask one of them."},
    {"/reload", "78", "The configuration cannot be read again here."},
    {"/log tail", "77", "/log is for admins. Ask one of them."},
    {"/log tail 1", "78", "```\n2"},
    {"/log tail 0", "78", "After tail comes the number of lines, 1 to 200."},
    {"/log bus loud", "78", "LEVEL is one of error, warn, info, debug, default"},
    {"/memory all", "77", "WHAT can only be clear, or be left out. Write /memory [--yes] [clear]"},
    {"/memory clear --yes", "77", "Options come before the words. Write /memory [--yes] [clear]"},
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
	assert_string_equal(reply.data, "/new is not for guests. An admin can make you a user.");
	assert_ptr_equal(call.asked, m);
	message_free(m);
	buf_clear(&reply);
}

/* What /help says to somebody of this role. */
static void ask_help(struct task *t, struct stage *st, enum access_role role, struct buf *reply)
{
	struct message *m = stage_message(st, "7", "/help");
	struct command_call call = {.all = st->sessions, .asked = m, .role = role, .reply = reply};

	command_dispatch(t, &call);
	message_free(m);
}

STAGE_TEST(help_lists_what_the_role_may_give)
{
	struct buf user = BUF_INIT, admin = BUF_INIT, line = BUF_INIT;

	ask_help(t, st, ACCESS_USER, &user);
	ask_help(t, st, ACCESS_ADMIN, &admin);
	for (size_t i = 0; commands[i]; i++) {
		bool for_admins = commands[i]->role >= ACCESS_ADMIN;
		buf_reset(&line);
		command_usage(commands[i], &line);
		buf_addf(&line, " - %s%s\n", commands[i]->help, for_admins ? " (admins)" : "");
		assert_has(admin.data, line.data);
		(for_admins ? assert_lacks : assert_has)(user.data, line.data);
	}
	buf_clear(&user);
	buf_clear(&admin);
	buf_clear(&line);
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
	    cmocka_unit_test(arguments_are_rows_that_can_be_typed),
	    cmocka_unit_test(arguments_are_read_as_the_row_says),
	    cmocka_unit_test(the_menu_has_every_row_with_its_arguments),
	    cmocka_unit_test(each_command_is_answered_without_a_model),
	    cmocka_unit_test(who_may_not_give_a_command_is_told_so),
	    cmocka_unit_test(help_lists_what_the_role_may_give),
	    cmocka_unit_test(a_stranger_gets_no_answer_to_a_command),
	    cmocka_unit_test(a_command_is_answered_while_a_turn_runs),
	    cmocka_unit_test(a_command_to_another_bot_is_not_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
