#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"
#include "bus/post.h"
#include "bus/targets.h"
#include "lib/until.h"

/* An adapter whose sends end as the test says, one outcome after the other. */
struct outcome {
	enum { OK, NETWORK, DOUBT, LIMITED, REFUSED, BROKEN_OFF } end;
	uint64_t retry_ms;
};

struct fixture {
	struct journal_memory *memory;
	struct bus *bus;
	struct channel *channel;
	const struct outcome *script;
	size_t script_count, next;
	struct buf sent; /* "chat:text" of every copy that the platform showed, one a line */
	size_t sends, at_once, most_at_once, typings, frames;
	int64_t draft; /* of the last preview */
	uint64_t send_ms;
	bool typing_fails;
	int react_fails;  /* so many reactions fail */
	int react_drops;  /* so many have no room in the rate limit */
	bool react_holds; /* a reaction takes until this is false */
	struct buf shown; /* frames and reactions, one a line */
	uint64_t frame_ms;
	struct live *replaced; /* while the next frame is in flight, "xyz" replaces its text */
	struct message *received[8];
	size_t received_count;
	struct buf delivered;
};

static struct fixture *fx;

static int fake_send(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	struct outcome end = fx->next < fx->script_count ? fx->script[fx->next++] : (struct outcome){OK, 0};

	(void)ch;
	assert_int_equal(row->state, OUTBOUND_SENDING);
	fx->sends++;
	fx->at_once++;
	fx->most_at_once = fx->at_once > fx->most_at_once ? fx->at_once : fx->most_at_once;
	int cancelled = task_sleep(t, fx->send_ms, err);
	fx->at_once--;
	if (cancelled < 0) {
		err->uncertain = true;
		return -1;
	}
	if (end.end == OK || end.end == DOUBT)
		buf_addf(&fx->sent, "%s:%s%s%s%s%s\n", row->to.chat, row->text,
		    row->repeat ? " (repeat)" : "", row->edit_of ? " (edit of " : "",
		    row->edit_of ? row->edit_of : "", row->edit_of ? ")" : "");
	switch (end.end) {
	case OK:
		*platform_id = xstrdup("9");
		return 0;
	case NETWORK:
		error_set(err, ERROR_NETWORK, "not reached");
		break;
	case DOUBT:
		error_set(err, ERROR_NETWORK, "cut off");
		err->uncertain = !row->edit_of;
		break;
	case LIMITED:
		error_limited(err, end.retry_ms, "slow down");
		break;
	case REFUSED:
		error_set(err, ERROR_REFUSED, "chat not found");
		break;
	case BROKEN_OFF:
		journal_memory_fail_next(
		    fx->memory, &(struct error){.kind = ERROR_OURS, .text = "no space left"});
		error_cancelled(err);
		break;
	}
	return -1;
}

static int fake_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	(void)t, (void)ch, (void)where;
	fx->typings++;
	return fx->typing_fails ? error_set(err, ERROR_REFUSED, "no") : 0;
}

static int fake_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err)
{
	char *text = p->text.len != p->shown_len ? xstrdup(p->text.data) : NULL;
	size_t len = p->text.len;

	(void)ch;
	fx->frames++;
	fx->draft = p->draft;
	if (fx->replaced) {
		bus_live_restart(fx->replaced);
		bus_live_text(fx->replaced, "xyz", 3);
		fx->replaced = NULL;
	}
	int rc = task_sleep(t, fx->frame_ms, err);
	if (rc == 0 && text)
		buf_addf(&fx->shown, "%s\n", text);
	free(text);
	if (rc < 0)
		return -1;
	p->frames++;
	p->shown_len = len;
	if (!p->message_id)
		p->message_id = xstrdup("p1");
	return 200;
}

static int fake_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err)
{
	(void)ch, (void)where;
	if (fx->react_drops > 0)
		return fx->react_drops--;
	if (fx->react_fails > 0) {
		fx->react_fails--;
		return error_set(err, ERROR_NETWORK, "not reached");
	}
	buf_addf(&fx->shown, "(");
	while (fx->react_holds) {
		if (task_sleep(t, 1, err) < 0)
			return -1;
	}
	buf_truncate(&fx->shown, fx->shown.len - 1);
	buf_addf(&fx->shown, "%s%s\n", message_id, emoji);
	return 0;
}

static void on_shown(struct task *t, void *arg, const char *message_id)
{
	(void)t, (void)arg;
	buf_addf(&fx->shown, "noted %s\n", message_id);
}

static const struct channel_ops fake_ops = {
    FAKE_CHANNEL("fake"),
    .caps = CHANNEL_TYPING,
    .repeat_uncertain_replies = true,
    .send = fake_send,
    .typing = fake_typing,
    .preview = fake_preview,
    .react = fake_react,
};

static void on_received(void *arg, struct message *m)
{
	struct fixture *f = arg;

	f->received[f->received_count++] = m;
}

static void on_delivered(void *arg, const struct outbound *row)
{
	struct fixture *f = arg;

	buf_addf(&f->delivered, "%s:%s\n", row->text, outbound_state_name(row->state));
}

static struct fixture fixture_store;

static void fixture_init(void)
{
	fx = &fixture_store;
	*fx = (struct fixture){.sent = BUF_INIT, .delivered = BUF_INIT, .shown = BUF_INIT};
	fx->memory = journal_memory_new();
	struct journal journal = journal_memory_face(fx->memory);
	struct bus_handler handler = {.received = on_received, .delivered = on_delivered, .arg = fx};
	fx->bus = bus_new(&journal, &handler);
	fx->channel = bus_add_channel(fx->bus, "fake", &fake_ops, NULL);
	assert_true(fx->channel->status_since_ms > 0);
	assert_int_equal(fake_ops.start(fx->channel, NULL, NULL), 0);
}

static void fixture_clear(struct task *t)
{
	bus_free(t, fx->bus);
	journal_memory_free(fx->memory);
	for (size_t i = 0; i < fx->received_count; i++)
		message_free(fx->received[i]);
	buf_clear(&fx->sent);
	buf_clear(&fx->delivered);
	buf_clear(&fx->shown);
}

