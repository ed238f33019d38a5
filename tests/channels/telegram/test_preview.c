#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/channels/telegram/telegram_stage.h"

#define LONG_AGO 60000

static struct preview preview_of(const char *chat, const char *text)
{
	struct preview p = {.text = BUF_INIT, .draft = 7, .since_ms = clock_now() - LONG_AGO};

	assert_int_equal(address_set(&p.where, "main", chat, NULL, NULL), 0);
	p.reply_to = xstrdup("5");
	buf_addstr(&p.text, text);
	return p;
}

static void preview_clear(struct preview *p)
{
	buf_clear(&p->text);
	free(p->reply_to);
	free(p->message_id);
}

static int show(struct task *t, struct preview *p)
{
	struct error err;

	return telegram_ops.preview(t, &the_double.ch, p, &err);
}

static size_t calls(const char *method)
{
	return bot_server_calls(server, method);
}

static void check_draft(struct task *t)
{
	struct preview p = preview_of("77", "Hel");
	struct json_object *o;

	bot_server_result(server, "sendMessageDraft", "true");
	assert_true(show(t, &p) > 0);
	assert_int_equal(p.frames, 1);
	assert_int_equal(p.shown_len, 3);
	assert_null(p.message_id);
	o = telegram_stage_params("sendMessageDraft", 0);
	assert_int_equal(json_get_int(o, "chat_id", 0), 77);
	assert_int_equal(json_get_int(o, "draft_id", 0), 7);
	assert_string_equal(json_get_str(o, "text"), "Hel");
	assert_true(json_get_bool(o, "can_stop", false));
	assert_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	preview_clear(&p);
}

static void check_long_draft(struct task *t)
{
	struct preview p = preview_of("77", "first line\n");
	struct json_object *o;

	for (int i = 0; i < 500; i++)
		buf_addf(&p.text, "line number %d\n", i);
	bot_server_result(server, "sendMessageDraft", "true");
	show(t, &p);
	o = telegram_stage_params("sendMessageDraft", 0);
	const char *text = json_get_str(o, "text");
	assert_true(strlen(text) <= 4096);
	assert_null(strstr(text, "first line"));
	assert_non_null(strstr(text, "line number 499"));
	assert_memory_equal(text, "line number", 11);
	json_object_put(o);
	preview_clear(&p);
}

/* A model may send megabytes: the loop must not stand still for each frame of them. */
static void check_huge_draft(struct task *t)
{
	struct preview p = preview_of("77", "first line\n");
	struct json_object *o;
	clock_t before;

	for (int i = 0; i < 150000; i++)
		buf_addstr(&p.text, "0123456789");
	bot_server_result(server, "sendMessageDraft", "true");
	before = clock();
	show(t, &p);
	assert_true((clock() - before) / CLOCKS_PER_SEC < 5);
	o = telegram_stage_params("sendMessageDraft", 0);
	assert_in_range(strlen(json_get_str(o, "text")), 1000, 4096);
	json_object_put(o);
	/* Characters of three bytes: none is cut, and as much is shown. */
	buf_reset(&p.text);
	for (int i = 0; i < 30000; i++)
		buf_addstr(&p.text, "\xe5\xad\x97");
	p.frames = 0;
	task_sleep(t, 100, NULL); /* the rate over all chats */
	show(t, &p);
	o = telegram_stage_params("sendMessageDraft", 1);
	size_t bytes = strlen(json_get_str(o, "text"));
	assert_in_range(bytes, 3 * 1000, 3 * 3500);
	assert_int_equal(bytes % 3, 0);
	assert_null(strstr(json_get_str(o, "text"), "\xef\xbf\xbd"));
	json_object_put(o);
	preview_clear(&p);
}

static void check_no_drafts(struct task *t)
{
	struct preview p = preview_of("77", "Hello"), other = preview_of("78", "Hello");

	bot_server_refuse(server, "sendMessageDraft", 400, "Bad Request: TEXTDRAFT_PEER_INVALID", 0);
	assert_true(show(t, &p) > 0);
	assert_int_equal(p.frames, 0);
	/* From then on a message, which is edited. */
	assert_true(show(t, &p) >= 1000);
	assert_int_equal(calls("sendMessage"), 1);
	assert_string_equal(p.message_id, "100");
	bot_server_result(server, "sendMessageDraft", "true");
	task_sleep(t, 100, NULL); /* the rate over all chats */
	show(t, &other);
	assert_int_equal(calls("sendMessageDraft"), 2);
	preview_clear(&p);
	preview_clear(&other);
}

