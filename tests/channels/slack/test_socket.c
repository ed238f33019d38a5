/* Events over the playground's Socket Mode: each once, acknowledged when it is kept, whatever becomes of
 * connections. */
#include <stdlib.h>
#include <string.h>

#include "tests/channels/slack/slack_stage.h"

static void say(struct slack_stage *st, const char *chat, const char *kind, const char *text)
{
	free(stage_act(st, "say", NULL, "\"chat\":\"%s\",\"user\":\"ann\",\"kind\":\"%s\",\"text\":\"%s\"",
	    chat, kind, text));
}

static size_t socket_act(struct slack_stage *st, const char *members)
{
	free(stage_act(st, "socket", NULL, "%s", members));
	return 0;
}

static size_t count_text(const struct slack_stage *st, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < st->count; i++)
		n += strcmp(st->received[i]->text, text) == 0;
	return n;
}

/* Every event that was sent is acknowledged. */
static size_t acks(struct slack_stage *st)
{
	return stage_calls(st, "socket.message", false);
}

/* On a busy machine a new connection may take longer than Slack's tries in the other tests. */
static void try_for_long(struct slack_stage *st)
{
	stage_set(st, "{\"retry_ms\":[50,500,20000]}");
}

struct named {
	const char *name;
	size_t count;
};

static void count_named(void *arg, const char *name, const char *waits, uint64_t ms)
{
	struct named *named = arg;

	(void)waits;
	(void)ms;
	named->count += strcmp(name, named->name) == 0;
}

static size_t tasks(const char *name)
{
	struct named named = {.name = name};

	task_each(count_named, &named);
	return named.count;
}

STAGE_TEST(what_is_said_arrives)
{
	stage_start(t, st);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1);
	assert_string_equal(st->received[0]->text, "hello");
	assert_true(st->received[0]->addressed);
	assert_int_equal(st->received[0]->chat_kind, CHAT_PRIVATE);
	assert_string_equal(st->received[0]->from.thread, "");
	stage_until(t, acks(st) >= 1);
	/* The name is asked for behind the first message, and there for the second. */
	stage_until(t, stage_calls(st, "users.info", false) == 1 && tasks("slack.users") == 0);
	say(st, "ann", "private", "again");
	stage_until(t, st->count == 2);
	assert_string_equal(st->received[1]->sender_name, "ann");
	assert_int_equal(stage_calls(st, "users.info", true), 0);
}

STAGE_TEST(what_we_say_is_acknowledged_and_no_message)
{
	size_t before;

	stage_start(t, st);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1 && acks(st) >= 1);
	before = acks(st);
	stage_send(t, st, st->received[0]->from.chat, "", "from us");
	stage_until(t, stage_ended(st) == 1 && acks(st) == before + 1 && stage_unacknowledged(st) == 0);
	say(st, "ann", "private", "again");
	stage_until(t, st->count == 2);
	assert_string_equal(st->received[1]->text, "again");
	assert_int_equal(stage_logged("malformed"), 0);
}

STAGE_TEST(a_mention_is_one_message_in_either_order)
{
	static const char *const orders[] = {
	    "mention_first", "message_first", "mention_only", "message_only"};

	stage_start(t, st);
	for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
		char *set = xasprintf("{\"mentions\":\"%s\"}", orders[i]),
		     *text = xasprintf("@bot number %zu", i);
		size_t before = acks(st);

		stage_set(st, set);
		say(st, "general", "group", text);
		stage_until(t, st->count > i && acks(st) >= before + (i < 2 ? 2 : 1));
		assert_int_equal(st->count, i + 1);
		assert_true(st->received[i]->addressed);
		assert_string_equal(st->received[i]->from.thread, st->received[i]->message_id);
		free(set);
		free(text);
	}
}