static struct address chat_of(const char *chat)
{
	struct address a;

	assert_int_equal(address_set(&a, "fake", chat, NULL, NULL), 0);
	return a;
}

/* Sends and returns the id of the last part. */
static int64_t put(
    struct task *t, const char *chat, enum outbound_kind kind, const char *text, const char *key)
{
	struct address to = chat_of(chat);
	struct error err = {0};
	size_t count;
	struct outbound **rows = bus_rows(fx->bus, &to, kind, text, NULL, key, 0, &count, &err);

	assert_non_null(rows);
	assert_int_equal(bus_send(t, fx->bus, rows, count, &err), 0);
	int64_t id = rows[count - 1]->id;
	bus_rows_free(rows, count);
	return id;
}

static int64_t put_edit(struct task *t, const char *chat, const char *text, const char *edit_of)
{
	struct address to = chat_of(chat);
	struct outbound *o = outbound_new(&to, OUTBOUND_REPLY, text);
	struct error err = {0};

	o->edit_of = xstrdup(edit_of);
	o->created_ms = clock_wall();
	assert_int_equal(bus_send(t, fx->bus, &o, 1, &err), 0);
	int64_t id = o->id;
	outbound_free(o);
	return id;
}

/* How long an end is waited for; all come at once. */
#define AWAIT_MS 20000

static void expect_end(struct task *t, int64_t id, enum outbound_state state)
{
	struct error err = {0};
	struct outbound *row = bus_await(t, fx->bus, id, AWAIT_MS, &err);

	assert_non_null(row);
	assert_int_equal(row->state, state);
	outbound_free(row);
}

