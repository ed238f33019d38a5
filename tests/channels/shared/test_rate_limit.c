#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "channels/shared/rate_limit.h"

#define CALLS_MAX 2000

static struct rate_limiter rate_limiter;
static struct task_group senders;

/* When each call went, in its order. */
static struct {
	uint64_t at;
	const char *chat;
	enum rate_limit_priority rank;
} calls[CALLS_MAX];
static size_t call_count, cancelled_count;

struct sender {
	const char *chat;
	enum rate_limit_priority rank;
	int messages;
};

static void send_all(struct task *t, void *arg)
{
	struct sender *s = arg;

	while (s->messages-- > 0) {
		if (rate_limit_wait(t, &rate_limiter, s->chat, s->rank, NULL) < 0) {
			cancelled_count++;
			return;
		}
		assert_true(call_count < CALLS_MAX);
		calls[call_count].at = clock_now();
		calls[call_count].chat = s->chat;
		calls[call_count++].rank = s->rank;
	}
}

static void run_for(struct task *t, uint64_t ms)
{
	for (uint64_t end = clock_now() + ms; clock_now() < end;) {
		for (int i = 0; i < 3; i++)
			task_yield(t, NULL);
		clock_advance(1);
	}
	for (int i = 0; i < 3; i++)
		task_yield(t, NULL);
}

static void most_in_window(const char *chat, uint64_t window_ms, size_t most)
{
	for (size_t i = 0; i < call_count; i++) {
		size_t in = 0;

		for (size_t j = i; j < call_count && calls[j].at < calls[i].at + window_ms; j++)
			in += !chat || strcmp(calls[j].chat, chat) == 0;
		assert_true(in <= most);
	}
}

static unsigned is_group(const char *chat)
{
	return chat[0] == '-';
}

static void begin(int64_t per_private, int64_t per_group, int64_t per_all)
{
	const struct rate_limit_options options = {
	    .chats = {rate_limit_per_window(per_private, 1000, 3), rate_limit_strict(per_group, 60000, 4)},
	    .all = rate_limit_strict(per_all, 1000, 2),
	    .kind = is_group,
	};

	rate_limit_init(&rate_limiter, &options);
	task_group_init(&senders);
	call_count = cancelled_count = 0;
}

static void start(struct sender *s)
{
	task_start(&senders, "sender", send_all, s);
}

static void finish(struct task *t)
{
	task_group_finish(t, &senders);
	rate_limit_clear(&rate_limiter);
	assert_int_equal(rate_limiter.chats, 0);
}

static void check_private(struct task *t, void *arg)
{
	struct sender s = {"77", RATE_LIMIT_REPLY, 20};
	uint64_t begun = clock_now();

	(void)arg;
	begin(1, 20, 30);
	start(&s);
	/* The third waits for its share of the whole. */
	run_for(t, 35);
	assert_int_equal(call_count, 3);
	run_for(t, 30000);
	assert_int_equal(call_count, 20);
	assert_int_equal(calls[19].at - begun, 17000);
	finish(t);
}

static void check_group(struct task *t, void *arg)
{
	struct sender s = {"-100", RATE_LIMIT_REPLY, 100};

	(void)arg;
	begin(1, 20, 30);
	start(&s);
	run_for(t, 180000);
	most_in_window("-100", 60000, 20);
	/* The burst costs no more than a fifth of what is allowed. */
	assert_true(call_count >= 48);
	finish(t);
}

static void check_global(struct task *t, void *arg)
{
	static char names[200][16];
	struct sender s[200];

	(void)arg;
	begin(1, 20, 30);
	for (int i = 0; i < 200; i++) {
		snprintf(names[i], sizeof(names[i]), "%d", i + 1);
		s[i] = (struct sender){names[i], RATE_LIMIT_NOTIFICATION, 1};
		start(&s[i]);
	}
	run_for(t, 10000);
	assert_int_equal(call_count, 200);
	most_in_window(NULL, 1000, 30);
	/* What may come at once, and whole milliseconds, cost no more than a twentieth of what is allowed. */
	assert_true(calls[199].at - calls[0].at < 7000);
	finish(t);
}

static void check_ranks(struct task *t, void *arg)
{
	static char names[50][16];
	struct sender s[50], reply = {"777", RATE_LIMIT_REPLY, 1};

	(void)arg;
	begin(1, 20, 30);
	for (int i = 0; i < 50; i++) {
		snprintf(names[i], sizeof(names[i]), "%d", i + 1);
		s[i] = (struct sender){names[i], RATE_LIMIT_NOTIFICATION, 1};
		start(&s[i]);
	}
	run_for(t, 200);
	assert_true(call_count < 15);
	size_t before = call_count;
	start(&reply);
	run_for(t, 50);
	assert_true(call_count > before);
	assert_string_equal(calls[before].chat, "777");
	finish(t);
}

static void check_pause(struct task *t, void *arg)
{
	struct sender s = {"77", RATE_LIMIT_REPLY, 1}, other = {"78", RATE_LIMIT_REPLY, 1};
	uint64_t begun = clock_now();

	(void)arg;
	begin(1, 20, 30);
	rate_limit_pause(&rate_limiter, "77", 35500);
	assert_false(rate_limit_try(&rate_limiter, "77"));
	start(&s);
	start(&other);
	run_for(t, 40000);
	assert_int_equal(call_count, 2);
	assert_string_equal(calls[0].chat, "78");
	assert_int_equal(calls[0].at, begun);
	assert_int_equal(calls[1].at - begun, 35500);
	finish(t);
}

