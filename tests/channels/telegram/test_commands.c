/* The list of commands, and reactions: what nothing depends on. */
#include <stdlib.h>
#include <string.h>

#include "bus/command_menu.h"
#include "channels/telegram/commands.h"
#include "tests/channels/telegram/telegram_stage.h"
#include "tests/lib/until.h"

static const struct channel_command commands[] = {
    {.name = "help", .help = "what you can say"},
    {.name = "not-a-name", .help = "left out"},
    {.name = "stop", .help = "stop it"},
    {.name = NULL},
};
static const struct channel_command with_admins[] = {
    {.name = "allow", .help = "let somebody in", .admin = true},
    {.name = "help", .help = "what you can say"},
    {.name = NULL},
};

static bool has_menu(void *arg)
{
	(void)arg;
	return the_double.menu;
}

static void start(struct task *t, const struct channel_command *menu)
{
	the_double.ch.menu = menu;
	telegram_stage_start_only();
	assert_true(double_has_status(t, CHANNEL_READY, 30000));
}

static void expect_call(size_t n, const char *scope, const char *list)
{
	struct json_object *o = telegram_stage_params("setMyCommands", n);

	assert_string_equal(json_get_str(json_get_object(o, "scope"), "type"), scope);
	assert_string_equal(
	    json_object_to_json_string_ext(json_get_array(o, "commands"), JSON_C_TO_STRING_PLAIN), list);
	json_object_put(o);
}

static void succeed(int times)
{
	for (int i = 0; i < times; i++)
		bot_server_result(server, "setMyCommands", "true");
}

#define LIST                                                     \
	"[{\"command\":\"help\",\"description\":\"what you can " \
	"say\"},{\"command\":\"stop\",\"description\":\"stop it\"}]"

static void check_once(struct task *t)
{
	succeed(3);
	start(t, commands);
	assert_true(double_wait(t, has_menu, NULL, 30000));
	assert_int_equal(bot_server_calls(server, "setMyCommands"), 3);
	expect_call(0, "default", LIST);
	expect_call(1, "all_private_chats", LIST);
	expect_call(2, "all_group_chats", LIST);
	assert_int_equal(bot_server_calls(server, "deleteMyCommands"), 0);
	telegram_stage_stop(t);
	start(t, commands);
	telegram_stage_await_calls(t, "getUpdates", 3);
	telegram_stage_stop(t);
	assert_int_equal(bot_server_calls(server, "setMyCommands"), 3);
	/* Another list is news. */
	succeed(3);
	start(t, with_admins);
	telegram_stage_await_calls(t, "setMyCommands", 6);
	expect_call(3, "default", "[{\"command\":\"help\",\"description\":\"what you can say\"}]");
	telegram_stage_stop(t);
}

static void check_admins(struct task *t)
{
	static char id[] = "78", star[] = "*";
	static char *const admins[] = {id, star};
	struct json_object *o;

	succeed(3);
	bot_server_refuse(server, "setMyCommands", 400, "Bad Request: chat not found", 0);
	the_double.ch.admins = admins;
	the_double.ch.admin_count = ARRAY_LEN(admins);
	start(t, with_admins);
	assert_true(double_wait(t, has_menu, NULL, 30000));
	assert_int_equal(bot_server_calls(server, "setMyCommands"), 4);
	expect_call(3, "chat",
	    "[{\"command\":\"allow\",\"description\":\"let somebody "
	    "in\"},{\"command\":\"help\",\"description\":\"what you can say\"}]");
	o = telegram_stage_params("setMyCommands", 3);
	assert_int_equal(json_get_int(json_get_object(o, "scope"), "chat_id", 0), 78);
	json_object_put(o);
	telegram_stage_stop(t);
}

