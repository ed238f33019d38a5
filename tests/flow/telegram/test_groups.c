/* Groups, bursts, the list of commands and chats that move, over the simulated Telegram, with the real
 * gateway. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define ANN   "allow = [\"77\"]; "
#define TEAM  "-1001"
#define SMALL "-5" /* a group that can become a supergroup */
/* As long as a client makes them. */
#define PART_UNITS 4096

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	json_object_put(flow_control(&f, "settings", "{\"telegram\":{\"privacy\":false}}"));
	return 0;
}

static void ready(const char *top, const char *channel)
{
	flow_config(&f, top, channel);
	flow_gateway(&f, true);
}

static void team(const char *user, const char *text)
{
	flow_say(&f, TEAM, user, text, "group");
}

/* Everything that the model was asked. */
static char *asked(void)
{
	struct json_object *o = flow_get(&f, "/control/model");
	char *text = xstrdup(json_object_to_json_string(o));

	json_object_put(o);
	return text;
}

static void expect_asked(const char *words, bool yes)
{
	char *text = asked();

	if ((strstr(text, words) != NULL) != yes)
		fail_msg("the model was %sasked with \"%s\": %s", yes ? "never " : "", words, text);
	free(text);
}

static size_t calls(const char *method)
{
	char *path = xasprintf("/control/requests?platform=telegram&method=%s", method);
	struct json_object *o = flow_get(&f, path);
	size_t n = json_object_array_length(json_get_array(o, "requests"));

	json_object_put(o);
	free(path);
	return n;
}

static int64_t pending(void)
{
	struct json_object *status = flow_status(&f);
	int64_t n = json_get_int(json_get_object(status, "queue"), "inbox_pending", -1);

	json_object_put(status);
	return n;
}

/* A part of a long text: behind its beginning it is marked by the letter. */
static void say_begun_part(const char *chat, const char *beginning, char letter, size_t units)
{
	char *text = xcalloc(units + 1, 1);
	size_t len = strlen(beginning);

	memcpy(text, beginning, len);
	memset(text + len, letter, units - len);
	flow_say(&f, chat, "77", text, "private");
	free(text);
}

static void say_part(const char *chat, char letter, size_t units)
{
	say_begun_part(chat, "", letter, units);
}

/* --- bursts */

static void a_long_paste_is_one_turn(void **state)
{
	(void)state;
	ready("", ANN);
	say_part("77", 'a', PART_UNITS);
	say_part("77", 'b', PART_UNITS);
	flow_say(&f, "77", "77", "the end of it", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_model_requests(&f), 1);
	expect_asked("aaaa", true);
	expect_asked("bbbb", true);
	expect_asked("the end of it", true);
}

static struct json_object *album(const char *name, const char *album_id, const char *caption)
{
	return flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"text\":\"%s\","
	    "\"album\":\"%s\",\"files\":[{\"name\":\"%s\",\"base64\":\"AAAA\"}]}",
	    caption, album_id, name);
}

static void an_album_in_pieces_is_one_turn(void **state)
{
	(void)state;
	ready("", ANN);
	struct json_object *first = album("one.txt", "new", "what is 6*7");
	char *id = xstrdup(json_get_str(first, "album_id"));
	json_object_put(first);
	json_object_put(album("two.txt", id, ""));
	json_object_put(album("three.txt", id, ""));
	flow_expect(&f, "77", 0, "42");
	assert_int_equal(flow_model_requests(&f), 1);
	expect_asked("one.txt", true);
	expect_asked("three.txt", true);
	free(id);
}

/* Says two parts of one text, and kills the gateway while both wait for more. False when they were not seen
 * to wait, or the kill came too late. */
static bool kill_while_waiting(size_t answers, size_t asks)
{
	bool seen = false;

	say_begun_part("77", "what is 6*7 ", 'a', PART_UNITS);
	say_part("77", 'b', PART_UNITS);
	for (uint64_t until = flow_now_ms() + 5000;
	     !seen && flow_now_ms() < until && flow_bot_messages(&f, "77") == answers;)
		seen = pending() == 2;
	if (!seen)
		return false;
	flow_gateway_end(&f, SIGKILL);
	seen = flow_model_requests(&f) == asks;
	flow_gateway(&f, true);
	return seen;
}

/* Nothing is waiting, being answered or being sent. */
static bool is_quiet(void)
{
	struct json_object *status = flow_status(&f), *queue = json_get_object(status, "queue");
	bool quiet = json_get_int(queue, "inbox_pending", -1) == 0 &&
	    json_get_int(queue, "turns_open", -1) == 0 && json_get_int(queue, "outbox_queued", -1) == 0;

	json_object_put(status);
	return quiet;
}

static void parts_that_wait_at_a_kill_are_one_turn(void **state)
{
	size_t answers, asks;
	bool killed = false;

	(void)state;
	ready("", ANN);
	for (int tries = 0; tries < 20 && !killed; tries++) {
		answers = flow_bot_messages(&f, "77");
		asks = flow_model_requests(&f);
		killed = kill_while_waiting(answers, asks);
		flow_await(&f, "77", answers + 1);
		flow_until(&f, is_quiet());
	}
	if (!killed)
		skip(); /* too slow to see it */
	assert_int_equal(flow_model_requests(&f), asks + 1);
	assert_int_equal(flow_bot_messages(&f, "77"), answers + 1);
}

