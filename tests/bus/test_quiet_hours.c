/* Quiet hours: when they are, and that they hold up notifications and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"
#include "bus/post.h"
#include "bus/quiet_hours.h"

/* 2026-03-01 00:00:00 UTC. */
#define MIDNIGHT           INT64_C(1772323200000)
#define MIN_MS             INT64_C(60000)
#define AT(hours, minutes) (MIDNIGHT + ((hours)*60 + (minutes)) * MIN_MS)

static void hours_are_read_and_mistakes_are_told(void **state)
{
	static const char *const bad[] = {"", "22-7", "22:00", "22:00-", "22:00-7:00", "24:00-07:00",
	    "22:60-07:00", "22:00-22:00", "22:00-07:00 ", "a2:00-07:00", "22:00 - 07:00", "22:00/07:00"};
	struct quiet_hours q;
	struct error err;

	(void)state;
	assert_int_equal(quiet_hours_parse("22:00-07:30", &q, &err), 0);
	assert_int_equal(q.from, 22 * 60);
	assert_int_equal(q.to, 7 * 60 + 30);
	assert_int_equal(quiet_hours_parse(NULL, &q, &err), 0);
	assert_int_equal(quiet_hours_until(&q, AT(23, 0)), 0);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_int_equal(quiet_hours_parse(bad[i], &q, &err), -1);
		assert_non_null(strstr(err.text, "22:00-07:00"));
	}
}

static void they_end_when_the_clock_on_the_wall_says_so(void **state)
{
	static const struct {
		const char *zone, *hours;
		int64_t now, until;
	} table[] = {
	    {"UTC0", "22:00-07:00", AT(21, 59), 0},
	    {"UTC0", "22:00-07:00", AT(22, 0), AT(31, 0)},
	    {"UTC0", "22:00-07:00", AT(25, 1), AT(31, 0)},
	    {"UTC0", "22:00-07:00", AT(7, 0), 0},
	    {"UTC0", "22:00-07:00", AT(6, 59), AT(7, 0)},
	    {"UTC0", "12:00-13:30", AT(12, 30), AT(13, 30)},
	    {"UTC0", "12:00-13:30", AT(13, 30), 0},
	    {"XYZ-3", "22:00-07:00", AT(20, 0), AT(28, 0)}, /* 23:00 there, until 07:00 there */
	    /* The night of 2026-03-29, when 02:00 becomes 03:00: 07:00 there is 05:00 UTC. */
	    {"CET-1CEST,M3.5.0,M10.5.0/3", "22:00-07:00", AT(27 * 24 + 23, 0), AT(28 * 24 + 5, 0)},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct quiet_hours q;
		setenv("TZ", table[i].zone, 1);
		tzset();
		assert_int_equal(quiet_hours_parse(table[i].hours, &q, NULL), 0);
		if (quiet_hours_until(&q, table[i].now) != table[i].until)
			fail_msg("row %zu: %lld", i, (long long)quiet_hours_until(&q, table[i].now));
	}
	setenv("TZ", "UTC0", 1);
	tzset();
}

static struct {
	struct bus *bus;
	struct buf sent;
	struct quiet_hours quiet;
	bool hours_pass;
} now = {.sent = BUF_INIT};

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	(void)t, (void)ch, (void)err;
	buf_addf(&now.sent, "%s ", row->text);
	*platform_id = xstrdup("9");
	return 0;
}

static const struct channel_ops ops = {FAKE_CHANNEL("fake"), .send = send_row};

static int64_t until(void *arg, const struct address *to)
{
	(void)arg;
	return strcmp(to->chat, "7") == 0 ? quiet_hours_until(&now.quiet, clock_wall()) : 0;
}

static void open_bus(struct task *t, struct journal_memory *memory)
{
	struct journal journal = journal_memory_face(memory);
	const struct bus_handler handler = {0};

	now.bus = bus_new(&journal, &handler);
	fake_channel_start(bus_add_channel(now.bus, "fake", &ops, NULL), NULL, NULL);
	bus_set_quiet(now.bus, until, NULL);
	assert_int_equal(bus_resume(t, now.bus, NULL), 0);
}

static enum outbound_state notify(struct task *t, const char *chat, const char *text, const char *says)
{
	struct post p = {.bus = now.bus, .text = text};
	struct address to;

	assert_int_equal(address_set(&to, "fake", chat, NULL, NULL), 0);
	assert_int_equal(post_add(&p, &to, NULL), 0);
	assert_int_equal(post_commit(t, &p, NULL), 0);
	uint64_t began = clock_now();
	post_await(t, &p, 5000);
	assert_true(clock_now() - began < 5000);
	enum outbound_state state = post_state(&p.items[0]);
	if (says)
		assert_non_null(strstr(p.items[0].row->reason, says));
	post_clear(&p);
	return state;
}

static void reply(struct task *t, const char *text)
{
	struct address to;
	size_t count;

	assert_int_equal(address_set(&to, "fake", "7", NULL, NULL), 0);
	struct outbound **rows = bus_rows(now.bus, &to, OUTBOUND_REPLY, text, NULL, NULL, 0, &count, NULL);
	assert_int_equal(bus_send(t, now.bus, rows, count, NULL), 0);
	bus_rows_free(rows, count);
}

static void night(struct task *t, void *arg)
{
	struct journal_memory *memory = journal_memory_new();

	(void)arg;
	assert_int_equal(quiet_hours_parse("22:00-07:00", &now.quiet, NULL), 0);
	open_bus(t, memory);
	assert_int_equal(notify(t, "7", "held1|held2", "it goes out at 07:00"), OUTBOUND_QUEUED);
	assert_int_equal(notify(t, "8", "elsewhere", NULL), OUTBOUND_SENT);
	reply(t, "answer");
	task_sleep(t, 5000, NULL);
	assert_string_equal(now.sent.data, "elsewhere answer ");
	/* Also over a restart. */
	bus_free(t, now.bus);
	open_bus(t, memory);
	reply(t, "again");
	now.hours_pass = true;
	while (clock_wall() < AT(30, 59))
		task_sleep(t, 1000, NULL);
	assert_string_equal(now.sent.data, "elsewhere answer again ");
	while (clock_wall() < AT(31, 1))
		task_sleep(t, 1000, NULL);
	now.hours_pass = false;
	assert_string_equal(now.sent.data, "elsewhere answer again held1 held2 ");
	assert_int_equal(notify(t, "7", "day", NULL), OUTBOUND_SENT);
	bus_free(t, now.bus);
	journal_memory_free(memory);
}

static void notifications_wait_for_the_morning_and_answers_do_not(void **state)
{
	(void)state;
	clock_fake(AT(22, 30), 1);
	task_run("night", night, NULL);
	buf_clear(&now.sent);
}

static void on_tick(uv_timer_t *tick)
{
	(void)tick;
	clock_advance(now.hours_pass ? 20000 : 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hours_are_read_and_mistakes_are_told),
	    cmocka_unit_test(they_end_when_the_clock_on_the_wall_says_so),
	    cmocka_unit_test(notifications_wait_for_the_morning_and_answers_do_not),
	};
	uv_timer_t tick;

	clock_fake(AT(22, 30), 1);
	uv_timer_init(uv_default_loop(), &tick);
	uv_timer_start(&tick, on_tick, 1, 1);
	return cmocka_run_group_tests_name("quiet", tests, NULL, NULL);
}
