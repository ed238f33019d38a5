/* Messages to the playground's Slack: what is shown, what failures become, what is found out about sends that
 * were cut off. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "bus/attachment.h"
#include "bus/channel.h"
#include "tests/channels/slack/slack_stage.h"
#include "tests/playground/fixture.h"

/* Ann's direct messages with the bot. */
static char *open_dm(struct task *t, struct slack_stage *st)
{
	size_t before = st->count;

	free(stage_act(
	    st, "say", NULL, "\"chat\":\"ann\",\"user\":\"ann\",\"kind\":\"private\",\"text\":\"hello\""));
	stage_until(t, st->count > before);
	return xstrdup(st->received[before]->from.chat);
}

/* A mention in a channel; *ts its id. */
static char *open_thread(struct task *t, struct slack_stage *st, char **ts)
{
	size_t before = st->count;

	*ts = stage_act(st, "say", "message_id",
	    "\"chat\":\"general\",\"user\":\"ann\",\"kind\":\"group\",\"text\":\"@bot hello\"");
	stage_until(t, st->count > before);
	return xstrdup(st->received[before]->from.chat);
}

static void expect_said(struct slack_stage *st, const char *chat, const char *want)
{
	char *said = stage_said(st, chat);

	if (strcmp(said, want) != 0)
		fail_msg("the bot said\n%swanted\n%s", said, want);
	free(said);
}

static void expect_end(struct task *t, struct slack_stage *st, size_t lines, const char *part)
{
	stage_until(t, stage_ended(st) == lines);
	if (!strstr(st->ends.data, part))
		fail_msg("the ends lack \"%s\":\n%s", part, st->ends.data);
}

STAGE_TEST(an_answer_is_shown_where_it_was_asked)
{
	stage_start(t, st);
	char *dm = open_dm(t, st), *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] here\n", ts);

	stage_send(t, st, dm, NULL, "**there** <!channel> & <@U1>");
	stage_send(t, st, chat, ts, "here");
	expect_end(t, st, 2, "sent ");
	expect_said(st, dm, "*there* <!channel> & <@U1>\n");
	expect_said(st, chat, line);
	assert_int_equal(stage_calls(st, "chat.postMessage", true), 0);
	free(dm);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(what_slack_refuses_has_failed_and_says_why)
{
	static const struct {
		const char *gone, *says;
	} table[] = {
	    {"archived", "archived"},
	    {"left", "/invite"},
	    {"restricted", "rules of the channel"},
	    {"deleted", "no such conversation"},
	};

	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts);
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		free(stage_act(st, "chat", NULL, "\"chat\":\"%s\",\"gone\":\"%s\"", chat, table[i].gone));
		stage_send(t, st, chat, NULL, "hello");
		expect_end(t, st, i + 1, table[i].says);
		free(stage_act(st, "chat", NULL, "\"chat\":\"%s\",\"gone\":\"no\"", chat));
	}
	stage_send(t, st, "C0NOSUCH", NULL, "hello");
	stage_send(t, st, "general", NULL, "hello");
	stage_send(t, st, chat, "77", "hello");
	stage_send(t, st, chat, NULL, " \n ");
	expect_end(t, st, ARRAY_LEN(table) + 4, "is not the ts of a thread");
	assert_null(strstr(st->ends.data, "sent "));
	free(chat);
	free(ts);
}

STAGE_TEST(a_penalty_is_waited_for)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);
	uint64_t began = clock_now();

	stage_fault(st, "\"method\":\"chat.postMessage\",\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	stage_send(t, st, dm, NULL, "one");
	stage_send(t, st, dm, NULL, "two");
	expect_end(t, st, 2, "sent ");
	assert_true(clock_now() - began >= 1000);
	expect_said(st, dm, "one\ntwo\n");
	assert_int_equal(stage_calls(st, "chat.postMessage", false), 3);
	free(dm);
}

