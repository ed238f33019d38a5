#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "bus/reaction.h"
#include "channels/telegram/update.h"

static const struct channel_argument takes_person[] = {{.name = "id", .person = true}, {.name = NULL}};
static const struct channel_command menu[] = {
    {.name = "allow", .arguments = takes_person}, {.name = "remind"}, {.name = NULL}};
static const struct telegram_self self = {
    .id = 999,
    .username = "My_Bot",
    .account = "telegram:999",
    .channel = "tg",
    .stop_reaction = "👎",
    .menu = menu,
};

#define ANN                                                                                               \
	"\"from\":{\"id\":77,\"is_bot\":false,\"first_name\":\"Ann\",\"last_name\":\"Lee\",\"username\":" \
	"\"ann\"}"
#define PRIVATE               "\"chat\":{\"id\":77,\"type\":\"private\",\"first_name\":\"Ann\"}"
#define GROUP                 "\"chat\":{\"id\":-1001234567890,\"type\":\"supergroup\",\"title\":\"Team\"}"
#define ENTITY(type, at, len) "{\"type\":\"" type "\",\"offset\":" #at ",\"length\":" #len "}"
#define MENTION(at, len)      ENTITY("mention", at, len)
#define COMMAND(at, len)      ENTITY("bot_command", at, len)
#define MESSAGE(rest)         "{\"update_id\":11,\"message\":{\"message_id\":5,\"date\":1790000000," rest "}}"

static enum telegram_update parse(const char *text, struct message **out)
{
	struct json_object *update = json_parse(text, strlen(text), NULL);
	enum telegram_update kind;

	assert_non_null(update);
	kind = telegram_update_parse(update, &self, out);
	json_object_put(update);
	assert_int_equal(kind == TELEGRAM_UPDATE_MESSAGE, *out != NULL);
	return kind;
}

static struct message *message(const char *text)
{
	struct message *m;

	assert_int_equal(parse(text, &m), TELEGRAM_UPDATE_MESSAGE);
	assert_true(utf8_valid(m->text, strlen(m->text)));
	return m;
}

static void a_private_message_has_all_its_fields(void **state)
{
	struct message *m = message(MESSAGE(ANN "," PRIVATE ",\"text\":\"hello\""));

	(void)state;
	assert_string_equal(m->account, "telegram:999");
	assert_string_equal(m->event_id, "11");
	assert_int_equal(m->kind, MESSAGE_TEXT);
	assert_string_equal(m->from.channel, "tg");
	assert_string_equal(m->from.chat, "77");
	assert_string_equal(m->from.thread, "");
	assert_int_equal(m->chat_kind, CHAT_PRIVATE);
	assert_string_equal(m->sender_id, "77");
	assert_string_equal(m->sender_name, "Ann Lee");
	assert_false(m->sender_is_chat);
	assert_false(m->sender_is_bot);
	assert_string_equal(m->message_id, "5");
	assert_null(m->reply_to);
	assert_null(m->reply_text);
	assert_true(m->addressed);
	assert_string_equal(m->text, "hello");
	assert_true(m->sent_ms == INT64_C(1790000000000));
	message_free(m);
}

/* Entities as Telegram sends them: offsets in UTF-16 units. */
static void what_is_said_to_us_in_a_group_is_seen_and_stripped(void **state)
{
	static const struct {
		const char *said, *text;
		bool addressed;
	} table[] = {
	    {"\"text\":\"hello all\"", "hello all", false},
	    {"\"text\":\"@my_bot hi\",\"entities\":[" MENTION(0, 7) "]", "hi", true},
	    {"\"text\":\"@MY_BOT: hi\",\"entities\":[" MENTION(0, 7) "]", "hi", true},
	    {"\"text\":\"@my_bot\",\"entities\":[" MENTION(0, 7) "]", MESSAGE_MENTION_ONLY, true},
	    {"\"text\":\"@my_bot2 hi\",\"entities\":[" MENTION(0, 8) "]", "@my_bot2 hi", false},
	    {"\"text\":\"@my_bot hi\"", "@my_bot hi", false},
	    {"\"text\":\"\xf0\x9f\x98\x80 hey @my_bot there\",\"entities\":[" MENTION(7, 7) "]",
		"\xf0\x9f\x98\x80 hey @my_bot there", true},
	    {"\"text\":\"Bot, "
	     "hi\",\"entities\":[{\"type\":\"text_mention\",\"offset\":0,\"length\":3,\"user\":{\"id\":999,"
	     "\"is_bot\":true,\"first_name\":\"Bot\"}}]",
		"Bot, hi", true},
	    {"\"text\":\"Bob, "
	     "hi\",\"entities\":[{\"type\":\"text_mention\",\"offset\":0,\"length\":3,\"user\":{\"id\":998,"
	     "\"is_bot\":false,\"first_name\":\"Bob\"}}]",
		"Bob, hi", false},
	    {"\"text\":\"/new\",\"entities\":[" COMMAND(0, 4) "]", "/new", true},
	    {"\"text\":\"/new@My_Bot now\",\"entities\":[" COMMAND(0, 11) "]", "/new now", true},
	    {"\"text\":\"/new@other_bot now\",\"entities\":[" COMMAND(0, 14) "]", "/new@other_bot now",
		false},
	    {"\"text\":\"try /new\",\"entities\":[" COMMAND(4, 4) "]", "try /new", false},
	    {"\"text\":\"@my_bot /new@my_bot x\",\"entities\":[" MENTION(0, 7) "," COMMAND(8, 11) "]",
		"/new x", true},
	    {"\"photo\":[{}],\"caption\":\"@my_bot look\","
	     "\"caption_entities\":[" MENTION(0, 7) "]",
		"look\n[photo]", true},
	    {"\"text\":\"thanks\",\"reply_to_message\":{\"message_id\":4,\"date\":1,\"from\":{\"id\":999}"
	     "," GROUP ",\"text\":\"done\"}",
		"thanks", true},
	    {"\"text\":\"thanks\",\"reply_to_message\":{\"message_id\":4,\"date\":1,\"from\":{\"id\":78}"
	     "," GROUP ",\"text\":\"done\"}",
		"thanks", false},
	    {"\"text\":\"/stop@other_bot\",\"entities\":[" COMMAND(
		 0, 15) "],"
			"\"reply_to_message\":{\"message_id\":4,\"date\":1,\"from\":{\"id\":999}," GROUP
			",\"text\":\"done\"}",
		"/stop@other_bot", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," GROUP ",%s"), table[i].said);
		struct message *m = message(text);

		assert_string_equal(m->text, table[i].text);
		assert_int_equal(m->addressed, table[i].addressed);
		assert_int_equal(m->chat_kind, CHAT_GROUP);
		assert_string_equal(m->chat_title, "Team");
		message_free(m);
		free(text);
	}
}

static void hostile_entities_do_no_harm(void **state)
{
	static const char *const entities[] = {
	    "{\"type\":\"mention\",\"offset\":-1,\"length\":7}",
	    MENTION(0, 9223372036854775807),
	    MENTION(9223372036854775807, 1),
	    MENTION(1, 1),
	    COMMAND(0, 7) "," MENTION(0, 7),
	    MENTION(0, 7) "," COMMAND(0, 7),
	    "{\"type\":\"mention\"}",
	    "{}",
	    "5",
	    "null",
	    "[]",
	    "{\"type\":5,\"offset\":\"0\",\"length\":{}}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(entities); i++) {
		char *text = xasprintf(
		    MESSAGE(ANN "," GROUP ",\"text\":\"@my_bot \xf0\x9f\x98\x80\",\"entities\":[%s]"),
		    entities[i]);

		message_free(message(text));
		free(text);
	}
}

static void threads_are_kept_for_topics_only(void **state)
{
	static const struct {
		const char *fields, *thread;
	} table[] = {
	    {"\"message_thread_id\":42,\"is_topic_message\":true", "42"},
	    {"\"message_thread_id\":42", ""},
	    {"\"message_thread_id\":42,\"is_topic_message\":false", ""},
	    {"\"message_thread_id\":1,\"is_topic_message\":true", ""},
	    {"\"message_thread_id\":-3,\"is_topic_message\":true", ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," GROUP ",\"text\":\"x\",%s"), table[i].fields);
		struct message *m = message(text);

		assert_string_equal(m->from.chat, "-1001234567890");
		assert_string_equal(m->from.thread, table[i].thread);
		message_free(m);
		free(text);
	}
}