/* What is acknowledged too early does not come again. */
STAGE_TEST(nothing_is_acknowledged_before_it_is_kept)
{
	struct error full = {0};
	char text[16] = "";

	/* No second try within the test: the restart is what brings the message back. */
	st->limits.retry_ms = st->limits.retry_max_ms = 600000;
	try_for_long(st);
	stage_start(t, st);
	error_set(&full, ERROR_OURS, "the disk is full");
	/* The failure may strike what the channel notes for itself, and the message is kept: then the next
	 * one. */
	for (size_t i = 0; stage_logged("are not acknowledged: the disk is full") == 0; i++) {
		journal_memory_fail_next(st->memory, &full);
		snprintf(text, sizeof(text), "number %zu", i);
		say(st, "ann", "private", text);
		stage_until(t, st->count > i || stage_logged("are not acknowledged: the disk is full") > 0);
	}
	assert_int_equal(count_text(st, text), 0);
	st->limits.retry_ms = st->limits.retry_max_ms = 10;
	stage_restart(t, st);
	stage_until(t, count_text(st, text) == 1);
	stage_until(t, acks(st) >= st->count);
}

STAGE_TEST(what_was_not_acknowledged_comes_again_and_counts_once)
{
	stage_set(st, "{\"ack_ms\":20}");
	st->limits.retry_ms = 200;
	st->limits.retry_max_ms = 200;
	stage_start(t, st);
	struct error full = {0};
	error_set(&full, ERROR_OURS, "the disk is full");
	journal_memory_fail_next(st->memory, &full);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1 && acks(st) >= 2);
	assert_int_equal(count_text(st, "hello"), 1);
}

STAGE_TEST(a_new_connection_is_there_before_the_old_one_goes)
{
	static const char *const actions[] = {"warning", "refresh"};
	size_t said = 0;

	st->limits.retire_ms = 100;
	stage_start(t, st);
	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		char *order = xasprintf("\"action\":\"%s\",\"close_ms\":60000", actions[i]);
		size_t most = 0, least = 9;

		socket_act(st, order);
		/* Messages keep coming meanwhile. */
		for (int n = 0; n < 60 || (most < 2 && n < 6000); n++) {
			size_t open = stage_sockets(st);

			most = open > most ? open : most;
			least = open < least ? open : least;
			char *text = xasprintf("%s %d", actions[i], n);
			say(st, "ann", "private", text);
			free(text);
			said++;
			task_sleep(t, 5, NULL);
		}
		assert_int_equal(least, 1);
		assert_int_equal(most, 2);
		assert_int_equal(st->channel->status, CHANNEL_READY);
		stage_until(t, st->count == said);
		stage_until(t, stage_sockets(st) == 1);
		free(order);
	}
	assert_int_equal(stage_calls(st, "apps.connections.open", false), 3);
}

STAGE_TEST(a_connection_is_replaced_before_its_time_is_over)
{
	st->limits.age_ms = 150;
	st->limits.retire_ms = 20;
	stage_start(t, st);
	stage_until(t, stage_calls(st, "apps.connections.open", false) >= 4);
	assert_int_equal(st->channel->status, CHANNEL_READY);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1);
}

/* Until then, so that never more than two are read. */
STAGE_TEST(a_connection_is_replaced_when_the_one_before_it_has_ended)
{
	st->limits.retire_ms = 600000;
	stage_start(t, st);
	for (size_t i = 0; i < 2; i++) {
		socket_act(st, "\"action\":\"warning\",\"which\":\"newest\",\"close_ms\":-1");
		stage_until(t, stage_logged("Slack ends a connection") == i + 1);
		stage_until(t, stage_calls(st, "apps.connections.open", false) == 2);
		stage_until(t, stage_sockets(st) == 2 && st->channel->status == CHANNEL_READY);
	}
	say(st, "ann", "private", "meanwhile");
	stage_until(t, count_text(st, "meanwhile") == 1);
	assert_int_equal(stage_calls(st, "apps.connections.open", false), 2);
	socket_act(st, "\"action\":\"close\",\"which\":\"oldest\",\"code\":1001");
	stage_until(t, stage_calls(st, "apps.connections.open", false) == 3);
	stage_until(t, stage_sockets(st) == 2);
	assert_int_equal(st->channel->status, CHANNEL_READY);
	say(st, "ann", "private", "behind it");
	stage_until(t, count_text(st, "behind it") == 1);
}

