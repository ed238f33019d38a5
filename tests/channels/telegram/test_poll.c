#include "tests/channels/telegram/telegram_stage.h"
#include "channels/telegram/telegram_internal.h"
#include "tests/lib/until.h"

static int64_t offset_of(size_t n)
{
	struct json_object *o = telegram_stage_params("getUpdates", n);
	int64_t offset = json_get_int(o, "offset", 0);

	json_object_put(o);
	return offset;
}

/* Between the nth poll and the next: the time, and whether the connection was changed. */
static uint64_t gap_after(size_t n)
{
	return bot_server_time(server, "getUpdates", n + 1) - bot_server_time(server, "getUpdates", n);
}

static bool reconnected_after(size_t n)
{
	return bot_server_connection(server, "getUpdates", n + 1) !=
	    bot_server_connection(server, "getUpdates", n);
}

static char *update_text(int id, const char *said)
{
	return xasprintf("{\"update_id\":%d,\"message\":{\"message_id\":%d,\"date\":1790000000,\"chat\":{"
			 "\"id\":77,\"type\":\"private\"},\"from\":{\"id\":77,\"is_bot\":false,\"first_"
			 "name\":\"Ann\"},\"text\":\"%s\"}}",
	    id, id, said);
}

static void script_updates(int first, int count)
{
	struct buf list = BUF_INIT;

	buf_addch(&list, '[');
	for (int i = 0; i < count; i++) {
		char *text = update_text(first + i, "hello");

		buf_addf(&list, "%s%s", i > 0 ? "," : "", text);
		free(text);
	}
	buf_addch(&list, ']');
	bot_server_result(server, "getUpdates", list.data);
	buf_clear(&list);
}

static void check_start(struct task *t)
{
	struct json_object *o, *kinds;

	telegram_stage_start_only();
	assert_true(double_has_status(t, CHANNEL_STARTING, 30000));
	telegram_stage_await_calls(t, "getUpdates", 1);
	assert_int_equal(bot_server_calls(server, "getMe"), 1);
	o = telegram_stage_params("deleteWebhook", 0);
	assert_false(json_get_bool(o, "drop_pending_updates", true));
	json_object_put(o);
	o = telegram_stage_params("getUpdates", 0);
	assert_null(json_get(o, "offset"));
	assert_int_equal(json_get_int(o, "timeout", -1), 1);
	assert_int_equal(json_get_int(o, "limit", 0), 100);
	kinds = json_get_array(o, "allowed_updates");
	assert_int_equal(json_object_array_length(kinds), 6);
	assert_string_equal(
	    json_object_get_string(json_object_array_get_idx(kinds, 5)), "stopped_message_generation");
	json_object_put(o);
	assert_true(double_has_status(t, CHANNEL_READY, 30000));
	/* Known before the first poll has ended. */
	assert_int_equal(bot_server_calls(server, "getUpdates"), 1);
	assert_non_null(strstr(the_double.statuses->data, "polling as @My_Bot\n"));
	telegram_stage_stop(t);
}

static void check_offset(struct task *t)
{
	the_double.cursor = xstrdup("41");
	script_updates(41, 3);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_true(offset_of(0) == 41);
	assert_true(offset_of(1) == 44);
	assert_int_equal(the_double.commits, 1);
	assert_int_equal(the_double.message_count, 3);
	assert_string_equal(the_double.messages[2]->event_id, "43");
	assert_string_equal(the_double.messages[0]->account, "telegram:999");
	assert_string_equal(the_double.messages[0]->from.channel, "main");
	assert_string_equal(the_double.cursor, "44");
	telegram_stage_stop(t);
}

static void check_random_id(struct task *t)
{
	the_double.cursor = xstrdup("900000");
	script_updates(17, 1);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_true(offset_of(1) == 18);
	assert_int_equal(the_double.message_count, 1);
	telegram_stage_stop(t);
}

static void check_full_disk(struct task *t)
{
	the_double.cursor = xstrdup("41");
	the_double.failing = 2;
	for (int i = 0; i < 3; i++)
		script_updates(41, 2);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 4);
	for (size_t i = 0; i < 3; i++)
		assert_true(offset_of(i) == 41);
	assert_true(offset_of(3) == 43);
	assert_int_equal(the_double.commits, 1);
	assert_int_equal(the_double.message_count, 2);
	assert_non_null(strstr(the_double.statuses->data,
	    "messages cannot be stored, and stay with Telegram: the disk is full"));
	assert_int_equal(the_double.ch.status, CHANNEL_READY);
	telegram_stage_stop(t);
}