/* The answer is cut at every kind of place: never a second message, never none. */
STAGE_TEST(a_lost_answer_is_looked_for_and_nothing_is_said_twice)
{
	static const char *const faults[] = {
	    "\"method\":\"chat.postMessage\",\"kind\":\"cut\",\"at_byte\":0,\"count\":2",
	    "\"method\":\"chat.postMessage\",\"kind\":\"close\",\"count\":2",
	    "\"method\":\"chat.postMessage\",\"kind\":\"status\",\"status\":503,\"count\":2",
	    "\"method\":\"chat.postMessage\",\"kind\":\"garbage\",\"text\":\"{\\\"ok\\\":true}\",\"count\":2",
	};

	stage_start(t, st);
	char *dm = open_dm(t, st), *ts, *chat = open_thread(t, st, &ts);
	struct buf want = BUF_INIT, thread = BUF_INIT;
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		char *text = xasprintf("number %zu", i);

		stage_fault(st, faults[i]);
		stage_send(t, st, dm, NULL, text);
		stage_send(t, st, chat, ts, text);
		stage_until(t, stage_ended(st) == 2 * i + 2);
		buf_addf(&want, "%s\n", text);
		buf_addf(&thread, "[%s] %s\n", ts, text);
		free(text);
	}
	expect_said(st, dm, want.data);
	expect_said(st, chat, thread.data);
	assert_null(strstr(st->ends.data, "uncertain"));
	assert_true(stage_calls(st, "conversations.history", false) >= 2);
	assert_true(stage_calls(st, "conversations.replies", false) >= 2);
	assert_int_equal(
	    stage_calls(st, "conversations.replies", true) + stage_calls(st, "conversations.history", true),
	    0);
	buf_clear(&want);
	buf_clear(&thread);
	free(dm);
	free(chat);
	free(ts);
}

/* Stops the channel and leaves a delivery that was sent as a crash does: committed as sending. */
static void crash_after(struct task *t, struct slack_stage *st, int64_t id)
{
	struct journal journal = journal_memory_face(st->memory);

	bus_free(t, st->bus);
	struct outbound *row = journal.ops->get_outbound(t, journal.self, id, NULL);
	free(row->platform_id);
	row->platform_id = NULL;
	row->state = OUTBOUND_SENDING;
	assert_int_equal(journal.ops->mark_outbound(t, journal.self, row, NULL), 0);
	outbound_free(row);
}

/* As a crash leaves it: committed as sending, and gone out or not. The clock has gone back since. */
static void cut_off(struct task *t, struct slack_stage *st, int64_t back_ms)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);
	struct journal journal = journal_memory_face(st->memory);
	struct address to;

	clock_set_ahead(back_ms);
	int64_t id = stage_send(t, st, dm, NULL, "went out");
	clock_set_ahead(-back_ms);
	expect_end(t, st, 1, "sent ");
	crash_after(t, st, id);
	/* One that never left, behind it. */
	assert_int_equal(address_set(&to, "slack", dm, NULL, NULL), 0);
	struct outbound *row = outbound_new(&to, OUTBOUND_NOTIFICATION, "never left");
	row->created_ms = row->updated_ms = clock_wall() + back_ms;
	assert_int_equal(journal.ops->put_outbound(t, journal.self, &row, 1, NULL), 0);
	row->state = OUTBOUND_SENDING;
	row->attempts = 1;
	assert_int_equal(journal.ops->mark_outbound(t, journal.self, row, NULL), 0);
	outbound_free(row);
	st->limits.settle_ms = 1500;
	stage_start(t, st);
	stage_until(t, stage_ended(st) == 3);
	expect_said(st, dm, "went out\nnever left\n");
	free(dm);
}

STAGE_TEST(what_a_crash_cut_off_is_said_once)
{
	cut_off(t, st, 0);
}

STAGE_TEST(what_a_crash_cut_off_is_said_once_when_the_clock_went_back)
{
	cut_off(t, st, 3600 * 1000);
}

STAGE_TEST(without_the_scope_to_look_a_reply_is_repeated_marked)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);

	stage_set(st, "{\"missing_scopes\":[\"im:history\"]}");
	stage_fault(st, "\"method\":\"chat.postMessage\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	stage_send(t, st, dm, NULL, "one");
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "one\none\n\n(may be a repeat)\n");
	free(dm);
}

static struct preview preview_of(const struct slack_stage *st, const char *chat, const char *thread)
{
	struct preview p = {.since_ms = clock_now() - 5000, .text = BUF_INIT};