STAGE_TEST(a_lost_connection_is_made_again_and_nothing_is_missed)
{
	static const char *const ends[] = {
	    "\"action\":\"abort\"", "\"action\":\"close\",\"code\":1001", "\"action\":\"close\",\"code\":0"};

	try_for_long(st);
	stage_start(t, st);
	for (size_t i = 0; i < 9; i++) {
		char *text = xasprintf("number %zu", i);

		socket_act(st, ends[i % ARRAY_LEN(ends)]);
		say(st, "ann", "private", text);
		stage_until(t, count_text(st, text) == 1);
		stage_until(t, st->channel->status == CHANNEL_READY && stage_sockets(st) == 1);
		free(text);
	}
	assert_int_equal(st->count, 9);
	/* backfill = 0: nothing is fetched. */
	assert_int_equal(stage_calls(st, "conversations.history", false), 0);
}

/* However often Slack was out of reach before. */
STAGE_TEST(a_connection_that_was_lost_soon_is_made_again_within_seconds)
{
	st->limits.retry_ms = 10 * 60 * 1000;
	st->limits.retry_max_ms = 60 * 60 * 1000;
	stage_start(t, st);
	for (size_t i = 0; i < 2; i++) {
		socket_act(st, "\"action\":\"abort\"");
		stage_until(t, stage_calls(st, "apps.connections.open", false) == i + 2);
		stage_until(t, st->channel->status == CHANNEL_READY && stage_sockets(st) == 1);
	}
}

STAGE_TEST(a_deaf_connection_is_found_out)
{
	st->limits.ping_ms = 60;
	stage_start(t, st);
	socket_act(st, "\"action\":\"silence\"");
	stage_until(t, stage_calls(st, "apps.connections.open", false) == 2);
	stage_until(t, st->channel->status == CHANNEL_READY);
	say(st, "ann", "private", "hello");
	stage_until(t, count_text(st, "hello") == 1);
}

STAGE_TEST(a_disconnect_in_place_of_a_hello_is_stood)
{
	stage_start(t, st);
	socket_act(st, "\"action\":\"refresh\",\"next\":true");
	socket_act(st, "\"action\":\"abort\"");
	stage_until(t, stage_calls(st, "apps.connections.open", false) == 3);
	stage_until(t, st->channel->status == CHANNEL_READY);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1);
}

/* Slack gives out a URL, and what stands there is no WebSocket. */
STAGE_TEST(a_connection_that_cannot_be_opened_is_tried_again)
{
	static const char *const faults[] = {
	    "\"kind\":\"close\"",
	    "\"kind\":\"status\",\"status\":404",
	    "\"kind\":\"status\",\"status\":503",
	};

	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		size_t before = stage_calls(st, "apps.connections.open", false);
		char *fault = xasprintf("\"method\":\"socket\",\"count\":3,%s", faults[i]);

		stage_fault(st, fault);
		stage_start_only(t, st);
		stage_until(t, st->channel->status == CHANNEL_DEGRADED);
		assert_non_null(strstr(st->channel->status_text, "Socket Mode"));
		assert_non_null(strstr(st->channel->status_text, "trying again"));
		stage_until(t, st->channel->status == CHANNEL_READY);
		/* The URL is good for one try. */
		assert_int_equal(stage_calls(st, "apps.connections.open", false), before + 4);
		say(st, "ann", "private", "hello");
		stage_until(t, st->count == i + 1);
		if (i + 1 < ARRAY_LEN(faults))
			bus_free(t, st->bus);
		free(fault);
	}
	assert_int_equal(stage_logged("ticket="), 0);
}