static void check_conflict(struct task *t)
{
	for (int i = 0; i < 4; i++)
		bot_server_refuse(server, "getUpdates", 409,
		    "Conflict: terminated by other getUpdates request; make sure "
		    "that only one bot instance is running",
		    0);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_int_equal(the_double.ch.status, CHANNEL_DEGRADED);
	assert_int_equal(bot_server_calls(server, "deleteWebhook"), 1);
	telegram_stage_await_calls(t, "getUpdates", 5);
	assert_int_equal(bot_server_calls(server, "deleteWebhook"), 2);
	assert_non_null(strstr(the_double.statuses->data, "another program polls with this token"));
	for (size_t i = 0; i < 4; i++) {
		assert_in_range(gap_after(i), (30u << i) < 120 ? 30u << i : 120, 5000);
		assert_true(reconnected_after(i));
	}
	assert_true(double_has_status(t, CHANNEL_READY, 30000));
	telegram_stage_stop(t);
}

static void check_webhook(struct task *t)
{
	bot_server_refuse(server, "getUpdates", 409,
	    "Conflict: can't use getUpdates method while webhook is active; use "
	    "deleteWebhook to delete the webhook first",
	    0);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_int_equal(bot_server_calls(server, "deleteWebhook"), 2);
	telegram_stage_stop(t);
}

static void check_refused_at_start(struct task *t)
{
	bot_server_refuse(server, "getMe", 401, "Unauthorized", 0);
	telegram_stage_start_only();
	assert_true(double_has_status(t, CHANNEL_STOPPED, 30000));
	assert_non_null(strstr(the_double.statuses->data,
	    "the token was refused (401): put the right one into channels.main.token and restart"));
	/* Nobody is left who could ask again. */
	task_until(t, task_count() == 1);
	assert_int_equal(bot_server_calls(server, "getMe"), 1);
	assert_int_equal(bot_server_calls(server, "getUpdates"), 0);
	telegram_stage_stop(t);
	assert_int_equal(bot_server_calls(server, "getUpdates"), 0);
}

static void check_refused_later(struct task *t)
{
	script_updates(41, 1);
	bot_server_refuse(server, "getUpdates", 404, "Not Found", 0);
	telegram_stage_start_only();
	assert_true(double_has_status(t, CHANNEL_STOPPED, 30000));
	telegram_stage_stop(t);
	assert_int_equal(bot_server_calls(server, "getUpdates"), 2);
}

static void check_limited(struct task *t)
{
	bot_server_refuse(server, "getUpdates", 429, "Too Many Requests: retry after 1", 1);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_in_range(gap_after(0), 1010, 8000);
	telegram_stage_stop(t);
}

static void check_trouble(struct task *t)
{
	static const struct bot_answer cut = {.how = BOT_HALF, .status = 200, .body = "{}"};
	static const struct bot_answer half = {
	    .how = BOT_HALF, .status = 200, .body = "{\"ok\":true,\"result\":[]}"};

	the_double.cursor = xstrdup("41");
	bot_server_script(server, "getMe", &cut);
	bot_server_garbage(server, "getMe", 502, "<html>Bad Gateway</html>");
	bot_server_garbage(server, "getMe", 200, "{\"ok\":true,\"result\":{\"id\":\"x\"}}");
	bot_server_garbage(
	    server, "deleteWebhook", 500, "{\"ok\":false,\"error_code\":500,\"description\":\"Internal\"}");
	bot_server_garbage(server, "getUpdates", 502, "<html>Bad Gateway</html>");
	bot_server_garbage(server, "getUpdates", 200, "");
	bot_server_garbage(server, "getUpdates", 200, "{\"ok\":true,\"result\":{}}");
	bot_server_garbage(server, "getUpdates", 200, "{\"ok\":true,\"result\":[{\"x\":1}]}");
	bot_server_script(server, "getUpdates", &cut);
	bot_server_script(server, "getUpdates", &half);
	script_updates(41, 1);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 8);
	assert_int_equal(bot_server_calls(server, "getMe"), 4);
	assert_int_equal(bot_server_calls(server, "deleteWebhook"), 2);
	for (size_t i = 0; i < 6; i++) {
		assert_true(offset_of(i) == 41);
		assert_true(reconnected_after(i));
	}
	/* On a busy machine a poll may have been given up, too. */
	for (size_t n = 7; offset_of(n) != 42; n++) {
		assert_true(offset_of(n) == 41);
		telegram_stage_await_calls(t, "getUpdates", n + 2);
	}
	assert_int_equal(the_double.message_count, 1);
	telegram_stage_stop(t);
}