/* --- groups */

static void what_a_group_says_is_known_to_who_asks(void **state)
{
	(void)state;
	ready("", ANN "chats = [\"" TEAM "\"];");
	team("80", "the secret word is walrus");
	/* A second later the group is greeted. */
	flow_expect(&f, TEAM, 0, "Hello, I am Myna");
	team("77", "thanks, I will note it");
	flow_say(&f, "-1002", "80", "elsewhere it is narwhal", "group");
	team("77", "/whoami@other_bot");
	team("77", "@MYNA_bot what is 6*7");
	flow_expect(&f, TEAM, 1, "42");
	expect_asked("the secret word is walrus", true);
	expect_asked("I will note it", true);
	expect_asked("narwhal", false);
	assert_int_equal(flow_model_requests(&f), 1);
	/* An answer to the bot is for the bot. */
	struct json_object *t = flow_transcript(&f, "telegram", TEAM);
	struct json_object *messages = json_get_array(t, "messages");
	const char *id =
	    json_get_str(json_object_array_get_idx(messages, json_object_array_length(messages) - 1), "id");
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"" TEAM
	    "\",\"user\":\"77\",\"text\":\"and 2*2\",\"reply_to\":\"%s\"}",
	    id));
	json_object_put(t);
	flow_await(&f, TEAM, 3);
	assert_int_equal(flow_model_requests(&f), 2);
}

static void who_writes_as_the_group_is_nobody(void **state)
{
	(void)state;
	ready("", "allow = [\"*\"];");
	team("77", "/whoami");
	flow_expect(&f, TEAM, 0, "You are");
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"" TEAM
	    "\",\"user\":\"77\",\"text\":\"/whoami\",\"sender_chat\":\"self\"}"));
	flow_await_log(&f, "id=\"" TEAM "\"");
	team("77", "/status");
	flow_expect(&f, TEAM, 1, "Myna");
	assert_int_equal(flow_bot_messages(&f, TEAM), 2);
}

static void member(const char *action, const char *chat, const char *user)
{
	json_object_put(flow_control(&f, "member",
	    "{\"platform\":\"telegram\",\"chat\":\"%s\",\"user\":\"%s\",\"action\":\"%s\"}", chat, user,
	    action));
}

static void it_introduces_itself_where_it_is_added(void **state)
{
	(void)state;
	ready("", ANN);
	team("77", "/whoami");
	flow_expect(&f, TEAM, 0, "You are");
	member("remove", TEAM, "77");
	flow_await_log(&f, "the bot was removed from a chat");
	member("add", TEAM, "77");
	flow_expect(&f, TEAM, 1, "Write @myna_bot and what you want");
	member("promote", TEAM, "77");
	member("demote", TEAM, "77");
	member("remove", TEAM, "77");
	member("add", TEAM, "80");
	team("77", "/whoami");
	flow_expect(&f, TEAM, 2, "You are");
	assert_int_equal(flow_bot_messages(&f, TEAM), 3);
}

static void a_slow_answer_to_a_group_is_acknowledged(void **state)
{
	(void)state;
	ready("", ANN);
	team("77", "@myna_bot count to 12");
	flow_until(&f, calls("setMessageReaction") > 0);
	struct json_object *t = flow_transcript(&f, "telegram", TEAM);
	assert_non_null(
	    strstr(json_object_to_json_string_ext(t, JSON_C_TO_STRING_PLAIN), "\xf0\x9f\x91\x80"));
	json_object_put(t);
}

/* --- one group that is different */

static void a_group_may_have_settings_of_its_own(void **state)
{
	char *out;

	(void)state;
	ready("", ANN "groups: { team: { chat = \"" TEAM "\"; group = \"all\"; allow = [\"78\"]; }; };");
	team("78", "what is 6*7");
	flow_expect(&f, TEAM, 0, "42");
	flow_say(&f, "-1002", "77", "what is 7*7", "group");
	flow_say(&f, "-1002", "77", "@myna_bot what is 8*8", "group");
	flow_expect(&f, "-1002", 0, "64");
	flow_say(&f, "-1002", "78", "@myna_bot what is 9*9", "group");
	flow_await_log(&f, "chat=telegram:-1002");
	assert_int_equal(flow_bot_messages(&f, "-1002"), 1);
	flow_config(&f, "",
	    ANN "groups: { one: { chat = \"-1\"; }; two: { chat = \"-1\"; group = \"loud\"; quiet_hours = "
		"\"7\"; alow = [\"5\"]; }; };");
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 1);
	assert_non_null(strstr(out, "has two groups"));
	assert_non_null(strstr(out, "alow"));
	assert_non_null(strstr(out, "loud"));
	assert_non_null(strstr(out, "quiet hours"));
	free(out);
}

/* --- what nobody says */

