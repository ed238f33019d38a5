/* Sending while the wall clock jumps: waits last as long as they were meant to, and nothing is given up for
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"

#define WALL   1700000000000
#define DAY_MS (24LL * 3600 * 1000)

static struct {
	struct journal_memory *memory;
	struct bus *bus;
	struct channel *channel;
	struct error fails; /* of the next sends; ERROR_NONE: they arrive */
	unsigned tries, sent;
	uint64_t tried_at;
	bool repeated, owed;
	enum outbound_state end;
	bool file_fails; /* each try of a file, after seven seconds */
	char said[256];  /* the texts that were sent, and "FILE", in their order */
	unsigned files;  /* tries of a file that run */
} now;

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	(void)ch;
	if (row->file) {
		assert_int_equal(now.files++, 0);
		task_sleep(t, now.file_fails ? 7000 : 100, NULL);
		now.files--;
		if (now.file_fails)
			return error_set(err, ERROR_NETWORK, "500");
	}
	snprintf(now.said + strlen(now.said), sizeof(now.said) - strlen(now.said), "%s ",
	    row->file ? "FILE" : row->text);
	now.repeated = row->repeat;
	now.tries++;
	now.tried_at = clock_now();
	if (now.fails.kind != ERROR_NONE) {
		*err = now.fails;
		return -1;
	}
	now.sent++;
	*platform_id = xstrdup("9");
	return 0;
}

static const struct channel_ops ops = {FAKE_CHANNEL("fake"), .send = send_row};

static void on_delivered(void *arg, const struct outbound *row)
{
	(void)arg;
	now.end = row->state;
	now.owed = row->notice_owed;
}

static void open_bus(struct task *t)
{
	struct journal journal = journal_memory_face(now.memory);
	const struct bus_handler handler = {.delivered = on_delivered};

	now.bus = bus_new(&journal, &handler);
	now.channel = bus_add_channel(now.bus, "fake", &ops, NULL);
	assert_int_equal(fake_channel_start(now.channel, NULL, NULL), 0);
	assert_int_equal(bus_resume(t, now.bus, NULL), 0);
}

static void put(struct task *t, const char *text)
{
	struct journal journal = journal_memory_face(now.memory);
	struct address to;
	struct outbound *row;

	assert_int_equal(address_set(&to, "fake", "7", NULL, NULL), 0);
	row = outbound_new(&to, OUTBOUND_REPLY, text);
	row->part = row->parts = 1;
	row->created_ms = row->updated_ms = clock_wall();
	assert_int_equal(journal.ops->put_outbound(t, journal.self, &row, 1, NULL), 0);
	outbound_free(row);
	bus_wake(now.bus, &to);
}

static void put_file(struct task *t)
{
	struct journal journal = journal_memory_face(now.memory);
	struct address to;
	struct outbound *row;

	assert_int_equal(address_set(&to, "fake", "7", NULL, NULL), 0);
	row = outbound_new(&to, OUTBOUND_NOTIFICATION, "");
	row->part = row->parts = 1;
	row->created_ms = row->updated_ms = clock_wall();
	row->file = xcalloc(1, sizeof(*row->file));
	row->file->name = xstrdup("a.txt");
	assert_int_equal(journal.ops->put_outbound(t, journal.self, &row, 1, NULL), 0);
	outbound_free(row);
	bus_wake(now.bus, &to);
}

static void until_tried(struct task *t, unsigned tries)
{
	while (now.tries < tries)
		task_sleep(t, 100, NULL);
}

static const int64_t jumps[] = {WALL + DAY_MS, WALL - DAY_MS, 0, WALL + 400 * DAY_MS};

static void body(struct task *t, void *arg)
{
	void (**test)(struct task * t) = arg;

	now.memory = journal_memory_new();
	open_bus(t);
	(*test)(t);
	bus_free(t, now.bus);
	journal_memory_free(now.memory);
}

static void run(void (*test)(struct task *t))
{
	task_run("test", body, &test);
	assert_int_equal(task_count(), 0);
}