	assert_int_equal(address_set(&p.where, "slack", chat, thread, NULL), 0);
	p.reply_to = xstrdup(st->received[st->count - 1]->message_id);
	return p;
}

static int show(struct task *t, struct slack_stage *st, struct preview *p, const char *more)
{
	struct error err = {0};

	buf_addstr(&p->text, more);
	return st->channel->ops->preview(t, st->channel, p, &err);
}

static void preview_end(struct preview *p)
{
	buf_clear(&p->text);
	free(p->reply_to);
	free(p->message_id);
}

static void answer(struct task *t, struct slack_stage *st, const struct preview *p, const char *text)
{
	struct outbound *row = outbound_new(&p->where, OUTBOUND_REPLY, text);

	row->edit_of = xstrdup(p->message_id);
	stage_put(t, st, row);
}

STAGE_TEST(in_a_thread_an_answer_is_streamed_and_then_replaced)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] the answer\n", ts);
	struct preview p = preview_of(st, chat, ts);

	assert_true(show(t, st, &p, "**one** <") > 0);
	assert_non_null(p.message_id);
	assert_true(show(t, st, &p, "!channel> two") > 0);
	assert_int_equal(p.shown_len, p.text.len);
	assert_int_equal(stage_calls(st, "chat.startStream", false), 1);
	assert_int_equal(stage_calls(st, "chat.appendStream", false), 1);
	char *said = stage_said(st, chat);
	assert_null(strstr(said, "<!channel>"));
	assert_non_null(strstr(said, "two"));
	free(said);
	answer(t, st, &p, "the answer");
	expect_end(t, st, 1, "sent ");
	expect_said(st, chat, line);
	assert_int_equal(stage_calls(st, "chat.stopStream", false), 1);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(stage_calls(st,
				     ((const char *[]){"chat.startStream", "chat.appendStream",
					 "chat.stopStream", "chat.update"})[i],
				     true),
		    0);
	preview_end(&p);
	free(chat);
	free(ts);
	free(line);
}

struct shower {
	struct slack_stage *st;
	struct preview p;
};

static void show_one(struct task *t, void *arg)
{
	struct shower *s = arg;

	assert_true(show(t, s->st, &s->p, "one") > 0);
}

STAGE_TEST(answers_that_begin_at_once_are_streams_of_their_own)
{
	struct shower showers[8];
	struct task_group group;

	stage_start(t, st);
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(showers); i++) {
		char *ts, *chat = open_thread(t, st, &ts);

		showers[i] = (struct shower){st, preview_of(st, chat, ts)};
		free(chat);
		free(ts);
	}
	for (size_t i = 0; i < ARRAY_LEN(showers); i++)
		task_start(&group, "shower", show_one, &showers[i]);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(showers); i++) {
		assert_true(show(t, st, &showers[i].p, " two") > 0);
		preview_end(&showers[i].p);
	}
	assert_int_equal(stage_calls(st, "chat.startStream", false), ARRAY_LEN(showers));
	assert_int_equal(stage_calls(st, "chat.appendStream", false), ARRAY_LEN(showers));
	assert_int_equal(stage_calls(st, "chat.update", false), 0);
}

STAGE_TEST(a_long_beginning_is_streamed_to_its_end)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts);
	struct preview p = preview_of(st, chat, ts);
	struct buf text = BUF_INIT;

	for (int i = 0; i < 2000; i++)
		buf_addf(&text, "w%d ", i);
	assert_true(show(t, st, &p, text.data) > 0);
	assert_in_range(p.shown_len, 1, text.len - 1);
	/* Nothing more was written: what did not fit follows all the same. */
	assert_true(show(t, st, &p, "") > 0);
	assert_int_equal(p.shown_len, text.len);
	assert_int_equal(stage_calls(st, "chat.appendStream", false), 1);
	char *said = stage_said(st, chat);
	assert_non_null(strstr(said, text.data));
	free(said);
	preview_end(&p);
	buf_clear(&text);
	free(chat);
	free(ts);
}