static void check_poison(struct task *t)
{
	struct buf large = BUF_INIT, deep = BUF_INIT;

	buf_addstr(&deep, "{\"ok\":true,\"result\":[{\"update_id\":41,\"message\":");
	for (int i = 0; i < 200; i++)
		buf_addch(&deep, '[');
	buf_addstr(&large, "{\"ok\":true,\"result\":[{\"update_id\":50,\"message\":{\"text\":\"");
	for (int i = 0; i < 100000; i++)
		buf_addch(&large, 'x');
	buf_addstr(&large, "\"}}]}");
	the_double.cursor = xstrdup("41");
	for (int i = 0; i < 4; i++)
		bot_server_garbage(server, "getUpdates", 200, deep.data);
	for (int i = 0; i < 4; i++)
		bot_server_garbage(server, "getUpdates", 200, large.data);
	script_updates(51, 1);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 10);
	assert_true(offset_of(3) == 41);
	assert_true(offset_of(4) == 42);
	assert_true(offset_of(8) == 51);
	assert_true(offset_of(9) == 52);
	struct json_object *o = telegram_stage_params("getUpdates", 2);
	assert_int_equal(json_get_int(o, "limit", 0), 1);
	json_object_put(o);
	assert_non_null(strstr(the_double.log->data, "update=41"));
	assert_non_null(strstr(the_double.log->data, "update=50"));
	assert_int_equal(the_double.message_count, 1);
	telegram_stage_stop(t);
	buf_clear(&large);
	buf_clear(&deep);
}

/* Whoever can write to the bot could otherwise hold up everybody, for minutes with each message. */
static void check_deep_update(struct task *t)
{
	struct buf list = BUF_INIT;
	char *one = update_text(41, "before"), *two = update_text(43, "a \\\"]} after");

	buf_addf(&list, "{\"ok\":true,\"result\":[%s, {\"update_id\":42,\"message\":", one);
	for (int i = 0; i < 200; i++)
		buf_addstr(&list, "[{\"a]\":");
	buf_addstr(&list, "\"\\\"\"");
	for (int i = 0; i < 200; i++)
		buf_addstr(&list, "}]");
	buf_addf(&list, "},%s]}", two);
	bot_server_garbage(server, "getUpdates", 200, list.data);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_true(offset_of(1) == 44);
	assert_int_equal(the_double.message_count, 2);
	assert_string_equal(the_double.messages[0]->text, "before");
	assert_string_equal(the_double.messages[1]->text, "a \"]} after");
	assert_non_null(strstr(the_double.log->data, "skipped malformed updates: count=1 total=1"));
	telegram_stage_stop(t);
	buf_clear(&list);
	free(one);
	free(two);
}

static void check_odd_updates(struct task *t)
{
	char *good = update_text(45, "good \xff bytes"), *list;

	list = xasprintf(
	    "[{\"update_id\":41,\"brand_new\":{}},{\"update_id\":42,\"message\":{}},5,{\"update_id\":43,\"my_"
	    "chat_member\":{\"chat\":{\"id\":-5},\"new_chat_member\":{\"status\":\"kicked\"}}},{\"update_"
	    "id\":44,\"message\":{\"message_id\":1,\"date\":1,\"chat\":{\"id\":-5,\"type\":\"group\"},"
	    "\"from\":{\"id\":7,\"first_name\":\"A\"},\"migrate_to_chat_id\":-1005}},%s]",
	    good);
	bot_server_result(server, "getUpdates", list);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_true(offset_of(1) == 46);
	assert_int_equal(the_double.message_count, 2);
	assert_int_equal(the_double.messages[0]->kind, MESSAGE_MOVED);
	assert_string_equal(the_double.messages[0]->from.chat, "-5");
	assert_string_equal(the_double.messages[0]->text, "-1005");
	assert_string_equal(the_double.messages[1]->text, "good \xef\xbf\xbd bytes");
	assert_non_null(strstr(the_double.log->data, "skipped malformed updates: count=2 total=2"));
	assert_non_null(strstr(the_double.log->data, "ignored updates of unknown kinds: count=1 total=1"));
	assert_non_null(strstr(the_double.log->data, "status=\"kicked\" chat=-5"));
	telegram_stage_stop(t);
	free(list);
	free(good);
}