static void check_no_method(struct task *t)
{
	struct preview p = preview_of("77", "Hello"), other = preview_of("78", "Hello");

	bot_server_refuse(server, "sendMessageDraft", 404, "Not Found: method not found", 0);
	show(t, &p);
	show(t, &other);
	assert_int_equal(calls("sendMessageDraft"), 1);
	assert_int_equal(calls("sendMessage"), 1);
	preview_clear(&p);
	preview_clear(&other);
}

static void check_message(struct task *t)
{
	struct preview p = preview_of("-1001", "Hello");
	struct json_object *o;

	assert_true(show(t, &p) >= 3000);
	o = telegram_stage_params("sendMessage", 0);
	assert_string_equal(json_get_str(o, "text"), "Hello …");
	assert_int_equal(json_get_int(json_get_object(o, "reply_parameters"), "message_id", 0), 5);
	json_object_put(o);
	assert_string_equal(p.message_id, "100");
	/* Nothing more: nothing to show. */
	assert_true(show(t, &p) > 0);
	assert_int_equal(calls("editMessageText"), 0);
	buf_addstr(&p.text, " world");
	bot_server_result(server, "editMessageText", "{\"message_id\":100}");
	assert_true(show(t, &p) >= 3000);
	o = telegram_stage_params("editMessageText", 0);
	assert_string_equal(json_get_str(o, "text"), "Hello world …");
	assert_int_equal(json_get_int(o, "message_id", 0), 100);
	json_object_put(o);
	assert_int_equal(calls("sendMessage"), 1);
	preview_clear(&p);
}

static void add_piece(struct task *t, void *arg)
{
	struct preview *p = arg;

	(void)t;
	buf_addstr(&p->text, " world");
}

/* Shows the text, and adds a piece while the call is in flight: it is still to be shown. */
static void show_and_add(struct task *t, const char *chat)
{
	struct preview p = preview_of(chat, "Hello");

	task_start(NULL, "piece", add_piece, &p);
	assert_true(show(t, &p) > 0);
	assert_string_equal(p.text.data, "Hello world");
	assert_int_equal(p.frames, 1);
	assert_int_equal(p.shown_len, strlen("Hello"));
	preview_clear(&p);
}

static void check_draft_grows(struct task *t)
{
	bot_server_result(server, "sendMessageDraft", "true");
	show_and_add(t, "77");
	assert_int_equal(calls("sendMessageDraft"), 1);
}

static void check_message_grows(struct task *t)
{
	show_and_add(t, "-1001");
	assert_int_equal(calls("sendMessage"), 1);
}

static void check_young(struct task *t)
{
	struct preview p = preview_of("-1001", "Hello");

	p.since_ms = clock_now();
	int wait_ms = show(t, &p);
	assert_in_range(wait_ms, 1000, 1500);
	assert_int_equal(calls("sendMessage"), 0);
	preview_clear(&p);
}

static void check_budget(struct task *t)
{
	struct preview p = preview_of("-1001", "a");
	uint64_t began = clock_now();

	for (int i = 0; i < 20; i++) {
		show(t, &p);
		buf_addstr(&p.text, "a");
		task_sleep(t, 40, NULL); /* the rate over all chats */
	}
	/* One share of the group's four is left for the answer. */
	assert_in_range(calls("sendMessage") + calls("editMessageText"), 3, 3 + (clock_now() - began) / 3000);
	struct outbound *row = outbound_new(&p.where, OUTBOUND_REPLY, "answer");
	uint64_t before = clock_now();
	assert_int_equal(telegram_ops.admit(t, &the_double.ch, row, NULL), 0);
	assert_true(clock_now() - before < 500);
	outbound_free(row);
	preview_clear(&p);
}

static void check_limited(struct task *t)
{
	struct preview p = preview_of("-1001", "Hello");

	bot_server_refuse(server, "sendMessage", 429, "Too Many Requests: retry after 9", 9);
	assert_true(show(t, &p) >= 9000);
	show(t, &p);
	assert_int_equal(calls("sendMessage"), 1);
	preview_clear(&p);
}