static void the_first_message_of_a_topic_is_not_a_message_answered(void **state)
{
	struct message *m = message(
	    MESSAGE(ANN "," GROUP ",\"text\":\"x\",\"message_thread_id\":42,\"is_topic_message\":true,"
			"\"reply_to_message\":{\"message_id\":42,\"date\":1,\"from\":{\"id\":999}," GROUP
			",\"forum_topic_created\":{\"name\":\"t\"}}"));

	(void)state;
	assert_false(m->addressed);
	assert_null(m->reply_to);
	message_free(m);
	m = message(MESSAGE(
	    ANN "," GROUP ",\"text\":\"x\",\"message_thread_id\":42,\"is_topic_message\":true,\"reply_to_"
		"message\":{\"message_id\":42,\"date\":1,\"from\":{\"id\":999}," GROUP "}"));
	assert_false(m->addressed);
	assert_null(m->reply_to);
	message_free(m);
}

#define BEA_NAMED(at, len)                                               \
	"{\"type\":\"text_mention\",\"offset\":" #at ",\"length\":" #len \
	",\"user\":{\"id\":78,\"is_bot\":false,\"first_name\":\"Bea\"}}"

/* Whom a command is about; other texts keep the name. */
static void a_command_gets_the_id_of_the_person_whom_it_mentions(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
	    {"\"text\":\"/allow Bea Lu guest\",\"entities\":[" COMMAND(0, 6) "," BEA_NAMED(7, 6) "]",
		"/allow <@78|Bea Lu> guest"},
	    {"\"text\":\"/allow@my_bot Bea Lu\",\"entities\":[" COMMAND(0, 13) "," BEA_NAMED(14, 6) "]",
		"/allow <@78|Bea Lu>"},
	    {"\"text\":\"@my_bot /Allow B>a\",\"entities\":[" MENTION(0, 7) "," BEA_NAMED(15, 3) "]",
		"/Allow <@78|B a>"},
	    {"\"text\":\"/remind Bea Lu\",\"entities\":[" COMMAND(0, 7) "," BEA_NAMED(8, 6) "]",
		"/remind Bea Lu"},
	    {"\"text\":\"/allow @bea\",\"entities\":[" COMMAND(0, 6) "," MENTION(7, 4) "]", "/allow @bea"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = xasprintf(MESSAGE("%s," GROUP ",%s"), ANN, rows[i].text);
		struct message *m = message(text);

		assert_string_equal(m->text, rows[i].want);
		message_free(m);
		free(text);
	}
}