static void check_extras(struct task *t, void *arg)
{
	(void)arg;
	begin(1, 20, 30);
	assert_true(rate_limit_try(&rate_limiter, "77"));
	assert_true(rate_limit_try(&rate_limiter, "77"));
	clock_advance(100);
	/* One share is left: it is kept for a message. */
	assert_false(rate_limit_try(&rate_limiter, "77"));
	/* The whole has shares for others, as long as no message wants them. */
	assert_true(rate_limit_try(&rate_limiter, "78"));
	clock_advance(100);
	assert_int_equal(rate_limit_wait(t, &rate_limiter, "77", RATE_LIMIT_REPLY, NULL), 0);
	clock_advance(10000);
	rate_limit_pause_optional(&rate_limiter, 30000);
	assert_false(rate_limit_try(&rate_limiter, "77"));
	assert_int_equal(rate_limit_wait(t, &rate_limiter, "77", RATE_LIMIT_REPLY, NULL), 0);
	clock_advance(30000);
	assert_true(rate_limit_try(&rate_limiter, "77"));
	/* Nothing is left for a chat in which somebody waits. */
	struct sender s = {"78", RATE_LIMIT_REPLY, 1};
	rate_limit_pause(&rate_limiter, "78", 1000);
	start(&s);
	run_for(t, 10);
	rate_limit_pause(&rate_limiter, "78", 0);
	assert_false(rate_limit_try(&rate_limiter, "78"));
	finish(t);
}

static void check_typing_starves_nobody(struct task *t, void *arg)
{
	struct sender s = {"-100", RATE_LIMIT_REPLY, 1};
	uint64_t asked;

	(void)arg;
	begin(1, 20, 30);
	for (int i = 0; i < 100; i++) {
		rate_limit_try(&rate_limiter, "-100");
		run_for(t, 500);
	}
	asked = clock_now();
	start(&s);
	run_for(t, 1);
	assert_int_equal(call_count, 1);
	assert_int_equal(calls[0].at, asked);
	finish(t);
}

static void check_at_once(struct task *t, void *arg)
{
	struct sender s = {"77", RATE_LIMIT_NOTIFICATION, 1};
	struct error err;

	(void)arg;
	begin(1, 20, 30);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rate_limit_wait(NULL, &rate_limiter, "77", RATE_LIMIT_REPLY, &err), 0);
		clock_advance(50);
	}
	assert_int_equal(rate_limit_wait(NULL, &rate_limiter, "77", RATE_LIMIT_REPLY, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMITED);
	/* Whoever waits is not held up by it. */
	uint64_t asked = clock_now();
	start(&s);
	run_for(t, 10);
	assert_int_equal(call_count, 0);
	assert_int_equal(rate_limit_wait(NULL, &rate_limiter, "77", RATE_LIMIT_REPLY, &err), -1);
	run_for(t, 5000);
	assert_int_equal(call_count, 1);
	assert_true(calls[0].at - asked <= 1000);
	finish(t);
}

static void check_cancel(struct task *t, void *arg)
{
	struct sender s = {"77", RATE_LIMIT_REPLY, 10};

	(void)arg;
	begin(1, 20, 30);
	start(&s);
	run_for(t, 10);
	task_group_finish(t, &senders);
	assert_int_equal(cancelled_count, 1);
	assert_true(list_is_empty(&rate_limiter.waiters));
	finish(t);
}

static void check_unlimited(struct task *t, void *arg)
{
	struct sender s = {"-100", RATE_LIMIT_REPLY, 1000}, p = {"77", RATE_LIMIT_REPLY, 900};

	(void)arg;
	begin(0, 0, 0);
	start(&s);
	start(&p);
	run_for(t, 0);
	assert_int_equal(call_count, 1900);
	finish(t);
}

static void check_memory(struct task *t, void *arg)
{
	char chat[16];
	size_t most = 0;

	(void)arg;
	begin(1, 20, 30);
	for (int i = 0; i < 20000; i++) {
		snprintf(chat, sizeof(chat), "-%d", i + 1);
		assert_int_equal(rate_limit_wait(t, &rate_limiter, chat, RATE_LIMIT_REPLY, NULL), 0);
		most = rate_limiter.chats > most ? rate_limiter.chats : most;
		clock_advance(100);
	}
	/* A bucket is full again after 3.6 s: 36 chats, and what its slot has not yet seen. */
	assert_true(most < 200);
	finish(t);
}

static void run(void **state)
{
	task_run("test", (task_fn *)(uintptr_t)*state, NULL);
}

#define IN_TASK(name, fn)                                       \
	{                                                       \
#name, run, NULL, NULL, (void *)(uintptr_t)(fn) \
	}

static int fake(void **state)
{
	(void)state;
	clock_fake(1790000000000, 7);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TASK(a_private_chat_gets_a_burst_then_one_a_second, check_private),
	    IN_TASK(a_group_gets_at_most_20_in_any_minute, check_group),
	    IN_TASK(all_chats_get_at_most_30_in_any_second, check_global),
	    IN_TASK(a_reply_goes_before_waiting_notifications, check_ranks),
	    IN_TASK(a_pause_holds_its_chat_alone, check_pause),
	    IN_TASK(extras_leave_a_share_for_a_message, check_extras),
	    IN_TASK(typing_starves_no_message, check_typing_starves_nobody),
	    IN_TASK(what_cannot_wait_is_refused, check_at_once),
	    IN_TASK(a_cancelled_waiter_leaves, check_cancel),
	    IN_TASK(zero_lifts_the_limits, check_unlimited),
	    IN_TASK(idle_chats_are_forgotten, check_memory),
	};

	return cmocka_run_group_tests(tests, fake, NULL);
}