STAGE_TEST(a_stream_goes_on_after_a_penalty_and_after_a_lost_answer)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] one two three four\n", ts);
	struct preview p = preview_of(st, chat, ts);

	assert_true(show(t, st, &p, "one") > 0);
	stage_fault(
	    st, "\"method\":\"chat.appendStream\",\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	assert_true(show(t, st, &p, " two") >= 1000);
	assert_int_equal(p.shown_len, strlen("one"));
	stage_until(t, show(t, st, &p, "") > 0 && p.shown_len == p.text.len);
	/* Whether it was added is not known: it is not added again. */
	stage_fault(st, "\"method\":\"chat.appendStream\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	assert_true(show(t, st, &p, " three") > 0);
	assert_true(show(t, st, &p, " four") > 0);
	expect_said(st, chat, line);
	assert_int_equal(stage_calls(st, "chat.appendStream", false), 4);
	assert_int_equal(stage_calls(st, "chat.update", false), 0);
	preview_end(&p);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(a_stream_that_slack_has_ended_goes_on_by_edits)
{
	stage_set(st, "{\"stream_ms\":1}");
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] one two …\n", ts);
	struct preview p = preview_of(st, chat, ts);

	assert_true(show(t, st, &p, "one") > 0);
	uint64_t over = clock_now() + 1;
	stage_until(t, clock_now() > over);
	assert_true(show(t, st, &p, " two") > 0);
	assert_int_equal(p.shown_len, strlen("one"));
	assert_true(show(t, st, &p, "") > 0);
	expect_said(st, chat, line);
	assert_int_equal(stage_calls(st, "chat.appendStream", false), 1);
	assert_int_equal(stage_calls(st, "chat.update", true), 0);
	preview_end(&p);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(a_stream_that_began_anew_or_ended_goes_on_by_edits)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] other …\n", ts);
	struct preview p = preview_of(st, chat, ts);

	assert_true(show(t, st, &p, "first try") > 0);
	/* As bus_live_restart has it. */
	buf_reset(&p.text);
	p.shown_len = 0;
	assert_true(show(t, st, &p, "other") > 0);
	assert_true(show(t, st, &p, "") > 0);
	expect_said(st, chat, line);
	assert_int_equal(stage_calls(st, "chat.update", true), 0);
	preview_end(&p);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(a_stream_of_before_a_crash_is_replaced_too)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] the answer\n", ts);
	struct preview p = preview_of(st, chat, ts);

	assert_true(show(t, st, &p, "begun") > 0);
	stage_restart(t, st);
	answer(t, st, &p, "the answer");
	expect_end(t, st, 1, "sent ");
	expect_said(st, chat, line);
	preview_end(&p);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(a_stream_that_an_interrupted_try_left_is_found_and_replaced)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] 1\n[%s] done\n", ts, ts), *begun;
	struct preview p = preview_of(st, chat, ts), other = preview_of(st, chat, ts);

	/* Beside one whose answer is complete. */
	assert_true(show(t, st, &other, "one") > 0);
	answer(t, st, &other, "1");
	expect_end(t, st, 1, "sent ");
	assert_true(show(t, st, &p, "begun") > 0);
	begun = p.message_id;
	p.message_id = NULL;
	stage_restart(t, st);
	st->channel->ops->find_preview(t, st->channel, &p);
	assert_string_equal(p.message_id, begun);
	answer(t, st, &p, "done");
	expect_end(t, st, 2, "sent ");
	expect_said(st, chat, line);
	free(p.message_id);
	p.message_id = NULL;
	st->channel->ops->find_preview(t, st->channel, &p);
	assert_null(p.message_id);
	preview_end(&p);
	preview_end(&other);
	free(begun);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(a_stream_whose_start_was_not_confirmed_is_found_and_replaced)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *line = xasprintf("[%s] done\n", ts);
	struct preview p = preview_of(st, chat, ts);

	stage_fault(st, "\"method\":\"chat.startStream\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	assert_true(show(t, st, &p, "one") > 0);
	assert_non_null(p.message_id);
	answer(t, st, &p, "done");
	expect_end(t, st, 1, "sent ");
	expect_said(st, chat, line);
	preview_end(&p);
	free(chat);
	free(ts);
	free(line);
}