#define CLOCK_TEST(name)                         \
	static void name##_body(struct task *t); \
	static void name(void **state)           \
	{                                        \
		(void)state;                     \
		run(name##_body);                \
	}                                        \
	static void name##_body(struct task *t)

CLOCK_TEST(a_flood_penalty_is_kept)
{
	for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
		now.tries = now.sent = 0;
		clock_fake(WALL, 1);
		error_limited(&now.fails, 20000, "slow down");
		put(t, "one");
		until_tried(t, 1);
		uint64_t began = now.tried_at;
		now.fails = (struct error){0};
		task_sleep(t, 5000, NULL);
		clock_fake(jumps[i], 1);
		until_tried(t, 2);
		assert_in_range(now.tried_at - began, 20000, 20500);
		assert_int_equal(now.sent, 1);
	}
}

CLOCK_TEST(nothing_is_given_up_because_of_a_jump)
{
	for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
		now.tries = now.sent = 0;
		clock_fake(WALL, 1);
		error_set(&now.fails, ERROR_NETWORK, "not reached");
		put(t, "one");
		until_tried(t, 1);
		clock_fake(jumps[i], 1);
		until_tried(t, 5);
		now.fails = (struct error){0};
		until_tried(t, 6);
		assert_int_equal(now.sent, 1);
		assert_int_equal(now.end, OUTBOUND_SENT);
	}
}

CLOCK_TEST(after_a_start_with_another_clock_the_wait_is_no_longer_than_it_was)
{
	for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
		now.tries = now.sent = 0;
		clock_fake(WALL, 1);
		error_limited(&now.fails, 20000, "slow down");
		put(t, "one");
		until_tried(t, 1);
		task_sleep(t, 1000, NULL);
		bus_free(t, now.bus);
		now.fails = (struct error){0};
		clock_fake(jumps[i], 1);
		uint64_t began = clock_now();
		open_bus(t);
		until_tried(t, 2);
		assert_true(now.tried_at - began <= 20500);
		assert_int_equal(now.sent, 1);
	}
}

CLOCK_TEST(a_file_keeps_its_place)
{
	now.tries = now.said[0] = 0;
	clock_fake(WALL, 1);
	put_file(t);
	put(t, "one");
	put(t, "two");
	until_tried(t, 3);
	assert_string_equal(now.said, "FILE one two ");
}

CLOCK_TEST(a_file_in_trouble_holds_up_nothing_for_long)
{
	now.tries = now.said[0] = 0;
	now.file_fails = true;
	clock_fake(WALL, 1);
	uint64_t began = clock_now();
	put(t, "one");
	put_file(t);
	put(t, "two");
	until_tried(t, 2);
	assert_in_range(now.tried_at - began, 4900, 5500);
	/* A sender that begins anew does not send it a second time, nor wait again. */
	task_sleep(t, 10000, NULL);
	began = clock_now();
	put(t, "three");
	until_tried(t, 3);
	assert_in_range(now.tried_at - began, 0, 500);
	assert_string_equal(now.said, "one two three ");
	now.file_fails = false;
	until_tried(t, 4);
	assert_string_equal(now.said, "one two three FILE ");
}

CLOCK_TEST(after_a_day_it_is_given_up)
{
	now.tries = now.sent = 0;
	error_set(&now.fails, ERROR_NETWORK, "not reached");
	now.end = OUTBOUND_QUEUED;
	uint64_t began = clock_now();
	put(t, "one");
	while (now.end == OUTBOUND_QUEUED)
		task_sleep(t, 10000, NULL);
	assert_int_equal(now.end, OUTBOUND_FAILED);
	assert_in_range(clock_now() - began, DAY_MS, DAY_MS + 150000);
}

/* A reply whose first try an outage cut off, on a channel that then says `status`. */
static uint64_t put_in_doubt(struct task *t, enum channel_status status)
{
	now.tries = now.sent = 0;
	now.channel->uncertain = CHANNEL_UNCERTAIN_REPEAT;
	error_set(&now.fails, ERROR_NETWORK, "cut off");
	now.fails.uncertain = true;
	put(t, "one");
	until_tried(t, 1);
	channel_set_status(now.channel, status, "not reached");
	return now.tried_at;
}