/* After a reload, without a restart. */
static void check_new_admins(struct task *t)
{
	static char id[] = "78", other_id[] = "79";
	static char *const admins[] = {id}, *const others[] = {other_id};
	struct json_object *o;

	succeed(11);
	start(t, with_admins);
	assert_true(double_wait(t, has_menu, NULL, 30000));
	assert_int_equal(bot_server_calls(server, "setMyCommands"), 3);
	the_double.ch.admins = admins;
	the_double.ch.admin_count = 1;
	telegram_ops.admins_changed(&the_double.ch);
	telegram_stage_await_calls(t, "setMyCommands", 7);
	expect_call(6, "chat",
	    "[{\"command\":\"allow\",\"description\":\"let somebody "
	    "in\"},{\"command\":\"help\",\"description\":\"what you can say\"}]");
	/* The same list is no news: what is set next is another one. */
	telegram_ops.admins_changed(&the_double.ch);
	task_turns(t, 20);
	the_double.ch.admins = others;
	telegram_ops.admins_changed(&the_double.ch);
	telegram_stage_await_calls(t, "setMyCommands", 11);
	o = telegram_stage_params("setMyCommands", 10);
	assert_int_equal(json_get_int(json_get_object(o, "scope"), "chat_id", 0), 79);
	json_object_put(o);
	telegram_stage_stop(t);
}

static void check_limits(struct task *t)
{
	struct channel_command *many = xcalloc(101, sizeof(*many));
	char names[100][8], *help = xcalloc(1001, 1);
	size_t chars = 0;

	memset(help, 'h', 1000);
	for (int i = 0; i < 100; i++) {
		snprintf(names[i], sizeof(names[i]), "c%d", i);
		many[i] = (struct channel_command){.name = names[i], .help = i < 10 ? help : "short"};
	}
	succeed(3);
	start(t, many);
	assert_true(double_wait(t, has_menu, NULL, 30000));
	struct json_object *o = telegram_stage_params("setMyCommands", 0),
			   *list = json_get_array(o, "commands");
	assert_int_equal(json_object_array_length(list), TELEGRAM_COMMANDS_MAX);
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *c = json_object_array_get_idx(list, i);

		chars += strlen(json_get_str(c, "command")) + strlen(json_get_str(c, "description"));
		assert_true(strlen(json_get_str(c, "description")) <= 256);
	}
	assert_true(chars <= TELEGRAM_COMMANDS_CHARS);
	json_object_put(o);
	telegram_stage_stop(t);
	free(many);
	free(help);
}

static void check_429(struct task *t)
{
	bot_server_refuse(server, "setMyCommands", 429, "Too Many Requests: retry after 1", 1);
	succeed(3);
	start(t, commands);
	assert_true(double_wait(t, has_menu, NULL, 30000));
	assert_int_equal(bot_server_calls(server, "setMyCommands"), 4);
	assert_true(
	    bot_server_time(server, "setMyCommands", 1) - bot_server_time(server, "setMyCommands", 0) >=
	    1000);
	telegram_stage_stop(t);
}

static bool has_warned(void *arg)
{
	(void)arg;
	return strstr(the_double.log->data, "cannot set the command menu");
}

static void check_refusal(struct task *t)
{
	bot_server_refuse(server, "setMyCommands", 400, "Bad Request: BOT_COMMANDS_TOO_MUCH", 0);
	start(t, commands);
	assert_true(double_wait(t, has_warned, NULL, 30000));
	assert_null(the_double.menu);
	assert_int_equal(the_double.ch.status, CHANNEL_READY);
	telegram_stage_stop(t);
}

/* --- reactions */

static int react(struct task *t, const char *chat, const char *message_id, const char *emoji)
{
	struct address where;
	struct error err;

	assert_int_equal(address_set(&where, "main", chat, NULL, NULL), 0);
	return telegram_ops.react(t, &the_double.ch, &where, message_id, emoji, &err);
}

