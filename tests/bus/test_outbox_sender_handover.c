/* Deliveries that their own commit makes `sending`, and that are sent without another commit before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"

static struct {
	struct journal_memory *memory;
	struct journal journal;
	struct journal_ops counting; /* the journal's, which note marks (M) and lists (L) in done */
	struct bus *bus;
	struct channel *ch;
	struct buf done;
	size_t delivered;
	bool may_not_send; /* the rate limit is used up */
} now;

static int note_mark(struct task *t, void *self, const struct outbound *row, struct error *err)
{
	buf_addf(&now.done, "M%d ", (int)row->state);
	return now.journal.ops->mark_outbound(t, self, row, err);
}

static int note_list(struct task *t, void *self, const struct journal_queue *queue, int64_t after_id,
    struct outbound **out, size_t max, struct error *err)
{
	buf_addstr(&now.done, "L ");
	return now.journal.ops->list_outbound(t, self, queue, after_id, out, max, err);
}

static int admit(struct task *t, struct channel *ch, const struct outbound *row, struct error *err)
{
	(void)ch, (void)row;
	if (!now.may_not_send)
		return 0;
	assert_null(t);
	now.may_not_send = false;
	return error_set(err, ERROR_LIMITED, "not now");
}

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	(void)t, (void)ch, (void)err;
	assert_int_equal(row->state, OUTBOUND_SENDING);
	assert_int_equal(row->attempts, 1);
	buf_addf(&now.done, "+%s ", row->text);
	*platform_id = xstrdup("9");
	return 0;
}

static const struct channel_ops ops = {FAKE_CHANNEL("fake"), .admit = admit, .send = send_row};

static void on_delivered(void *arg, const struct outbound *row)
{
	(void)arg;
	assert_int_equal(row->state, OUTBOUND_SENT);
	now.delivered++;
}

static struct outbound *row_of(const char *text)
{
	struct address to;

	assert_int_equal(address_set(&to, "fake", "7", NULL, NULL), 0);
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, text);
	row->part = row->parts = 1;
	return row;
}

/* Commits the rows as other code does it, and frees them. */
static void commit(struct task *t, struct outbound **rows, size_t count)
{
	bus_prepare(now.bus, rows, count);
	int rc = now.journal.ops->put_outbound(t, now.journal.self, rows, count, NULL);
	bus_committed(now.bus, rows, count, rc == 0);
	for (size_t i = 0; i < count; i++)
		outbound_free(rows[i]);
}

static void commit_one(struct task *t, const char *text)
{
	struct outbound *row = row_of(text);

	commit(t, &row, 1);
}

static void await(struct task *t, size_t delivered)
{
	while (now.delivered < delivered)
		task_yield(t, NULL);
}

static enum outbound_state state_of(struct task *t, int64_t id)
{
	struct outbound *row = now.journal.ops->get_outbound(t, now.journal.self, id, NULL);
	enum outbound_state state = row->state;

	outbound_free(row);
	return state;
}

static void nothing_is_committed_between(struct task *t)
{
	commit_one(t, "a");
	await(t, 1);
	assert_string_equal(now.done.data, "+a M2 ");
	assert_int_equal(state_of(t, 1), OUTBOUND_SENT);
}

static void the_parts_behind_it_come_from_the_journal(struct task *t)
{
	struct outbound *rows[] = {row_of("a"), row_of("b")};

	rows[0]->parts = rows[1]->parts = rows[1]->part = 2;
	commit(t, rows, 2);
	await(t, 2);
	assert_string_equal(now.done.data, "+a M2 L M1 +b M2 ");
}

static void what_waits_for_the_rate_limit_is_queued(struct task *t)
{
	now.may_not_send = true;
	commit_one(t, "a");
	await(t, 1);
	assert_string_equal(now.done.data, "L M1 +a M2 ");
}

static void what_waits_for_the_channel_is_queued(struct task *t)
{
	channel_set_status(now.ch, CHANNEL_DEGRADED, "slow");
	commit_one(t, "a");
	await(t, 1);
	assert_string_equal(now.done.data, "L M1 +a M2 ");
}

/* What one of several connections to the platform lacks keeps nothing from being sent. */
static void a_channel_with_some_of_its_shards_sends_as_if_it_were_ready(struct task *t)
{
	now.ch->shards = 3;
	now.ch->shards_ready = 2;
	channel_set_status(now.ch, CHANNEL_DEGRADED, "shard 1: slow");
	commit_one(t, "a");
	await(t, 1);
	assert_string_equal(now.done.data, "+a M2 ");
}

static void what_another_one_goes_before_is_queued(struct task *t)
{
	struct outbound *first = row_of("a");

	assert_int_equal(bus_send(t, now.bus, &first, 1, NULL), 0);
	outbound_free(first);
	commit_one(t, "b");
	await(t, 2);
	assert_non_null(strstr(now.done.data, "M1 +a M2 "));
	assert_non_null(strstr(now.done.data, "M1 +b M2 "));
}

static void what_the_commit_queued_comes_from_the_journal(struct task *t)
{
	struct outbound *row = row_of("a");

	bus_prepare(now.bus, &row, 1);
	assert_int_equal(row->state, OUTBOUND_SENDING);
	row->state = OUTBOUND_QUEUED;
	row->attempts = 0;
	assert_int_equal(now.journal.ops->put_outbound(t, now.journal.self, &row, 1, NULL), 0);
	bus_committed(now.bus, &row, 1, true);
	outbound_free(row);
	await(t, 1);
	assert_string_equal(now.done.data, "L M1 +a M2 ");
}

