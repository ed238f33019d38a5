/* Events of the gateway as messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "bus/reaction.h"
#include "channels/discord/event.h"
#include "channels/discord/cache.h"

static struct discord_cache cache;
static const struct discord_self self = {
    .user = 900, .app = 901, .username = "bot", .account = "discord:901", .channel = "main"};

static struct json_object *parse(const char *text)
{
	struct json_object *o = json_parse_object(text, strlen(text), NULL);

	assert_non_null(o);
	return o;
}

static void note_channel(const char *text, uint64_t guild)
{
	struct json_object *o = parse(text);

	assert_non_null(discord_cache_note_channel(&cache, o, guild));
	json_object_put(o);
}

static int set_up(void **state)
{
	struct json_object *guild = parse("{\"id\":\"1\",\"name\":\"Guild "
					  "[x]\",\"roles\":[{\"id\":\"4\",\"managed\":true},{\"id\":\"5\","
					  "\"managed\":true,\"tags\":{\"bot_id\":\"900\"}}]}");

	(void)state;
	discord_cache_init(&cache, 1);
	assert_non_null(discord_cache_note_guild(&cache, guild, self.user));
	json_object_put(guild);
	note_channel("{\"id\":\"10\",\"type\":0,\"name\":\"general\",\"parent_id\":\"3\"}", 1);
	note_channel(
	    "{\"id\":\"12\",\"type\":11,\"name\":\"a topic\",\"parent_id\":\"10\",\"guild_id\":\"1\"}", 0);
	note_channel("{\"id\":\"50\",\"type\":1}", 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	discord_cache_clear(&cache);
	return 0;
}

static const struct channel_argument roll[] = {
    {.name = "dry-run", .kind = CHANNEL_ARGUMENT_FLAG},
    {.name = "loud", .kind = CHANNEL_ARGUMENT_FLAG},
    {.name = "count", .kind = CHANNEL_ARGUMENT_NUMBER},
    {.name = "what", .kind = CHANNEL_ARGUMENT_TEXT},
    {.name = NULL},
};
static const struct channel_argument takes_person[] = {{.name = "id", .person = true}, {.name = NULL}};
static const struct channel_command menu[] = {
    {.name = "allow", .arguments = takes_person}, {.name = "roll", .arguments = roll}, {.name = NULL}};

typedef enum discord_event read_fn(
    struct json_object *o, const struct discord_event_context *context, struct message **out);

static enum discord_event read_with(read_fn *read, const char *text, struct message **out)
{
	struct json_object *o = parse(text);
	struct discord_event_context context = {.self = &self, .cache = &cache, .menu = menu};
	enum discord_event result;

	context.channel = discord_cache_channel(&cache, discord_id_get(o, "channel_id"));
	context.guild = context.channel ? discord_cache_guild(&cache, context.channel->guild) : NULL;
	result = read(o, &context, out);
	json_object_put(o);
	return result;
}

#define AUTHOR "\"author\":{\"id\":\"42\",\"username\":\"alice\",\"global_name\":\"Alice\"}"

/* A message in a channel with this content and these members more. */
static struct message *said(const char *channel, const char *content, const char *more)
{
	struct buf text = BUF_INIT;
	struct message *m;

	buf_addf(&text,
	    "{\"id\":\"4194304000\",\"channel_id\":\"%s\",\"type\":0," AUTHOR ",\"content\":", channel);
	json_quote(&text, content, strlen(content));
	buf_addf(&text, "%s}", more);
	if (read_with(discord_event_message, text.data, &m) != DISCORD_EVENT_MESSAGE)
		m = NULL;
	buf_clear(&text);
	return m;
}

static void a_command_gets_the_id_of_the_person_whom_it_mentions(void **state)
{
	static const char bea[] =
	    ",\"mentions\":[{\"id\":\"43\",\"username\":\"bea\",\"member\":{\"nick\":\"Bea <Lu>\"}}]";
	struct message *m = said("10", "<@900> /allow <@43> guest", bea);

	(void)state;
	assert_string_equal(m->text, "/allow <@43|Bea  Lu > guest");
	message_free(m);
	m = said("10", "<@900> /allow <@!44>", "");
	assert_string_equal(m->text, "/allow <@44>");
	assert_string_equal(m->sender_name, "Alice");
	message_free(m);
	m = said("10", "<@900> /roll <@43>", bea);
	assert_string_equal(m->text, "/roll @Bea <Lu>");
	message_free(m);
}