/* Whether it came is not known: a second one might stand beside it for ever. */
static void check_doubt(struct task *t)
{
	struct preview p = preview_of("-1001", "Hello");
	const struct bot_answer cut = {.how = BOT_CUT};

	bot_server_script(server, "sendMessage", &cut);
	assert_int_equal(show(t, &p), -1);
	preview_clear(&p);
}

static void check_off(struct task *t)
{
	struct preview p = preview_of("77", "Hello");

	settings.previews = false;
	assert_int_equal(show(t, &p), -1);
	preview_clear(&p);
}

static struct outbound *edit_row(void)
{
	struct address to;

	assert_int_equal(address_set(&to, "main", "-1001", NULL, NULL), 0);
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "the answer");
	row->edit_of = xstrdup("100");
	row->reply_to = xstrdup("5");
	return row;
}

static void check_answer(struct task *t)
{
	struct outbound *row = edit_row();
	struct json_object *o;

	bot_server_result(server, "editMessageText", "{\"message_id\":100}");
	double_send(t, row);
	assert_int_equal(the_double.sent, 1);
	assert_string_equal(the_double.platform_id, "100");
	o = telegram_stage_params("editMessageText", 0);
	assert_string_equal(json_get_str(o, "text"), "the answer");
	assert_int_equal(json_get_int(o, "message_id", 0), 100);
	assert_null(json_get(o, "reply_parameters"));
	json_object_put(o);
	/* It is there already. */
	bot_server_refuse(
	    server, "editMessageText", 400, "Bad Request: message is not modified: and so on", 0);
	double_send(t, row);
	assert_int_equal(the_double.sent, 2);
	assert_string_equal(the_double.platform_id, "100");
	outbound_free(row);
}

static void check_answer_doubt(struct task *t)
{
	const struct bot_answer cut = {.how = BOT_CUT};
	struct outbound *row = edit_row();

	bot_server_script(server, "editMessageText", &cut);
	double_send(t, row);
	assert_int_equal(the_double.failed, 1);
	assert_int_equal(the_double.why.kind, ERROR_NETWORK);
	assert_false(the_double.why.uncertain);
	outbound_free(row);
}

static void check_answer_gone(struct task *t)
{
	struct outbound *row = edit_row();

	bot_server_refuse(server, "editMessageText", 400, "Bad Request: message to edit not found", 0);
	double_send(t, row);
	assert_int_equal(the_double.failed, 1);
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_int_equal(calls("sendMessage"), 0);
	outbound_free(row);
}

static void begin(void)
{
	settings.previews = true;
	settings.preview_after_ms = 1500;
	settings.rate_private = 1;
	settings.rate_group = 20;
	settings.rate_global = 30;
	limits = telegram_limits;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    STARTED_TEST(a_private_chat_gets_a_draft_that_can_be_stopped, check_draft),
	    STARTED_TEST(of_a_long_text_a_draft_shows_the_end, check_long_draft),
	    STARTED_TEST(a_draft_of_megabytes_does_not_stop_the_loop, check_huge_draft),
	    STARTED_TEST(a_chat_that_takes_no_drafts_gets_a_message, check_no_drafts),
	    STARTED_TEST(a_server_without_drafts_is_asked_once, check_no_method),
	    STARTED_TEST(a_group_gets_a_message_that_is_edited, check_message),
	    STARTED_TEST(a_piece_that_comes_while_a_draft_is_in_flight_is_not_shown_yet, check_draft_grows),
	    STARTED_TEST(
		a_piece_that_comes_while_a_message_is_in_flight_is_not_shown_yet, check_message_grows),
	    STARTED_TEST(a_message_waits_whether_the_answer_comes_soon, check_young),
	    STARTED_TEST(previews_leave_a_share_for_the_answer, check_budget),
	    STARTED_TEST(a_429_is_waited_for, check_limited),
	    STARTED_TEST(a_message_in_doubt_is_not_sent_again, check_doubt),
	    STARTED_TEST(previews_can_be_switched_off, check_off),
	    STARTED_TEST(the_answer_replaces_the_message, check_answer),
	    STARTED_TEST(an_edit_is_never_uncertain, check_answer_doubt),
	    STARTED_TEST(an_edit_of_a_message_that_is_gone_is_refused, check_answer_gone),
	};

	return telegram_stage_run(tests, begin);
}
