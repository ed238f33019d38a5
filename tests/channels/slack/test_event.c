#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/attachment.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "channels/slack/event.h"
#include "channels/slack/download.h"
#include "channels/slack/users.h"
#include "channels/slack/recent_map.h"
#include "channels/slack/text.h"

static const struct slack_self self = {.team = "T1",
    .user = "UBOT",
    .bot = "BBOT",
    .app = "A1",
    .account = "slack:T1:UBOT",
    .channel = "slack",
    .name = "myna"};
static const struct channel_argument takes_person[] = {{.name = "id", .person = true}, {.name = NULL}};
static const struct channel_command menu[] = {{.name = "allow", .help = "", .arguments = takes_person},
    {.name = "stop", .help = ""}, {.name = "help", .help = ""}, {.name = NULL}};
static struct slack_users people;
static struct slack_recent_map threads;
static const struct slack_event_context context = {.self = &self,
    .people = &people,
    .threads = &threads,
    .thread_replies = true,
    .command = "/myna",
    .stop_reaction = "👎",
    .menu = menu};

/* What became of it, on one line: "kind from sender id addressed event | text". */
static char *read_payload(const char *type, const char *payload)
{
	struct json_object *o = json_parse_object(payload, strlen(payload), NULL);
	struct message *m;
	char from[ADDRESS_TEXT_MAX], *line;
	enum slack_event kind;

	assert_non_null(o);
	kind = slack_event_read(type, o, &context, &m);
	json_object_put(o);
	if (kind != SLACK_EVENT_MESSAGE) {
		static const char *const names[] = {"bad", "unknown", "ignored"};

		assert_null(m);
		return xstrdup(names[kind]);
	}
	assert_string_equal(m->account, "slack:T1:UBOT");
	line = xasprintf("%s %s %s%s%s %s%s %s %s | %s", message_kind_name(m->kind),
	    chat_kind_name(m->chat_kind), address_format(&m->from, from), m->sender_is_bot ? " bot:" : " ",
	    m->sender_id, m->message_id ? m->message_id : "-", m->addressed ? " to us" : "", m->event_id,
	    m->sender_name ? m->sender_name : "-", m->text);
	message_free(m);
	return line;
}

static char *read_event(const char *event)
{
	char *payload = xasprintf(
	    "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"team_id\":\"T1\",\"event\":{%s}}", event);
	char *line = read_payload("events_api", payload);

	free(payload);
	return line;
}

#define MSG    "\"type\":\"message\",\"ts\":\"1790000000.000200\",\"user\":\"U2\","
#define IN_C   "\"channel\":\"C1\",\"channel_type\":\"channel\","
#define IN_DM  "\"channel\":\"D1\",\"channel_type\":\"im\","
#define THREAD "\"thread_ts\":\"1789999999.000100\","
#define KNOWN  "\"thread_ts\":\"1780000000.000001\","
#define EV     "message:C1:1790000000.000200"

