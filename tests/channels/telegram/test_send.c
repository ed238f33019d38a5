#include "base/time/clock_skip.h"
#include "bus/buttons.h"
#include "channels/telegram/split.h"
#include "tests/channels/telegram/telegram_stage.h"
#include "tests/lib/until.h"

static struct outbound *row_new(const char *chat, const char *thread, const char *text)
{
	struct address to;

	assert_int_equal(address_set(&to, "main", chat, thread, NULL), 0);
	return outbound_new(&to, OUTBOUND_REPLY, text);
}

static void send_row(struct task *t, const struct outbound *row)
{
	assert_int_equal(telegram_ops.admit(t, &the_double.ch, row, NULL), 0);
	double_send(t, row);
}

static void send_text(
    struct task *t, const char *chat, const char *thread, const char *reply_to, const char *text)
{
	struct outbound *row = row_new(chat, thread, text);

	row->reply_to = xstrdup(reply_to);
	send_row(t, row);
	outbound_free(row);
}

static size_t sends(void)
{
	return bot_server_calls(server, "sendMessage");
}

static void check_buttons(struct task *t)
{
	struct buttons b = {0};
	struct outbound *row = row_new("77", "", "Go on?");
	struct json_object *o, *rows, *button;

	buttons_add(&b, "p:1:yes", "Yes", BUTTON_PRIMARY, false);
	buttons_add(&b, "p:1:no", "No", BUTTON_PLAIN, false);
	buttons_add(&b, "p:1:stop", "Stop", BUTTON_DANGER, true);
	row->buttons = buttons_write(&b);
	send_row(t, row);
	o = telegram_stage_params("sendMessage", 0);
	rows = json_get_array(json_get_object(o, "reply_markup"), "inline_keyboard");
	assert_int_equal(json_object_array_length(rows), 2);
	button = json_object_array_get_idx(json_object_array_get_idx(rows, 0), 1);
	assert_string_equal(json_get_str(button, "text"), "No");
	assert_string_equal(json_get_str(button, "callback_data"), "p:1:no");
	assert_null(json_get(button, "style"));
	button = json_object_array_get_idx(json_object_array_get_idx(rows, 1), 0);
	assert_string_equal(json_get_str(button, "style"), "danger");
	json_object_put(o);
	/* What replaces it without buttons takes them away. */
	free(row->buttons);
	row->buttons = NULL;
	row->edit_of = xstrdup("100");
	send_row(t, row);
	o = telegram_stage_params("editMessageText", 0);
	assert_null(json_get(o, "reply_markup"));
	json_object_put(o);
	outbound_free(row);
	buttons_clear(&b);
}

static void check_message(struct task *t)
{
	struct json_object *o;

	send_text(t, "77", "42", "5", "Hi <b> & \"you\" 😀 **now**");
	assert_int_equal(the_double.sent, 1);
	assert_string_equal(the_double.platform_id, "100");
	o = telegram_stage_params("sendMessage", 0);
	assert_int_equal(json_get_int(o, "chat_id", 0), 77);
	assert_string_equal(json_get_str(o, "text"), "Hi &lt;b&gt; &amp; &quot;you&quot; 😀 <b>now</b>");
	assert_int_equal(json_get_int(o, "message_thread_id", 0), 42);
	assert_int_equal(json_get_int(json_get_object(o, "reply_parameters"), "message_id", 0), 5);
	assert_true(
	    json_get_bool(json_get_object(o, "reply_parameters"), "allow_sending_without_reply", false));
	assert_true(json_get_bool(json_get_object(o, "link_preview_options"), "is_disabled", false));
	assert_string_equal(json_get_str(o, "parse_mode"), "HTML");
	json_object_put(o);
}

static void check_bare(struct task *t)
{
	struct json_object *o;

	send_text(t, "-1001234567890", "1", NULL, "x");
	o = telegram_stage_params("sendMessage", 0);
	assert_true(json_get_int(o, "chat_id", 0) == INT64_C(-1001234567890));
	assert_null(json_get(o, "message_thread_id"));
	assert_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	send_text(t, "@public", "", NULL, "x");
	o = telegram_stage_params("sendMessage", 1);
	assert_string_equal(json_get_str(o, "chat_id"), "@public");
	json_object_put(o);
}

static void check_repeat(struct task *t)
{
	struct outbound *row = row_new("77", "", "done");
	struct json_object *o;

	row->repeat = true;
	send_row(t, row);
	outbound_free(row);
	o = telegram_stage_params("sendMessage", 0);
	assert_string_equal(json_get_str(o, "text"), "done\n\n(may be a repeat)");
	json_object_put(o);
}