STAGE_TEST(without_knowing_whom_it_answers_an_answer_grows_by_edits)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts);
	struct preview p = preview_of(st, chat, ts);

	stage_restart(t, st);
	assert_true(show(t, st, &p, "one") > 0);
	assert_true(show(t, st, &p, " two") > 0);
	assert_int_equal(stage_calls(st, "chat.startStream", false), 0);
	assert_int_equal(stage_calls(st, "chat.update", false), 1);
	preview_end(&p);
	free(chat);
	free(ts);
}

STAGE_TEST(outside_of_threads_an_answer_grows_by_edits)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);
	struct preview p = preview_of(st, dm, NULL);

	assert_true(show(t, st, &p, "one") > 0);
	assert_true(show(t, st, &p, " two") > 0);
	expect_said(st, dm, "one two …\n");
	answer(t, st, &p, "done");
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "done\n");
	assert_int_equal(stage_calls(st, "chat.startStream", false), 0);
	preview_end(&p);
	free(dm);
}

static void add_piece(struct task *t, void *arg)
{
	struct preview *p = arg;

	(void)t;
	buf_addstr(&p->text, " two");
}

STAGE_TEST(a_piece_that_comes_while_the_call_is_in_flight_is_not_shown_yet)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);
	struct preview p = preview_of(st, dm, NULL);

	task_start(NULL, "piece", add_piece, &p);
	assert_true(show(t, st, &p, "one") > 0);
	assert_string_equal(p.text.data, "one two");
	assert_int_equal(p.shown_len, strlen("one"));
	expect_said(st, dm, "one …\n");
	preview_end(&p);
	free(dm);
}

STAGE_TEST(a_preview_whose_answer_was_lost_is_found_and_replaced)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);
	struct preview p = preview_of(st, dm, NULL);

	p.draft = 7;
	stage_fault(st, "\"method\":\"chat.postMessage\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	assert_true(show(t, st, &p, "one") > 0);
	expect_said(st, dm, "one …\n");
	answer(t, st, &p, "done");
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "done\n");
	preview_end(&p);
	free(dm);
}

STAGE_TEST(a_preview_that_is_gone_is_sent_as_a_new_message)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);
	struct preview p = preview_of(st, dm, NULL);

	assert_true(show(t, st, &p, "one") > 0);
	free(stage_act(
	    st, "delete", NULL, "\"chat\":\"%s\",\"user\":\"ann\",\"message_id\":\"%s\"", dm, p.message_id));
	answer(t, st, &p, "done");
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "done\n");
	preview_end(&p);
	free(dm);
}

STAGE_TEST(signs_of_life_are_ones_that_slack_knows)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts);
	const struct channel_ops *ops = st->channel->ops;
	struct address where = st->received[0]->from;
	struct error err = {0};

	assert_int_equal(ops->typing(t, st->channel, &where, &err), 0);
	assert_int_equal(ops->typing(t, st->channel, &where, &err), 0);
	assert_int_equal(stage_calls(st, "assistant.threads.setStatus", false), 1);
	assert_int_equal(stage_calls(st, "assistant.threads.setStatus", true), 0);
	assert_int_equal(ops->react(t, st->channel, &where, ts, "👀", &err), 0);
	assert_int_equal(ops->react(t, st->channel, &where, ts, "👀", &err), 0);
	assert_int_equal(ops->react(t, st->channel, &where, ts, "", &err), 0);
	assert_int_equal(stage_calls(st, "reactions.add", false), 1);
	assert_int_equal(stage_calls(st, "reactions.remove", false), 1);
	assert_int_equal(
	    stage_calls(st, "reactions.add", true) + stage_calls(st, "reactions.remove", true), 0);
	assert_int_equal(ops->react(t, st->channel, &where, ts, "🦚", &err), -1);
	where.thread[0] = '\0';
	assert_int_equal(ops->typing(t, st->channel, &where, &err), -1);
	free(chat);
	free(ts);
}

