/* Sends that were cut off, on a channel that can find out what became of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"

#define DAY_MS (24LL * 3600 * 1000)

/* How each send and each look ends: one letter after the other, the last one again and again. Sends: 's'
 * sent, 'd' in doubt, 'n' not reached, 'l' limited, 'r' refused. Looks: 's' sent, 'n' not sent, 'm' may be
 * repeated, 'u' unknown, 'e' cannot tell now, 'x' refused. */
static struct {
	struct journal_memory *memory;
	struct bus *bus;
	const char *sends, *looks;
	struct buf done; /* what was done: "+" a send, "?" a look, "*" a marked repeat */
	struct buf ends;
	uint64_t tick_ms;
} now;

static char next_of(const char **script)
{
	char c = **script;

	assert_true(c != '\0');
	if ((*script)[1] != '\0')
		++*script;
	return c;
}

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	(void)t, (void)ch;
	assert_int_equal(row->state, OUTBOUND_SENDING);
	buf_addch(&now.done, row->repeat ? '*' : '+');
	switch (next_of(&now.sends)) {
	case 's':
		*platform_id = xstrdup("9");
		return 0;
	case 'd':
		error_set(err, ERROR_NETWORK, "cut off");
		err->uncertain = true;
		break;
	case 'n':
		error_set(err, ERROR_NETWORK, "not reached");
		break;
	case 'l':
		error_limited(err, 5000, "slow down");
		break;
	default:
		error_set(err, ERROR_REFUSED, "no such chat");
	}
	return -1;
}

static int reconcile(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	(void)t, (void)ch;
	assert_int_equal(row->state, OUTBOUND_SENDING);
	buf_addch(&now.done, '?');
	switch (next_of(&now.looks)) {
	case 's':
		*platform_id = xstrdup("7");
		return CHANNEL_RECONCILED_SENT;
	case 'n':
		return CHANNEL_RECONCILED_NOT_SENT;
	case 'm':
		return CHANNEL_RECONCILED_REPEATABLE;
	case 'u':
		return CHANNEL_RECONCILED_UNKNOWN;
	case 'e':
		return error_set(err, ERROR_NETWORK, "not reached");
	default:
		return error_set(err, ERROR_REFUSED, "may not look");
	}
}

static const struct channel_ops ops = {
    FAKE_CHANNEL("fake"), .repeat_uncertain_replies = true, .send = send_row, .reconcile = reconcile};

static void on_delivered(void *arg, const struct outbound *row)
{
	(void)arg;
	buf_addf(&now.ends, "%s%s%s;", outbound_state_name(row->state), row->platform_id ? " " : "",
	    row->platform_id ? row->platform_id : "");
}

static void open_bus(struct task *t)
{
	struct journal journal = journal_memory_face(now.memory);
	const struct bus_handler handler = {.delivered = on_delivered};

	now.bus = bus_new(&journal, &handler);
	fake_channel_start(bus_add_channel(now.bus, "fake", &ops, NULL), NULL, NULL);
	assert_int_equal(bus_resume(t, now.bus, NULL), 0);
}

/* A row, as a crash left it in state. */
static int64_t put(struct task *t, enum outbound_state state, enum outbound_kind kind)
{
	struct journal journal = journal_memory_face(now.memory);
	struct address to;

	assert_int_equal(address_set(&to, "fake", "7", NULL, NULL), 0);
	struct outbound *row = outbound_new(&to, kind, "text");
	row->created_ms = row->updated_ms = clock_wall();
	assert_int_equal(journal.ops->put_outbound(t, journal.self, &row, 1, NULL), 0);
	row->state = state;
	row->attempts = state == OUTBOUND_SENDING;
	assert_int_equal(journal.ops->mark_outbound(t, journal.self, row, NULL), 0);
	bus_wake(now.bus, &to);
	int64_t id = row->id;
	outbound_free(row);
	return id;
}

static enum outbound_state journal_state(struct task *t, int64_t id)
{
	struct journal journal = journal_memory_face(now.memory);
	struct outbound *row = journal.ops->get_outbound(t, journal.self, id, NULL);
	enum outbound_state state = row->state;

	outbound_free(row);
	return state;
}

struct scene {
	enum outbound_state state; /* in which the row is found */
	enum outbound_kind kind;
	const char *sends, *looks, *done, *ends;
};

static void play(struct task *t, void *arg)
{
	const struct scene *s = arg;

	now.sends = s->sends;
	now.looks = s->looks;
	now.memory = journal_memory_new();
	open_bus(t);
	put(t, s->state, s->kind);
	while (now.ends.len == 0)
		task_sleep(t, 1000, NULL);
	assert_string_equal(now.done.data, s->done);
	assert_string_equal(now.ends.data, s->ends);
	bus_free(t, now.bus);
	journal_memory_free(now.memory);
}

static void in_task(task_fn *fn, const struct scene *scene)
{
	buf_init(&now.done);
	buf_init(&now.ends);
	now.tick_ms = 50;
	task_run("test", fn, (void *)(uintptr_t)scene);
	assert_int_equal(task_count(), 0);
	buf_clear(&now.done);
	buf_clear(&now.ends);
}