static void an_answer_says_whom_it_answers(void **state)
{
	static const struct {
		const char *author, *want;
	} rows[] = {
	    {"\"author\":{\"id\":\"43\",\"username\":\"bea\",\"global_name\":\"Bea\"}", "43"},
	    {"\"author\":{\"id\":\"44\",\"username\":\"other\",\"bot\":true}", NULL},
	    {"\"webhook_id\":\"45\",\"author\":{\"id\":\"45\",\"username\":\"hook\"}", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text =
		    xasprintf("{\"id\":\"8\",\"channel_id\":\"10\",\"type\":19," AUTHOR
			      ",\"content\":\"/allow\",\"message_reference\":{\"message_id\":\"7\"},"
			      "\"referenced_message\":{\"id\":\"7\",\"type\":0,\"content\":\"hi\",%s}}",
			rows[i].author);
		struct message *m;

		assert_int_equal(read_with(discord_event_message, text, &m), DISCORD_EVENT_MESSAGE);
		if (rows[i].want) {
			assert_string_equal(m->reply_sender_id, rows[i].want);
			assert_string_equal(m->reply_sender_name, "Bea");
		} else {
			assert_null(m->reply_sender_id);
		}
		message_free(m);
		free(text);
	}
}

static void a_message_says_where_and_who(void **state)
{
	struct message *m = said("10", "hello", ",\"member\":{\"nick\":\"Al\"}");

	(void)state;
	assert_non_null(m);
	assert_string_equal(m->from.channel, "main");
	assert_string_equal(m->from.chat, "10");
	assert_string_equal(m->from.thread, "");
	assert_int_equal(m->chat_kind, CHAT_GROUP);
	assert_string_equal(m->chat_title, "#general (Guild (x))");
	assert_string_equal(m->sender_id, "42");
	assert_string_equal(m->sender_name, "Al");
	assert_string_equal(m->account, "discord:901");
	assert_string_equal(m->event_id, "4194304000");
	assert_int_equal(m->sent_ms, INT64_C(1420070401000));
	assert_false(m->addressed);
	message_free(m);
}

static void a_thread_is_a_session_of_its_channel(void **state)
{
	struct message *m = said("12", "hello", "");

	(void)state;
	assert_string_equal(m->from.chat, "10");
	assert_string_equal(m->from.thread, "12");
	message_free(m);
	m = said("50", "hello", "");
	assert_int_equal(m->chat_kind, CHAT_PRIVATE);
	assert_true(m->addressed);
	assert_null(m->chat_title);
	message_free(m);
}

static void who_is_meant_is_told_by_names_roles_and_replies(void **state)
{
	static const struct {
		const char *content, *more;
		bool addressed, another;
		const char *text;
	} rows[] = {
	    {"<@900> hi", "", true, false, "hi"},
	    {"<@!900>, hi", "", true, false, "hi"},
	    {" <@900> <@900> hi", "", true, false, "hi"},
	    {"<@900>", "", true, false, MESSAGE_MENTION_ONLY},
	    {"so <@900> hi", "", true, false, "so @bot hi"},
	    {"<@&5> hi", ",\"mention_roles\":[\"5\"]", true, false, "hi"},
	    {"<@&4> hi", ",\"mention_roles\":[\"4\"]", false, false, "@(a role) hi"},
	    {"@everyone hi", ",\"mention_everyone\":true", false, false, "@everyone hi"},
	    /* A reply that pings puts us into mentions; what counts is whom it answers. */
	    {"hi", ",\"mentions\":[{\"id\":\"900\"}]", false, false, "hi"},
	    {"<@77> hi", ",\"mentions\":[{\"id\":\"77\",\"username\":\"other\",\"bot\":true}]", false, true,
		"@other hi"},
	    {"<@42> hi", ",\"mentions\":[{\"id\":\"42\",\"username\":\"al\",\"global_name\":\"Al\"}]", false,
		false, "@Al hi"},
	    {"`<@900", "", false, false, "`<@900"},
	    {"<@900", "", false, false, "<@900"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct message *m = said("10", rows[i].content, rows[i].more);

		assert_non_null(m);
		if (m->addressed != rows[i].addressed || m->to_another != rows[i].another ||
		    strcmp(m->text, rows[i].text) != 0)
			fail_msg("row %zu: addressed %d another %d \"%s\"", i, m->addressed, m->to_another,
			    m->text);
		message_free(m);
	}
}

static void marks_are_read_as_names(void **state)
{
	struct message *m = said(
	    "10", "see <#10> <#99> <:smile:123> <a:dance:124> </help:55> <t:0:R> <t:x> <nothing> 1<2", "");

	(void)state;
	assert_string_equal(m->text,
	    "see #general #(another channel) :smile: :dance: /help 1970-01-01 00:00 UTC <t:x> <nothing> 1<2");
	message_free(m);
}

static void a_reply_tells_what_it_answers(void **state)
{
	struct message *m;

	(void)state;
	assert_int_equal(read_with(discord_event_message,
			     "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":19," AUTHOR
			     ",\"content\":\"yes\",\"message_reference\":{\"type\":0,\"message_id\":\"7\"},"
			     "\"referenced_message\":{\"id\":\"7\",\"content\":\"shall I "
			     "<#10>?\",\"author\":{\"id\":\"900\",\"bot\":true}}}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_true(m->addressed);
	assert_string_equal(m->reply_to, "7");
	assert_string_equal(m->reply_text, "shall I #general?");
	assert_null(m->reply_sender_id);
	message_free(m);
	assert_int_equal(read_with(discord_event_message,
			     "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":19," AUTHOR
			     ",\"content\":\"yes\",\"message_reference\":{\"message_id\":\"7\"},\"referenced_"
			     "message\":null}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_false(m->addressed);
	assert_string_equal(m->reply_to, "7");
	assert_null(m->reply_text);
	message_free(m);
}

static void a_forward_says_that_it_is_one(void **state)
{
	struct message *m;

	(void)state;
	assert_int_equal(read_with(discord_event_message,
			     "{\"id\":\"8\",\"channel_id\":\"50\",\"type\":0," AUTHOR
			     ",\"content\":\"\",\"message_reference\":{\"type\":1,\"message_id\":\"7\"},"
			     "\"message_snapshots\":[{\"message\":{\"content\":\"news\\nand /stop\"}}]}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_string_equal(
	    m->text, "[forwarded: what follows is not the sender's own text]\n> news\n> and /stop");
	assert_null(m->reply_to);
	message_free(m);
}

static void what_no_person_said_is_ignored(void **state)
{
	static const char *const rows[] = {
	    "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":0,\"author\":{\"id\":\"900\",\"bot\":true},"
	    "\"content\":\"x\"}",
	    "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":0,\"author\":{\"id\":\"77\",\"bot\":true},"
	    "\"content\":\"<@900> x\"}",
	    "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":0,\"webhook_id\":\"5\"," AUTHOR
	    ",\"content\":\"<@900> x\"}",
	    "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":7," AUTHOR ",\"content\":\"\"}",
	    "{\"id\":\"8\",\"channel_id\":\"10\",\"type\":20," AUTHOR ",\"content\":\"x\"}",
	};
	struct message *m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(read_with(discord_event_message, rows[i], &m), DISCORD_EVENT_IGNORED);
	assert_int_equal(read_with(discord_event_message,
			     "{\"id\":\"x\",\"channel_id\":\"10\",\"type\":0," AUTHOR "}", &m),
	    DISCORD_EVENT_BAD);
	assert_int_equal(
	    read_with(discord_event_message,
		"{\"id\":\"8\",\"channel_id\":\"404\",\"type\":0," AUTHOR ",\"content\":\"x\"}", &m),
	    DISCORD_EVENT_BAD);
	assert_int_equal(
	    read_with(discord_event_message,
		"{\"id\":\"8\",\"channel_id\":\"10\",\"type\":0," AUTHOR ",\"content\":\"\"}", &m),
	    DISCORD_EVENT_EMPTY);
}

static void files_come_with_their_message(void **state)
{
	struct message *m = said("50", "",
	    ",\"attachments\":[{\"id\":\"7\",\"filename\":\"a.png\",\"size\":1234,\"content_type\":\"image/"
	    "png\",\"url\":\"https://cdn.discordapp.com/x?ex=1\"}]");

	(void)state;
	assert_non_null(m);
	assert_string_equal(m->text, "");
	assert_int_equal(m->attachment_count, 1);
	assert_int_equal(m->attachments[0].kind, ATTACHMENT_IMAGE);
	assert_string_equal(m->attachments[0].name, "a.png");
	assert_int_equal(m->attachments[0].size, 1234);
	assert_string_equal(m->attachments[0].ref, "50/4194304000/7");
	message_free(m);
	m = said("50", "",
	    ",\"flags\":8192,\"attachments\":[{\"id\":\"7\",\"filename\":\"v.ogg\",\"size\":1,\"content_"
	    "type\":\"audio/ogg\",\"duration_secs\":3.5}]");
	assert_int_equal(m->attachments[0].kind, ATTACHMENT_VOICE);
	assert_int_equal(m->attachments[0].seconds, 3);
	message_free(m);
}

static void an_edit_is_one_only_when_somebody_edited(void **state)
{
	struct message *m;

	(void)state;
	assert_int_equal(
	    read_with(discord_event_edit,
		"{\"id\":\"8\",\"channel_id\":\"50\",\"type\":0," AUTHOR
		",\"content\":\"new\",\"edited_timestamp\":\"2026-11-21T02:00:01.500000+00:00\"}",
		&m),
	    DISCORD_EVENT_MESSAGE);
	assert_int_equal(m->kind, MESSAGE_EDIT);
	assert_string_equal(m->event_id, "8:e:2026-11-21T02:00:01.500000+00:00");
	assert_string_equal(m->message_id, "8");
	assert_int_equal(m->sent_ms, INT64_C(1795226401500));
	message_free(m);
	assert_int_equal(read_with(discord_event_edit,
			     "{\"id\":\"8\",\"channel_id\":\"50\",\"type\":0," AUTHOR
			     ",\"content\":\"new\",\"edited_timestamp\":null,\"embeds\":[{}]}",
			     &m),
	    DISCORD_EVENT_IGNORED);
	assert_int_equal(
	    read_with(discord_event_edit, "{\"id\":\"8\",\"channel_id\":\"50\",\"embeds\":[{}]}", &m),
	    DISCORD_EVENT_IGNORED);
}

static void commands_and_buttons_are_messages(void **state)
{
	struct message *m;

	(void)state;
	assert_int_equal(read_with(discord_event_interaction,
			     "{\"id\":\"200\",\"type\":2,\"channel_id\":\"10\",\"member\":{\"user\":{\"id\":"
			     "\"42\",\"username\":\"a\"}},\"data\":{\"name\":\"model\",\"options\":[{"
			     "\"name\":\"text\",\"type\":3,\"value\":\"big one\"}]}}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_string_equal(m->text, "/model big one");
	assert_true(m->addressed);
	assert_string_equal(m->message_id, "i:200");
	assert_string_equal(m->event_id, "200");
	message_free(m);
	assert_int_equal(read_with(discord_event_interaction,
			     "{\"id\":\"200\",\"type\":2,\"channel_id\":\"10\",\"member\":{\"user\":{\"id\":"
			     "\"42\",\"username\":\"a\"}},\"data\":{\"name\":\"roll\",\"options\":[{\"name\":"
			     "\"what\",\"type\":3,\"value\":\"all of "
			     "it\"},{\"name\":\"count\",\"type\":4,\"value\":3},{\"name\":\"dry-run\","
			     "\"type\":5,\"value\":true},{\"name\":\"loud\",\"type\":5,\"value\":false},{"
			     "\"name\":\"of-old\",\"type\":3,\"value\":\"x\"}]}}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_string_equal(m->text, "/roll --dry-run 3 all of it");
	message_free(m);
	assert_int_equal(
	    read_with(discord_event_interaction,
		"{\"id\":\"201\",\"type\":3,\"channel_id\":\"50\",\"user\":{\"id\":\"42\",\"username\":\"a\"}"
		",\"token\":\"tok\",\"data\":{\"custom_id\":\"k1\"},\"message\":{\"id\":\"77\"}}",
		&m),
	    DISCORD_EVENT_MESSAGE);
	assert_int_equal(m->kind, MESSAGE_PRESS);
	assert_string_equal(m->text, "k1");
	assert_string_equal(m->message_id, "77");
	assert_string_equal(m->press_id, "201:tok");
	message_free(m);
	assert_int_equal(
	    read_with(discord_event_interaction, "{\"id\":\"203\",\"type\":4,\"channel_id\":\"10\"}", &m),
	    DISCORD_EVENT_IGNORED);
}

static void a_reaction_that_stops_is_a_press(void **state)
{
	struct message *m;

	(void)state;
	assert_int_equal(read_with(discord_event_reaction,
			     "{\"user_id\":\"42\",\"channel_id\":\"12\",\"message_id\":\"77\",\"guild_id\":"
			     "\"1\",\"member\":{\"nick\":\"Ann\",\"user\":{\"id\":\"42\",\"username\":\"a\"}}"
			     ",\"emoji\":{\"id\":null,\"name\":\"🛑\"}}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_int_equal(m->kind, MESSAGE_PRESS);
	assert_string_equal(m->text, REACTION_STOP);
	assert_string_equal(m->message_id, "77");
	assert_string_equal(m->sender_id, "42");
	assert_string_equal(m->sender_name, "Ann");
	assert_string_equal(m->from.chat, "10");
	assert_string_equal(m->from.thread, "12");
	assert_true(m->addressed && !m->press_id);
	message_free(m);
	assert_int_equal(
	    read_with(discord_event_reaction,
		"{\"user_id\":\"42\",\"channel_id\":\"50\",\"message_id\":\"77\",\"emoji\":{}}", &m),
	    DISCORD_EVENT_MESSAGE);
	assert_int_equal(m->chat_kind, CHAT_PRIVATE);
	assert_string_equal(m->sender_id, "42");
	message_free(m);
	assert_int_equal(read_with(discord_event_reaction,
			     "{\"user_id\":\"43\",\"channel_id\":\"10\",\"message_id\":\"77\",\"member\":{"
			     "\"user\":{\"id\":\"43\",\"username\":\"b\",\"bot\":true}}}",
			     &m),
	    DISCORD_EVENT_MESSAGE);
	assert_true(m->sender_is_bot);
	message_free(m);
	assert_int_equal(read_with(discord_event_reaction,
			     "{\"user_id\":\"900\",\"channel_id\":\"10\",\"message_id\":\"77\"}", &m),
	    DISCORD_EVENT_IGNORED);
	assert_int_equal(read_with(discord_event_reaction, "{\"user_id\":\"42\",\"channel_id\":\"10\"}", &m),
	    DISCORD_EVENT_BAD);
}

static void a_new_server_is_greeted_where_it_greets(void **state)
{
	struct json_object *guild =
	    parse("{\"id\":\"2\",\"name\":\"G\",\"owner_id\":\"42\",\"system_channel_id\":\"20\",\"joined_"
		  "at\":\"2026-11-21T02:00:00+00:00\",\"channels\":[{\"id\":\"21\",\"type\":0}]}");
	struct message *m;

	(void)state;
	assert_int_equal(discord_event_joined(guild, &self, &m), DISCORD_EVENT_MESSAGE);
	assert_int_equal(m->kind, MESSAGE_JOINED);
	assert_string_equal(m->from.chat, "20");
	assert_string_equal(m->sender_id, "42");
	assert_string_equal(m->sender_name, "the owner");
	assert_non_null(strstr(m->reply_text, "Message Content Intent"));
	message_free(m);
	json_object_object_del(guild, "system_channel_id");
	assert_int_equal(discord_event_joined(guild, &self, &m), DISCORD_EVENT_MESSAGE);
	assert_string_equal(m->from.chat, "21");
	message_free(m);
	json_object_put(guild);
}

static void ids_are_whole_numbers_and_times(void **state)
{
	(void)state;
	assert_int_equal(discord_id_parse("12"), 12);
	assert_int_equal(discord_id_parse("12x"), 0);
	assert_int_equal(discord_id_parse("-1"), 0);
	assert_int_equal(discord_id_parse(""), 0);
	assert_int_equal(discord_id_parse("99999999999999999999"), 0);
	assert_int_equal(discord_id_time(discord_id_at(1795226401500)), 1795226401500);
	assert_int_equal(discord_time_parse("2026-11-21T03:00:01+01:00"), INT64_C(1795226401000));
	assert_int_equal(discord_time_parse("yesterday"), 0);
}

static void what_is_known_of_channels_is_bounded(void **state)
{
	char text[64];

	(void)state;
	for (unsigned i = 1000; i < 1000 + DISCORD_CHANNELS_MAX + 10; i++) {
		snprintf(text, sizeof(text), "{\"id\":\"%u\",\"type\":0,\"name\":\"c\"}", i);
		note_channel(text, 1);
	}
	assert_int_equal(cache.channel_count, DISCORD_CHANNELS_MAX);
	assert_null(discord_cache_channel(&cache, 1000));
	assert_non_null(discord_cache_channel(&cache, 1000 + DISCORD_CHANNELS_MAX + 9));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_command_gets_the_id_of_the_person_whom_it_mentions),
	    TEST(an_answer_says_whom_it_answers),
	    TEST(a_message_says_where_and_who),
	    TEST(a_thread_is_a_session_of_its_channel),
	    TEST(who_is_meant_is_told_by_names_roles_and_replies),
	    TEST(marks_are_read_as_names),
	    TEST(a_reply_tells_what_it_answers),
	    TEST(a_forward_says_that_it_is_one),
	    TEST(what_no_person_said_is_ignored),
	    TEST(files_come_with_their_message),
	    TEST(an_edit_is_one_only_when_somebody_edited),
	    TEST(commands_and_buttons_are_messages),
	    TEST(a_reaction_that_stops_is_a_press),
	    TEST(a_new_server_is_greeted_where_it_greets),
	    TEST(ids_are_whole_numbers_and_times),
	    TEST(what_is_known_of_channels_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