static bool has_message(void *arg)
{
	(void)arg;
	return the_double.message_count > 0;
}

static void check_press(struct task *t)
{
	struct json_object *o;

	bot_server_result(server, "getUpdates",
	    "[{\"update_id\":41,\"callback_query\":{\"id\":\"4382\",\"from\":{\"id\":77,"
	    "\"first_name\":\"Ann\"},\"message\":{\"message_id\":9,\"date\":0,\"chat\":{\"id\":77,\"type\":"
	    "\"private\"}},\"data\":\"yes\"}}]");
	telegram_stage_start_only();
	assert_true(double_wait(t, has_message, NULL, 30000));
	assert_int_equal(the_double.messages[0]->kind, MESSAGE_PRESS);
	telegram_ops.answer_press(&the_double.ch, the_double.messages[0], "Not for you.");
	telegram_stage_await_calls(t, "answerCallbackQuery", 1);
	o = telegram_stage_params("answerCallbackQuery", 0);
	assert_string_equal(json_get_str(o, "callback_query_id"), "4382");
	assert_string_equal(json_get_str(o, "text"), "Not for you.");
	json_object_put(o);
	assert_true(the_double.messages[0]->sent_ms > 0);
	telegram_stage_stop(t);
}

static void check_press_refused(struct task *t)
{
	struct telegram *tg;

	bot_server_result(server, "getUpdates",
	    "[{\"update_id\":41,\"callback_query\":{\"id\":\"4382\",\"from\":{\"id\":77,"
	    "\"first_name\":\"Ann\"},\"message\":{\"message_id\":9,\"date\":0,\"chat\":{\"id\":77,\"type\":"
	    "\"private\"}},\"data\":\"yes\"}}]");
	bot_server_refuse(server, "getUpdates", 401, "Unauthorized", 0);
	telegram_stage_start_only();
	assert_true(double_wait(t, has_message, NULL, 30000));
	assert_true(double_has_status(t, CHANNEL_STOPPED, 30000));
	telegram_ops.answer_press(&the_double.ch, the_double.messages[0], "Not for you.");
	tg = the_double.ch.state;
	task_until(t, tg->presses == 0);
	assert_int_equal(bot_server_calls(server, "answerCallbackQuery"), 0);
	telegram_stage_stop(t);
}

static void check_half_open(struct task *t)
{
	static const struct bot_answer hang = {.how = BOT_HANG};

	bot_server_result(server, "getUpdates", "[]");
	bot_server_script(server, "getUpdates", &hang);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 3);
	/* The poll's own second, and most of the grace: a server may note a request late. */
	assert_in_range(gap_after(1), 1100, 8000);
	assert_true(reconnected_after(1));
	assert_non_null(strstr(the_double.statuses->data, "not complete within the limit"));
	assert_true(double_has_status(t, CHANNEL_READY, 30000));
	telegram_stage_stop(t);
}

static void check_hurry(struct task *t)
{
	const char *told;

	/* By default at most five a second. */
	assert_true(telegram_limits.empty_ms / 2 >= 200);
	limits.empty_ms = 100;
	limits.empty_max_ms = 800;
	for (int i = 0; i < 5; i++)
		bot_server_result(server, "getUpdates", "[]");
	script_updates(41, 1);
	bot_server_result(server, "getUpdates", "[]");
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 8);
	for (size_t i = 0; i < 5; i++)
		assert_in_range(gap_after(i), 50u << (i < 3 ? i : 3), 5000);
	/* What it waited for came: the waits begin again. */
	assert_in_range(gap_after(6), 50, 399);
	told = strstr(the_double.log->data, "long before its timeout");
	assert_non_null(told);
	assert_null(strstr(told + 1, "long before its timeout"));
	assert_int_equal(the_double.ch.status, CHANNEL_READY);
	telegram_stage_stop(t);
}

static void check_watchdog(struct task *t)
{
	static const struct bot_answer hang = {.how = BOT_HANG};

	limits.poll_grace_ms = 60000;
	limits.watchdog_ms = 1200;
	bot_server_script(server, "getUpdates", &hang);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_non_null(strstr(the_double.statuses->data, "starting over with a new connection"));
	assert_true(reconnected_after(0));
	assert_true(double_has_status(t, CHANNEL_READY, 30000));
	assert_int_equal(bot_server_calls(server, "getMe"), 1);
	telegram_stage_stop(t);
}