/* Every test runs inside a task. */
#define BUS_TEST(name)                                      \
	static void name##_task(struct task *t, void *arg); \
	static void name(void **state)                      \
	{                                                   \
		(void)state;                                \
		fixture_init();                             \
		task_run(#name, name##_task, NULL);         \
	}                                                   \
	static void name##_task(struct task *t, void *arg)

BUS_TEST(rows_of_a_chat_leave_in_order)
{
	(void)arg;
	fx->send_ms = 2;
	int64_t id = 0;
	for (int i = 0; i < 40; i++) {
		char text[8];
		snprintf(text, sizeof(text), "%d", i);
		id = put(t, "1", OUTBOUND_REPLY, text, NULL);
	}
	expect_end(t, id, OUTBOUND_SENT);
	assert_int_equal(fx->most_at_once, 1);
	const char *at = fx->sent.data;
	for (int i = 0; i < 40; i++) {
		assert_int_equal(strtol(at + 2, NULL, 10), i);
		at = strchr(at, '\n') + 1;
	}
	fixture_clear(t);
}

BUS_TEST(different_chats_are_sent_at_the_same_time)
{
	int64_t ids[10];

	(void)arg;
	fx->send_ms = 30;
	for (int i = 0; i < 10; i++) {
		char chat[4];
		snprintf(chat, sizeof(chat), "%d", i);
		ids[i] = put(t, chat, OUTBOUND_REPLY, "x", NULL);
	}
	for (int i = 0; i < 10; i++)
		expect_end(t, ids[i], OUTBOUND_SENT);
	assert_int_equal(fx->most_at_once, 10);
	fixture_clear(t);
}

BUS_TEST(what_was_not_sent_is_tried_again)
{
	static const struct outcome script[] = {{NETWORK, 0}, {LIMITED, 20}, {OK, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 3;
	expect_end(t, put(t, "1", OUTBOUND_NOTIFICATION, "a", NULL), OUTBOUND_SENT);
	assert_int_equal(fx->sends, 3);
	assert_string_equal(fx->sent.data, "1:a\n");
	fixture_clear(t);
}

BUS_TEST(a_reply_in_doubt_is_repeated_once_with_a_mark)
{
	static const struct outcome script[] = {{DOUBT, 0}, {OK, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 2;
	expect_end(t, put(t, "1", OUTBOUND_REPLY, "a", NULL), OUTBOUND_SENT);
	assert_string_equal(fx->sent.data, "1:a\n1:a (repeat)\n");
	fixture_clear(t);
}

BUS_TEST(a_second_doubt_is_held)
{
	static const struct outcome script[] = {{DOUBT, 0}, {DOUBT, 0}, {OK, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 3;
	expect_end(t, put(t, "1", OUTBOUND_REPLY, "a", NULL), OUTBOUND_UNCERTAIN);
	assert_int_equal(fx->sends, 2);
	assert_string_equal(fx->delivered.data, "a:uncertain\n");
	fixture_clear(t);
}

BUS_TEST(a_notification_in_doubt_is_held_and_told)
{
	static const struct outcome script[] = {{DOUBT, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 1;
	expect_end(t, put(t, "1", OUTBOUND_NOTIFICATION, "a", NULL), OUTBOUND_UNCERTAIN);
	assert_string_equal(fx->sent.data, "1:a\n");
	assert_string_equal(fx->delivered.data, "a:uncertain\n");
	fixture_clear(t);
}

BUS_TEST(the_setting_uncertain_decides_otherwise)
{
	static const struct outcome script[] = {{DOUBT, 0}, {OK, 0}, {DOUBT, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 3;
	fx->channel->uncertain = CHANNEL_UNCERTAIN_REPEAT;
	expect_end(t, put(t, "1", OUTBOUND_NOTIFICATION, "a", NULL), OUTBOUND_SENT);
	fx->channel->uncertain = CHANNEL_UNCERTAIN_HOLD;
	expect_end(t, put(t, "1", OUTBOUND_REPLY, "b", NULL), OUTBOUND_UNCERTAIN);
	fixture_clear(t);
}

BUS_TEST(parts_after_a_refused_one_are_not_sent)
{
	static const struct outcome script[] = {{OK, 0}, {REFUSED, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 2;
	expect_end(t, put(t, "1", OUTBOUND_REPLY, "a|b|c|d", NULL), OUTBOUND_FAILED);
	expect_end(t, put(t, "1", OUTBOUND_REPLY, "next", NULL), OUTBOUND_SENT);
	assert_string_equal(fx->sent.data, "1:a\n1:next\n");
	assert_string_equal(fx->delivered.data, "a:sent\nb:failed\nc:failed\nd:failed\nnext:sent\n");
	fixture_clear(t);
}

static void keep_line(const char *line, void *lines)
{
	buf_addf(lines, "%s\n", line);
}

static unsigned failing_reads;
static bool rows_are_gone;

static struct outbound *get_or_fail(
    struct task *t, void *self, const struct outbound *part, struct error *err)
{
	const struct journal j = journal_memory_face(self);

	if (failing_reads == 0 && !rows_are_gone)
		return j.ops->get_part_before(t, self, part, err);
	if (failing_reads == 0) {
		error_set(err, ERROR_REFUSED, "gone");
		return NULL;
	}
	failing_reads--;
	error_set(err, ERROR_OURS, "disk I/O error");
	return NULL;
}

/* A bus as after a restart, with these functions of the journal. */
static void restart_with(struct task *t, const struct journal_ops *ops)
{
	const struct bus_handler handler = {.received = on_received, .delivered = on_delivered, .arg = fx};
	struct journal j = journal_memory_face(fx->memory);

	bus_free(t, fx->bus);
	j.ops = ops;
	fx->bus = bus_new(&j, &handler);
	fx->channel = bus_add_channel(fx->bus, "fake", &fake_ops, NULL);
	assert_int_equal(fake_ops.start(fx->channel, NULL, NULL), 0);
}

/* Two parts of one text, the first with an end, as a restart finds them: the queue asks the journal for that
 * end. */
static void leave_second_part(struct task *t, enum outbound_state first)
{
	static struct journal_ops ops;
	struct journal j = journal_memory_face(fx->memory);
	struct address to = chat_of("1");
	struct outbound *rows[2];

	for (int i = 0; i < 2; i++) {
		rows[i] = outbound_new(&to, OUTBOUND_REPLY, i == 0 ? "a" : "b");
		rows[i]->part = i + 1;
		rows[i]->parts = 2;
		rows[i]->created_ms = rows[i]->updated_ms = clock_wall();
	}
	assert_int_equal(j.ops->put_outbound(t, j.self, rows, 2, NULL), 0);
	rows[0]->state = first;
	assert_int_equal(j.ops->mark_outbound(t, j.self, rows[0], NULL), 0);
	outbound_free(rows[0]);
	outbound_free(rows[1]);
	ops = *j.ops;
	ops.get_part_before = get_or_fail;
	restart_with(t, &ops);
}

static void await_delivered(struct task *t, const char *want)
{
	while (fx->delivered.len == 0)
		task_sleep(t, 1, NULL);
	assert_string_equal(fx->delivered.data, want);
}

BUS_TEST(a_part_waits_until_the_journal_can_say_what_became_of_the_one_before)
{
	struct buf lines = BUF_INIT;

	(void)arg;
	leave_second_part(t, OUTBOUND_FAILED);
	failing_reads = 1;
	log_capture(keep_line, &lines);
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	await_delivered(t, "b:failed\n");
	log_capture(NULL, NULL);
	assert_non_null(strstr(lines.data, "cannot read the outbox: disk I/O error to=fake:1"));
	buf_clear(&lines);
	assert_int_equal(failing_reads, 0);
	assert_int_equal(fx->sends, 0);
	fixture_clear(t);
}

BUS_TEST(a_part_goes_when_the_one_before_is_not_kept_any_more)
{
	(void)arg;
	leave_second_part(t, OUTBOUND_SENT);
	rows_are_gone = true;
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	await_delivered(t, "b:sent\n");
	rows_are_gone = false;
	fixture_clear(t);
}

BUS_TEST(the_same_key_is_sent_once)
{
	(void)arg;
	int64_t first = put(t, "1", OUTBOUND_NOTIFICATION, "a|b", "k");
	expect_end(t, first, OUTBOUND_SENT);
	assert_int_equal(put(t, "1", OUTBOUND_NOTIFICATION, "a|b", "k"), first);
	assert_int_equal(put(t, "1", OUTBOUND_NOTIFICATION, "a|b|c", "k"), first);
	expect_end(t, first, OUTBOUND_SENT);
	assert_string_equal(fx->sent.data, "1:a\n1:b\n");
	fixture_clear(t);
}

/* What a process that died in mid-send leaves behind. */
static void leave_sending(struct task *t, const char *chat, enum outbound_kind kind)
{
	struct address to = chat_of(chat);
	const struct journal *j = bus_journal(fx->bus);
	struct outbound *row = outbound_new(&to, kind, "a");

	row->part = row->parts = 1;
	row->created_ms = clock_wall();
	assert_int_equal(j->ops->put_outbound(t, j->self, &row, 1, NULL), 0);
	row->state = OUTBOUND_SENDING;
	row->attempts = 1;
	assert_int_equal(j->ops->mark_outbound(t, j->self, row, NULL), 0);
	outbound_free(row);
}

BUS_TEST(what_a_crash_left_in_mid_send_is_in_doubt)
{
	(void)arg;
	leave_sending(t, "1", OUTBOUND_REPLY);
	leave_sending(t, "2", OUTBOUND_NOTIFICATION);
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	expect_end(t, 1, OUTBOUND_SENT);
	expect_end(t, 2, OUTBOUND_UNCERTAIN);
	assert_string_equal(fx->sent.data, "1:a (repeat)\n");
	fixture_clear(t);
}

BUS_TEST(a_channel_that_is_not_ready_keeps_its_rows)
{
	struct error err = {0};

	(void)arg;
	channel_set_status(fx->channel, CHANNEL_STOPPED, "the token was refused");
	int64_t id = put(t, "1", OUTBOUND_REPLY, "a", NULL);
	struct outbound *row = bus_await(t, fx->bus, id, 50, &err);
	assert_int_equal(row->state, OUTBOUND_QUEUED);
	assert_int_equal(fx->sends, 0);
	outbound_free(row);
	channel_set_status(fx->channel, CHANNEL_READY, "ready");
	expect_end(t, id, OUTBOUND_SENT);
	fixture_clear(t);
}

BUS_TEST(a_row_for_a_channel_that_is_gone_fails)
{
	struct address to;
	const struct journal *j = bus_journal(fx->bus);

	(void)arg;
	assert_int_equal(address_set(&to, "gone", "1", NULL, NULL), 0);
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "a");
	assert_int_equal(j->ops->put_outbound(t, j->self, &row, 1, NULL), 0);
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	expect_end(t, row->id, OUTBOUND_FAILED);
	outbound_free(row);
	fixture_clear(t);
}

static void expect_queued(struct task *t, int64_t id)
{
	struct outbound *row = bus_await(t, fx->bus, id, 50, NULL);

	assert_int_equal(row->state, id == 1 ? OUTBOUND_SENDING : OUTBOUND_QUEUED);
	outbound_free(row);
}

/* In a cluster. What its former owner may be sending waits; a channel of another node's configuration is not
 * gone.
 */
BUS_TEST(a_channel_elsewhere_is_left_alone_until_it_comes)
{
	const struct journal *j = bus_journal(fx->bus);
	const uint64_t held_ms = 2000;
	struct address to;

	(void)arg;
	bus_share(fx->bus);
	channel_set_status(fx->channel, CHANNEL_ELSEWHERE, "another node has it");
	leave_sending(t, "1", OUTBOUND_REPLY);
	assert_int_equal(put(t, "2", OUTBOUND_REPLY, "b", NULL), 2);
	assert_int_equal(address_set(&to, "unknown", "1", NULL, NULL), 0);
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "c");
	assert_int_equal(j->ops->put_outbound(t, j->self, &row, 1, NULL), 0);
	outbound_free(row);
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	for (int64_t id = 1; id <= 3; id++)
		expect_queued(t, id);
	assert_int_equal(fx->sends, 0);
	uint64_t began = clock_now();
	fx->channel->held_until = began + held_ms;
	fx->channel->gained = true;
	assert_int_equal(bus_take_channels(t, fx->bus, NULL), 0);
	channel_set_status(fx->channel, CHANNEL_READY, "ready");
	expect_end(t, 2, OUTBOUND_SENT);
	expect_end(t, 1, OUTBOUND_SENT);
	assert_true(clock_now() - began >= held_ms);
	assert_string_equal(fx->sent.data, "2:b\n1:a (repeat)\n");
	expect_queued(t, 3);
	fixture_clear(t);
}

/* Messages may come in while a node stops a channel that another one gets. */
BUS_TEST(what_is_put_while_a_channel_leaves_waits_for_the_next_node)
{
	(void)arg;
	bus_share(fx->bus);
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	channel_set_status(fx->channel, CHANNEL_STARTING, "is being stopped");
	assert_int_equal(put(t, "1", OUTBOUND_REPLY, "a", NULL), 1);
	task_turns(t, 3);
	assert_false(bus_is_idle(fx->bus, "fake"));
	channel_set_status(fx->channel, CHANNEL_ELSEWHERE, "another node gets it");
	task_until(t, bus_is_idle(fx->bus, "fake"));
	assert_int_equal(fx->sends, 0);
	fx->channel->gained = true;
	assert_int_equal(bus_take_channels(t, fx->bus, NULL), 0);
	channel_set_status(fx->channel, CHANNEL_READY, "ready");
	expect_end(t, 1, OUTBOUND_SENT);
	fixture_clear(t);
}

/* The last answers of the platform come, and a turn of another channel sends something. */
static void busy_stop(struct task *t, struct channel *ch)
{
	channel_set_status(ch, CHANNEL_READY, "connected again");
	assert_int_equal(put(t, "1", OUTBOUND_NOTIFICATION, "a", NULL), 1);
	task_turns(t, 3);
	assert_int_equal(fx->sends, 0);
	fake_channel_stop(t, ch);
}

BUS_TEST(nothing_is_asked_of_an_adapter_that_stops_for_another_node)
{
	struct channel_ops ops = fake_ops;

	(void)arg;
	ops.stop = busy_stop;
	fx->channel->ops = &ops;
	bus_share(fx->bus);
	assert_int_equal(bus_resume(t, fx->bus, NULL), 0);
	fx->channel->leaving = true;
	bus_leave_channel(t, fx->channel);
	assert_int_equal(fx->channel->status, CHANNEL_ELSEWHERE);
	assert_true(bus_is_idle(fx->bus, "fake"));
	fx->channel->leaving = false;
	fx->channel->gained = true;
	assert_int_equal(bus_take_channels(t, fx->bus, NULL), 0);
	channel_set_status(fx->channel, CHANNEL_READY, "ready");
	expect_end(t, 1, OUTBOUND_SENT);
	fixture_clear(t);
}

/* The first row comes late, as those of other nodes do, whose ids are not of the same block. */
static int list_late(struct task *t, void *self, const struct journal_queue *queue, int64_t after_id,
    struct outbound **out, size_t max, struct error *err)
{
	const struct journal j = journal_memory_face(self);
	int n = j.ops->list_outbound(t, self, queue, after_id, out, max, err);

	if (fx->sends > 0 || n < 1 || out[0]->id != 1)
		return n;
	outbound_free(out[0]);
	memmove(out, out + 1, (size_t)--n * sizeof(*out));
	return n;
}

static int mark_and_wake(struct task *t, void *self, const struct outbound *row, struct error *err)
{
	const struct journal j = journal_memory_face(self);
	int rc = j.ops->mark_outbound(t, self, row, err);

	bus_wake(fx->bus, &row->to);
	return rc;
}

BUS_TEST(what_another_node_puts_is_sent_although_its_id_is_lower)
{
	static struct journal_ops ops;
	struct journal j = journal_memory_face(fx->memory);
	struct address to = chat_of("1");
	struct outbound *rows[] = {
	    outbound_new(&to, OUTBOUND_REPLY, "a"), outbound_new(&to, OUTBOUND_REPLY, "b")};

	(void)arg;
	assert_int_equal(j.ops->put_outbound(t, j.self, rows, 2, NULL), 0);
	outbound_free(rows[0]);
	outbound_free(rows[1]);
	ops = *j.ops;
	ops.list_outbound = list_late;
	ops.mark_outbound = mark_and_wake;
	restart_with(t, &ops);
	bus_share(fx->bus);
	bus_wake(fx->bus, &to);
	expect_end(t, 2, OUTBOUND_SENT);
	expect_end(t, 1, OUTBOUND_SENT);
	assert_string_equal(fx->sent.data, "1:b\n1:a\n");
	fixture_clear(t);
}

BUS_TEST(who_asks_for_what_has_failed_already_does_not_wait)
{
	static const struct outcome script[] = {{REFUSED, 0}, {DOUBT, 0}, {OK, 0}};
	static const enum outbound_state ends[] = {OUTBOUND_FAILED, OUTBOUND_UNCERTAIN, OUTBOUND_SENT};

	(void)arg;
	fx->script = script;
	fx->script_count = ARRAY_LEN(script);
	for (size_t i = 0; i < ARRAY_LEN(script); i++) {
		int64_t id = put(t, "1", OUTBOUND_NOTIFICATION, "a", NULL);
		expect_end(t, id, ends[i]);
		uint64_t began = clock_now();
		expect_end(t, id, ends[i]);
		assert_in_range(clock_now() - began, 0, AWAIT_MS / 2);
	}
	fixture_clear(t);
}

/* A target, one of its addresses, and that once more. */
BUS_TEST(who_is_named_twice_gets_it_once)
{
	struct address both[] = {chat_of("1"), chat_of("2")};
	static char ops[] = "ops";
	struct target target = {.name = ops, .addresses = both, .count = 2};
	const struct targets targets = {.items = &target, .count = 1};
	struct post p = {.bus = fx->bus, .text = "hello"};
	struct error err = {0};

	(void)arg;
	assert_int_equal(post_add_named(&p, &targets, "fake:2", &err), 0);
	assert_int_equal(post_add_named(&p, &targets, "ops", &err), 0);
	assert_int_equal(post_add_named(&p, &targets, "ops", &err), 0);
	assert_int_equal(post_add(&p, &both[0], &err), 0);
	assert_int_equal(post_add_named(&p, &targets, "fake:2/5", &err), 0); /* a thread is another place */
	assert_int_equal(p.count, 3);
	assert_int_equal(post_commit(t, &p, &err), 0);
	post_await(t, &p, AWAIT_MS);
	for (size_t i = 0; i < p.count; i++)
		assert_int_equal(post_state(&p.items[i]), OUTBOUND_SENT);
	assert_int_equal(fx->sends, 3);
	post_clear(&p);
	fixture_clear(t);
}

BUS_TEST(a_send_that_is_not_recorded_is_recorded_later)
{
	struct error full = {.kind = ERROR_OURS, .text = "no space left"};

	(void)arg;
	fx->send_ms = 20;
	int64_t id = put(t, "1", OUTBOUND_REPLY, "a", NULL);
	task_until(t, fx->sends > 0);
	journal_memory_fail_next(fx->memory, &full);
	task_until(t, fx->sent.len > 0);
	task_turns(t, 10);
	assert_string_equal(fx->delivered.data, "");
	expect_end(t, id, OUTBOUND_SENT);
	assert_int_equal(fx->sends, 1);
	fixture_clear(t);
}

/* An adapter that stops says so of its sends, before the bus has cancelled them. */
BUS_TEST(a_send_that_its_channel_broke_off_is_made_again)
{
	static const struct outcome script[] = {{BROKEN_OFF, 0}};
	struct buf lines = BUF_INIT;

	(void)arg;
	fx->script = script;
	fx->script_count = 1;
	log_capture(keep_line, &lines);
	expect_end(t, put(t, "1", OUTBOUND_REPLY, "a", NULL), OUTBOUND_SENT);
	log_capture(NULL, NULL);
	assert_int_equal(fx->sends, 2);
	assert_non_null(
	    strstr(lines.data, "cannot record that a message is queued, trying again: no space left"));
	assert_null(strstr(lines.data, "cannot read the outbox"));
	assert_non_null(strstr(lines.data, "cannot send now, trying again: cancelled to=fake:1"));
	buf_clear(&lines);
	fixture_clear(t);
}

BUS_TEST(stopping_lets_a_send_end_and_keeps_the_rest)
{
	(void)arg;
	fx->send_ms = 50;
	put(t, "1", OUTBOUND_REPLY, "a", NULL);
	int64_t second = put(t, "1", OUTBOUND_REPLY, "b", NULL);
	task_until(t, fx->sends > 0);
	struct journal j = journal_memory_face(fx->memory);
	bus_free(t, fx->bus);
	assert_string_equal(fx->sent.data, "1:a\n");
	struct outbound *row = j.ops->get_outbound(t, j.self, second, NULL);
	assert_int_equal(row->state, OUTBOUND_QUEUED);
	outbound_free(row);
	struct bus_handler handler = {.received = on_received, .delivered = on_delivered, .arg = fx};
	fx->bus = bus_new(&j, &handler);
	fixture_clear(t);
}

/* Such a channel may be given to another node. */
BUS_TEST(a_channel_is_quiet_when_nothing_of_it_is_being_sent)
{
	(void)arg;
	assert_true(bus_is_idle(fx->bus, "fake"));
	fx->send_ms = 50;
	int64_t id = put(t, "1", OUTBOUND_REPLY, "a", NULL);
	task_until(t, fx->sends > 0);
	assert_false(bus_is_idle(fx->bus, "fake"));
	assert_true(bus_is_idle(fx->bus, "another"));
	expect_end(t, id, OUTBOUND_SENT);
	task_until(t, bus_is_idle(fx->bus, "fake"));
	fixture_clear(t);
}

static struct message *message_of(const char *event)
{
	struct message *m = message_new();

	m->account = xstrdup("fake:1");
	m->event_id = xstrdup(event);
	m->from = chat_of("1");
	return m;
}

BUS_TEST(a_redelivered_event_is_routed_once)
{
	struct journal_cursor cursor = {"fake:1", "offset", "8"};
	char *value;

	(void)arg;
	struct message *first[] = {message_of("6"), message_of("7")};
	assert_int_equal(channel_received(t, fx->channel, first, 2, &cursor, NULL), 0);
	struct message *again[] = {message_of("7"), message_of("8")};
	cursor.value = "9";
	assert_int_equal(channel_received(t, fx->channel, again, 2, &cursor, NULL), 0);
	assert_int_equal(fx->received_count, 3);
	assert_int_equal(channel_read_cursor(t, fx->channel, "fake:1", "offset", &value, NULL), 0);
	assert_string_equal(value, "9");
	free(value);
	fixture_clear(t);
}

BUS_TEST(what_could_not_be_stored_is_not_routed)
{
	struct error full = {.kind = ERROR_OURS, .text = "no space left"}, err = {0};

	(void)arg;
	journal_memory_fail_next(fx->memory, &full);
	struct message *m = message_of("6");
	assert_int_equal(channel_received(t, fx->channel, &m, 1, NULL, &err), -1);
	assert_string_equal(err.text, "no space left");
	assert_null(m);
	assert_int_equal(fx->received_count, 0);
	fixture_clear(t);
}

/* What myna_messages_received_total has: new, known, refused. */
static void read_arrivals(unsigned long long *counts)
{
	for (size_t i = 0; i < 3; i++)
		counts[i] = atomic_load(&bus_arrivals.counts[i]);
}

BUS_TEST(arrivals_are_counted_by_what_became_of_them)
{
	struct error full = {.kind = ERROR_OURS, .text = "no space left"};
	unsigned long long before[3], after[3];

	(void)arg;
	read_arrivals(before);
	struct message *first[] = {message_of("1"), message_of("2"), message_of("3")};
	assert_int_equal(channel_received(t, fx->channel, first, 3, NULL, NULL), 0);
	struct message *again[] = {message_of("2"), message_of("3"), message_of("4")};
	assert_int_equal(channel_received(t, fx->channel, again, 3, NULL, NULL), 0);
	journal_memory_fail_next(fx->memory, &full);
	struct message *lost = message_of("5");
	assert_int_equal(channel_received(t, fx->channel, &lost, 1, NULL, NULL), -1);
	assert_int_equal(channel_received(t, fx->channel, NULL, 0, NULL, NULL), 0);
	read_arrivals(after);
	assert_int_equal(after[0] - before[0], 4);
	assert_int_equal(after[1] - before[1], 2);
	assert_int_equal(after[2] - before[2], 1);
	struct buf text = BUF_INIT;
	char *line = xasprintf("myna_messages_received_total{result=\"known\"} %llu\n", after[1]);
	counter_write(&text, &bus_arrivals);
	assert_non_null(strstr(text.data, line));
	buf_clear(&text);
	free(line);
	fixture_clear(t);
}

/* What shall come comes at its time or, on a machine that has none, later. */
static void expect_shown(struct task *t, const char *want)
{
	task_until_or(t, strcmp(fx->shown.data, want) == 0, fx->shown.data);
}

static void expect_typing(struct task *t)
{
	task_until(t, fx->typings > 0);
	assert_int_equal(fx->typings, 1);
}

static struct live *resumed_live(const char *message_id)
{
	struct live_options options = {
	    .where = chat_of("1"), .message_id = message_id, .ack = true, .resumed = true};

	return bus_live_start(fx->bus, &options);
}

static struct live *live_of(const char *preview_id)
{
	struct live_options options = {.where = chat_of("1"),
	    .message_id = "7",
	    .ack = true,
	    .preview_id = preview_id,
	    .shown = on_shown};

	return bus_live_start(fx->bus, &options);
}

static void live_end(struct task *t, struct live *l, const char *message_id)
{
	char *got = bus_live_end(t, l);

	if (message_id)
		assert_string_equal(got, message_id);
	else
		assert_null(got);
	free(got);
}

/* The number under which a try of the turn shows its preview. */
static int64_t draft_of(struct task *t, int64_t turn)
{
	struct live_options options = {.where = chat_of("1"), .turn = turn};
	struct live *l = bus_live_start(fx->bus, &options);

	fx->draft = 0;
	bus_live_text(l, "abc", 3);
	task_until(t, fx->draft != 0);
	free(bus_live_end(t, l));
	return fx->draft;
}

/* Otherwise a chat shows a draft of each try, until they expire. */
BUS_TEST(each_try_of_a_turn_shows_the_same_preview)
{
	(void)arg;
	int64_t first = draft_of(t, 5);

	assert_int_equal(draft_of(t, 5), first);
	assert_int_not_equal(draft_of(t, 6), first);
	fixture_clear(t);
}

BUS_TEST(an_answer_that_comes_at_once_shows_nothing_before)
{
	(void)arg;
	fx->channel->ack_reaction = "+";
	struct live *l = live_of(NULL);
	bus_live_text(l, "abc", 3);
	live_end(t, l, NULL);
	/* One that begins later shows what it shows alone. */
	l = live_of(NULL);
	expect_typing(t);
	expect_shown(t, "7+\n");
	live_end(t, l, NULL);
	expect_shown(t, "7+\n7\n");
	assert_int_equal(fx->typings, 1);
	fixture_clear(t);
}

BUS_TEST(a_longer_one_is_acknowledged_and_shows_typing)
{
	(void)arg;
	fx->channel->ack_reaction = "+";
	struct live *l = live_of(NULL);
	expect_typing(t);
	expect_shown(t, "7+\n");
	live_end(t, l, NULL);
	fixture_clear(t);
}

BUS_TEST(the_acknowledgement_goes_with_the_end)
{
	(void)arg;
	fx->channel->ack_reaction = "+";
	struct live *l = live_of(NULL);
	expect_shown(t, "7+\n");
	fx->react_fails = 1;
	live_end(t, l, NULL);
	expect_shown(t, "7+\n7\n");
	assert_int_equal(fx->react_fails, 0);
	fixture_clear(t);
}

/* Otherwise the platform could see the removal first, and the reaction would stay. */
BUS_TEST(an_acknowledgement_on_its_way_goes_after_it_was_shown)
{
	(void)arg;
	fx->channel->ack_reaction = "+";
	fx->react_holds = true;
	struct live *l = live_of(NULL);
	expect_shown(t, "(");
	live_end(t, l, NULL);
	fx->react_holds = false;
	expect_shown(t, "7+\n7\n");
	fixture_clear(t);
}

/* As when the configuration is replaced that has it. */
BUS_TEST(an_acknowledgement_on_its_way_needs_no_settings)
{
	char emoji[] = "+";

	(void)arg;
	fx->channel->ack_reaction = emoji;
	fx->react_holds = true;
	struct live *l = live_of(NULL);
	expect_shown(t, "(");
	fx->channel->ack_reaction = "+";
	*emoji = '?';
	fx->react_holds = false;
	expect_shown(t, "7+\n");
	live_end(t, l, NULL);
	expect_shown(t, "7+\n7\n");
	fixture_clear(t);
}

BUS_TEST(an_acknowledgement_that_was_not_shown_is_not_removed)
{
	(void)arg;
	fx->channel->ack_reaction = "+";
	fx->react_drops = 1;
	struct live *l = live_of(NULL);
	expect_typing(t);
	task_until(t, fx->react_drops == 0);
	live_end(t, l, NULL);
	/* Its removal would come before this one's. */
	live_end(t, resumed_live("8"), NULL);
	expect_shown(t, "8\n");
	fixture_clear(t);
}

BUS_TEST(a_resumed_turn_removes_the_acknowledgement_of_the_interrupted_one)
{
	(void)arg;
	fx->channel->ack_reaction = "+";
	live_end(t, resumed_live("7"), NULL);
	expect_shown(t, "7\n");
	fixture_clear(t);
}

BUS_TEST(a_reaction_of_the_model_stays)
{
	struct address where = chat_of("1");

	(void)arg;
	fx->channel->ack_reaction = "+";
	struct live *l = resumed_live("7");
	assert_int_equal(bus_react(t, fx->bus, &where, "7", "!", NULL), 0);
	expect_typing(t);
	live_end(t, l, NULL);
	/* Its removal would come before this one's. */
	l = resumed_live("7");
	live_end(t, l, NULL);
	expect_shown(t, "7!\n7\n");
	fixture_clear(t);
}

BUS_TEST(a_channel_that_does_not_run_is_not_asked_to_react)
{
	struct address where = chat_of("1");
	struct error err = {0};
	void *state = fx->channel->state;

	(void)arg;
	fx->channel->state = NULL;
	assert_int_equal(bus_react(t, fx->bus, &where, "7", "!", &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	fx->channel->state = state;
	assert_int_equal(fx->shown.len, 0);
	fixture_clear(t);
}

BUS_TEST(typing_that_fails_is_not_asked_again)
{
	(void)arg;
	fx->typing_fails = true;
	struct live *l = live_of(NULL);
	expect_typing(t);
	bus_live_text(l, "a", 1);
	expect_shown(t, "a\nnoted p1\n");
	assert_int_equal(fx->typings, 1);
	live_end(t, l, "p1");
	fixture_clear(t);
}

BUS_TEST(an_answer_is_shown_as_it_grows_at_the_pace_of_the_channel)
{
	size_t tasks = task_count();

	(void)arg;
	struct live *l = live_of(NULL);
	bus_live_text(l, "one", 3);
	expect_shown(t, "one\nnoted p1\n");
	/* None waits for the next piece. */
	task_until(t, task_count() == tasks);
	for (int i = 0; i < 5; i++)
		bus_live_text(l, ".", 1);
	assert_string_equal(bus_live_so_far(l), "one.....");
	expect_shown(t, "one\nnoted p1\none.....\n");
	live_end(t, l, "p1");
	fixture_clear(t);
}

BUS_TEST(what_was_void_is_not_shown_again)
{
	(void)arg;
	struct live *l = live_of("p9");
	bus_live_text(l, "broken", 6);
	bus_live_restart(l);
	assert_string_equal(bus_live_so_far(l), "");
	/* One that begins later is shown alone. */
	struct live *later = live_of("p8");
	bus_live_text(later, "later", 5);
	expect_shown(t, "later\n");
	live_end(t, later, "p8");
	bus_live_text(l, "good", 4);
	expect_shown(t, "later\ngood\n");
	live_end(t, l, "p9");
	fixture_clear(t);
}

BUS_TEST(what_replaces_the_text_while_it_is_being_shown_is_shown)
{
	(void)arg;
	struct live *l = live_of(NULL);
	fx->replaced = l;
	bus_live_text(l, "abc", 3);
	expect_shown(t, "abc\nnoted p1\nxyz\n");
	live_end(t, l, "p1");
	fixture_clear(t);
}

BUS_TEST(a_note_of_ours_gives_way_to_what_is_written)
{
	(void)arg;
	struct live *l = live_of(NULL);
	bus_live_text(l, "broken", 6);
	bus_live_restart(l);
	bus_live_note(l, "Trying again.");
	bus_live_restart(l);
	assert_string_equal(bus_live_so_far(l), "");
	expect_shown(t, "Trying again.\nnoted p1\n");
	bus_live_text(l, "good", 4);
	assert_string_equal(bus_live_so_far(l), "good");
	expect_shown(t, "Trying again.\nnoted p1\ngood\n");
	live_end(t, l, "p1");
	fixture_clear(t);
}

BUS_TEST(the_end_waits_for_the_frame_under_way)
{
	(void)arg;
	fx->frame_ms = 600;
	struct live *l = live_of(NULL);
	bus_live_text(l, "one", 3);
	task_until(t, fx->frames > 0);
	live_end(t, l, "p1");
	assert_string_equal(fx->shown.data, "one\nnoted p1\n");
	fixture_clear(t);
}

BUS_TEST(an_answer_takes_the_place_of_its_preview)
{
	static const struct outcome script[] = {{DOUBT, 0}, {OK, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 2;
	int64_t id = put_edit(t, "1", "answer", "p1");
	expect_end(t, id, OUTBOUND_SENT);
	/* An edit in doubt is made again, without a mark: twice is as good as once. */
	assert_string_equal(fx->sent.data, "1:answer (edit of p1)\n1:answer (edit of p1)\n");
	fixture_clear(t);
}

BUS_TEST(a_refused_edit_is_sent_as_a_new_message)
{
	static const struct outcome script[] = {{REFUSED, 0}, {OK, 0}};

	(void)arg;
	fx->script = script;
	fx->script_count = 2;
	int64_t id = put_edit(t, "1", "answer", "p1");
	expect_end(t, id, OUTBOUND_SENT);
	assert_string_equal(fx->sent.data, "1:answer\n");
	fixture_clear(t);
}

static void a_long_status_ends_after_a_word(void **state)
{
	struct channel ch = {.name = "main"};
	struct buf text = BUF_INIT;

	(void)state;
	while (text.len < 250)
		buf_addstr(&text, "\xc3\xa4word ");
	channel_set_status(&ch, CHANNEL_DEGRADED, "%s", text.data);
	buf_clear(&text);
	assert_true(strlen(ch.status_text) < sizeof(ch.status_text));
	assert_true(strlen(ch.status_text) > sizeof(ch.status_text) - 15);
	assert_string_equal(ch.status_text + strlen(ch.status_text) - 10, "\xc3\xa4word ...");
	channel_set_status(&ch, CHANNEL_READY, "short");
	assert_string_equal(ch.status_text, "short");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_long_status_ends_after_a_word),
	    cmocka_unit_test(each_try_of_a_turn_shows_the_same_preview),
	    cmocka_unit_test(rows_of_a_chat_leave_in_order),
	    cmocka_unit_test(different_chats_are_sent_at_the_same_time),
	    cmocka_unit_test(what_was_not_sent_is_tried_again),
	    cmocka_unit_test(a_reply_in_doubt_is_repeated_once_with_a_mark),
	    cmocka_unit_test(a_second_doubt_is_held),
	    cmocka_unit_test(a_notification_in_doubt_is_held_and_told),
	    cmocka_unit_test(the_setting_uncertain_decides_otherwise),
	    cmocka_unit_test(parts_after_a_refused_one_are_not_sent),
	    cmocka_unit_test(a_part_waits_until_the_journal_can_say_what_became_of_the_one_before),
	    cmocka_unit_test(a_part_goes_when_the_one_before_is_not_kept_any_more),
	    cmocka_unit_test(the_same_key_is_sent_once),
	    cmocka_unit_test(what_a_crash_left_in_mid_send_is_in_doubt),
	    cmocka_unit_test(a_channel_that_is_not_ready_keeps_its_rows),
	    cmocka_unit_test(a_row_for_a_channel_that_is_gone_fails),
	    cmocka_unit_test(a_channel_elsewhere_is_left_alone_until_it_comes),
	    cmocka_unit_test(what_is_put_while_a_channel_leaves_waits_for_the_next_node),
	    cmocka_unit_test(nothing_is_asked_of_an_adapter_that_stops_for_another_node),
	    cmocka_unit_test(what_another_node_puts_is_sent_although_its_id_is_lower),
	    cmocka_unit_test(who_asks_for_what_has_failed_already_does_not_wait),
	    cmocka_unit_test(who_is_named_twice_gets_it_once),
	    cmocka_unit_test(a_send_that_is_not_recorded_is_recorded_later),
	    cmocka_unit_test(a_send_that_its_channel_broke_off_is_made_again),
	    cmocka_unit_test(stopping_lets_a_send_end_and_keeps_the_rest),
	    cmocka_unit_test(a_channel_is_quiet_when_nothing_of_it_is_being_sent),
	    cmocka_unit_test(a_redelivered_event_is_routed_once),
	    cmocka_unit_test(what_could_not_be_stored_is_not_routed),
	    cmocka_unit_test(arrivals_are_counted_by_what_became_of_them),
	    cmocka_unit_test(an_answer_that_comes_at_once_shows_nothing_before),
	    cmocka_unit_test(a_longer_one_is_acknowledged_and_shows_typing),
	    cmocka_unit_test(the_acknowledgement_goes_with_the_end),
	    cmocka_unit_test(an_acknowledgement_on_its_way_goes_after_it_was_shown),
	    cmocka_unit_test(an_acknowledgement_on_its_way_needs_no_settings),
	    cmocka_unit_test(an_acknowledgement_that_was_not_shown_is_not_removed),
	    cmocka_unit_test(a_resumed_turn_removes_the_acknowledgement_of_the_interrupted_one),
	    cmocka_unit_test(a_reaction_of_the_model_stays),
	    cmocka_unit_test(a_channel_that_does_not_run_is_not_asked_to_react),
	    cmocka_unit_test(typing_that_fails_is_not_asked_again),
	    cmocka_unit_test(an_answer_is_shown_as_it_grows_at_the_pace_of_the_channel),
	    cmocka_unit_test(what_was_void_is_not_shown_again),
	    cmocka_unit_test(what_replaces_the_text_while_it_is_being_shown_is_shown),
	    cmocka_unit_test(a_note_of_ours_gives_way_to_what_is_written),
	    cmocka_unit_test(the_end_waits_for_the_frame_under_way),
	    cmocka_unit_test(an_answer_takes_the_place_of_its_preview),
	    cmocka_unit_test(a_refused_edit_is_sent_as_a_new_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
