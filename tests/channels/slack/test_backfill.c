/* What was said while nobody heard it, over the playground's Slack, which has given up repeating it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/channel.h"
#include "tests/channels/slack/slack_stage.h"

static char *say(struct slack_stage *st, const char *chat, const char *kind, const char *text)
{
	return stage_act(st, "say", "message_id",
	    "\"chat\":\"%s\",\"user\":\"ann\",\"kind\":\"%s\",\"text\":\"%s\"", chat, kind, text);
}

static void reply(struct slack_stage *st, const char *chat, const char *root, const char *text)
{
	free(stage_act(st, "say", NULL, "\"chat\":\"%s\",\"user\":\"ann\",\"thread\":\"%s\",\"text\":\"%s\"",
	    chat, root, text));
}

/* What has arrived, and for whom: "TEXT!" is addressed. */
static char *heard(const struct slack_stage *st, size_t from)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "");
	for (size_t i = from; i < st->count; i++)
		buf_addf(&out, "%s%s ", st->received[i]->text, st->received[i]->addressed ? "!" : "");
	return buf_take(&out);
}

static void expect_heard(const struct slack_stage *st, size_t from, const char *want)
{
	char *got = heard(st, from);

	if (strcmp(got, want) != 0)
		fail_msg("heard \"%s\", wanted \"%s\"", got, want);
	free(got);
}

/* Slack repeats nothing while we are away. */
static void prepare(struct slack_stage *st)
{
	stage_set(st, "{\"retry_ms\":[0,0,0]}");
	st->settings.backfill_ms = 24 * 3600 * 1000;
	st->limits.check_ms = 20;
}

/* Ends the bus as a stop does, and waits until the app is not connected any more. */
static void leave(struct task *t, struct slack_stage *st)
{
	bus_free(t, st->bus);
	stage_until(t, stage_sockets(st) == 0);
}

/* Slack has given up what nobody heard, when we are here again. */
static void come_back(struct task *t, struct slack_stage *st)
{
	stage_until(t, stage_unacknowledged(st) == 0);
	stage_start(t, st);
}

/* The bot answers in a thread of the first message. Returns the root, malloc'd. */
static char *write_in_thread(struct task *t, struct slack_stage *st)
{
	char *root = say(st, "general", "group", "topic");

	stage_until(t, st->count == 1);
	stage_send(t, st, st->received[0]->from.chat, root, "I am here");
	stage_until(t, stage_ended(st) == 1);
	task_turns(t, 10);
	return root;
}

static bool is_fetched(struct slack_stage *st)
{
	return stage_logged("backfill done") > 0 && st->channel->status == CHANNEL_READY;
}

STAGE_TEST(what_was_said_while_we_were_away_arrives_once_and_in_order)
{
	char *root, *old;

	prepare(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	old = say(st, "general", "group", "topic");
	stage_until(t, st->count == 2);
	leave(t, st);
	free(say(st, "ann", "private", "one"));
	free(say(st, "ann", "private", "two"));
	free(say(st, "general", "group", "aside"));
	root = say(st, "general", "group", "@bot three");
	reply(st, "general", root, "four");
	reply(st, "general", old, "@bot five");
	come_back(t, st);
	stage_until(t, is_fetched(st));
	expect_heard(st, 2, "one! two! aside three! four five! ");
	assert_string_equal(st->received[5]->from.thread, st->received[5]->message_id);
	assert_string_equal(st->received[7]->from.thread, old);
	/* And what comes now by the socket. */
	free(say(st, "ann", "private", "six"));
	stage_until(t, st->count == 9);
	assert_int_equal(stage_calls(st, "users.conversations", true), 0);
	assert_int_equal(
	    stage_calls(st, "conversations.history", true) + stage_calls(st, "conversations.replies", true),
	    0);
	free(root);
	free(old);
}

STAGE_TEST(a_silence_longer_than_slack_repeats_is_filled_while_live_events_come)
{
	prepare(st);
	st->limits.redelivered_ms = 60;
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	stage_fault(
	    st, "\"method\":\"apps.connections.open\",\"kind\":\"status\",\"status\":503,\"count\":6");
	stage_fault(
	    st, "\"method\":\"conversations.history\",\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	free(stage_act(st, "socket", NULL, "\"action\":\"abort\""));
	stage_until(t, st->channel->status == CHANNEL_DEGRADED);
	free(say(st, "ann", "private", "missed"));
	stage_until(t, st->channel->status == CHANNEL_READY);
	free(say(st, "ann", "private", "live"));
	stage_until(t, st->count == 3);
	expect_heard(st, 1, "live! missed! ");
	stage_until(t, is_fetched(st));
	assert_int_equal(st->count, 3);
}