STAGE_TEST(a_reaction_for_which_there_is_no_room_is_put_there_later)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts);
	const struct channel_ops *ops = st->channel->ops;
	struct address where = st->received[0]->from;
	struct error err = {0};

	stage_fault(st, "\"method\":\"reactions.add\",\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	assert_int_equal(ops->react(t, st->channel, &where, ts, "👀", &err), -1);
	assert_int_equal(ops->react(t, st->channel, &where, ts, "👀", &err), 1);
	assert_int_equal(stage_calls(st, "reactions.add", false), 1);
	stage_until(t, ops->react(t, st->channel, &where, ts, "👀", &err) == 0);
	assert_int_equal(stage_calls(st, "reactions.add", false), 2);
	free(chat);
	free(ts);
}

/* As a crash or a lost answer leaves it, and the root has gone meanwhile. */
STAGE_TEST(without_its_thread_it_is_looked_for_in_the_channel)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts);

	free(
	    stage_act(st, "delete", NULL, "\"chat\":\"general\",\"user\":\"ann\",\"message_id\":\"%s\"", ts));
	/* That it is refused for its thread is not heard. */
	stage_fault(st, "\"method\":\"chat.postMessage\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	int64_t id = stage_send(t, st, chat, ts, "here");
	expect_end(t, st, 1, "sent ");
	expect_said(st, chat, "here\n");
	/* Now it is there, outside of the thread. */
	crash_after(t, st, id);
	stage_start(t, st);
	expect_end(t, st, 2, "sent ");
	expect_said(st, chat, "here\n");
	free(chat);
	free(ts);
}

static void command(struct task *t, struct slack_stage *st, const char *chat)
{
	size_t before = st->count;

	free(stage_act(st, "command", NULL,
	    "\"chat\":\"%s\",\"user\":\"ann\",\"command\":\"/myna\",\"text\":\"hello\"", chat));
	stage_until(t, st->count == before + 1);
}

STAGE_TEST(a_command_where_the_app_is_no_member_is_told_so_once)
{
	stage_start(t, st);
	char *ts, *chat = open_thread(t, st, &ts), *said;

	stage_send(t, st, chat, NULL, "member");
	expect_end(t, st, 1, "sent ");
	free(stage_act(st, "chat", NULL, "\"chat\":\"%s\",\"gone\":\"left\"", chat));
	/* Nobody has asked: nobody is told. */
	stage_send(t, st, chat, NULL, "notice");
	expect_end(t, st, 2, "/invite");
	assert_int_equal(stage_calls(st, "response_url", false), 0);
	command(t, st, chat);
	stage_send(t, st, chat, NULL, "one");
	stage_send(t, st, chat, NULL, "two");
	expect_end(t, st, 4, "failed ");
	said = stage_said(st, chat);
	assert_non_null(strstr(said, "Invite me with `/invite @myna`"));
	assert_int_equal(stage_calls(st, "response_url", false), 1);
	assert_int_equal(stage_calls(st, "response_url", true), 0);
	free(said);
	free(chat);
	free(ts);
}

static int64_t send_file(struct task *t, struct slack_stage *st, const char *chat, const char *text)
{
	struct address to;
	struct outbound *row;
	/* The bus removes it when its row has its end. */
	char path[] = "/tmp/myna-slack-send-XXXXXX";
	int fd = mkstemp(path);

	assert_return_code(fd, errno);
	assert_int_equal(write(fd, "five\n", 5), 5);
	close(fd);
	assert_int_equal(address_set(&to, "slack", chat, NULL, NULL), 0);
	row = outbound_new(&to, OUTBOUND_REPLY, text);
	row->file = xcalloc(1, sizeof(*row->file));
	row->file->kind = ATTACHMENT_FILE;
	row->file->name = xstrdup("five.txt");
	row->file->path = xstrdup(path);
	row->file->size = 5;
	return stage_put(t, st, row);
}

STAGE_TEST(nothing_overtakes_a_file_and_its_message_is_known)
{
	stage_set(st, "{\"share_ms\":400}");
	stage_start(t, st);
	char *dm = open_dm(t, st);

	send_file(t, st, dm, "a file");
	stage_send(t, st, dm, NULL, "behind it");
	expect_end(t, st, 2, "sent ");
	expect_said(st, dm, "a file\nbehind it\n");
	assert_non_null(strchr(st->ends.data, '.'));
	assert_null(strstr(st->ends.data, "sent F"));
	assert_int_equal(stage_calls(st, "files.info", true), 0);
	free(dm);
}