static void a_failed_commit_sends_nothing(struct task *t)
{
	struct outbound *row = row_of("a");

	bus_prepare(now.bus, &row, 1);
	bus_committed(now.bus, &row, 1, false);
	outbound_free(row);
	/* The chat is free again. */
	while (task_count() > 1)
		task_yield(t, NULL);
	commit_one(t, "b");
	await(t, 1);
	assert_non_null(strstr(now.done.data, "+b M2 "));
	assert_null(strstr(now.done.data, "+a"));
	assert_null(strstr(now.done.data, "M1"));
}

static void what_is_committed_meanwhile_comes_behind_it(struct task *t)
{
	struct outbound *row = row_of("a"), *other = row_of("b");

	bus_prepare(now.bus, &row, 1);
	assert_int_equal(now.journal.ops->put_outbound(t, now.journal.self, &row, 1, NULL), 0);
	assert_int_equal(bus_send(t, now.bus, &other, 1, NULL), 0);
	task_yield(t, NULL);
	bus_committed(now.bus, &row, 1, true);
	outbound_free(row);
	outbound_free(other);
	await(t, 2);
	assert_string_equal(now.done.data, "+a M2 L M1 +b M2 ");
}

/* It finds in the journal what the sender has got already. */
static void a_look_for_what_other_nodes_put_is_not_for_it(struct task *t)
{
	struct outbound *row = row_of("a");

	bus_share(now.bus);
	bus_prepare(now.bus, &row, 1);
	assert_int_equal(now.journal.ops->put_outbound(t, now.journal.self, &row, 1, NULL), 0);
	assert_int_equal(bus_take_channels(t, now.bus, NULL), 0);
	bus_committed(now.bus, &row, 1, true);
	outbound_free(row);
	while (task_count() > 1)
		task_yield(t, NULL);
	assert_string_equal(now.done.data, "+a M2 ");
}

static void a_channel_that_is_lost_meanwhile_queues_it_first(struct task *t)
{
	struct outbound *row = row_of("a");

	bus_prepare(now.bus, &row, 1);
	assert_int_equal(now.journal.ops->put_outbound(t, now.journal.self, &row, 1, NULL), 0);
	channel_set_status(now.ch, CHANNEL_STOPPED, "stopped");
	bus_committed(now.bus, &row, 1, true);
	outbound_free(row);
	while (state_of(t, 1) != OUTBOUND_QUEUED)
		task_yield(t, NULL);
	assert_string_equal(now.done.data, "M0 ");
	channel_set_status(now.ch, CHANNEL_READY, "ready");
	await(t, 1);
	assert_string_equal(now.done.data, "M0 M1 +a M2 ");
}

/* A repeated end of a turn: whether the first one's answer has left is for the journal to say. */
static void what_is_in_the_journal_already_is_not_sent_again(struct task *t)
{
	struct outbound *rows[] = {row_of("a"), row_of("a")};

	for (size_t i = 0; i < 2; i++) {
		rows[i]->key = xstrdup("turn:1");
		commit(t, &rows[i], 1);
		await(t, 1);
		while (task_count() > 1)
			task_yield(t, NULL);
	}
	assert_string_equal(now.done.data, "+a M2 L ");
}

static void a_stop_leaves_nothing_in_doubt(struct task *t)
{
	commit_one(t, "a");
	bus_free(t, now.bus);
	now.bus = NULL;
	assert_int_equal(now.delivered, 1);
	assert_int_equal(state_of(t, 1), OUTBOUND_SENT);
}

static void body(struct task *t, void *arg)
{
	void (*test)(struct task *) = *(void (**)(struct task *))arg;
	const struct bus_handler handler = {.delivered = on_delivered};

	memset(&now, 0, sizeof(now));
	buf_init(&now.done);
	now.memory = journal_memory_new();
	now.journal = journal_memory_face(now.memory);
	now.counting = *now.journal.ops;
	now.counting.mark_outbound = note_mark;
	now.counting.list_outbound = note_list;
	now.bus = bus_new(&(struct journal){&now.counting, now.journal.self}, &handler);
	now.ch = bus_add_channel(now.bus, "fake", &ops, NULL);
	assert_int_equal(bus_resume(t, now.bus, NULL), 0);
	channel_set_status(now.ch, CHANNEL_READY, "ready");
	test(t);
	bus_free(t, now.bus);
	journal_memory_free(now.memory);
	buf_clear(&now.done);
}

static void run(void **state)
{
	task_run("test", body, *state);
	assert_int_equal(task_count(), 0);
}

#define BUS_TEST(fn)                                             \
	{                                                        \
#fn, run, NULL, NULL, &(void (*)(struct task *)) \
		{                                                \
			fn                                       \
		}                                                \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    BUS_TEST(nothing_is_committed_between),
	    BUS_TEST(the_parts_behind_it_come_from_the_journal),
	    BUS_TEST(what_waits_for_the_rate_limit_is_queued),
	    BUS_TEST(what_waits_for_the_channel_is_queued),
	    BUS_TEST(a_channel_with_some_of_its_shards_sends_as_if_it_were_ready),
	    BUS_TEST(what_another_one_goes_before_is_queued),
	    BUS_TEST(what_the_commit_queued_comes_from_the_journal),
	    BUS_TEST(a_failed_commit_sends_nothing),
	    BUS_TEST(what_is_committed_meanwhile_comes_behind_it),
	    BUS_TEST(a_look_for_what_other_nodes_put_is_not_for_it),
	    BUS_TEST(a_channel_that_is_lost_meanwhile_queues_it_first),
	    BUS_TEST(what_is_in_the_journal_already_is_not_sent_again),
	    BUS_TEST(a_stop_leaves_nothing_in_doubt),
	};

	return cmocka_run_group_tests_name("outbox_sender_handover", tests, NULL, NULL);
}