static void check_stop(struct task *t)
{
	uint64_t begun;

	settings.poll_timeout_ms = 30000;
	script_updates(41, 5);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	begun = clock_now();
	telegram_stage_stop(t);
	assert_true(clock_now() - begun < 25000);
	/* The poll that was cut off has confirmed what came before it. */
	assert_int_equal(bot_server_calls(server, "getUpdates"), 2);
}

/* After the batch of updates 41 and following, polls fail: nobody has confirmed it yet when the stop
 * comes. */
static void stop_after_failure(struct task *t, const struct bot_answer *farewell)
{
	static const struct bot_answer cut = {.how = BOT_HALF, .status = 200, .body = "{}"};

	script_updates(41, 5);
	bot_server_script(server, "getUpdates", &cut);
	if (farewell)
		bot_server_script(server, "getUpdates", farewell);
	telegram_stage_start_only();
	telegram_stage_await_calls(t, "getUpdates", 2);
	assert_true(double_has_status(t, CHANNEL_DEGRADED, 30000));
	telegram_stage_stop(t);
}

static void check_farewell(struct task *t)
{
	struct json_object *o;

	limits.retry_ms = limits.retry_max_ms = 60000;
	stop_after_failure(t, NULL);
	assert_int_equal(bot_server_calls(server, "getUpdates"), 3);
	o = telegram_stage_params("getUpdates", 2);
	assert_true(json_get_int(o, "offset", 0) == 46);
	assert_int_equal(json_get_int(o, "limit", 0), 1);
	assert_int_equal(json_get_int(o, "timeout", -1), 0);
	json_object_put(o);
}

static void check_farewell_is_short(struct task *t)
{
	static const struct bot_answer hang = {.how = BOT_HANG};
	uint64_t begun = clock_now();

	limits.retry_ms = limits.retry_max_ms = 60000;
	stop_after_failure(t, &hang);
	assert_in_range(clock_now() - begun, 250, 50000);
}

static void begin(void)
{
	settings.rate_private = 1;
	settings.rate_group = 20;
	settings.rate_global = 30;
	limits.call_ms = 3000;
	limits.send_ms = 500;
	limits.limited_extra_ms = 10;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    STAGE_TEST(it_asks_who_it_is_removes_the_webhook_and_polls, check_start),
	    STAGE_TEST(the_offset_is_stored_with_the_messages_and_used, check_offset),
	    STAGE_TEST(a_lower_random_id_after_a_quiet_week_is_followed, check_random_id),
	    STAGE_TEST(what_is_not_stored_is_not_confirmed, check_full_disk),
	    STAGE_TEST(a_second_poller_is_answered_with_growing_waits, check_conflict),
	    STAGE_TEST(a_webhook_is_removed_at_once, check_webhook),
	    STAGE_TEST(a_refused_token_stops_the_channel, check_refused_at_start),
	    STAGE_TEST(a_token_that_is_revoked_later_stops_it_too, check_refused_later),
	    STAGE_TEST(a_429_is_waited_out, check_limited),
	    STAGE_TEST(trouble_and_garbage_are_tried_again_on_new_connections, check_trouble),
	    STAGE_TEST(an_unreadable_update_is_skipped_aloud, check_poison),
	    STAGE_TEST(an_update_that_cannot_be_parsed_holds_up_no_other, check_deep_update),
	    STAGE_TEST(odd_updates_are_counted_and_confirmed, check_odd_updates),
	    STAGE_TEST(a_press_is_answered, check_press),
	    STAGE_TEST(a_press_is_not_answered_with_a_refused_token, check_press_refused),
	    STAGE_TEST(a_half_open_poll_is_cut, check_half_open),
	    STAGE_TEST(polls_that_end_too_soon_are_made_less_often, check_hurry),
	    STAGE_TEST(the_watchdog_starts_a_hanging_poller_over, check_watchdog),
	    STAGE_TEST(a_stop_is_quick_when_all_is_confirmed, check_stop),
	    STAGE_TEST(a_stop_confirms_what_was_handled, check_farewell),
	    STAGE_TEST(a_stop_does_not_wait_for_a_silent_server, check_farewell_is_short),
	};

	return telegram_stage_run(tests, begin);
}