static void check_reaction(struct task *t)
{
	struct json_object *o;

	start(t, NULL);
	assert_int_equal(bot_server_calls(server, "setMyCommands"), 0);
	bot_server_result(server, "setMessageReaction", "true");
	bot_server_result(server, "setMessageReaction", "true");
	assert_int_equal(react(t, "-5", "9", "\xf0\x9f\x91\x80"), 0);
	o = telegram_stage_params("setMessageReaction", 0);
	assert_int_equal(json_get_int(o, "chat_id", 0), -5);
	assert_int_equal(json_get_int(o, "message_id", 0), 9);
	assert_string_equal(json_object_to_json_string_ext(json_get(o, "reaction"), JSON_C_TO_STRING_PLAIN),
	    "[{\"type\":\"emoji\",\"emoji\":\"\xf0\x9f\x91\x80\"}]");
	json_object_put(o);
	assert_int_equal(react(t, "-6", "9", ""), 0);
	o = telegram_stage_params("setMessageReaction", 1);
	assert_int_equal(json_object_array_length(json_get_array(o, "reaction")), 0);
	json_object_put(o);
	assert_int_equal(react(t, "-6", "not a number", "x"), -1);
	telegram_stage_stop(t);
}

static void check_no_reactions(struct task *t)
{
	start(t, NULL);
	bot_server_refuse(server, "setMessageReaction", 400, "Bad Request: REACTION_INVALID", 0);
	bot_server_result(server, "setMessageReaction", "true");
	assert_int_equal(react(t, "-5", "9", "👍"), -1);
	assert_int_equal(react(t, "-5", "10", "👍"), -1);
	assert_int_equal(bot_server_calls(server, "setMessageReaction"), 1);
	assert_int_equal(react(t, "-6", "9", "👍"), 0);
	assert_int_equal(bot_server_calls(server, "setMessageReaction"), 2);
	telegram_stage_stop(t);
}

static void check_reaction_limited(struct task *t)
{
	start(t, NULL);
	bot_server_refuse(server, "setMessageReaction", 429, "Too Many Requests: retry after 30", 30);
	assert_int_equal(react(t, "-5", "9", "👍"), -1);
	/* The pause holds for every call. */
	assert_int_equal(react(t, "-5", "9", "👍"), 1);
	assert_int_equal(bot_server_calls(server, "setMessageReaction"), 1);
	telegram_stage_stop(t);
}

static void check_emoji_that_bots_have_not(struct task *t)
{
	start(t, NULL);
	bot_server_result(server, "setMessageReaction", "true");
	assert_int_equal(react(t, "-5", "9", "🦚"), -1);
	assert_int_equal(react(t, "-5", "9", "👍 👎"), -1);
	assert_int_equal(react(t, "-5", "9", "👍👍👍👍👍👍👍"), -1);
	assert_int_equal(bot_server_calls(server, "setMessageReaction"), 0);
	assert_int_equal(react(t, "-5", "9", "❤️"), 0);
	struct json_object *o = telegram_stage_params("setMessageReaction", 0);
	assert_string_equal(
	    json_get_str(json_object_array_get_idx(json_get_array(o, "reaction"), 0), "emoji"), "❤");
	json_object_put(o);
	telegram_stage_stop(t);
}

static void begin(void)
{
	limits = telegram_limits;
	limits.retry_ms = limits.limited_extra_ms = 10;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    STAGE_TEST(the_list_is_set_when_it_is_new, check_once),
	    STAGE_TEST(admins_are_shown_theirs, check_admins),
	    STAGE_TEST(new_admins_are_shown_theirs_without_a_restart, check_new_admins),
	    STAGE_TEST(the_list_is_cut_to_what_telegram_takes, check_limits),
	    STAGE_TEST(a_429_is_waited_for, check_429),
	    STAGE_TEST(a_refusal_is_told_and_harms_nothing, check_refusal),
	    STAGE_TEST(a_reaction_is_put_and_taken_away, check_reaction),
	    STAGE_TEST(a_chat_without_reactions_is_asked_once, check_no_reactions),
	    STAGE_TEST(a_429_to_a_reaction_pauses_the_chat, check_reaction_limited),
	    STAGE_TEST(an_emoji_that_bots_have_not_is_refused_here, check_emoji_that_bots_have_not),
	};

	return telegram_stage_run(tests, begin);
}