static void run(void **state)
{
	in_task(play, *state);
}

static void check_restart(struct task *t, void *arg)
{
	(void)arg;
	now.sends = "n";
	now.looks = "m";
	now.memory = journal_memory_new();
	open_bus(t);
	int64_t id = put(t, OUTBOUND_SENDING, OUTBOUND_NOTIFICATION);
	while (now.done.len < 4)
		task_sleep(t, 1000, NULL);
	bus_free(t, now.bus);
	assert_int_equal(journal_state(t, id), OUTBOUND_SENDING);
	now.looks = "s";
	open_bus(t);
	while (now.ends.len == 0)
		task_sleep(t, 1000, NULL);
	assert_string_equal(now.ends.data, "sent 7;");
	bus_free(t, now.bus);
	journal_memory_free(now.memory);
}

static void what_stays_in_doubt_is_looked_for_after_a_restart(void **state)
{
	(void)state;
	in_task(check_restart, NULL);
}

static void check_day(struct task *t, void *arg)
{
	uint64_t began = clock_now();

	(void)arg;
	now.sends = "s";
	now.looks = "e";
	now.tick_ms = 30000;
	now.memory = journal_memory_new();
	open_bus(t);
	put(t, OUTBOUND_QUEUED, OUTBOUND_NOTIFICATION);
	now.sends = "d";
	while (now.ends.len == 0)
		task_sleep(t, 30000, NULL);
	assert_string_equal(now.ends.data, "uncertain;");
	assert_in_range(clock_now() - began, DAY_MS, DAY_MS + 300000);
	bus_free(t, now.bus);
	journal_memory_free(now.memory);
}

static void a_day_of_looking_in_vain_leaves_it_uncertain(void **state)
{
	(void)state;
	in_task(check_day, NULL);
}

static void on_tick(uv_timer_t *tick)
{
	(void)tick;
	clock_advance(now.tick_ms);
}

#define SCENE(name, ...)                                                           \
	{                                                                          \
#name, run, NULL, NULL, (void *)(uintptr_t) & (const struct scene) \
		{                                                                  \
			__VA_ARGS__                                                \
		}                                                                  \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    SCENE(what_a_crash_cut_off_and_is_there_is_not_sent_again, OUTBOUND_SENDING, OUTBOUND_REPLY, "s",
		"s", "?", "sent 7;"),
	    SCENE(what_a_crash_cut_off_and_is_not_there_is_sent_unmarked, OUTBOUND_SENDING,
		OUTBOUND_NOTIFICATION, "s", "n", "?+", "sent 9;"),
	    SCENE(a_lost_answer_is_looked_for, OUTBOUND_QUEUED, OUTBOUND_NOTIFICATION, "d", "s", "+?",
		"sent 7;"),
	    SCENE(a_lost_answer_that_never_arrived_is_sent_again, OUTBOUND_QUEUED, OUTBOUND_NOTIFICATION,
		"ds", "n", "+?+", "sent 9;"),
	    SCENE(every_lost_answer_is_looked_for, OUTBOUND_QUEUED, OUTBOUND_NOTIFICATION, "ddds", "n",
		"+?+?+?+", "sent 9;"),
	    SCENE(an_unknown_reply_is_repeated_marked, OUTBOUND_QUEUED, OUTBOUND_REPLY, "ds", "u", "+?*",
		"sent 9;"),
	    SCENE(an_unknown_notification_is_held, OUTBOUND_QUEUED, OUTBOUND_NOTIFICATION, "ds", "u", "+?",
		"uncertain;"),
	    SCENE(who_may_not_look_does_not_know, OUTBOUND_SENDING, OUTBOUND_NOTIFICATION, "s", "x", "?",
		"uncertain;"),
	    SCENE(who_cannot_look_now_looks_later, OUTBOUND_SENDING, OUTBOUND_NOTIFICATION, "s", "eees",
		"????", "sent 7;"),
	    SCENE(what_is_not_there_and_refused_has_failed, OUTBOUND_SENDING, OUTBOUND_REPLY, "r", "n", "?+",
		"failed;"),
	    SCENE(what_may_be_there_and_is_refused_is_uncertain, OUTBOUND_SENDING, OUTBOUND_REPLY, "r", "m",
		"?+", "uncertain;"),
	    SCENE(what_may_be_there_is_asked_for_before_each_try, OUTBOUND_SENDING, OUTBOUND_REPLY, "nls",
		"m", "?+?+?+", "sent 9;"),
	    SCENE(what_is_not_there_is_asked_for_once, OUTBOUND_SENDING, OUTBOUND_REPLY, "nls", "n", "?+++",
		"sent 9;"),
	    cmocka_unit_test(what_stays_in_doubt_is_looked_for_after_a_restart),
	    cmocka_unit_test(a_day_of_looking_in_vain_leaves_it_uncertain),
	};
	uv_timer_t tick;

	clock_fake(1700000000000, 1);
	now.tick_ms = 50;
	uv_timer_init(uv_default_loop(), &tick);
	uv_timer_start(&tick, on_tick, 1, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