STAGE_TEST(a_connection_that_is_open_is_used_while_the_next_cannot_be_opened)
{
	st->limits.retire_ms = 20;
	stage_start(t, st);
	stage_fault(st, "\"method\":\"socket\",\"kind\":\"close\",\"count\":3");
	/* Slack leaves it open for good: its end is ours. */
	socket_act(st, "\"action\":\"warning\",\"close_ms\":-1");
	say(st, "ann", "private", "meanwhile");
	stage_until(t, stage_logged("a connection cannot be replaced yet") == 3);
	assert_int_equal(st->channel->status, CHANNEL_READY);
	stage_until(t, count_text(st, "meanwhile") == 1);
	stage_until(t, stage_calls(st, "socket", false) == 5 && stage_sockets(st) == 1);
	assert_int_equal(stage_logged("trying again"), 0);
	say(st, "ann", "private", "behind it");
	stage_until(t, count_text(st, "behind it") == 1);
}

STAGE_TEST(a_pause_that_slack_asks_for_before_a_connection_is_kept)
{
	static const char *const methods[] = {"apps.connections.open", "socket"};

	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		uint64_t began = clock_now();
		char *fault = xasprintf(
		    "\"method\":\"%s\",\"kind\":\"retry_after\",\"seconds\":1,\"count\":1", methods[i]);
		size_t before = stage_calls(st, methods[i], false);

		stage_fault(st, fault);
		stage_start_only(t, st);
		stage_until(t, st->channel->status == CHANNEL_READY);
		assert_true(clock_now() - began >= 1000);
		assert_int_equal(stage_calls(st, methods[i], false), before + 2);
		if (i + 1 < ARRAY_LEN(methods))
			bus_free(t, st->bus);
		free(fault);
	}
}

STAGE_TEST(a_connection_without_a_hello_is_ended_and_made_again)
{
	st->limits.hello_ms = 50;
	stage_set(st, "{\"hello_ms\":600000}");
	stage_start_only(t, st);
	stage_until(t, stage_calls(st, "apps.connections.open", false) >= 4);
	assert_int_equal(st->channel->status, CHANNEL_DEGRADED);
	assert_non_null(strstr(st->channel->status_text, "no hello"));
	st->limits.hello_ms = 20000;
	stage_set(st, "{\"hello_ms\":0}");
	stage_until(t, st->channel->status == CHANNEL_READY && stage_sockets(st) == 1);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1);
}

STAGE_TEST(a_stop_ends_the_connections)
{
	stage_start(t, st);
	bus_free(t, st->bus);
	stage_until(t, stage_sockets(st) == 0);
	stage_start(t, st);
}

STAGE_TEST(an_app_without_socket_mode_stops_and_says_so)
{
	stage_start(t, st);
	socket_act(st, "\"action\":\"link_disabled\"");
	stage_until(t, st->channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(st->channel->status_text, "Socket Mode"));
	/* Nobody is left who could connect again. */
	stage_until(t, tasks("slack.connect") == 0);
	assert_int_equal(stage_calls(st, "apps.connections.open", false), 1);
}

STAGE_TEST(a_crowd_of_connections_is_left_for_a_while)
{
	st->limits.crowded_ms = 300;
	stage_start(t, st);
	uint64_t began = clock_now();
	socket_act(st, "\"action\":\"too_many_websockets\",\"close_ms\":0");
	stage_until(t, st->channel->status == CHANNEL_DEGRADED);
	stage_until(t, st->channel->status == CHANNEL_READY);
	assert_true(clock_now() - began >= 300);
}

STAGE_TEST(a_refused_token_stops_the_channel_and_is_named)
{
	st->settings.bot_token = "xoxb-1-2-revoked";
	stage_start_only(t, st);
	stage_until(t, st->channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(st->channel->status_text, "bot_token"));
	assert_int_equal(stage_calls(st, "apps.connections.open", false), 0);
}

STAGE_TEST(a_refused_app_token_is_named)
{
	st->settings.app_token = "xapp-1-A2-3-revoked";
	stage_start_only(t, st);
	stage_until(t, st->channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(st->channel->status_text, "app_token"));
}

STAGE_TEST(a_failure_that_passes_is_tried_again)
{
	stage_fault(st, "\"method\":\"auth.test\",\"kind\":\"status\",\"status\":503,\"count\":2");
	stage_fault(st, "\"method\":\"apps.connections.open\",\"kind\":\"close\",\"count\":2");
	stage_fault(st, "\"method\":\"apps.connections.open\",\"kind\":\"garbage\",\"count\":1");
	stage_start(t, st);
	say(st, "ann", "private", "hello");
	stage_until(t, st->count == 1);
}