STAGE_TEST(a_file_whose_answer_was_lost_is_shown_once)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);

	stage_fault(
	    st, "\"method\":\"files.completeUploadExternal\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	send_file(t, st, dm, "a file");
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "a file\n");
	/* Killed while it waited, so that its id is forgotten. */
	stage_set(st, "{\"share_ms\":300}");
	send_file(t, st, dm, "another");
	stage_until(t, stage_calls(st, "files.completeUploadExternal", false) == 2);
	bus_free(t, st->bus);
	st->limits.settle_ms = 1000;
	stage_start(t, st);
	expect_end(t, st, 2, "sent ");
	expect_said(st, dm, "a file\nanother\n");
	free(dm);
}

#define REVOKED(method)                                                        \
	"\"method\":\"" method "\",\"kind\":\"garbage\",\"count\":1,\"text\":" \
	"\"{\\\"ok\\\":false,\\\"error\\\":\\\"token_revoked\\\"}\""

/* The file waits for whoever puts the token right; it has not failed. */
STAGE_TEST(a_refused_token_stops_the_channel_and_loses_no_file)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);

	stage_fault(st, REVOKED("files.getUploadURLExternal"));
	send_file(t, st, dm, "a file");
	stage_until(t, st->channel->status == CHANNEL_STOPPED);
	stage_restart(t, st);
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "a file\n");
	free(dm);
}