static void the_stop_button_stops(void **state)
{
	struct json_object *t, *drafts;

	(void)state;
	ready("", ANN);
	flow_say(&f, "77", "77", "count to 900", "private");
	flow_until(&f, calls("sendMessageDraft") > 0);
	t = flow_transcript(&f, "telegram", "77");
	drafts = json_get_array(t, "drafts");
	assert_true(json_object_array_length(drafts) > 0);
	flow_press(
	    &f, "telegram", "77", "77", json_get_str(json_object_array_get_idx(drafts, 0), "id"), "stop");
	json_object_put(t);
	flow_await(&f, "77", 2);
	char *one = flow_bot_text(&f, "77", 0), *two = flow_bot_text(&f, "77", 1);
	assert_true(strstr(one, "Stopped.") || strstr(two, "Stopped."));
	assert_null(strstr(one, "60."));
	assert_null(strstr(two, "60."));
	free(one);
	free(two);
}

static void the_list_of_commands_is_set_once(void **state)
{
	(void)state;
	ready("", ANN);
	flow_until(&f, calls("setMyCommands") >= 3);
	flow_say(&f, "77", "77", "/help", "private");
	flow_expect(&f, "77", 0, "/whoami");
	flow_gateway_end(&f, SIGTERM);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 1, "42");
	assert_int_equal(calls("setMyCommands"), 3);
	struct json_object *o = flow_get(&f, "/control/requests?platform=telegram&method=setMyCommands");
	assert_null(strstr(json_object_to_json_string(o), "refused"));
	assert_non_null(strstr(json_object_to_json_string(o), "whoami"));
	json_object_put(o);
}

/* The bot's new id of the small group, malloc'd. */
static char *migrate(void)
{
	struct json_object *o = flow_control(&f, "chat",
	    "{\"platform\":\"telegram\",\"chat\":\"" SMALL "\",\"user\":\"77\",\"migrate\":true}");
	char *id = xstrdup(json_get_str(o, "migrated_to"));

	json_object_put(o);
	return id;
}

static void a_group_that_becomes_a_supergroup_stays_itself(void **state)
{
	char *out;

	(void)state;
	ready("targets: { ops = [\"telegram:" SMALL "\"]; };", ANN "chats = [\"" SMALL "\", \"" TEAM "\"];");
	flow_say(&f, SMALL, "77", "@myna_bot my name is Ann", "group");
	/* The answer, and the greeting of the old group. */
	flow_await(&f, SMALL, 2);
	char *id = migrate();
	flow_await_log(&f, "put that in place of the old one");
	/* Another group is greeted: a greeting of the new one would have come before. */
	team("77", "@myna_bot what is 6*7");
	flow_await(&f, TEAM, 2);
	assert_int_equal(flow_bot_messages(&f, id), 0);
	flow_say(&f, id, "77", "@myna_bot what is my name", "group");
	flow_expect(&f, id, 0, "Ann");
	assert_int_equal(flow_myna(&f, &out, "send", "ops", "the build is green", NULL), 0);
	free(out);
	flow_expect(&f, id, 1, "the build is green");
	/* Also after a restart; and nobody was greeted. */
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, id, "77", "@myna_bot what is my name", "group");
	flow_expect(&f, id, 2, "Ann");
	assert_int_equal(flow_bot_messages(&f, id), 3);
	free(id);
}

static void a_migration_while_we_are_away_is_followed(void **state)
{
	char *out;

	(void)state;
	ready("targets: { ops = [\"telegram:" SMALL "\"]; };", ANN);
	flow_say(&f, SMALL, "77", "@myna_bot my name is Ann", "group");
	flow_await(&f, SMALL, 1);
	flow_gateway_kill(&f);
	char *id = migrate();
	/* What comes first is the refusal of a send, as updates are held back. */
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":3,\"kind\":\"status\",\"status\":"
	    "502}"));
	flow_gateway(&f, false);
	flow_myna(&f, &out, "send", "ops", "the build is green", NULL);
	free(out);
	flow_expect(&f, id, 0, "the build is green");
	flow_say(&f, id, "77", "@myna_bot what is my name", "group");
	flow_expect(&f, id, 1, "Ann");
	assert_int_equal(flow_bot_messages(&f, id), 2);
	free(id);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_long_paste_is_one_turn),
	    FLOW(an_album_in_pieces_is_one_turn),
	    FLOW(parts_that_wait_at_a_kill_are_one_turn),
	    FLOW(what_a_group_says_is_known_to_who_asks),
	    FLOW(who_writes_as_the_group_is_nobody),
	    FLOW(it_introduces_itself_where_it_is_added),
	    FLOW(a_slow_answer_to_a_group_is_acknowledged),
	    FLOW(a_group_may_have_settings_of_its_own),
	    FLOW(the_stop_button_stops),
	    FLOW(the_list_of_commands_is_set_once),
	    FLOW(a_group_that_becomes_a_supergroup_stays_itself),
	    FLOW(a_migration_while_we_are_away_is_followed),
	};

	/* One conversation alone: FLOW_ONLY=a_long_paste_is_one_turn */
	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