STAGE_TEST(large_envelopes_in_pieces_and_bursts_arrive)
{
	struct buf text = BUF_INIT;

	stage_set(st, "{\"fragments\":7}");
	stage_start(t, st);
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "word%d ", i);
	say(st, "ann", "private", text.data);
	for (int i = 0; i < 200; i++)
		say(st, "ann", "private", "burst");
	stage_until(t, st->count == 201);
	assert_string_equal(st->received[0]->text, text.data);
	stage_until(t, acks(st) >= 201);
	buf_clear(&text);
}

STAGE_TEST(an_envelope_of_more_values_than_fit_holds_up_no_other)
{
	struct buf text = BUF_INIT;

	buf_addstr(&text, "{\\\"envelope_id\\\":\\\"1\\\",\\\"a\\\":[{}");
	for (int i = 0; i < JSON_CONTAINERS_MAX; i++)
		buf_addstr(&text, ",{}");
	buf_addstr(&text, "]}");
	stage_start(t, st);
	free(stage_act(st, "socket", NULL, "\"action\":\"post\",\"text\":\"%s\"", text.data));
	say(st, "ann", "private", "behind it");
	stage_until(t, count_text(st, "behind it") == 1);
	assert_int_equal(stage_logged("is not JSON, and was skipped"), 1);
	buf_clear(&text);
}

STAGE_TEST(edits_deletes_and_what_is_not_said_are_told_apart)
{
	stage_start(t, st);
	char *id = stage_act(st, "say", "message_id",
	    "\"chat\":\"ann\",\"user\":\"ann\",\"kind\":\"private\",\"text\":\"one\"");
	free(stage_act(
	    st, "say", NULL, "\"chat\":\"ann\",\"user\":\"ann\",\"text\":\"two\",\"edit\":\"%s\"", id));
	free(stage_act(st, "say", NULL, "\"chat\":\"ann\",\"user\":\"ann\",\"unfurl\":\"%s\"", id));
	free(stage_act(st, "react", NULL,
	    "\"chat\":\"ann\",\"user\":\"ann\",\"message_id\":\"%s\",\"emoji\":\"eyes\"", id));
	free(stage_act(st, "delete", NULL, "\"chat\":\"ann\",\"user\":\"ann\",\"message_id\":\"%s\"", id));
	stage_until(t, st->count == 3);
	assert_int_equal(st->received[1]->kind, MESSAGE_EDIT);
	assert_string_equal(st->received[1]->text, "two");
	assert_string_equal(st->received[1]->message_id, id);
	assert_int_equal(st->received[2]->kind, MESSAGE_EDIT);
	assert_non_null(strstr(st->received[2]->text, "deleted"));
	free(id);
}

STAGE_TEST(replies_in_a_thread_where_we_wrote_are_for_us_also_after_a_restart)
{
	stage_start(t, st);
	char *root = stage_act(st, "say", "message_id",
	    "\"chat\":\"general\",\"user\":\"ann\",\"kind\":\"group\",\"text\":\"topic\"");
	stage_until(t, st->count == 1);
	char *chat = xstrdup(st->received[0]->from.chat);
	free(stage_act(st, "say", NULL,
	    "\"chat\":\"general\",\"user\":\"ann\",\"thread\":\"%s\",\"text\":\"to others\"", root));
	stage_until(t, st->count == 2);
	assert_false(st->received[1]->addressed);
	stage_send(t, st, chat, root, "I am here");
	stage_until(t, stage_ended(st) == 1);
	free(stage_act(st, "say", NULL,
	    "\"chat\":\"general\",\"user\":\"ann\",\"thread\":\"%s\",\"text\":\"to you\"", root));
	stage_until(t, st->count == 3);
	assert_true(st->received[2]->addressed);
	assert_string_equal(st->received[2]->from.thread, root);
	stage_restart(t, st);
	free(stage_act(st, "say", NULL,
	    "\"chat\":\"general\",\"user\":\"ann\",\"thread\":\"%s\",\"text\":\"again\"", root));
	stage_until(t, st->count == 4);
	assert_true(st->received[3]->addressed);
	free(root);
	free(chat);
}