CLOCK_TEST(a_repeat_waits_until_the_channel_is_ready)
{
	put_in_doubt(t, CHANNEL_DEGRADED);
	task_sleep(t, 60000, NULL);
	assert_int_equal(now.tries, 1);
	now.fails = (struct error){0};
	uint64_t ready_at = clock_now();
	channel_set_status(now.channel, CHANNEL_READY, "ready");
	until_tried(t, 2);
	assert_in_range(now.tried_at - ready_at, 0, 500);
	assert_true(now.repeated);
	assert_int_equal(now.sent, 1);
}

CLOCK_TEST(a_repeat_waits_also_while_nobody_has_noticed_the_outage)
{
	uint64_t began = put_in_doubt(t, CHANNEL_READY);

	now.fails = (struct error){0};
	until_tried(t, 2);
	assert_in_range(now.tried_at - began, 2000, 2500);
	assert_false(now.owed);
}

CLOCK_TEST(a_channel_that_stays_degraded_gets_the_repeat_all_the_same)
{
	uint64_t began = put_in_doubt(t, CHANNEL_DEGRADED);

	until_tried(t, 2);
	assert_in_range(now.tried_at - began, 300000, 301000);
	/* In doubt again: no third try, but the person hears of it. */
	now.fails = (struct error){0};
	task_sleep(t, 600000, NULL);
	assert_int_equal(now.tries, 2);
	assert_int_equal(now.end, OUTBOUND_UNCERTAIN);
	assert_true(now.owed);
}

/* A journal that records nothing of a row for the time being. */
static size_t marks;

static int refuse_mark(struct task *t, void *self, const struct outbound *row, struct error *err)
{
	(void)t, (void)self, (void)row;
	marks++;
	return error_set(err, ERROR_OURS, "no space left");
}

CLOCK_TEST(what_cannot_be_recorded_as_being_sent_is_not_sent)
{
	struct journal whole_one = journal_memory_face(now.memory), broken = whole_one;
	struct journal_ops broken_ops = *whole_one.ops;
	const struct bus_handler handler = {.delivered = on_delivered};

	now.tries = now.sent = 0;
	now.fails = (struct error){0};
	bus_free(t, now.bus);
	broken_ops.mark_outbound = refuse_mark;
	broken.ops = &broken_ops;
	now.bus = bus_new(&broken, &handler);
	fake_channel_start(bus_add_channel(now.bus, "fake", &ops, NULL), NULL, NULL);
	put(t, "one");
	while (marks < 3)
		task_sleep(t, 100, NULL);
	/* Also when the process stops meanwhile. */
	bus_free(t, now.bus);
	assert_int_equal(now.tries, 0);
	open_bus(t);
	until_tried(t, 1);
	assert_int_equal(now.sent, 1);
}

static void on_tick(uv_timer_t *tick)
{
	(void)tick;
	clock_advance(now.fails.kind == ERROR_NETWORK && now.end == OUTBOUND_QUEUED ? 30000 : 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_flood_penalty_is_kept),
	    cmocka_unit_test(nothing_is_given_up_because_of_a_jump),
	    cmocka_unit_test(after_a_start_with_another_clock_the_wait_is_no_longer_than_it_was),
	    cmocka_unit_test(a_file_keeps_its_place),
	    cmocka_unit_test(a_file_in_trouble_holds_up_nothing_for_long),
	    cmocka_unit_test(after_a_day_it_is_given_up),
	    cmocka_unit_test(a_repeat_waits_until_the_channel_is_ready),
	    cmocka_unit_test(a_repeat_waits_also_while_nobody_has_noticed_the_outage),
	    cmocka_unit_test(a_channel_that_stays_degraded_gets_the_repeat_all_the_same),
	    cmocka_unit_test(what_cannot_be_recorded_as_being_sent_is_not_sent),
	};
	uv_timer_t tick;

	clock_fake(WALL, 1);
	now.end = OUTBOUND_SENT;
	uv_timer_init(uv_default_loop(), &tick);
	uv_timer_start(&tick, on_tick, 1, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