static void check_fallbacks(struct task *t)
{
	struct json_object *o;

	bot_server_refuse(server, "sendMessage", 400, "Bad Request: message thread not found", 0);
	bot_server_refuse(server, "sendMessage", 400, "Bad Request: message to be replied not found", 0);
	send_text(t, "-5", "42", "5", "x");
	assert_int_equal(the_double.sent, 1);
	assert_int_equal(sends(), 3);
	o = telegram_stage_params("sendMessage", 1);
	assert_null(json_get(o, "message_thread_id"));
	assert_non_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	o = telegram_stage_params("sendMessage", 2);
	assert_null(json_get(o, "message_thread_id"));
	assert_null(json_get(o, "reply_parameters"));
	json_object_put(o);
}

static void check_bad_markup(struct task *t)
{
	static const char refusal[] = "Bad Request: can't parse entities: Unmatched end tag at byte offset 9";
	struct json_object *o;

	bot_server_refuse(server, "sendMessage", 400, refusal, 0);
	send_text(t, "77", "", "5", "**now** & then");
	assert_int_equal(the_double.sent, 1);
	assert_int_equal(sends(), 2);
	o = telegram_stage_params("sendMessage", 1);
	assert_string_equal(json_get_str(o, "text"), "now & then");
	assert_null(json_get(o, "parse_mode"));
	assert_non_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	/* Once only. */
	bot_server_refuse(server, "sendMessage", 400, refusal, 0);
	bot_server_refuse(server, "sendMessage", 400, refusal, 0);
	send_text(t, "78", "", NULL, "**now**");
	assert_int_equal(the_double.failed, 1);
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_int_equal(sends(), 4);
}

static char *long_text(void)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 300; i++)
		buf_addf(&text, "word%d ", i);
	return buf_take(&text);
}

static void check_halves(struct task *t)
{
	char *text = long_text();
	struct json_object *o;

	bot_server_refuse(server, "sendMessage", 400, "Bad Request: message is too long", 0);
	send_text(t, "77", "", "5", text);
	assert_int_equal(the_double.sent, 1);
	assert_true(sends() >= 3);
	o = telegram_stage_params("sendMessage", 1);
	assert_non_null(strstr(json_get_str(o, "text"), "word0 "));
	assert_null(strstr(json_get_str(o, "text"), "word299"));
	assert_non_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	o = telegram_stage_params("sendMessage", sends() - 1);
	assert_non_null(strstr(json_get_str(o, "text"), "word299"));
	assert_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	free(text);
}

/* The first half is there: to send all again would say it twice. */
static void check_half_sent(struct task *t)
{
	char *text = long_text();
	size_t i;

	bot_server_refuse(server, "sendMessage", 400, "Bad Request: message is too long", 0);
	bot_server_result(server, "sendMessage", "{\"message_id\":7}");
	bot_server_refuse(server, "sendMessage", 429, "Too Many Requests: retry after 7", 7);
	send_text(t, "77", "", NULL, text);
	assert_int_equal(the_double.failed, 1);
	assert_true(the_double.why.uncertain);
	i = sends();
	assert_int_equal(i, 3);
	free(text);
}