STAGE_TEST(commands_are_given_and_buttons_pressed)
{
	stage_start(t, st);
	free(stage_act(st, "command", NULL,
	    "\"chat\":\"ann\",\"user\":\"ann\",\"kind\":\"private\",\"command\":\"/myna\",\"text\":\"\""));
	stage_until(t, st->count == 1);
	assert_string_equal(st->received[0]->text, "/help");
	struct buttons buttons = {0};
	struct address to = st->received[0]->from;
	buttons_add(&buttons, "ap:1:yes", "Allow", BUTTON_PRIMARY, true);
	buttons_add(&buttons, "ap:1:no", "Deny", BUTTON_DANGER, false);
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "**May** I run `rm`?");
	row->buttons = buttons_write(&buttons);
	stage_put(t, st, row);
	buttons_clear(&buttons);
	stage_until(t, stage_ended(st) == 1);
	char *id = xstrndup(st->ends.data + 5, strcspn(st->ends.data + 5, ":"));
	free(stage_act(st, "press", NULL,
	    "\"chat\":\"ann\",\"user\":\"ann\",\"message_id\":\"%s\",\"button\":\"Deny\"", id));
	stage_until(t, st->count == 2);
	assert_int_equal(st->received[1]->kind, MESSAGE_PRESS);
	assert_string_equal(st->received[1]->text, "ap:1:no");
	assert_string_equal(st->received[1]->message_id, id);
	assert_int_equal(stage_calls(st, "chat.postMessage", true), 0);
	free(id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_said_arrives),
	    cmocka_unit_test(what_we_say_is_acknowledged_and_no_message),
	    cmocka_unit_test(a_mention_is_one_message_in_either_order),
	    cmocka_unit_test(nothing_is_acknowledged_before_it_is_kept),
	    cmocka_unit_test(what_was_not_acknowledged_comes_again_and_counts_once),
	    cmocka_unit_test(a_new_connection_is_there_before_the_old_one_goes),
	    cmocka_unit_test(a_connection_is_replaced_before_its_time_is_over),
	    cmocka_unit_test(a_connection_is_replaced_when_the_one_before_it_has_ended),
	    cmocka_unit_test(a_lost_connection_is_made_again_and_nothing_is_missed),
	    cmocka_unit_test(a_connection_that_was_lost_soon_is_made_again_within_seconds),
	    cmocka_unit_test(a_deaf_connection_is_found_out),
	    cmocka_unit_test(a_disconnect_in_place_of_a_hello_is_stood),
	    cmocka_unit_test(a_connection_that_cannot_be_opened_is_tried_again),
	    cmocka_unit_test(a_connection_that_is_open_is_used_while_the_next_cannot_be_opened),
	    cmocka_unit_test(a_pause_that_slack_asks_for_before_a_connection_is_kept),
	    cmocka_unit_test(a_connection_without_a_hello_is_ended_and_made_again),
	    cmocka_unit_test(a_stop_ends_the_connections),
	    cmocka_unit_test(an_app_without_socket_mode_stops_and_says_so),
	    cmocka_unit_test(a_crowd_of_connections_is_left_for_a_while),
	    cmocka_unit_test(a_refused_token_stops_the_channel_and_is_named),
	    cmocka_unit_test(a_refused_app_token_is_named),
	    cmocka_unit_test(a_failure_that_passes_is_tried_again),
	    cmocka_unit_test(large_envelopes_in_pieces_and_bursts_arrive),
	    cmocka_unit_test(an_envelope_of_more_values_than_fit_holds_up_no_other),
	    cmocka_unit_test(edits_deletes_and_what_is_not_said_are_told_apart),
	    cmocka_unit_test(replies_in_a_thread_where_we_wrote_are_for_us_also_after_a_restart),
	    cmocka_unit_test(commands_are_given_and_buttons_pressed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