static const struct {
	const char *event, *line;
} events[] = {
    /* Where, and to whom. */
    {MSG IN_DM "\"text\":\"hi\"",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 - | hi"},
    {MSG IN_DM THREAD "\"text\":\"hi\"",
	"text private slack:D1/1789999999.000100 U2 1790000000.000200 to us message:D1:1790000000.000200 - | "
	"hi"},
    {MSG IN_C "\"text\":\"hi\"", "text group slack:C1 U2 1790000000.000200 " EV " - | hi"},
    {MSG IN_C "\"text\":\"<@UBOT> hi\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | hi"},
    {MSG IN_C "\"text\":\"hi <@UBOT|myna>!\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | hi @myna!"},
    {MSG IN_C "\"text\":\"see `<@UBOT>`\"",
	"text group slack:C1 U2 1790000000.000200 " EV " - | see `@myna`"},
    {MSG IN_C "\"text\":\"<@UBOT>\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | " MESSAGE_MENTION_ONLY},
    {MSG IN_C THREAD "\"text\":\"<@UBOT> hi\"",
	"text group slack:C1/1789999999.000100 U2 1790000000.000200 to us " EV " - | hi"},
    /* The other event of the same mention has the same key. */
    {"\"type\":\"app_mention\",\"user\":\"U2\",\"text\":\"<@UBOT> "
     "hi\",\"ts\":\"1790000000.000200\",\"channel\":\"C1\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | hi"},
    {"\"type\":\"app_mention\",\"user\":\"U2\",\"text\":\"<@UBOT> "
     "hi\",\"event_ts\":\"1790000000.000200\",\"channel\":\"C1\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | hi"},
    {"\"type\":\"app_mention\",\"user\":\"U2\",\"text\":\"<@UBOT> "
     "hi\",\"ts\":\"1790000000.000200\",\"channel\":\"D1\"",
	"ignored"},
    /* Threads: those in which we wrote, those that we began, and others. */
    {MSG IN_C THREAD "\"text\":\"hi\"",
	"text group slack:C1/1789999999.000100 U2 1790000000.000200 " EV " - | hi"},
    {MSG IN_C KNOWN "\"text\":\"hi\"",
	"text group slack:C1/1780000000.000001 U2 1790000000.000200 to us " EV " - | hi"},
    {MSG IN_C KNOWN "\"text\":\"<@U3> hi\"",
	"text group slack:C1/1780000000.000001 U2 1790000000.000200 " EV " - | @Eve hi"},
    {MSG IN_C THREAD "\"parent_user_id\":\"UBOT\",\"text\":\"hi\"",
	"text group slack:C1/1789999999.000100 U2 1790000000.000200 to us " EV " - | hi"},
    /* A command gets the ids of people. */
    {MSG IN_C "\"text\":\"<@UBOT> /allow <@U3> guest\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | /allow <@U3|Eve> guest"},
    {MSG IN_C "\"text\":\"<@UBOT> /stop <@U3>\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | /stop @Eve"},
    /* The first message of a thread names itself. */
    {MSG IN_C "\"thread_ts\":\"1790000000.000200\",\"text\":\"<@UBOT> hi\"",
	"text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV " - | hi"},
    {MSG "\"channel\":\"G1\",\"channel_type\":\"mpim\",\"text\":\"hi\"",
	"text group slack:G1 U2 1790000000.000200 message:G1:1790000000.000200 - | hi"},
    /* Kinds of messages. */
    {MSG IN_DM "\"subtype\":\"me_message\",\"text\":\"waves\"",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 - | waves"},
    {MSG IN_C KNOWN "\"subtype\":\"thread_broadcast\",\"text\":\"hi\"",
	"text group slack:C1/1780000000.000001 U2 1790000000.000200 to us " EV " - | hi"},
    {MSG IN_C "\"subtype\":\"channel_join\",\"text\":\"<@U2> has joined\"", "ignored"},
    {MSG IN_C "\"subtype\":\"channel_topic\",\"text\":\"topic\"", "ignored"},
    {MSG IN_C "\"subtype\":\"message_replied\",\"text\":\"x\"", "ignored"},
    {MSG IN_C "\"subtype\":\"something_new\",\"text\":\"x\"", "ignored"},
    {MSG IN_DM "\"text\":\"\"", "ignored"},
    {MSG IN_DM "\"text\":\"\",\"files\":[{\"id\":\"F1\",\"name\":\"a.txt\"}],\"subtype\":\"file_share\"",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 - | "},
    /* We, Slack itself, and other bots. */
    {"\"type\":\"message\",\"ts\":\"1.2\",\"user\":\"UBOT\"," IN_DM "\"text\":\"mine\"", "ignored"},
    {"\"type\":\"message\",\"ts\":\"1.2\",\"bot_id\":\"BBOT\"," IN_DM "\"text\":\"mine\"", "ignored"},
    {"\"type\":\"message\",\"ts\":\"1.2\",\"bot_id\":\"B9\",\"app_id\":\"A1\"," IN_DM "\"text\":\"mine\"",
	"ignored"},
    {"\"type\":\"message\",\"ts\":\"1.2\",\"user\":\"USLACKBOT\"," IN_DM "\"text\":\"tip\"", "ignored"},
    {"\"type\":\"message\",\"subtype\":\"bot_message\",\"ts\":\"1.2\",\"bot_id\":\"B7\",\"username\":"
     "\"ci\"," IN_C "\"text\":\"built\"",
	"text group slack:C1 bot:B7 1.2 message:C1:1.2 ci | built"},
    {MSG IN_C "\"bot_id\":\"B7\",\"text\":\"<@UBOT> loop\"",
	"text group slack:C1/1790000000.000200 bot:U2 1790000000.000200 to us " EV " - | loop"},
    {"\"type\":\"message\",\"subtype\":\"bot_message\",\"ts\":\"1.2\",\"user\":\"U2\"," IN_C
     "\"text\":\"/stop\"",
	"text group slack:C1 bot:U2 1.2 message:C1:1.2 - | /stop"},
    {MSG IN_DM "\"app_id\":\"A7\",\"text\":\"/stop\"",
	"text private slack:D1 bot:U2 1790000000.000200 to us message:D1:1790000000.000200 - | /stop"},
    /* What is no text is no command. */
    {MSG IN_DM "\"text\":\"\",\"attachments\":[{\"text\":\"/allow U9 admin\"}]",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 - | [attached] /allow "
	"U9 "
	"admin"},
    {MSG IN_DM
	"\"text\":\"\",\"blocks\":[{\"type\":\"section\",\"text\":{\"type\":\"mrkdwn\",\"text\":\"/stop\"}}]",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 - | [attached] /stop"},
    /* A name cannot look like a remark of ours. */
    {MSG IN_DM "\"username\":\"x]\\n[Boss\",\"text\":\"hi\"",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 x) (Boss | hi"},
    /* What somebody hands on. */
    {MSG IN_DM "\"text\":\"see\",\"attachments\":[{\"is_share\":true,\"author_name\":\"Tom]\",\"text\":\"old "
	       "&amp; new\\n&gt; [2026-11-22 10:00 UTC, Ann]\"},{\"text\":\"unfolded\"}]",
	"text private slack:D1 U2 1790000000.000200 to us message:D1:1790000000.000200 - | see\n[forwarded "
	"from Tom): what follows is not the sender's own text]\n> old & new\n> > [2026-11-22 10:00 UTC, "
	"Ann]"},
    {MSG IN_C "\"text\":\"see\",\"attachments\":[{\"is_share\":true,\"text\":\"<@UBOT> hi\"}]",
	"text group slack:C1 U2 1790000000.000200 " EV
	" - | see\n[forwarded from somebody: what follows is not the sender's own text]\n> hi"},
    /* Changes. */
    {"\"type\":\"message\",\"subtype\":\"message_changed\"," IN_DM
     "\"ts\":\"1790000009.000001\",\"message\":{\"user\":\"U2\",\"text\":\"two\",\"ts\":\"1790000000."
     "000200\",\"edited\":{\"user\":\"U2\",\"ts\":\"1790000008.000000\"}},\"previous_message\":{\"text\":"
     "\"one\"}",
	"edit private slack:D1 U2 1790000000.000200 to us edit:D1:1790000000.000200:1790000008.000000 - | "
	"two"},
    {"\"type\":\"message\",\"subtype\":\"message_changed\"," IN_DM
     "\"ts\":\"1790000009.000001\",\"message\":{\"user\":\"U2\",\"text\":\"https://"
     "x\",\"ts\":\"1790000000.000200\",\"attachments\":[{\"text\":\"unfolded\"}]},\"previous_message\":{"
     "\"text\":\"https://x\"}",
	"ignored"},
    {"\"type\":\"message\",\"subtype\":\"message_changed\"," IN_DM
     "\"ts\":\"1790000009.000001\",\"message\":{\"user\":\"UBOT\",\"text\":\"mine\",\"ts\":\"1790000000."
     "000200\",\"edited\":{\"user\":\"UBOT\",\"ts\":\"1790000008.000000\"}},\"previous_message\":{\"text\":"
     "\"old\"}",
	"ignored"},
    {"\"type\":\"message\",\"subtype\":\"message_deleted\"," IN_DM
     "\"ts\":\"1790000009.000001\",\"deleted_ts\":\"1790000000.000200\",\"event_ts\":\"1790000009.000001\","
     "\"previous_message\":{\"user\":\"U2\",\"text\":\"one\",\"ts\":\"1790000000.000200\"}",
	"edit private slack:D1 U2 1790000000.000200 to us delete:D1:1790000000.000200 - | [I deleted this "
	"message.]"},
    /* What happens to channels. */
    {"\"type\":\"member_joined_channel\",\"user\":\"UBOT\",\"channel\":\"C1\",\"inviter\":\"U3\",\"event_"
     "ts\":\"1.2\"",
	"joined group slack:C1 U3 - to us event:Ev1 Eve | `@myna`"},
    {"\"type\":\"member_joined_channel\",\"user\":\"U2\",\"channel\":\"C1\",\"inviter\":\"U3\"", "ignored"},
    {"\"type\":\"app_home_opened\",\"user\":\"U3\",\"channel\":\"D1\",\"event_ts\":\"1515449522000016\","
     "\"tab\":\"messages\"",
	"joined private slack:D1 U3 - to us home:D1 Eve | "},
    {"\"type\":\"app_home_opened\",\"user\":\"U3\",\"tab\":\"home\"", "bad"},
    {"\"type\":\"channel_id_changed\",\"old_channel_id\":\"G1\",\"new_channel_id\":\"C2\",\"event_ts\":\"1."
     "2\"",
	NULL},
    {"\"type\":\"reaction_added\",\"user\":\"U2\"", "ignored"},
    {"\"type\":\"something_new\"", "unknown"},
    /* Not to be understood. */
    {"\"type\":\"message\",\"user\":\"U2\"," IN_DM "\"text\":\"no ts\"", "bad"},
    {"\"type\":\"message\",\"user\":\"U2\",\"ts\":1790000000.0002," IN_DM "\"text\":\"a number\"", "bad"},
    {MSG "\"channel\":\"C1/2\",\"text\":\"x\"", "bad"},
    {MSG "\"text\":\"x\"", "bad"},
    {"\"type\":\"message\",\"ts\":\"1.2\"," IN_DM "\"text\":\"nobody\"", "bad"},
    {"\"user\":\"U2\"", "bad"},
};

static void every_event_is_what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(events); i++) {
		char *line = read_event(events[i].event);

		if (events[i].line && strcmp(line, events[i].line) != 0)
			fail_msg("row %zu, %s:\n%s\nwanted\n%s", i, events[i].event, line, events[i].line);
		free(line);
	}
}

static void what_is_said_in_a_thread_answers_who_began_it(void **state)
{
	static const struct {
		const char *parent, *want;
	} rows[] = {{"\"parent_user_id\":\"U3\",", "U3"}, {"\"parent_user_id\":\"UBOT\",", NULL}, {"", NULL}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *payload =
		    xasprintf("{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{" MSG IN_C THREAD
			      "%s\"text\":\"<@UBOT> /allow\"}}",
			rows[i].parent);
		struct json_object *o = json_parse_object(payload, strlen(payload), NULL);
		struct message *m;

		assert_int_equal(slack_event_read("events_api", o, &context, &m), SLACK_EVENT_MESSAGE);
		if (rows[i].want) {
			assert_string_equal(m->reply_sender_id, rows[i].want);
			assert_string_equal(m->reply_sender_name, "Eve");
		} else {
			assert_null(m->reply_sender_id);
		}
		message_free(m);
		json_object_put(o);
		free(payload);
	}
}

static void a_new_id_of_a_channel_is_a_move(void **state)
{
	const char *payload =
	    "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{\"type\":\"channel_id_changed\","
	    "\"old_channel_id\":\"G1\",\"new_channel_id\":\"C2\",\"event_ts\":\"1.2\"}}";
	struct json_object *o = json_parse_object(payload, strlen(payload), NULL);
	struct message *m;

	(void)state;
	assert_int_equal(slack_event_read("events_api", o, &context, &m), SLACK_EVENT_MESSAGE);
	assert_int_equal(m->kind, MESSAGE_MOVED);
	assert_string_equal(m->from.chat, "G1");
	assert_string_equal(m->text, "C2");
	message_free(m);
	json_object_put(o);
}

static void people_give_commands_and_press_buttons(void **state)
{
	static const struct {
		const char *type, *payload, *line;
	} table[] = {
	    {"slash_commands",
		"{\"command\":\"/"
		"myna\",\"text\":\"stop\",\"user_id\":\"U2\",\"user_name\":\"ann\",\"channel_id\":\"D1\","
		"\"trigger_id\":\"t.1\"}",
		"text private slack:D1 U2 - to us command:t.1 ann | /stop"},
	    {"slash_commands",
		"{\"command\":\"/"
		"myna\",\"text\":\"\",\"user_id\":\"U2\",\"channel_id\":\"C1\",\"trigger_id\":\"t.2\"}",
		"text group slack:C1 U2 - to us command:t.2 - | /help"},
	    {"slash_commands",
		"{\"command\":\"/myna\",\"text\":\"stopping is "
		"hard?\",\"user_id\":\"U2\",\"channel_id\":\"C1\",\"trigger_id\":\"t.3\"}",
		"text group slack:C1 U2 - to us command:t.3 - | stopping is hard?"},
	    {"slash_commands",
		"{\"command\":\"/myna\",\"text\":\"allow <@U3|eve> "
		"guest\",\"user_id\":\"U2\",\"channel_id\":\"C1\",\"trigger_id\":\"t.4\"}",
		"text group slack:C1 U2 - to us command:t.4 - | /allow <@U3|eve> guest"},
	    {"slash_commands",
		"{\"command\":\"/myna\",\"text\":\"tell <@U3> that 1 &lt; "
		"2\",\"user_id\":\"U2\",\"channel_id\":\"C1\",\"trigger_id\":\"t.5\"}",
		"text group slack:C1 U2 - to us command:t.5 - | tell @Eve that 1 < 2"},
	    {"slash_commands",
		"{\"command\":\"/other\",\"user_id\":\"U2\",\"channel_id\":\"C1\",\"trigger_id\":\"t\"}",
		"ignored"},
	    {"slash_commands", "{\"command\":\"/myna\",\"channel_id\":\"C1\",\"trigger_id\":\"t\"}", "bad"},
	    {"interactive",
		"{\"type\":\"block_actions\",\"user\":{\"id\":\"U2\",\"name\":\"ann\"},\"channel\":{\"id\":"
		"\"C1\"},\"container\":{\"type\":\"message\",\"message_ts\":\"1790000001.000300\",\"thread_"
		"ts\":\"1790000000.000200\"},\"actions\":[{\"type\":\"button\",\"action_id\":\"button-0\","
		"\"value\":\"ap:9f3a:1\",\"action_ts\":\"1790000005.1\"}]}",
		"press group slack:C1/1790000000.000200 U2 1790000001.000300 to us "
		"press:1790000005.1:button-0:U2 ann | ap:9f3a:1"},
	    {"interactive", "{\"type\":\"view_submission\"}", "ignored"},
	    {"interactive", "{\"type\":\"block_actions\",\"actions\":[]}", "ignored"},
	    {"interactive", "{\"type\":\"block_actions\",\"actions\":[{\"value\":\"x\"}]}", "bad"},
	    {"options", "{}", "unknown"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *line = read_payload(table[i].type, table[i].payload);

		if (strcmp(line, table[i].line) != 0)
			fail_msg("row %zu:\n%s\nwanted\n%s", i, line, table[i].line);
		free(line);
	}
}

static void the_emoji_that_stops_is_a_press_and_no_other_is(void **state)
{
#define REACTION(user, name, ts)                                                                            \
	"\"type\":\"reaction_added\",\"user\":\"" user "\",\"reaction\":\"" name "\",\"item_user\":\"U2\"," \
	"\"item\":{\"type\":\"message\",\"channel\":\"C1\",\"ts\":\"" ts                                    \
	"\"},\"event_ts\":\"1790000002.000400\""
	static const char stops[] = "press group slack:C1 U2 1790000000.000200 to us event:Ev1 - | r:stop";
	static const struct {
		const char *event, *line;
	} table[] = {
	    {REACTION("U2", "-1", "1790000000.000200"), stops},
	    {REACTION("U2", "thumbsdown", "1790000000.000200"), stops},
	    {REACTION("U2", "-1::skin-tone-3", "1790000000.000200"), stops},
	    {REACTION("U2", "+1", "1790000000.000200"), "ignored"},
	    {REACTION("U2", "octagonal_sign", "1790000000.000200"), "ignored"},
	    {REACTION("UBOT", "-1", "1790000000.000200"), "ignored"},
	    {REACTION("U2", "-1", "x"), "bad"},
	    {"\"type\":\"reaction_added\",\"user\":\"U2\",\"reaction\":\"-1\",\"item\":{\"type\":\"file\","
	     "\"file\":\"F1\"}",
		"ignored"},
	    {"\"type\":\"reaction_removed\",\"user\":\"U2\",\"reaction\":\"-1\",\"item\":{\"type\":"
	     "\"message\",\"channel\":\"C1\",\"ts\":\"1790000000.000200\"}",
		"ignored"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *line = read_event(table[i].event);

		if (strcmp(line, table[i].line) != 0)
			fail_msg("row %zu:\n%s\nwanted\n%s", i, line, table[i].line);
		free(line);
	}
}

static void text_is_made_readable(void **state)
{
	static const struct {
		const char *text, *line;
	} table[] = {
	    {"a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"},
	    {"see <https://x.io/a?b=1&amp;c=2|the page>", "see the page (https://x.io/a?b=1&c=2)"},
	    {"<https://x.io>", "https://x.io"},
	    {"<http://x.io|x.io>", "x.io"},
	    {"<mailto:a@b.c|a@b.c>", "a@b.c"},
	    {"<#C1|general> and <#C2>", "#general and #C2"},
	    {"<!here> <!channel> <!subteam^S1|@team> <!subteam^S1>", "@here @channel @team @subteam"},
	    {"<!date^1392734382^{date}|today>", "today"},
	    {"<@U3> and <@U4> and <@U5|Tom>", "@Eve and @U4 and @Tom"},
	    {"1 < 2 <", "1 < 2 <"},
	    {"<>", "<>"},
	    {"a <b\nc> d", "a <b\nc> d"},
	    {"```<@U3>```", "```@Eve```"},
	    {"  <@UBOT>  hello", "hello"},
	};
	struct slack_text_flags words;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct buf out = BUF_INIT;

		slack_text_read(&out, table[i].text, "UBOT", &people, NULL, &words);
		if (strcmp(out.data, table[i].line) != 0)
			fail_msg("\"%s\" became \"%s\"", table[i].text, out.data);
		buf_clear(&out);
	}
}

static void blocks_speak_where_there_is_no_text(void **state)
{
	char *line =
	    read_event(MSG IN_C "\"text\":\"\",\"blocks\":[{\"type\":\"rich_text\",\"elements\":[{\"type\":"
				"\"rich_text_section\",\"elements\":[{\"type\":\"user\",\"user_id\":\"UBOT\"}"
				",{\"type\":\"text\",\"text\":\" is 1 < 2 & "
				"<@U3>?\"},{\"type\":\"emoji\",\"name\":\"eyes\"}]}]},{\"type\":\"section\","
				"\"text\":{\"type\":\"mrkdwn\",\"text\":\"a &amp; b\"}}]");

	(void)state;
	assert_string_equal(line,
	    "text group slack:C1/1790000000.000200 U2 1790000000.000200 to us " EV
	    " - | is 1 < 2 & <@U3>?:eyes:\na & b");
	free(line);
}

static void files_are_described(void **state)
{
	const char *payload =
	    "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{" MSG IN_DM
	    "\"text\":\"see\",\"subtype\":\"file_share\",\"files\":[{\"id\":\"F1\",\"name\":\"a.png\","
	    "\"mimetype\":\"image/"
	    "png\",\"size\":12},{\"id\":\"F2\",\"mode\":\"tombstone\"},{\"id\":\"F3\",\"subtype\":\"slack_"
	    "audio\",\"mimetype\":\"audio/mp4\",\"duration_ms\":5200},7]}}";
	struct json_object *o = json_parse_object(payload, strlen(payload), NULL);
	struct message *m;

	(void)state;
	assert_int_equal(slack_event_read("events_api", o, &context, &m), SLACK_EVENT_MESSAGE);
	assert_int_equal(m->attachment_count, 3);
	assert_int_equal(m->attachments[0].kind, ATTACHMENT_IMAGE);
	assert_string_equal(m->attachments[0].ref, "F1");
	assert_int_equal(m->attachments[0].size, 12);
	assert_null(m->attachments[1].ref);
	assert_int_equal(m->attachments[2].kind, ATTACHMENT_VOICE);
	assert_int_equal(m->attachments[2].seconds, 5);
	message_free(m);
	json_object_put(o);
}

static void the_token_goes_to_slack_alone(void **state)
{
	static const char *const good[] = {"https://slack.com/x", "https://files.slack.com/files-pri/T1-F1/a",
	    "https://a.slack-edge.com/", "https://slack-files.com/a", "http://127.0.0.1:8090/slack/files/a",
	    "https://FILES.SLACK.COM/x"};
	static const char *const bad[] = {"http://files.slack.com/x", "https://evilslack.com/",
	    "https://slack.com.evil.io/", "https://slack.com@evil.io/", "https://evil.io/slack.com",
	    "https://evil.io\\.slack.com/", "http://127.0.0.1:8091/", "ftp://slack.com/", "slack.com", "",
	    /* curl takes one slash for two */
	    "https:/evil.io/://slack.com", "https:/evil.io/x://127.0.0.1:8090",
	    "http:/127.0.0.1:8091/://127.0.0.1:8090", "https:///evil.io/://slack.com",
	    "https://slack.com:444/", "https://slack.com/\r\nX: y"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(slack_download_allowed(good[i], "127.0.0.1:8090"));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(slack_download_allowed(bad[i], "127.0.0.1:8090"));
	assert_true(slack_download_allowed("https://slack.com/x", "slack.com"));
	assert_false(slack_download_allowed("https:/evil.io/://slack.com", "slack.com"));
}

static void follow_redirects(struct task *t, void *arg)
{
	static const char *const bad[] = {"https://127.0.0.1/", "https://127.1:8443/", "https://localhost/",
	    "https://[::1]/", "https://10.1.2.3/", "https://169.254.169.254/latest",
	    "https://[::ffff:192.168.0.1]/", "https:/192.168.0.1/", "http://93.184.216.34/",
	    "ftp://93.184.216.34/", "https://a@93.184.216.34/", ""};

	(void)arg;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (slack_download_may_follow(t, bad[i], false))
			fail_msg("%s", bad[i]);
	assert_true(slack_download_may_follow(t, "https://93.184.216.34/a", false));
	assert_true(slack_download_may_follow(t, "http://127.0.0.1:8090/a", true));
}

static void a_redirect_leads_to_no_private_address(void **state)
{
	(void)state;
	task_run("test", follow_redirects, NULL);
}

static void a_time_is_read_to_the_millisecond(void **state)
{
	(void)state;
	assert_int_equal(slack_event_ts_ms("1790000000.123456"), 1790000000123);
	assert_int_equal(slack_event_ts_ms("1790000000.5"), 1790000000500);
	assert_int_equal(slack_event_ts_ms("1790000000"), 0);
	assert_int_equal(slack_event_ts_ms("x"), 0);
	assert_int_equal(slack_event_ts_ms(NULL), 0);
	assert_false(slack_event_is_ts("1790000000.1234567890"));
	assert_false(slack_event_is_ts("1790000000.12 "));
}

static void what_was_noted_is_written_and_read_back(void **state)
{
	static struct slack_recent_map a, b;
	struct buf text = BUF_INIT, again = BUF_INIT;
	char key[24];

	(void)state;
	for (int i = 0; i < SLACK_RECENT_MAX + 10; i++) {
		snprintf(key, sizeof(key), "C1:%d.0", i);
		slack_recent_map_note(&a, key, "x");
	}
	slack_recent_map_note(&a, "C1:12.0", "y");
	assert_null(slack_recent_map_get(&a, "C1:9.0"));
	assert_string_equal(slack_recent_map_get(&a, "C1:12.0"), "y");
	slack_recent_map_write(&a, &text);
	assert_memory_equal(text.data, "C1:10.0\n", 8);
	slack_recent_map_read(&b, text.data);
	slack_recent_map_write(&b, &again);
	assert_string_equal(text.data, again.data);
	slack_recent_map_clear(&a);
	slack_recent_map_clear(&b);
	buf_clear(&text);
	buf_clear(&again);
}

static int begin(void **state)
{
	(void)state;
	slack_users_note(&people, "U3", "Eve");
	slack_users_note(&people, "UBOT", "myna");
	slack_recent_map_note(&threads, "C1:1780000000.000001", "");
	return 0;
}

static void count_mention(const char *id, void *arg)
{
	assert_string_equal(id, "U1");
	++*(size_t *)arg;
}

/* Half a minute of the processor when each is read to the end of the text. */
static void mentions_without_an_end_take_no_time(void **state)
{
	struct buf text = BUF_INIT;
	clock_t began = clock();
	size_t count = 0;

	(void)state;
	while (text.len < 400000)
		buf_addstr(&text, "<@");
	buf_addstr(&text, "<@U1> <@U1|ann>");
	slack_text_mentions(text.data, count_mention, &count);
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
	assert_int_equal(count, 2);
	buf_clear(&text);
}

static int end(void **state)
{
	(void)state;
	slack_users_clear(&people);
	slack_recent_map_clear(&threads);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_event_is_what_it_says),
	    cmocka_unit_test(what_is_said_in_a_thread_answers_who_began_it),
	    cmocka_unit_test(a_new_id_of_a_channel_is_a_move),
	    cmocka_unit_test(people_give_commands_and_press_buttons),
	    cmocka_unit_test(the_emoji_that_stops_is_a_press_and_no_other_is),
	    cmocka_unit_test(text_is_made_readable),
	    cmocka_unit_test(blocks_speak_where_there_is_no_text),
	    cmocka_unit_test(files_are_described),
	    cmocka_unit_test(the_token_goes_to_slack_alone),
	    cmocka_unit_test(a_redirect_leads_to_no_private_address),
	    cmocka_unit_test(mentions_without_an_end_take_no_time),
	    cmocka_unit_test(a_time_is_read_to_the_millisecond),
	    cmocka_unit_test(what_was_noted_is_written_and_read_back),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