STAGE_TEST(a_token_refused_while_a_lost_answer_is_looked_for_repeats_nothing)
{
	stage_start(t, st);
	char *dm = open_dm(t, st);

	stage_fault(st, "\"method\":\"chat.postMessage\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	stage_fault(st, REVOKED("conversations.history"));
	stage_send(t, st, dm, NULL, "one");
	stage_until(t, st->channel->status == CHANNEL_STOPPED);
	stage_restart(t, st);
	expect_end(t, st, 1, "sent ");
	expect_said(st, dm, "one\n");

	stage_fault(
	    st, "\"method\":\"files.completeUploadExternal\",\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	stage_fault(st, REVOKED("files.info"));
	send_file(t, st, dm, "a file");
	stage_until(t, st->channel->status == CHANNEL_STOPPED);
	stage_restart(t, st);
	expect_end(t, st, 2, "sent ");
	expect_said(st, dm, "one\na file\n");
	free(dm);
}

struct sinked {
	struct attachment_sink sink;
	struct buf bytes;
};

static int keep_bytes(const char *data, size_t len, void *arg)
{
	buf_add(&((struct sinked *)arg)->bytes, data, len);
	return 0;
}

static int fetch(struct task *t, struct slack_stage *st, struct sinked *s, int64_t most, struct error *err)
{
	buf_reset(&s->bytes);
	s->sink =
	    (struct attachment_sink){.max_bytes = most, .total_ms = 10000, .data = keep_bytes, .arg = s};
	return st->channel->ops->fetch(t, st->channel, &st->received[0]->attachments[0], &s->sink, err);
}

STAGE_TEST(files_are_loaded_and_the_token_stays_with_slack)
{
	struct sinked s = {.bytes = BUF_INIT};
	struct error err = {0};

	stage_start(t, st);
	free(stage_act(st, "say", NULL,
	    "\"chat\":\"ann\",\"user\":\"ann\",\"kind\":\"private\",\"text\":\"see\",\"files\":[{"
	    "\"name\":"
	    "\"a.txt\",\"base64\":\"aGVsbG8=\"}]"));
	stage_until(t, st->count == 1);
	assert_int_equal(st->received[0]->attachment_count, 1);
	assert_int_equal(fetch(t, st, &s, 100, &err), 0);
	assert_string_equal(s.bytes.data, "hello");
	stage_set(st, "{\"file_redirect\":true}");
	if (fetch(t, st, &s, 100, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(s.bytes.data, "hello");
	assert_int_equal(fetch(t, st, &s, 4, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(s.bytes.len, 0);
	stage_fault(
	    st, "\"method\":\"files.info\",\"kind\":\"garbage\",\"text\":\"{\\\"ok\\\":true}\",\"count\":1");
	err = (struct error){0};
	assert_int_equal(fetch(t, st, &s, 100, &err), -1);
	assert_int_equal(err.kind, ERROR_NETWORK);
	stage_set(st, "{\"file_redirect\":false,\"missing_scopes\":[\"files:read\"]}");
	assert_int_equal(fetch(t, st, &s, 100, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(s.bytes.len, 0);
	assert_null(strstr(err.text, "xoxb"));
	struct json_object *o = client_get(at("/control/requests?platform=slack"), 200),
			   *list = json_get_array(o, "requests");
	for (size_t i = 0; i < json_object_array_length(list); i++)
		assert_null(strstr(
		    json_object_to_json_string(json_object_array_get_idx(list, i)), "to another host"));
	json_object_put(o);
	buf_clear(&s.bytes);
}

STAGE_TEST(the_rate_of_a_conversation_is_kept)
{
	stage_set(st, "{\"limits\":true}");
	st->settings.rate_chat = 1;
	st->settings.rate_global = 5;
	stage_start(t, st);
	char *dm = open_dm(t, st);
	uint64_t began = clock_now();

	for (int i = 0; i < 5; i++)
		stage_send(t, st, dm, NULL, "again");
	expect_end(t, st, 5, "sent ");
	assert_in_range(clock_now() - began, 2000, 15000);
	free(dm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_shown_where_it_was_asked),
	    cmocka_unit_test(what_slack_refuses_has_failed_and_says_why),
	    cmocka_unit_test(a_penalty_is_waited_for),
	    cmocka_unit_test(a_lost_answer_is_looked_for_and_nothing_is_said_twice),
	    cmocka_unit_test(what_a_crash_cut_off_is_said_once),
	    cmocka_unit_test(what_a_crash_cut_off_is_said_once_when_the_clock_went_back),
	    cmocka_unit_test(without_the_scope_to_look_a_reply_is_repeated_marked),
	    cmocka_unit_test(in_a_thread_an_answer_is_streamed_and_then_replaced),
	    cmocka_unit_test(answers_that_begin_at_once_are_streams_of_their_own),

	    cmocka_unit_test(a_long_beginning_is_streamed_to_its_end),
	    cmocka_unit_test(a_stream_goes_on_after_a_penalty_and_after_a_lost_answer),
	    cmocka_unit_test(a_stream_that_slack_has_ended_goes_on_by_edits),
	    cmocka_unit_test(a_stream_that_began_anew_or_ended_goes_on_by_edits),
	    cmocka_unit_test(a_stream_of_before_a_crash_is_replaced_too),
	    cmocka_unit_test(a_stream_that_an_interrupted_try_left_is_found_and_replaced),
	    cmocka_unit_test(a_stream_whose_start_was_not_confirmed_is_found_and_replaced),
	    cmocka_unit_test(without_knowing_whom_it_answers_an_answer_grows_by_edits),
	    cmocka_unit_test(outside_of_threads_an_answer_grows_by_edits),
	    cmocka_unit_test(a_piece_that_comes_while_the_call_is_in_flight_is_not_shown_yet),
	    cmocka_unit_test(a_preview_whose_answer_was_lost_is_found_and_replaced),
	    cmocka_unit_test(a_preview_that_is_gone_is_sent_as_a_new_message),
	    cmocka_unit_test(signs_of_life_are_ones_that_slack_knows),
	    cmocka_unit_test(a_reaction_for_which_there_is_no_room_is_put_there_later),
	    cmocka_unit_test(without_its_thread_it_is_looked_for_in_the_channel),
	    cmocka_unit_test(a_command_where_the_app_is_no_member_is_told_so_once),
	    cmocka_unit_test(nothing_overtakes_a_file_and_its_message_is_known),
	    cmocka_unit_test(a_file_whose_answer_was_lost_is_shown_once),
	    cmocka_unit_test(a_refused_token_stops_the_channel_and_loses_no_file),
	    cmocka_unit_test(a_token_refused_while_a_lost_answer_is_looked_for_repeats_nothing),
	    cmocka_unit_test(files_are_loaded_and_the_token_stays_with_slack),
	    cmocka_unit_test(the_rate_of_a_conversation_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