static void check_fallback_once(struct task *t)
{
	for (int i = 0; i < 3; i++)
		bot_server_refuse(server, "sendMessage", 400, "Bad Request: message thread not found", 0);
	send_text(t, "-5", "42", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_int_equal(sends(), 2);
}

static void check_migration(struct task *t)
{
	static const char body[] =
	    "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: group chat was upgraded to "
	    "a supergroup chat\",\"parameters\":{\"migrate_to_chat_id\":-1005}}";
	struct json_object *o;

	bot_server_garbage(server, "sendMessage", 400, body);
	send_text(t, "-5", "", "9", "x");
	assert_int_equal(the_double.sent, 1);
	o = telegram_stage_params("sendMessage", 1);
	assert_int_equal(json_get_int(o, "chat_id", 0), -1005);
	assert_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	assert_string_equal(the_double.moved, "-5 -1005");
	/* To and fro is no way. */
	bot_server_garbage(server, "sendMessage", 400, body);
	bot_server_garbage(server, "sendMessage", 400, body);
	send_text(t, "-5", "", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_int_equal(sends(), 4);
}

/* What a new message gets round, an edit does not: its message stands where it stands. The bus sends the row
 * anew. */
static void check_refused_edit(struct task *t)
{
	static const char *const bodies[] = {
	    "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: group chat was upgraded to a "
	    "supergroup chat\",\"parameters\":{\"migrate_to_chat_id\":-1005}}",
	    "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: message thread not found\"}",
	    "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: message to be replied not "
	    "found\"}",
	};
	struct outbound *row = row_new("-5", "42", "**now** & then");
	struct json_object *o;

	row->edit_of = xstrdup("7");
	row->reply_to = xstrdup("5");
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		bot_server_garbage(server, "editMessageText", 400, bodies[i]);
		send_row(t, row);
		assert_int_equal(the_double.failed, i + 1);
		assert_int_equal(the_double.why.kind, ERROR_REFUSED);
		assert_int_equal(bot_server_calls(server, "editMessageText"), i + 1);
	}
	assert_string_equal(the_double.moved, "");
	/* Markup can be left out of an edit, too. */
	bot_server_refuse(
	    server, "editMessageText", 400, "Bad Request: can't parse entities: Unmatched end tag", 0);
	send_row(t, row);
	assert_int_equal(the_double.sent, 1);
	assert_string_equal(the_double.platform_id, "7");
	o = telegram_stage_params("editMessageText", ARRAY_LEN(bodies) + 1);
	assert_int_equal(json_get_int(o, "chat_id", 0), -5);
	assert_int_equal(json_get_int(o, "message_id", 0), 7);
	assert_string_equal(json_get_str(o, "text"), "now & then");
	assert_null(json_get(o, "parse_mode"));
	json_object_put(o);
	assert_int_equal(sends(), 0);
	outbound_free(row);
}

static void check_refusals(struct task *t)
{
	static const struct {
		int code;
		const char *description, *sentence;
	} table[] = {
	    {403, "Forbidden: bot was blocked by the user", "the bot may not write there"},
	    {400, "Bad Request: message is too long", "more than 4,096 characters"},
	    {400, "Bad Request: chat not found", "the person must write to it first"},
	    {400, "Bad Request: something else", "Telegram refused it (400 Bad Request: something else)"},
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char chat[16];

		snprintf(chat, sizeof(chat), "%zu", i + 1);
		bot_server_refuse(server, "sendMessage", table[i].code, table[i].description, 0);
		send_text(t, chat, "", NULL, "x");
		assert_int_equal(the_double.why.kind, ERROR_REFUSED);
		assert_int_equal(the_double.why.code, table[i].code);
		assert_false(the_double.why.uncertain);
		assert_non_null(strstr(the_double.why.text, table[i].sentence));
		assert_non_null(strstr(the_double.why.text, "sendMessage at 127.0.0.1"));
	}
	assert_int_equal(sends(), ARRAY_LEN(table));
}

static void check_local_refusals(struct task *t)
{
	send_text(t, "77", "", NULL, " \n ");
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	send_text(t, "C024", "", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	send_text(t, "77", "topic", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_int_equal(the_double.failed, 3);
	assert_int_equal(sends(), 0);
}

static void check_limited(struct task *t)
{
	struct address chat = {.channel = "main", .chat = "77"}, other = {.channel = "main", .chat = "78"};

	bot_server_refuse(server, "sendMessage", 429, "Too Many Requests: retry after 7", 7);
	send_text(t, "77", "", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_LIMITED);
	assert_int_equal(the_double.why.retry_ms, 7500);
	assert_false(the_double.why.uncertain);
	/* The chat's other calls pause too, those of other chats do not. */
	assert_int_equal(telegram_ops.typing(t, &the_double.ch, &chat, NULL), 0);
	assert_int_equal(bot_server_calls(server, "sendChatAction"), 0);
	assert_int_equal(telegram_ops.typing(t, &the_double.ch, &other, NULL), 0);
	assert_int_equal(bot_server_calls(server, "sendChatAction"), 1);
	bot_server_refuse(server, "sendMessage", 429, "Too Many Requests: retry after 238", 238);
	send_text(t, "79", "", NULL, "x");
	assert_int_equal(the_double.why.retry_ms, 238500);
	/* A long pause is one for what is optional in all chats. */
	clock_skip(1100);
	assert_int_equal(telegram_ops.typing(t, &the_double.ch, &other, NULL), 0);
	assert_int_equal(bot_server_calls(server, "sendChatAction"), 1);
	clock_skip(238500);
	assert_int_equal(telegram_ops.typing(t, &the_double.ch, &other, NULL), 0);
	assert_int_equal(bot_server_calls(server, "sendChatAction"), 2);
}

static void check_refused_token(struct task *t)
{
	/* The first one does not wait. The next one may be on its way, and would be counted late. */
	task_until(t, bot_server_calls(server, "getUpdates") > 1);
	bot_server_refuse(server, "sendMessage", 401, "Unauthorized", 0);
	send_text(t, "77", "", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_NETWORK);
	assert_false(the_double.why.uncertain);
	assert_int_equal(the_double.ch.status, CHANNEL_STOPPED);
	send_text(t, "77", "", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_NETWORK);
	assert_int_equal(sends(), 1);
	size_t polls = bot_server_calls(server, "getUpdates");
	/* Nobody is left who could poll again. */
	task_until(t, task_count() == 1);
	assert_int_equal(bot_server_calls(server, "getUpdates"), polls);
}

static void expect_uncertain(size_t calls)
{
	assert_int_equal(the_double.sent, 0);
	assert_int_equal(the_double.why.kind, ERROR_NETWORK);
	assert_true(the_double.why.uncertain);
	assert_int_equal(sends(), calls);
}

static void check_uncertain(struct task *t)
{
	static const struct bot_answer answers[] = {
	    {.how = BOT_CUT},
	    {.how = BOT_HALF, .status = 200, .body = "{\"ok\":true,\"result\":{\"message_id\":5}}"},
	    {.status = 502, .body = "<html>Bad Gateway</html>"},
	    {.status = 200, .body = "<html>Welcome to the hotel</html>"},
	    {.status = 500,
		.body = "{\"ok\":false,\"error_code\":500,\"description\":\"Internal Server Error\"}"},
	    {.status = 200, .body = "{\"ok\":true,\"result\":true}"},
	};

	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		char chat[16];

		snprintf(chat, sizeof(chat), "%zu", i + 1);
		bot_server_script(server, "sendMessage", &answers[i]);
		send_text(t, chat, "", NULL, "x");
		expect_uncertain(i + 1);
	}
}

static void check_silent(struct task *t)
{
	static const struct bot_answer hang = {.how = BOT_HANG};

	/* A busy machine may need longer to send it. */
	for (limits.send_ms = 400; !the_double.why.uncertain && limits.send_ms < 30000; limits.send_ms *= 2) {
		bot_server_script(server, "sendMessage", &hang);
		send_text(t, "77", "", NULL, "x");
	}
	limits.send_ms = 30000;
	task_until(t, sends() > 0);
	expect_uncertain(1);
}

static void check_too_large(struct task *t)
{
	struct buf body = BUF_INIT;

	buf_addstr(&body, "{\"ok\":true,\"result\":{\"message_id\":5,\"text\":\"");
	for (int i = 0; i < 100000; i++)
		buf_addch(&body, 'x');
	buf_addstr(&body, "\"}}");
	bot_server_garbage(server, "sendMessage", 200, body.data);
	send_text(t, "77", "", NULL, "x");
	expect_uncertain(1);
	buf_clear(&body);
}

/* curl by itself would send the request again when a pooled connection dies under it. */
static void check_once(struct task *t)
{
	static const struct bot_answer cut = {.how = BOT_CUT};
	size_t sent = 0;

	/* Until one went over a connection of the pool: those may still be busy with calls of the start. */
	do {
		send_text(t, "77", "", NULL, "first");
		assert_int_equal(the_double.sent, sent / 2 + 1);
		bot_server_script(server, "sendMessage", &cut);
		send_text(t, "77", "", NULL, "second");
		sent += 2;
		assert_int_equal(the_double.why.kind, ERROR_NETWORK);
		assert_true(the_double.why.uncertain);
	} while (!bot_server_reused(server, "sendMessage", sent - 1));
	/* Nothing went out between it and the next. */
	send_text(t, "77", "", NULL, "third");
	assert_int_equal(sends(), sent + 1);
}

static void check_not_sent(struct task *t)
{
	bot_server_free(server);
	send_text(t, "77", "", NULL, "x");
	assert_int_equal(the_double.why.kind, ERROR_NETWORK);
	assert_false(the_double.why.uncertain);
	server = bot_server_new();
}

struct flight {
	const struct outbound *row;
	bool done;
};

static void fly(struct task *t, void *arg)
{
	struct flight *f = arg;

	double_send(t, f->row);
	f->done = true;
}

static bool landed(void *arg)
{
	return ((struct flight *)arg)->done;
}

static bool sent_one(void *arg)
{
	(void)arg;
	return sends() == 1;
}

static void check_cancelled(struct task *t)
{
	static const struct bot_answer hang = {.how = BOT_HANG};
	struct outbound *row = row_new("77", "", "x");
	struct flight f = {.row = row};
	struct task *flying;

	bot_server_script(server, "sendMessage", &hang);
	flying = task_start(NULL, "flight", fly, &f);
	assert_true(double_wait(t, sent_one, NULL, 30000));
	task_cancel(flying);
	assert_true(double_wait(t, landed, &f, 30000));
	assert_int_equal(the_double.failed, 1);
	assert_int_equal(the_double.why.kind, ERROR_CANCELLED);
	assert_true(the_double.why.uncertain);
	outbound_free(row);
}

static void check_typing(struct task *t)
{
	struct address where = {.channel = "main", .chat = "-1005", .thread = "42"};
	struct json_object *o;
	struct error err;

	assert_int_equal(telegram_ops.typing(t, &the_double.ch, &where, &err), 0);
	o = telegram_stage_params("sendChatAction", 0);
	assert_int_equal(json_get_int(o, "chat_id", 0), -1005);
	assert_int_equal(json_get_int(o, "message_thread_id", 0), 42);
	assert_string_equal(json_get_str(o, "action"), "typing");
	json_object_put(o);
	str_copy(where.chat, sizeof(where.chat), "1");
	bot_server_refuse(server, "sendChatAction", 403, "Forbidden: bot was blocked by the user", 0);
	assert_int_equal(telegram_ops.typing(t, &the_double.ch, &where, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
}

static void check_typing_errors(struct task *t)
{
	struct address where = {.channel = "main", .chat = "1"};
	struct error err;

	for (int i = 0; i < 5; i++)
		bot_server_garbage(server, "sendChatAction", 502, "<html>");
	bot_server_result(server, "sendChatAction", "true");
	for (int i = 0; i < 3; i++) {
		snprintf(where.chat, sizeof(where.chat), "%d", i + 1);
		assert_int_equal(telegram_ops.typing(t, &the_double.ch, &where, &err), i < 2 ? 0 : -1);
		task_sleep(t, 150, NULL);
	}
	assert_int_equal(err.kind, ERROR_NETWORK);
	/* The count starts anew. */
	for (int i = 3; i < 6; i++) {
		snprintf(where.chat, sizeof(where.chat), "%d", i + 1);
		assert_int_equal(telegram_ops.typing(t, &the_double.ch, &where, &err), 0);
		task_sleep(t, 150, NULL);
	}
	assert_int_equal(bot_server_calls(server, "sendChatAction"), 6);
}

static void begin(void)
{
	settings.poll_timeout_ms = 50000;
	settings.rate_private = 1;
	settings.rate_group = 20;
	settings.rate_global = 30;
	limits.send_ms = 30000;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    STARTED_TEST(buttons_go_with_a_message_and_are_gone_after_an_edit, check_buttons),
	    STARTED_TEST(a_message_is_rendered_with_its_topic_and_answer, check_message),
	    STARTED_TEST(the_general_topic_is_left_out, check_bare),
	    STARTED_TEST(a_repeat_is_marked, check_repeat),
	    STARTED_TEST(what_telegram_does_not_find_is_left_out, check_fallbacks),
	    STARTED_TEST(each_way_round_is_tried_once, check_fallback_once),
	    STARTED_TEST(markup_that_is_refused_goes_as_plain_text_once, check_bad_markup),
	    STARTED_TEST(a_text_that_is_too_long_goes_in_halves, check_halves),
	    STARTED_TEST(a_text_of_which_a_half_was_sent_is_in_doubt, check_half_sent),
	    STARTED_TEST(a_migrated_group_is_followed_once, check_migration),
	    STARTED_TEST(an_edit_that_is_refused_goes_no_way_round, check_refused_edit),
	    STARTED_TEST(a_definite_no_is_refused_with_a_sentence, check_refusals),
	    STARTED_TEST(what_cannot_be_sent_is_refused_without_a_call, check_local_refusals),
	    STARTED_TEST(a_429_pauses_the_chat_for_every_call, check_limited),
	    STARTED_TEST(a_refused_token_stops_the_channel_and_keeps_the_row, check_refused_token),
	    STARTED_TEST(no_answer_after_sending_is_uncertain, check_uncertain),
	    STARTED_TEST(silence_after_sending_is_uncertain, check_silent),
	    STARTED_TEST(an_answer_too_large_is_uncertain, check_too_large),
	    STARTED_TEST(a_message_is_never_silently_sent_twice, check_once),
	    STARTED_TEST(no_connection_is_not_uncertain, check_not_sent),
	    STARTED_TEST(a_send_cancelled_in_flight_is_in_doubt, check_cancelled),
	    STARTED_TEST(typing_is_shown_until_it_is_refused, check_typing),
	    STARTED_TEST(typing_gives_up_after_three_errors_in_a_row, check_typing_errors),
	};

	return telegram_stage_run(tests, begin);
}