/* The clock has jumped between two looks; the old connection seems to live, and says nothing. */
STAGE_TEST(what_was_said_while_the_machine_slept_is_fetched)
{
	prepare(st);
	stage_set(st, "{\"ack_ms\":20}");
	st->limits.check_ms = 200;
	st->limits.redelivered_ms = 100;
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	free(stage_act(st, "socket", NULL, "\"action\":\"silence\""));
	free(say(st, "ann", "private", "missed"));
	stage_until(t, st->count == 2);
	expect_heard(st, 1, "missed! ");
	assert_int_equal(stage_calls(st, "apps.connections.open", false), 1);
}

/* While it was an hour ahead, the sync position followed it. */
STAGE_TEST(what_was_said_after_the_clock_was_set_back_is_fetched)
{
	const int64_t hour_ms = 3600 * 1000;

	prepare(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	clock_set_ahead(hour_ms);
	for (size_t n = 2; n <= 5; n++) {
		free(say(st, "ann", "private", "ahead"));
		stage_until(t, st->count == n);
		task_sleep(t, st->limits.check_ms, NULL);
	}
	clock_set_ahead(-hour_ms);
	stage_fault(
	    st, "\"method\":\"apps.connections.open\",\"kind\":\"status\",\"status\":503,\"count\":2");
	free(stage_act(st, "socket", NULL, "\"action\":\"abort\""));
	stage_until(t, st->channel->status == CHANNEL_DEGRADED);
	free(say(st, "ann", "private", "missed"));
	stage_until(t, st->count == 6);
	expect_heard(st, 5, "missed! ");
}

/* It was set back while the gateway was away. */
STAGE_TEST(a_stored_sync_position_in_the_future_hides_nothing)
{
	struct journal journal = journal_memory_face(st->memory);
	char value[24];

	prepare(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	leave(t, st);
	snprintf(value, sizeof(value), "%" PRId64, clock_wall() + 3600 * 1000);
	struct journal_cursor cursor = {.account = st->received[0]->account, .name = "heard", .value = value};
	assert_int_equal(journal.ops->put_inbound(t, journal.self, NULL, 0, &cursor, NULL), 0);
	free(say(st, "ann", "private", "missed"));
	come_back(t, st);
	stage_until(t, st->count == 2);
	expect_heard(st, 1, "missed! ");
}

STAGE_TEST(what_is_older_than_the_bound_is_never_heard)
{
	prepare(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	leave(t, st);
	free(say(st, "ann", "private", "old"));
	task_sleep(t, 20, NULL);
	st->settings.backfill_ms = 1;
	come_back(t, st);
	stage_until(t, is_fetched(st));
	leave(t, st);
	/* Nor later, when the bound is a wider one: it is behind us. */
	free(say(st, "ann", "private", "off"));
	st->settings.backfill_ms = 0;
	come_back(t, st);
	/* What was said then came before what is said now. */
	free(say(st, "ann", "private", "now"));
	stage_until(t, st->count == 2);
	expect_heard(st, 1, "now! ");
	assert_int_equal(stage_logged("backfill done"), 1);
}

STAGE_TEST(a_missing_scope_is_named_once_and_the_rest_is_fetched)
{
	prepare(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	free(say(st, "general", "group", "topic"));
	stage_until(t, st->count == 2);
	stage_set(st, "{\"missing_scopes\":[\"im:history\",\"mpim:read\"]}");
	leave(t, st);
	free(say(st, "ann", "private", "lost"));
	free(say(st, "general", "group", "@bot found"));
	come_back(t, st);
	stage_until(t, st->count == 3 && is_fetched(st));
	expect_heard(st, 2, "found! ");
	assert_non_null(strstr(st->channel->status_text, "scope"));
	assert_int_equal(stage_logged("cannot backfill"), 1);
}

STAGE_TEST(what_cannot_be_fetched_or_kept_now_is_fetched_later)
{
	struct error full = {0};

	prepare(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	leave(t, st);
	free(say(st, "ann", "private", "one"));
	stage_fault(
	    st, "\"method\":\"conversations.history\",\"kind\":\"status\",\"status\":503,\"count\":5");
	error_set(&full, ERROR_OURS, "the disk is full");
	stage_until(t, stage_unacknowledged(st) == 0);
	stage_start_only(t, st);
	stage_until(t, stage_calls(st, "conversations.history", false) >= 2);
	journal_memory_fail_next(st->memory, &full);
	stage_until(t, st->count == 2);
	expect_heard(st, 1, "one! ");
	assert_true(stage_logged("backfill is incomplete") >= 1);
	/* A stop before that begins where this began. */
	leave(t, st);
	free(say(st, "ann", "private", "two"));
	stage_fault(
	    st, "\"method\":\"conversations.history\",\"kind\":\"status\",\"status\":503,\"count\":2");
	come_back(t, st);
	leave(t, st);
	come_back(t, st);
	stage_until(t, st->count == 3);
	expect_heard(st, 2, "two! ");
}

STAGE_TEST(of_what_cannot_be_fetched_whole_nothing_is_heard_before_the_rest)
{
	prepare(st);
	stage_start(t, st);
	char *root = write_in_thread(t, st);
	leave(t, st);
	reply(st, "general", root, "earlier");
	free(say(st, "general", "group", "later"));
	stage_fault(
	    st, "\"method\":\"conversations.replies\",\"kind\":\"status\",\"status\":503,\"count\":5");
	come_back(t, st);
	stage_until(t, stage_logged("backfill is incomplete") >= 1);
	assert_int_equal(st->count, 1);
	stage_until(t, st->count == 3);
	expect_heard(st, 1, "earlier! later ");
	free(root);
}

STAGE_TEST(threads_in_which_we_wrote_are_looked_at_however_old_they_are)
{
	prepare(st);
	st->limits.roots_ms = -24 * 3600 * 1000; /* no root is young enough */
	stage_start(t, st);
	char *root = write_in_thread(t, st);
	leave(t, st);
	reply(st, "general", root, "again");
	come_back(t, st);
	stage_until(t, st->count == 2);
	expect_heard(st, 1, "again! ");
	assert_string_equal(st->received[1]->from.thread, root);
	free(root);
}

STAGE_TEST(of_too_much_the_newest_is_fetched_and_the_loss_is_named)
{
	prepare(st);
	st->limits.backfill_messages = 3;
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 1);
	leave(t, st);
	for (int i = 0; i < 5; i++) {
		char *text = xasprintf("%d", i);
		free(say(st, "ann", "private", text));
		free(text);
	}
	come_back(t, st);
	stage_until(t, is_fetched(st));
	expect_heard(st, 1, "2! 3! 4! ");
	assert_int_equal(stage_logged("a conversation has more missed messages"), 1);
}

/* Slack repeats what nobody acknowledged only when it is told to. */
static void prepare_loss(struct slack_stage *st)
{
	prepare(st);
	stage_set(st, "{\"retry_ms\":[600000,600000,600000]}");
}

static void socket_act(struct slack_stage *st, const char *action)
{
	free(stage_act(st, "socket", NULL, "\"action\":\"%s\"", action));
}

/* Everything is delivered again, and acknowledged. */
static void redeliver(struct task *t, struct slack_stage *st)
{
	stage_until(t, st->channel->status == CHANNEL_READY);
	socket_act(st, "retry");
	stage_until(t, stage_unacknowledged(st) == 0);
}

STAGE_TEST(what_went_into_a_lost_connection_is_found_at_once_and_counts_once)
{
	prepare_loss(st);
	stage_start(t, st);
	free(say(st, "ann", "private", "before"));
	char *root = say(st, "general", "group", "topic");
	free(say(st, "general", "group", "and more"));
	stage_until(t, st->count == 3);
	socket_act(st, "silence");
	free(say(st, "ann", "private", "one"));
	free(say(st, "general", "group", "@bot two"));
	reply(st, "general", root, "@bot three");
	socket_act(st, "abort");
	stage_until(t, st->count == 6);
	expect_heard(st, 3, "two! three! one! ");
	assert_string_equal(st->received[4]->from.thread, root);
	/* One call each for two conversations and a thread. */
	assert_int_equal(stage_calls(st, "conversations.history", false), 2);
	assert_int_equal(stage_calls(st, "conversations.replies", false), 1);
	assert_int_equal(stage_calls(st, "users.conversations", false), 0);
	assert_true(stage_unacknowledged(st) >= 3);
	redeliver(t, st);
	free(say(st, "ann", "private", "four"));
	stage_until(t, st->count == 7);
	expect_heard(st, 6, "four! ");
	free(root);
}

STAGE_TEST(after_a_lost_connection_only_recent_conversations_are_asked)
{
	prepare_loss(st);
	st->limits.recent_chats = 1;
	st->limits.retire_ms = 20;
	stage_start(t, st);
	free(say(st, "general", "group", "topic"));
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 2);
	/* Nothing is lost where the old connection stays until the new one is there. */
	socket_act(st, "warning");
	stage_until(t, stage_calls(st, "apps.connections.open", false) == 2 && stage_sockets(st) == 1);
	assert_int_equal(stage_calls(st, "conversations.history", false), 0);
	socket_act(st, "silence");
	free(say(st, "general", "group", "aside"));
	free(say(st, "ann", "private", "one"));
	socket_act(st, "abort");
	stage_until(t, stage_logged("looked for recent messages: conversations=1") == 1);
	expect_heard(st, 2, "one! ");
	redeliver(t, st);
	expect_heard(st, 2, "one! aside ");
	/* Now everything is too long ago. */
	st->limits.recent_ms = -1000;
	socket_act(st, "abort");
	stage_until(t, stage_logged("looked for recent messages: conversations=0") == 1);
	assert_int_equal(stage_calls(st, "conversations.history", false), 1);
}

STAGE_TEST(a_limit_leaves_what_went_into_a_lost_connection_to_slack)
{
	struct address to;
	struct error err = {0};

	prepare_loss(st);
	stage_start(t, st);
	free(say(st, "general", "group", "topic"));
	free(say(st, "ann", "private", "before"));
	stage_until(t, st->count == 2);
	stage_fault(
	    st, "\"method\":\"conversations.history\",\"kind\":\"retry_after\",\"seconds\":60,\"count\":1");
	for (size_t i = 0; i < 2; i++) {
		socket_act(st, "silence");
		free(say(st, "ann", "private", i == 0 ? "one" : "two"));
		socket_act(st, "abort");
		stage_until(t, stage_calls(st, "apps.connections.open", false) == i + 2);
		stage_until(t, stage_logged("is left to redelivery") > 0);
		redeliver(t, st);
	}
	/* The limit is known: the second time nothing is asked. */
	expect_heard(st, 2, "one! two! ");
	assert_int_equal(stage_logged("is left to redelivery"), 1);
	assert_int_equal(stage_calls(st, "conversations.history", false), 1);
	/* It is one of reading: what is shown while the agent works goes on. */
	assert_int_equal(
	    address_set(&to, "slack", st->received[0]->from.chat, st->received[0]->message_id, NULL), 0);
	assert_int_equal(st->channel->ops->typing(t, st->channel, &to, &err), 0);
	stage_until(t, stage_calls(st, "assistant.threads.setStatus", false) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_said_while_we_were_away_arrives_once_and_in_order),
	    cmocka_unit_test(a_silence_longer_than_slack_repeats_is_filled_while_live_events_come),
	    cmocka_unit_test(what_was_said_while_the_machine_slept_is_fetched),
	    cmocka_unit_test(what_was_said_after_the_clock_was_set_back_is_fetched),
	    cmocka_unit_test(a_stored_sync_position_in_the_future_hides_nothing),
	    cmocka_unit_test(what_is_older_than_the_bound_is_never_heard),
	    cmocka_unit_test(a_missing_scope_is_named_once_and_the_rest_is_fetched),
	    cmocka_unit_test(what_cannot_be_fetched_or_kept_now_is_fetched_later),
	    cmocka_unit_test(of_what_cannot_be_fetched_whole_nothing_is_heard_before_the_rest),
	    cmocka_unit_test(threads_in_which_we_wrote_are_looked_at_however_old_they_are),
	    cmocka_unit_test(of_too_much_the_newest_is_fetched_and_the_loss_is_named),
	    cmocka_unit_test(what_went_into_a_lost_connection_is_found_at_once_and_counts_once),
	    cmocka_unit_test(after_a_lost_connection_only_recent_conversations_are_asked),
	    cmocka_unit_test(a_limit_leaves_what_went_into_a_lost_connection_to_slack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