static void an_answer_says_whom_it_answers(void **state)
{
	static const struct {
		const char *answered, *id, *name;
	} rows[] = {
	    {"\"reply_to_message\":{\"message_id\":4,\"date\":1,\"text\":\"hi\",\"from\":{\"id\":78,\"first_"
	     "name\":\"Bea\"}}",
		"78", "Bea"},
	    {"\"reply_to_message\":{\"message_id\":4,\"date\":1,\"text\":\"hi\",\"from\":{\"id\":999,\"is_"
	     "bot\":true}}",
		NULL, NULL},
	    {"\"reply_to_message\":{\"message_id\":4,\"date\":1,\"text\":\"hi\",\"from\":{\"id\":136,\"first_"
	     "name\":\"Channel\"},\"sender_chat\":{\"id\":-100,\"type\":\"channel\"}}",
		NULL, NULL},
	    /* A message of another, which she forwarded here herself, or that another forwarded. */
	    {"\"reply_to_message\":{\"message_id\":4,\"date\":1,\"text\":\"hi\",\"from\":{\"id\":77},"
	     "\"forward_origin\":{\"type\":\"user\",\"sender_user\":{\"id\":79,\"first_name\":\"Cy\"}}}",
		"79", "Cy"},
	    {"\"reply_to_message\":{\"message_id\":4,\"date\":1,\"text\":\"hi\",\"from\":{\"id\":78,\"first_"
	     "name\":\"Bea\"},"
	     "\"forward_origin\":{\"type\":\"user\",\"sender_user\":{\"id\":79,\"first_name\":\"Cy\"}}}",
		"78", "Bea"},
	    {"\"external_reply\":{\"message_id\":7,\"origin\":{\"type\":\"user\",\"sender_user\":{\"id\":79,"
	     "\"first_name\":\"Cy\"}}}",
		"79", "Cy"},
	    {"\"external_reply\":{\"message_id\":7,\"origin\":{\"type\":\"hidden_user\",\"sender_user_name\":"
	     "\"Z\"}}",
		NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text =
		    xasprintf(MESSAGE("%s," PRIVATE ",\"text\":\"/allow\",%s"), ANN, rows[i].answered);
		struct message *m = message(text);

		if (rows[i].id)
			assert_string_equal(m->reply_sender_id, rows[i].id);
		else
			assert_null(m->reply_sender_id);
		if (rows[i].name)
			assert_string_equal(m->reply_sender_name, rows[i].name);
		message_free(m);
		free(text);
	}
}

static void an_answer_names_and_quotes_what_it_answers(void **state)
{
	struct message *m = message(
	    MESSAGE(ANN "," PRIVATE ",\"text\":\"why?\",\"reply_to_message\":{\"message_id\":4,\"date\":1,"
			"\"from\":{\"id\":999}," PRIVATE ",\"caption\":\"the plan\","
			"\"document\":{\"file_name\":\"p.pdf\"}}"));

	(void)state;
	assert_string_equal(m->reply_to, "4");
	assert_string_equal(m->reply_text, "the plan\n[document p.pdf]");
	message_free(m);
	m = message(MESSAGE(
	    ANN "," PRIVATE ",\"text\":\"why?\",\"quote\":{\"text\":\"plan\",\"position\":4},\"reply_to_"
		"message\":{\"message_id\":4,\"date\":1," PRIVATE ",\"text\":\"the plan\"}"));
	assert_string_equal(m->reply_text, "plan");
	message_free(m);
	/* A message of another chat has no id here. */
	m = message(
	    MESSAGE(ANN "," PRIVATE ",\"text\":\"why?\",\"external_reply\":{\"message_id\":7,\"photo\":[{}],"
			"\"origin\":{\"type\":\"hidden_user\",\"sender_user_name\":\"Z\"}}"));
	assert_null(m->reply_to);
	assert_string_equal(m->reply_text, "[photo]");
	message_free(m);
}

static void who_writes_as_a_chat_is_never_a_person(void **state)
{
	static const char *const fields[] = {
	    /* an anonymous admin, a channel, the linked channel's post; the last has no `from` at all */
	    "\"from\":{\"id\":1087968824,\"is_bot\":true,\"first_name\":\"Group\"},\"sender_chat\":{\"id\":-"
	    "1001234567890,\"type\":\"supergroup\",\"title\":\"Team\"}",
	    "\"from\":{\"id\":136817688,\"is_bot\":true,\"first_name\":\"Channel\"},\"sender_chat\":{\"id\":-"
	    "1001234567890,\"type\":\"channel\",\"title\":\"Team\"}",
	    "\"from\":{\"id\":777000,\"is_bot\":false,\"first_name\":\"Telegram\"},\"is_automatic_forward\":"
	    "true,\"sender_chat\":{\"id\":-1001234567890,\"type\":\"channel\",\"title\":\"Team\"}",
	    "\"x\":1",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		char *text = xasprintf(MESSAGE("%s," GROUP ",\"text\":\"x\""), fields[i]);
		struct message *m = message(text);

		assert_true(m->sender_is_chat);
		assert_false(m->sender_is_bot);
		assert_string_equal(m->sender_id, "-1001234567890");
		assert_string_equal(m->sender_name, "Team");
		message_free(m);
		free(text);
	}
}

static void another_bot_is_marked_and_we_are_ignored(void **state)
{
	struct message *m = message(
	    MESSAGE("\"from\":{\"id\":5,\"is_bot\":true,\"first_name\":\"B\"}," GROUP ",\"text\":\"x\""));

	(void)state;
	assert_true(m->sender_is_bot);
	message_free(m);
	assert_int_equal(parse(MESSAGE("\"from\":{\"id\":999,\"is_bot\":true,\"first_name\":\"Me\"}," GROUP
				       ",\"text\":\"x\""),
			     &m),
	    TELEGRAM_UPDATE_IGNORED);
}

static void an_edit_is_an_edit_of_its_message(void **state)
{
	struct message *m =
	    message("{\"update_id\":12,\"edited_message\":{\"message_id\":5,\"date\":1790000000,\"edit_"
		    "date\":1790000060," ANN "," PRIVATE ",\"text\":\"hello!\"}}");

	(void)state;
	assert_int_equal(m->kind, MESSAGE_EDIT);
	assert_string_equal(m->message_id, "5");
	assert_string_equal(m->event_id, "12");
	assert_true(m->sent_ms == INT64_C(1790000060000));
	message_free(m);
}

static void a_button_press_carries_its_data(void **state)
{
	static const char press[] = "{\"update_id\":13,\"callback_query\":{\"id\":\"4382\"," ANN
				    ",\"message\":{\"message_id\":9,\"date\":0," GROUP
				    "},\"chat_instance\":\"1\",\"data\":\"ap:9f3a:1\"}}";
	struct message *m = message(press);

	(void)state;
	assert_int_equal(m->kind, MESSAGE_PRESS);
	assert_string_equal(m->text, "ap:9f3a:1");
	assert_string_equal(m->message_id, "9");
	assert_string_equal(m->sender_id, "77");
	assert_string_equal(m->from.chat, "-1001234567890");
	assert_true(m->addressed);
	assert_string_equal(m->press_id, "4382");
	message_free(m);
}

static void the_emoji_that_stops_is_a_press_and_no_other_is(void **state)
{
#define REACTION(rest) \
	"{\"update_id\":14,\"message_reaction\":{\"message_id\":9,\"date\":1790000000," GROUP "," rest "}}"
#define USER     "\"user\":{\"id\":77,\"is_bot\":false,\"first_name\":\"Ann\"},"
#define EMOJI(e) "{\"type\":\"emoji\",\"emoji\":\"" e "\"}"
	static const char *const ignored[] = {
	    REACTION(USER "\"old_reaction\":[],\"new_reaction\":[" EMOJI("👍") "]"),
	    REACTION(USER "\"old_reaction\":[" EMOJI("👎") "],\"new_reaction\":[]"),
	    REACTION(
		USER "\"old_reaction\":[" EMOJI("👎") "],\"new_reaction\":[" EMOJI("👎") "," EMOJI("🔥") "]"),
	    REACTION(USER "\"old_reaction\":[],\"new_reaction\":[{\"type\":\"custom_emoji\",\"custom_emoji_"
			  "id\":\"5\"}]"),
	    REACTION("\"actor_chat\":{\"id\":-1001234567890,\"type\":\"supergroup\"},\"old_reaction\":[],"
		     "\"new_reaction\":[" EMOJI("👎") "]"),
	};
	struct message *m =
	    message(REACTION(USER "\"old_reaction\":[" EMOJI("👍") "],\"new_reaction\":[" EMOJI("👎") "]"));

	(void)state;
	assert_int_equal(m->kind, MESSAGE_PRESS);
	assert_string_equal(m->text, REACTION_STOP);
	assert_string_equal(m->message_id, "9");
	assert_string_equal(m->sender_id, "77");
	assert_string_equal(m->from.chat, "-1001234567890");
	assert_true(m->addressed && !m->press_id);
	message_free(m);
	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		if (parse(ignored[i], &m) != TELEGRAM_UPDATE_IGNORED)
			fail_msg("row %zu", i);
}

static void what_can_be_fetched_is_an_attachment(void **state)
{
	static const struct {
		const char *fields, *text;
		enum attachment_kind kind;
		const char *ref, *name, *mime;
		int64_t size, seconds;
	} table[] = {
	    {"\"photo\":[{\"file_id\":\"s\",\"width\":90,\"height\":60},{\"file_id\":\"l\",\"width\":1280,"
	     "\"height\":853,\"file_size\":7},{\"file_id\":\"m\",\"width\":320,\"height\":213}],\"caption\":"
	     "\"see\"",
		"see", ATTACHMENT_IMAGE, "l", NULL, "image/jpeg", 7, -1},
	    {"\"document\":{\"file_id\":\"d\",\"file_name\":\"../r.pdf\",\"mime_type\":\"application/pdf\"}",
		"", ATTACHMENT_FILE, "d", "../r.pdf", "application/pdf", -1, -1},
	    {"\"document\":{\"file_id\":\"d\",\"file_name\":\"r.png\",\"mime_type\":\"image/png\"}", "",
		ATTACHMENT_IMAGE, "d", "r.png", "image/png", -1, -1},
	    {"\"voice\":{\"file_id\":\"v\",\"duration\":5}", "", ATTACHMENT_VOICE, "v", NULL, "audio/ogg", -1,
		5},
	    {"\"audio\":{\"file_id\":\"a\",\"performer\":\"P\",\"title\":\"T\",\"mime_type\":\"audio/mpeg\"}",
		"", ATTACHMENT_AUDIO, "a", "P - T", "audio/mpeg", -1, -1},
	    {"\"animation\":{\"file_id\":\"g\",\"mime_type\":\"video/"
	     "mp4\"},\"document\":{\"file_id\":\"other\"}",
		"", ATTACHMENT_VIDEO, "g", NULL, "video/mp4", -1, -1},
	    {"\"video_note\":{\"file_id\":\"n\",\"duration\":3}", "", ATTACHMENT_VIDEO, "n", NULL,
		"video/mp4", -1, 3},
	    {"\"sticker\":{\"file_id\":\"k\",\"emoji\":\"\xf0\x9f\x98\x80\"}", "[sticker \xf0\x9f\x98\x80]",
		ATTACHMENT_IMAGE, "k", NULL, "image/webp", -1, -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," PRIVATE ",%s"), table[i].fields);
		struct message *m = message(text);

		assert_string_equal(m->text, table[i].text);
		assert_int_equal(m->attachment_count, 1);
		assert_int_equal(m->attachments[0].kind, table[i].kind);
		assert_string_equal(m->attachments[0].ref, table[i].ref);
		assert_string_equal(
		    m->attachments[0].name ? m->attachments[0].name : "", table[i].name ? table[i].name : "");
		assert_string_equal(m->attachments[0].mime, table[i].mime);
		assert_int_equal(m->attachments[0].size, table[i].size);
		assert_int_equal(m->attachments[0].seconds, table[i].seconds);
		message_free(m);
		free(text);
	}
}

#define RICH(blocks) "\"rich_message\":{\"blocks\":[" blocks "]}"
#define P(text)      "{\"type\":\"paragraph\",\"text\":" text "}"

static void a_rich_message_is_read_as_markdown(void **state)
{
	static const struct {
		const char *blocks, *text;
	} table[] = {
	    {P("\"hello\""), "hello"},
	    {P("\"one\"") "," P("\"two\\nlines\""), "one\n\ntwo\nlines"},
	    {P("[\"/cre\",{\"type\":\"bold\",\"text\":\"ate\"},\" it\"]"), "/create it"},
	    {P("[\"a \",{\"type\":\"strikethrough\",\"text\":[\"b\",\"c\"]},\" x\",{\"type\":\"superscript\","
	       "\"text\":\"2\"}]"),
		"a ~~bc~~ x^2"},
	    {P("{\"type\":\"url\",\"text\":\"here\",\"url\":\"https://a.example\"}"),
		"here (https://a.example)"},
	    {P("{\"type\":\"url\",\"text\":\"https://a.example\",\"url\":\"https://a.example\"}"),
		"https://a.example"},
	    {P("[{\"type\":\"custom_emoji\",\"custom_emoji_id\":\"5\",\"alternative_text\":\"\xf0\x9f\x98\x80"
	       "\"},{\"type\":\"mathematical_expression\",\"expression\":\"x^2\"}]"),
		"\xf0\x9f\x98\x80$x^2$"},
	    {"{\"type\":\"heading\",\"text\":\"T\",\"size\":2}," P("\"x\""), "## T\n\nx"},
	    {"{\"type\":\"heading\",\"text\":\"T\",\"size\":99}", "# T"},
	    {"{\"type\":\"pre\",\"text\":\"a\\n\\nb\",\"language\":\"c\"}", "```c\na\n\nb\n```"},
	    {"{\"type\":\"pre\",\"text\":\"```\"}", "````\n```\n````"},
	    {"{\"type\":\"list\",\"items\":[{\"label\":\"1.\",\"blocks\":[" P("\"a\"") "," P(
		 "\"b\"") "]},{\"label\":\"\xe2\x80\xa2\",\"has_checkbox\":true,\"is_checked\":true,"
			  "\"blocks\":"
			  "[{\"type\":\"list\",\"items\":[{\"label\":\"\",\"blocks\":[" P(
			      "\"in\"") "]}]}]}]}",
		"1. a\n  b\n- [x] \n  - in"},
	    {"{\"type\":\"blockquote\",\"blocks\":[" P("\"a\\nb\"") "," P("\"c\"") "],\"credit\":\"me\"}",
		"> a\n> b\n>\n> c\n> \xe2\x80\x94 me"},
	    {"{\"type\":\"pullquote\",\"text\":\"q\"},{\"type\":\"divider\"},{\"type\":\"footer\",\"text\":"
	     "\"f\"}",
		"> q\n\n---\n\nf"},
	    {"{\"type\":\"table\",\"cells\":[[{\"text\":\"A\",\"is_header\":true},{}],[{\"text\":\"1|2\"},{"
	     "\"text\":\"3\\n4\"}]],\"caption\":\"C\"}",
		"| A |  |\n|---|---|\n| 1\\|2 | 3 4 |\nC"},
	    {"{\"type\":\"details\",\"summary\":\"S\",\"blocks\":[" P("\"inside\"") "]}", "S\ninside"},
	    {"{\"type\":\"mathematical_expression\",\"expression\":\"e=1\"}", "$$e=1$$"},
	    {"{\"type\":\"map\",\"location\":{\"latitude\":1,\"longitude\":2},\"caption\":{\"text\":"
	     "\"there\","
	     "\"credit\":\"C\"}}",
		"[location 1.00000, 2.00000]\nthere\n\xe2\x80\x94 C"},
	    {"{\"type\":\"slideshow\",\"blocks\":[{\"type\":\"photo\",\"photo\":[{}],\"caption\":{\"text\":"
	     "\"one\"}}],\"caption\":{\"text\":\"all\"}}",
		"[photo]\none\nall"},
	    {"{\"type\":\"buttons\",\"buttons\":[{\"text\":\"Go\",\"url\":\"https://g.example\"},{\"text\":"
	     "\"No\",\"callback_data\":\"x\"}]}",
		"[Go (https://g.example)] [No]"},
	    {"{\"type\":\"expandable_blockquote\",\"text\":\"long\"}", "> long"},
	    {"{\"type\":\"quiz\",\"align\":\"left\",\"question\":\"Why?\",\"parts\":[{\"type\":\"heading\","
	     "\"text\":\"H\"},[\"x\"]],\"owner_id\":\"7\"}",
		"Why?\n# H\nx"},
	    {"{\"type\":\"thinking\",\"text\":\"hm\"},5,null,{}", "hm"},
	    {"", "[rich message]"},
	    {"{\"type\":\"anchor\",\"name\":\"top\"}", "[rich message]"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," PRIVATE "," RICH("%s")), table[i].blocks);
		struct message *m = message(text);

		assert_string_equal(m->text, table[i].text);
		assert_int_equal(m->attachment_count, 0);
		message_free(m);
		free(text);
	}
}

static void a_rich_message_can_be_said_to_us(void **state)
{
#define SAID(type, text) "{\"type\":\"" type "\",\"text\":\"" text "\",\"username\":\"x\"}"
	static const struct {
		const char *blocks, *text;
		bool addressed, to_another;
	} table[] = {
	    {P("[" SAID("mention", "@my_bot") ",\" hi\"]"), "hi", true, false},
	    {P("{\"type\":\"bold\",\"text\":" SAID("mention", "@My_Bot") "}") "," P("\"hi\""), "hi", true,
		false},
	    {"{\"type\":\"blockquote\",\"blocks\":[" P("[\"ask \"," SAID("mention", "@my_bot") "]") "]}",
		"> ask @my_bot", true, false},
	    {P("[" SAID("mention", "@other") ",\" hi\"]"), "@other hi", false, false},
	    {P("\"@my_bot hi\""), "@my_bot hi", false, false},
	    {P("{\"type\":\"text_mention\",\"text\":\"Bot\",\"user\":{\"id\":999}}"), "Bot", true, false},
	    {P("{\"type\":\"text_mention\",\"text\":\"Bob\",\"user\":{\"id\":998}}"), "Bob", false, false},
	    {P(SAID("bot_command", "/stop")), "/stop", true, false},
	    {"{\"type\":\"heading\",\"size\":1,\"text\":" SAID("bot_command", "/stop") "}", "/stop", true,
		false},
	    {P("[" SAID("bot_command", "/stop@my_bot") ",\" now\"]"), "/stop now", true, false},
	    {P("[" SAID("bot_command", "/stop@other_bot") "]"), "/stop@other_bot", false, true},
	    {P("[\"try \"," SAID("bot_command", "/stop") "]"), "try /stop", false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," GROUP "," RICH("%s")), table[i].blocks);
		struct message *m = message(text);

		assert_string_equal(m->text, table[i].text);
		assert_int_equal(m->addressed, table[i].addressed);
		assert_int_equal(m->to_another, table[i].to_another);
		message_free(m);
		free(text);
	}
}

static void a_rich_message_is_read_wherever_it_stands(void **state)
{
	struct message *m =
	    message("{\"update_id\":12,\"edited_message\":{\"message_id\":5,\"date\":1790000000,"
		    "\"edit_date\":1790000060," ANN "," PRIVATE "," RICH(P("\"new\"")) "}}");

	(void)state;
	assert_int_equal(m->kind, MESSAGE_EDIT);
	assert_string_equal(m->text, "new");
	message_free(m);
	m = message(
	    MESSAGE(ANN "," PRIVATE ",\"text\":\"why?\",\"reply_to_message\":{\"message_id\":4,\"date\":1,"
			"\"from\":{\"id\":999}," PRIVATE
			"," RICH("{\"type\":\"heading\",\"text\":\"Plan\"},"
				 "{\"type\":\"photo\",\"photo\":[{\"file_id\":\"p\"}]}") "}"));
	assert_string_equal(m->reply_text, "# Plan\n\n[photo]");
	assert_int_equal(m->attachment_count, 0);
	message_free(m);
	m = message(
	    MESSAGE(ANN "," PRIVATE ",\"forward_origin\":{\"type\":\"hidden_user\",\"sender_user_name\":"
			"\"Z\"}," RICH(P("\"x\\ny\""))));
	assert_non_null(strstr(m->text, "> x\n> y"));
	message_free(m);
}

static void the_files_of_a_rich_message_are_attachments(void **state)
{
	struct message *m = message(MESSAGE(ANN "," PRIVATE "," RICH(P(
	    "\"see\"") ",{\"type\":\"collage\",\"blocks\":[{\"type\":\"photo\",\"photo\":[{\"file_id\":\"s\","
		       "\"width\":1,\"height\":1},{\"file_id\":\"l\",\"width\":9,\"height\":9}]},{\"type\":"
		       "\"voice_note\","
		       "\"voice_note\":{\"file_id\":\"v\",\"duration\":5}}]}")));

	(void)state;
	assert_string_equal(m->text, "see\n\n[photo]\n\n[voice message, 5 s]");
	assert_int_equal(m->attachment_count, 2);
	assert_string_equal(m->attachments[0].ref, "l");
	assert_int_equal(m->attachments[1].kind, ATTACHMENT_VOICE);
	assert_string_equal(m->attachments[1].ref, "v");
	message_free(m);
}

/* Rich messages at random: every word has a number, and is looked for afterwards. */
struct maker {
	struct buf json;
	unsigned words, seed;
};

static unsigned draw(struct maker *k, unsigned below)
{
	k->seed = k->seed * 1103515245 + 12345;
	return (k->seed >> 16) % below;
}

static void make_text(struct maker *k, int depth)
{
	static const char *const types[] = {"bold", "code", "url", "mention", "date_time", "reference",
	    "glow", "superscript", "text_mention", "spoiler"};

	switch (depth > 0 ? draw(k, 3) : 0) {
	case 0:
		buf_addf(&k->json, "\"w%u.\"", k->words++);
		break;
	case 1:
		buf_addch(&k->json, '[');
		for (unsigned i = draw(k, 3);; i--) {
			make_text(k, depth - 1);
			if (i == 0)
				break;
			buf_addch(&k->json, ',');
		}
		buf_addch(&k->json, ']');
		break;
	default:
		buf_addf(
		    &k->json, "{\"type\":\"%s\",\"url\":\"u\",\"text\":", types[draw(k, ARRAY_LEN(types))]);
		make_text(k, depth - 1);
		buf_addch(&k->json, '}');
	}
}

static void make_blocks(struct maker *k, int depth);

/* The members are written as a name, and what stands there: a text, blocks, items, cells, a caption. */
static void make_member(struct maker *k, const char *name, char what, int depth)
{
	buf_addf(&k->json, ",\"%s\":", name);
	if (what == 't') {
		make_text(k, depth);
	} else if (what == 'b') {
		make_blocks(k, depth);
	} else if (what == 'i') {
		buf_addstr(&k->json, "[{\"label\":\"2.\",\"blocks\":");
		make_blocks(k, depth);
		buf_addstr(&k->json, "}]");
	} else if (what == 'c') {
		buf_addstr(&k->json, "[[{\"text\":");
		make_text(k, depth);
		buf_addstr(&k->json, "}],[{\"text\":");
		make_text(k, depth);
		buf_addstr(&k->json, "},{}]]");
	} else {
		buf_addstr(&k->json, "{\"text\":");
		make_text(k, depth);
		buf_addstr(&k->json, ",\"credit\":");
		make_text(k, depth);
		buf_addch(&k->json, '}');
	}
}

static void make_blocks(struct maker *k, int depth)
{
	static const struct {
		const char *type;
		struct {
			const char *name;
			char what;
		} members[3];
	} kinds[] = {
	    {"paragraph", {{"text", 't'}}},
	    {"heading", {{"text", 't'}}},
	    {"pre", {{"text", 't'}}},
	    {"footer", {{"text", 't'}}},
	    {"thinking", {{"text", 't'}}},
	    {"pullquote", {{"text", 't'}, {"credit", 't'}}},
	    {"photo", {{"caption", 'C'}}},
	    {"map", {{"caption", 'C'}}},
	    {"table", {{"cells", 'c'}, {"caption", 't'}}},
	    {"blockquote", {{"blocks", 'b'}, {"credit", 't'}}},
	    {"details", {{"summary", 't'}, {"blocks", 'b'}}},
	    {"collage", {{"blocks", 'b'}, {"caption", 'C'}}},
	    {"list", {{"items", 'i'}}},
	    {"unheard_of", {{"text", 't'}, {"inner", 'b'}, {"cells", 'c'}}},
	};

	buf_addch(&k->json, '[');
	for (unsigned n = draw(k, 3);; n--) {
		unsigned i = draw(k, depth > 0 ? ARRAY_LEN(kinds) : 5);

		buf_addf(&k->json, "{\"type\":\"%s\"", kinds[i].type);
		for (size_t j = 0; j < ARRAY_LEN(kinds[i].members) && kinds[i].members[j].name; j++)
			make_member(k, kinds[i].members[j].name, kinds[i].members[j].what, depth - 1);
		buf_addch(&k->json, '}');
		if (n == 0)
			break;
		buf_addch(&k->json, ',');
	}
	buf_addch(&k->json, ']');
}

static void no_word_of_a_rich_message_is_lost(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 300; seed++) {
		struct maker k = {.json = BUF_INIT, .seed = seed};
		struct message *m;
		char *text;

		make_blocks(&k, (int)draw(&k, 6));
		text = xasprintf(MESSAGE(ANN "," PRIVATE ",\"rich_message\":{\"blocks\":%s}"), k.json.data);
		m = message(text);
		for (unsigned i = 0; i < k.words; i++) {
			char word[16];

			snprintf(word, sizeof(word), "w%u.", i);
			if (!strstr(m->text, word))
				fail_msg("seed %u: %s is lost of %s: %s", seed, word, text, m->text);
		}
		message_free(m);
		free(text);
		buf_clear(&k.json);
	}
}

/* The deepest that Telegram allows: 16 lists in each other. A deeper answer of getUpdates would be lost
 * whole. */
static void the_deepest_rich_message_is_read(void **state)
{
	struct buf json = BUF_INIT;
	struct message *m;
	char *text;

	(void)state;
	for (int i = 0; i < 16; i++)
		buf_addstr(&json, "{\"type\":\"list\",\"items\":[{\"label\":\"1.\",\"blocks\":[");
	buf_addstr(&json, P("[{\"type\":\"bold\",\"text\":[{\"type\":\"italic\",\"text\":[\"deep\"]}]}]"));
	for (int i = 0; i < 16; i++)
		buf_addstr(&json, "]}]}");
	text = xasprintf(MESSAGE(ANN "," PRIVATE "," RICH("%s")), json.data);
	m = message(text);
	assert_non_null(strstr(m->text, "1. deep"));
	message_free(m);
	free(text);
	buf_clear(&json);
}

static void media_is_never_silently_lost(void **state)
{
	static const struct {
		const char *fields, *text;
	} table[] = {
	    {"\"photo\":[{\"width\":1}]", "[photo]"},
	    {"\"voice\":{\"duration\":5}", "[voice message, 5 s]"},
	    {"\"document\":{\"file_name\":\"report.pdf\",\"file_size\":12345}",
		"[document report.pdf, 12 kB]"},
	    {"\"document\":{\"file_name\":\"a].pdf\\n[x\",\"file_size\":999}", "[document a).pdf (x, 999 B]"},
	    {"\"document\":{\"file_size\":5000000000}", "[document, 5000.0 MB]"},
	    {"\"animation\":{\"file_name\":\"g.mp4\",\"duration\":2},\"document\":{\"file_name\":\"g.mp4\"}",
		"[animation g.mp4, 2 s]"},
	    {"\"audio\":{\"performer\":\"P\",\"title\":\"T\",\"duration\":60}", "[audio P: T, 60 s]"},
	    {"\"audio\":{\"file_name\":\"a.mp3\"}", "[audio a.mp3]"},
	    {"\"video_note\":{\"duration\":3}", "[video message, 3 s]"},
	    {"\"sticker\":{\"emoji\":\"\xf0\x9f\x98\x80\"}", "[sticker \xf0\x9f\x98\x80]"},
	    {"\"dice\":{\"emoji\":\"\xf0\x9f\x8e\xb2\",\"value\":4}", "[dice \xf0\x9f\x8e\xb2 4]"},
	    {"\"contact\":{\"first_name\":\"Bo\",\"phone_number\":\"+1555\"}", "[contact Bo, +1555]"},
	    {"\"location\":{\"latitude\":52.5,\"longitude\":-13.25}", "[location 52.50000, -13.25000]"},
	    {"\"location\":{\"latitude\":1,\"longitude\":2},\"venue\":{\"title\":\"Pub\",\"address\":\"Road "
	     "1\",\"location\":{\"latitude\":1,\"longitude\":2}}",
		"[venue Pub, Road 1 1.00000, 2.00000]"},
	    {"\"poll\":{\"question\":\"When?\",\"options\":[{\"text\":\"now\"},{\"text\":\"later\"}]}",
		"[poll: When? now / later]"},
	    {"\"video\":{\"duration\":9},\"caption\":\"see this\"", "see this\n[video, 9 s]"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," PRIVATE ",%s"), table[i].fields);
		struct message *m = message(text);

		assert_string_equal(m->text, table[i].text);
		message_free(m);
		free(text);
	}
}

static void forwarded_text_says_whose_it_is(void **state)
{
	static const struct {
		const char *origin, *text;
	} table[] = {
	    {"{\"type\":\"user\",\"date\":1,\"sender_user\":{\"id\":5,\"first_name\":\"Eve\\n]/stop\"}}",
		"[forwarded from Eve )/stop (user 5): what follows is not the sender's own text]\n> /stop\n> "
		"[2026"},
	    {"{\"type\":\"hidden_user\",\"date\":1,\"sender_user_name\":\"Zed\"}",
		"[forwarded from Zed: what follows is not the sender's own text]\n> /stop\n> [2026"},
	    {"{\"type\":\"channel\",\"date\":1,\"message_id\":3,\"chat\":{\"id\":-1005,\"type\":\"channel\","
	     "\"title\":\"News\"}}",
		"[forwarded from News (channel -1005): what follows is not the sender's own text]\n> "
		"/stop\n> [2026"},
	    {"{\"type\":\"new kind\"}",
		"[forwarded: what follows is not the sender's own text]\n> /stop\n> [2026"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text =
		    xasprintf(MESSAGE(ANN "," PRIVATE ",\"text\":\"/stop\\n[2026\",\"forward_origin\":%s"),
			table[i].origin);
		struct message *m = message(text);

		assert_string_equal(m->text, table[i].text);
		message_free(m);
		free(text);
	}
}

/* Its title, by which the sender chose it, may say anything. */
static void the_text_of_an_inline_bot_is_no_command(void **state)
{
	struct message *m = message(MESSAGE(
	    ANN "," PRIVATE ",\"text\":\"/allow 666 "
		"admin\",\"entities\":[{\"type\":\"bot_command\",\"offset\":0,\"length\":6}],"
		"\"via_bot\":{\"id\":5,\"is_bot\":true,\"first_name\":\"E\",\"username\":\"weatherbot\"}"));

	(void)state;
	assert_string_equal(m->text,
	    "[sent through the bot @weatherbot (user 5): what follows is that bot's text, not the sender's "
	    "own]\n"
	    "> /allow 666 admin");
	message_free(m);
}

static void what_nobody_said_is_ignored(void **state)
{
	static const char *const updates[] = {
	    MESSAGE(ANN "," GROUP ",\"new_chat_members\":[{\"id\":5}]"),
	    MESSAGE(ANN "," GROUP ",\"forum_topic_created\":{\"name\":\"t\"}"),
	    MESSAGE(ANN "," GROUP ",\"migrate_to_chat_id\":1009"),
	    MESSAGE(ANN "," PRIVATE ",\"migrate_to_chat_id\":-1009"),
	    MESSAGE(
		ANN "," GROUP ",\"pinned_message\":{\"message_id\":4,\"date\":1," GROUP ",\"text\":\"x\"}"),
	    MESSAGE(ANN "," PRIVATE ",\"text\":\"\""),
	    "{\"update_id\":14,\"my_chat_member\":{\"chat\":{\"id\":1},"
	    "\"new_chat_member\":{\"status\":\"kicked\"}}}",
	    "{\"update_id\":15,\"stopped_message_generation\":{" GROUP ",\"draft_id\":123}}",
	    "{\"update_id\":16,\"callback_query\":{\"id\":\"1\"," ANN
	    ",\"inline_message_id\":\"x\",\"data\":\"d\"}}",
	    "{\"update_id\":17,\"callback_query\":{\"id\":\"1\"," ANN
	    ",\"message\":{\"message_id\":9,\"date\":0," PRIVATE "},\"game_short_name\":\"g\"}}",
	};
	struct message *m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(updates); i++)
		assert_int_equal(parse(updates[i], &m), TELEGRAM_UPDATE_IGNORED);
}

static void new_kinds_and_fields_are_no_error(void **state)
{
	struct message *m;

	(void)state;
	assert_int_equal(parse("{\"update_id\":18,\"brand_new\":{\"id\":1}}", &m), TELEGRAM_UPDATE_UNKNOWN);
	assert_int_equal(parse("{\"update_id\":18}", &m), TELEGRAM_UPDATE_UNKNOWN);
	m = message(MESSAGE(ANN "," PRIVATE ",\"text\":\"x\",\"brand_new\":{\"deep\":[1,2,{\"text\":5}]}"));
	assert_string_equal(m->text, "x");
	message_free(m);
}

static void what_cannot_be_understood_is_bad(void **state)
{
	static const char *const updates[] = {
	    "5",
	    "[]",
	    "\"x\"",
	    "{}",
	    "{\"message\":{}}",
	    "{\"update_id\":0,\"message\":{}}",
	    "{\"update_id\":-4}",
	    "{\"update_id\":\"11\"}",
	    "{\"update_id\":9223372036854775807}",
	    "{\"update_id\":11,\"message\":5}",
	    "{\"update_id\":11,\"message\":{}}",
	    "{\"update_id\":11,\"message\":{\"message_id\":5}}",
	    "{\"update_id\":11,\"message\":{\"message_id\":5,\"chat\":{\"id\":77}}}",
	    "{\"update_id\":11,\"message\":{\"message_id\":5,\"chat\":{\"id\":\"77\",\"type\":\"private\"}}}",
	    "{\"update_id\":11,\"message\":{\"message_id\":\"5\"," ANN "," PRIVATE ",\"text\":\"x\"}}",
	    "{\"update_id\":11,\"message\":{\"message_id\":5,\"chat\":{\"id\":9223372036854775807,\"type\":"
	    "\"group\"}}}",
	    /* Without a sender, a private chat's id would pass for a person's. */
	    MESSAGE(PRIVATE ",\"text\":\"x\""),
	    MESSAGE("\"from\":[]," PRIVATE ",\"text\":\"x\""),
	    "{\"update_id\":11,\"callback_query\":{\"id\":\"1\",\"data\":\"d\",\"message\":{\"message_id\":9,"
	    "\"date\":0," PRIVATE "}}}",
	    "{\"update_id\":11,\"callback_query\":{\"id\":\"1\"," ANN ",\"data\":\"d\",\"message\":{}}}",
	};
	struct message *m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(updates); i++)
		assert_int_equal(parse(updates[i], &m), TELEGRAM_UPDATE_BAD);
}

static void ids_of_52_bits_are_kept(void **state)
{
	struct message *m = message(
	    "{\"update_id\":2147483647999,\"message\":{\"message_id\":4294967296,\"date\":1790000000,"
	    "\"from\":{\"id\":4503599627370495,\"first_name\":\"A\"},"
	    "\"chat\":{\"id\":-4503599627370495,\"type\":\"supergroup\",\"title\":\"T\"},\"text\":\"x\"}}");

	(void)state;
	assert_string_equal(m->event_id, "2147483647999");
	assert_string_equal(m->message_id, "4294967296");
	assert_string_equal(m->sender_id, "4503599627370495");
	assert_string_equal(m->from.chat, "-4503599627370495");
	message_free(m);
}

static void lone_surrogates_and_controls_are_cleaned(void **state)
{
	struct message *m = message(MESSAGE(ANN "," PRIVATE ",\"text\":\"a\\ud83db\\u0007c\""));

	(void)state;
	assert_int_equal(m->text[0], 'a');
	assert_null(strchr(m->text, '\a'));
	assert_string_equal(m->text + strlen(m->text) - 2, "bc");
	message_free(m);
}

static void a_megabyte_of_text_is_cut_aloud(void **state)
{
	struct buf text = BUF_INIT;
	struct message *m;

	(void)state;
	buf_addstr(&text,
	    "{\"update_id\":11,\"message\":{\"message_id\":5,\"date\":1790000000," ANN "," PRIVATE
	    ",\"text\":\"");
	for (int i = 0; i < (1 << 18); i++)
		buf_addstr(&text, "\xf0\x9f\x98\x80");
	buf_addstr(&text, "\"}}");
	m = message(text.data);
	assert_true(strlen(m->text) < TELEGRAM_TEXT_MAX + 64);
	assert_non_null(strstr(m->text, "\n[cut here: 917504 bytes more]"));
	message_free(m);
	buf_clear(&text);
}

/* Whatever still parses as JSON is understood or not, but never harms. */
static void damaged_updates_do_no_harm(void **state)
{
	static const char whole[] = MESSAGE(
	    ANN "," GROUP
		",\"message_thread_id\":42,\"is_topic_message\":true,\"sender_chat\":{\"id\":-5,\"title\":"
		"\"S\"},\"text\":\"@my_bot /new@my_bot \xf0\x9f\x98\x80\",\"entities\":[" MENTION(
		    0, 7) "," COMMAND(8, 11) "],"
					     "\"forward_origin\":{\"type\":\"user\",\"sender_user\":{\"id\":"
					     "5,\"first_name\":\"E\"}},\"quote\":{\"text\":\"q\"},"
					     "\"reply_to_message\":{\"message_id\":4,\"from\":{\"id\":999},"
					     "\"poll\":{\"question\":\"?\",\"options\":[{}]}}");
	size_t understood = 0, parsed = 0;

	(void)state;
	clock_fake(0, 41);
	for (int i = 0; i < 30000; i++) {
		char *text = xstrdup(whole);
		struct json_object *update;
		struct message *m;

		for (uint64_t n = 1 + clock_random_below(3); n > 0; n--) {
			static const char bytes[] = "0123456789-\"\\{}[]:,. etaxn";

			text[clock_random_below(sizeof(whole) - 1)] =
			    bytes[clock_random_below(sizeof(bytes) - 1)];
		}
		update = json_parse(text, sizeof(whole) - 1, NULL);
		if (update) {
			parsed++;
			understood += telegram_update_parse(update, &self, &m) == TELEGRAM_UPDATE_MESSAGE;
			if (m)
				assert_true(utf8_valid(m->text, strlen(m->text)));
			message_free(m);
		}
		json_object_put(update);
		free(text);
	}
	assert_true(parsed > 5000);
	assert_true(understood > 1000 && understood < parsed);
}

static void the_first_id_is_found_in_a_broken_answer(void **state)
{
	static const struct {
		const char *text;
		int64_t id;
	} table[] = {
	    {"{\"ok\":true,\"result\":[{\"update_id\":123,\"message\":{\"text\":\"cut of", 123},
	    {"{\"ok\":true,\"result\":[{\"update_id\": 7", 7},
	    {"{\"ok\":true,\"result\":[{\"message\":{\"text\":\"\\\"update_id\\\":5\"},\"update_id\":6}", 6},
	    {"{\"update_id\":99999999999999999999999}", 0},
	    {"{\"update_id\":", 0},
	    {"<html>", 0},
	    {"", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		assert_true(telegram_update_scan_id(table[i].text, strlen(table[i].text)) == table[i].id);
}

static void an_update_of_more_values_than_fit_holds_up_no_other(void **state)
{
	struct buf text = BUF_INIT;
	struct json_object *list;

	(void)state;
	buf_addstr(&text, "{\"ok\":true,\"result\":[{\"update_id\":1,\"a\":{}},{\"update_id\":2,\"a\":[{}");
	for (int i = 0; i < JSON_CONTAINERS_MAX; i++)
		buf_addstr(&text, ",{}");
	buf_addstr(&text, "]},{\"update_id\":3,\"a\":{}}]}");
	list = telegram_update_recover(text.data, text.len);
	assert_int_equal(json_count(list), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(telegram_update_id(json_at(list, i)), i + 1);
		assert_int_equal(json_get_object(json_at(list, i), "a") != NULL, i != 1);
		assert_null(json_get_array(json_at(list, i), "a"));
	}
	json_object_put(list);
	buf_clear(&text);
}

/* --- what Telegram tells by itself */

#define MEMBER(chat, was, is)                                                     \
	"{\"update_id\":14,\"my_chat_member\":{\"date\":1790000000," ANN "," chat \
	",\"old_chat_member\":{" was "},\"new_chat_member\":{" is "}}}"
#define IS(status)     "\"status\":\"" status "\""
#define RESTRICTED(in) IS("restricted") ",\"is_member\":" in

static void being_added_to_a_group_is_told(void **state)
{
	static const char *const ways[] = {
	    MEMBER(GROUP, IS("left"), IS("member")),
	    MEMBER(GROUP, IS("kicked"), IS("member")),
	    MEMBER(GROUP, RESTRICTED("false"), RESTRICTED("true")),
	    MEMBER(GROUP, IS("left"), IS("administrator")),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct message *m = message(ways[i]);

		assert_int_equal(m->kind, MESSAGE_JOINED);
		assert_string_equal(m->from.chat, "-1001234567890");
		assert_string_equal(m->sender_id, "77");
		assert_string_equal(m->text, "`@My_Bot`");
		assert_true(m->addressed);
		assert_true(m->sent_ms == INT64_C(1790000000000));
		/* Administrators hear all. */
		if (i < 3)
			assert_non_null(strstr(m->reply_text, "/setprivacy"));
		else
			assert_null(m->reply_text);
		message_free(m);
	}
}

static void other_changes_of_our_place_are_not_told(void **state)
{
	static const char *const ways[] = {
	    MEMBER(GROUP, IS("member"), IS("administrator")),
	    MEMBER(GROUP, IS("administrator"), IS("member")),
	    MEMBER(GROUP, RESTRICTED("true"), IS("member")),
	    MEMBER(GROUP, IS("member"), RESTRICTED("true")),
	    MEMBER(GROUP, IS("member"), IS("kicked")),
	    MEMBER(GROUP, IS("left"), RESTRICTED("false")),
	    MEMBER(PRIVATE, IS("kicked"), IS("member")),
	    MEMBER("\"chat\":{\"id\":-1005,\"type\":\"channel\",\"title\":\"News\"}", IS("left"),
		IS("administrator")),
	};
	struct message *m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		assert_int_equal(parse(ways[i], &m), TELEGRAM_UPDATE_IGNORED);
}

static void both_sides_of_a_migration_say_the_same(void **state)
{
	static const char *const ways[] = {
	    MESSAGE(
		ANN ",\"chat\":{\"id\":-5,\"type\":\"group\",\"title\":\"T\"},\"migrate_to_chat_id\":-1005"),
	    MESSAGE(ANN ",\"chat\":{\"id\":-1005,\"type\":\"supergroup\",\"title\":\"T\"},\"migrate_from_"
			"chat_id\":-5"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct message *m = message(ways[i]);

		assert_int_equal(m->kind, MESSAGE_MOVED);
		assert_string_equal(m->from.chat, "-5");
		assert_string_equal(m->text, "-1005");
		assert_null(m->message_id);
		message_free(m);
	}
}

static void the_stop_button_is_a_stop(void **state)
{
	struct message *m = message("{\"update_id\":15,\"stopped_message_generation\":{" PRIVATE
				    ",\"message_thread_id\":42,\"draft_id\":123}}");

	(void)state;
	assert_int_equal(m->kind, MESSAGE_TEXT);
	assert_string_equal(m->text, "/stop");
	assert_true(m->addressed);
	assert_string_equal(m->from.chat, "77");
	assert_string_equal(m->from.thread, "42");
	assert_string_equal(m->sender_id, "77");
	assert_string_equal(m->sender_name, "Ann");
	assert_null(m->message_id);
	message_free(m);
}

/* A message of so many UTF-16 units. */
static struct message *long_message(size_t units)
{
	char *text = xcalloc(units + 1, 1), *whole;
	struct message *m;

	memset(text, 'x', units);
	whole = xasprintf(MESSAGE(ANN "," PRIVATE ",\"text\":\"%s\""), text);
	m = message(whole);
	free(text);
	free(whole);
	return m;
}

static void what_goes_on_is_marked(void **state)
{
	static const struct {
		const char *rest;
		bool continues;
	} table[] = {
	    {"\"text\":\"hello\"", false},
	    {"\"photo\":[{\"file_id\":\"a\"}]", false},
	    {"\"photo\":[{\"file_id\":\"a\"}],\"media_group_id\":\"9\"", true},
	    {"\"text\":\"hello\",\"forward_origin\":{\"type\":\"hidden_user\",\"sender_user_name\":\"Zoe\"}",
		true},
	};
	struct message *m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *text = xasprintf(MESSAGE(ANN "," PRIVATE ",%s"), table[i].rest);

		m = message(text);
		assert_int_equal(m->continues, table[i].continues);
		message_free(m);
		free(text);
	}
	m = long_message(4096);
	assert_true(m->continues);
	message_free(m);
	m = long_message(3900);
	assert_false(m->continues);
	message_free(m);
}

static void a_command_of_another_bot_is_marked(void **state)
{
	struct message *m =
	    message(MESSAGE(ANN "," GROUP ",\"text\":\"/go@other_bot\",\"entities\":[" COMMAND(0, 13) "]"));

	(void)state;
	assert_true(m->to_another);
	assert_false(m->addressed);
	message_free(m);
	m = message(MESSAGE(
	    ANN "," GROUP
		",\"caption\":\"see @my_BOT\",\"photo\":[{\"file_id\":\"a\"}],\"caption_entities\":[" MENTION(
		    4, 7) "]"));
	assert_false(m->to_another);
	assert_true(m->addressed);
	message_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_private_message_has_all_its_fields),
	    cmocka_unit_test(what_is_said_to_us_in_a_group_is_seen_and_stripped),
	    cmocka_unit_test(hostile_entities_do_no_harm),
	    cmocka_unit_test(threads_are_kept_for_topics_only),
	    cmocka_unit_test(the_first_message_of_a_topic_is_not_a_message_answered),
	    cmocka_unit_test(a_command_gets_the_id_of_the_person_whom_it_mentions),
	    cmocka_unit_test(an_answer_says_whom_it_answers),
	    cmocka_unit_test(an_answer_names_and_quotes_what_it_answers),
	    cmocka_unit_test(who_writes_as_a_chat_is_never_a_person),
	    cmocka_unit_test(another_bot_is_marked_and_we_are_ignored),
	    cmocka_unit_test(an_edit_is_an_edit_of_its_message),
	    cmocka_unit_test(a_button_press_carries_its_data),
	    cmocka_unit_test(the_emoji_that_stops_is_a_press_and_no_other_is),
	    cmocka_unit_test(what_can_be_fetched_is_an_attachment),
	    cmocka_unit_test(media_is_never_silently_lost),
	    cmocka_unit_test(a_rich_message_is_read_as_markdown),
	    cmocka_unit_test(a_rich_message_can_be_said_to_us),
	    cmocka_unit_test(a_rich_message_is_read_wherever_it_stands),
	    cmocka_unit_test(the_files_of_a_rich_message_are_attachments),
	    cmocka_unit_test(no_word_of_a_rich_message_is_lost),
	    cmocka_unit_test(the_deepest_rich_message_is_read),
	    cmocka_unit_test(forwarded_text_says_whose_it_is),
	    cmocka_unit_test(the_text_of_an_inline_bot_is_no_command),
	    cmocka_unit_test(what_nobody_said_is_ignored),
	    cmocka_unit_test(being_added_to_a_group_is_told),
	    cmocka_unit_test(other_changes_of_our_place_are_not_told),
	    cmocka_unit_test(both_sides_of_a_migration_say_the_same),
	    cmocka_unit_test(the_stop_button_is_a_stop),
	    cmocka_unit_test(what_goes_on_is_marked),
	    cmocka_unit_test(a_command_of_another_bot_is_marked),
	    cmocka_unit_test(new_kinds_and_fields_are_no_error),
	    cmocka_unit_test(what_cannot_be_understood_is_bad),
	    cmocka_unit_test(ids_of_52_bits_are_kept),
	    cmocka_unit_test(lone_surrogates_and_controls_are_cleaned),
	    cmocka_unit_test(a_megabyte_of_text_is_cut_aloud),
	    cmocka_unit_test(damaged_updates_do_no_harm),
	    cmocka_unit_test(the_first_id_is_found_in_a_broken_answer),
	    cmocka_unit_test(an_update_of_more_values_than_fit_holds_up_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
