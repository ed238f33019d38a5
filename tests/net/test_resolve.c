#include <netdb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/fake_dns.h"
#include "net/resolve.h"

static const char *const one[] = {"192.0.2.1", NULL};
static const char *const two[] = {"192.0.2.2", NULL};

/* One question, asked by a task of its own. */
struct question {
	const char *host;
	struct task *task;
	struct resolve_answer answer;
	struct error err;
	int rc;
	bool done;
};

static void ask_task(struct task *t, void *arg)
{
	struct question *q = arg;

	q->rc = resolve_name(t, q->host, &q->answer, &q->err);
	q->done = true;
}

static void ask_start(struct question *q, const char *host)
{
	*q = (struct question){.host = host};
	q->task = task_start(NULL, "question", ask_task, q);
}

/* Turns of the loop while time stands still: enough for every task to run until it waits. */
static void settle(void)
{
	for (int i = 0; i < 20; i++)
		uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

static void finish(const struct question *q)
{
	while (!q->done)
		uv_run(uv_default_loop(), UV_RUN_ONCE);
}

static void assert_answer(const struct question *q, const char *address)
{
	assert_true(q->done);
	assert_int_equal(q->rc, 0);
	assert_int_equal(q->answer.count, 1);
	assert_string_equal(q->answer.address[0], address);
}

static void ask_expect(const char *host, const char *address)
{
	struct question q;

	ask_start(&q, host);
	finish(&q);
	assert_answer(&q, address);
}

static void ask_expect_failure(const char *host, const char *words)
{
	struct question q;

	ask_start(&q, host);
	finish(&q);
	assert_int_equal(q.rc, -1);
	assert_int_equal(q.err.kind, ERROR_NETWORK);
	assert_non_null(strstr(q.err.text, host));
	assert_non_null(strstr(q.err.text, words));
}

static int set_up(void **state)
{
	(void)state;
	clock_fake(0, 1);
	fake_dns_set(one, 0, false);
	fake_dns_reset();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	resolve_forget_all();
	fake_dns_set(one, 0, false);
	while (uv_run(uv_default_loop(), UV_RUN_NOWAIT) != 0)
		;
	return task_count() == 0 ? 0 : -1;
}

static void ask_cancelled(struct task *t, void *arg)
{
	struct resolve_answer answer;
	struct error err;

	(void)arg;
	task_cancel(t);
	assert_int_equal(resolve_name(t, "192.0.2.9", &answer, &err), 0);
	assert_int_equal(answer.count, 1);
	assert_string_equal(answer.address[0], "192.0.2.9");
	assert_int_equal(resolve_name(t, "[2001:DB8::1]", &answer, &err), 0);
	assert_string_equal(answer.address[0], "2001:db8::1");
	assert_int_equal(resolve_name(t, "LocalHost", &answer, &err), 0);
	assert_int_equal(answer.count, 2);
	assert_string_equal(answer.address[0], "127.0.0.1");
	assert_string_equal(answer.address[1], "::1");
	assert_int_equal(resolve_name(t, "name.example", &answer, &err), -1);
	assert_int_equal(err.kind, ERROR_CANCELLED);
}

static void literals_and_localhost_are_answered_without_waiting(void **state)
{
	(void)state;
	task_run("cancelled", ask_cancelled, NULL);
}

static void loopback_and_literals_are_told_apart_from_names(void **state)
{
	static const struct {
		const char *host;
		bool literal, loopback;
	} rows[] = {
	    {"127.0.0.1", true, true},
	    {"127.9.8.7", true, true},
	    {"::1", true, true},
	    {"[::1]", true, true},
	    {"[0:0::1]", true, true},
	    {"localhost", false, true},
	    {"LOCALHOST", false, true},
	    {"10.0.0.1", true, false},
	    {"::", true, false},
	    {"127.0.0.1.example", false, false},
	    {"localhost.example", false, false},
	    {"[::1", false, false},
	    {"[]", false, false},
	    {"", false, false},
	    {"127.1", false, false},
	    {"1270.0.0.1", false, false},
	    {"[127.0.0.1]", false, false},
	    {"::ffff:8.8.8.8", true, false},
	    {"[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]", false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(resolve_is_literal(rows[i].host), rows[i].literal);
		assert_int_equal(resolve_is_loopback(rows[i].host), rows[i].loopback);
	}
}

static void many_who_ask_at_once_share_one_lookup(void **state)
{
	struct question q[50];

	(void)state;
	fake_dns_set(one, 0, true);
	for (size_t i = 0; i < ARRAY_LEN(q); i++)
		ask_start(&q[i], i % 2 == 0 ? "api.example" : "API.example");
	settle();
	for (size_t i = 0; i < ARRAY_LEN(q); i++)
		assert_false(q[i].done);
	fake_dns_set(one, 0, false);
	for (size_t i = 0; i < ARRAY_LEN(q); i++) {
		finish(&q[i]);
		assert_answer(&q[i], "192.0.2.1");
	}
	assert_int_equal(fake_dns_calls(), 1);
}

static void an_answer_is_kept_for_60_s(void **state)
{
	(void)state;
	ask_expect("api.example", "192.0.2.1");
	fake_dns_set(two, 0, false);
	clock_advance(59999);
	ask_expect("api.example", "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 1);
	clock_advance(1);
	ask_expect("api.example", "192.0.2.2");
	assert_int_equal(fake_dns_calls(), 2);
}

static void a_failure_is_kept_for_5_s(void **state)
{
	(void)state;
	fake_dns_set(NULL, EAI_NONAME, false);
	ask_expect_failure("gone.example", "there is no such name");
	fake_dns_set(one, 0, false);
	clock_advance(4999);
	ask_expect_failure("gone.example", "there is no such name");
	assert_int_equal(fake_dns_calls(), 1);
	clock_advance(1);
	ask_expect("gone.example", "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 2);
}

static void an_old_answer_serves_for_10_min_while_lookups_fail(void **state)
{
	(void)state;
	ask_expect("api.example", "192.0.2.1");
	fake_dns_set(NULL, EAI_AGAIN, false);
	for (int s = 60; s < 600; s += 60) {
		clock_advance(60000);
		ask_expect("api.example", "192.0.2.1");
		ask_expect("api.example", "192.0.2.1");
		assert_int_equal(fake_dns_calls(), 1 + s / 60);
	}
	clock_advance(60000);
	ask_expect_failure("api.example", "the name servers do not answer");
	fake_dns_set(two, 0, false);
	clock_advance(5000);
	ask_expect("api.example", "192.0.2.2");
}

static void silence_fails_after_10_s_and_a_late_answer_serves_the_next(void **state)
{
	struct question q, next;

	(void)state;
	fake_dns_set(one, 0, true);
	ask_start(&q, "slow.example");
	settle();
	clock_advance(9999);
	settle();
	assert_false(q.done);
	clock_advance(1);
	settle();
	assert_true(q.done);
	assert_int_equal(q.rc, -1);
	assert_int_equal(q.err.kind, ERROR_NETWORK);
	assert_non_null(strstr(q.err.text, "did not answer in time"));
	ask_start(&next, "slow.example");
	settle();
	fake_dns_set(one, 0, false);
	finish(&next);
	assert_answer(&next, "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 1);
}

static void silence_delays_by_2_s_where_an_old_answer_is_at_hand(void **state)
{
	struct question q;

	(void)state;
	ask_expect("api.example", "192.0.2.1");
	clock_advance(60000);
	fake_dns_set(two, 0, true);
	ask_start(&q, "api.example");
	settle();
	clock_advance(1999);
	settle();
	assert_false(q.done);
	clock_advance(1);
	settle();
	assert_answer(&q, "192.0.2.1");
}

static void cancelling_one_who_waits_leaves_the_others(void **state)
{
	struct question q[3];

	(void)state;
	fake_dns_set(one, 0, true);
	for (size_t i = 0; i < ARRAY_LEN(q); i++)
		ask_start(&q[i], "api.example");
	settle();
	task_cancel(q[1].task);
	settle();
	assert_true(q[1].done);
	assert_int_equal(q[1].err.kind, ERROR_CANCELLED);
	fake_dns_set(one, 0, false);
	finish(&q[0]);
	finish(&q[2]);
	assert_answer(&q[0], "192.0.2.1");
	assert_answer(&q[2], "192.0.2.1");
}

static void forgetting_during_a_lookup_still_answers_who_waits(void **state)
{
	struct question q;

	(void)state;
	fake_dns_set(one, 0, true);
	ask_start(&q, "api.example");
	settle();
	resolve_forget_all();
	fake_dns_set(one, 0, false);
	finish(&q);
	assert_answer(&q, "192.0.2.1");
	ask_expect("api.example", "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 2);
}

static void answers_keep_their_order_lose_repeats_and_end_at_the_limit(void **state)
{
	static const char *const many[] = {"2001:db8::5", "192.0.2.1", "2001:db8::5", "192.0.2.1",
	    "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8", "192.0.2.9",
	    "192.0.2.10", NULL};
	static const char *const kept[RESOLVE_MAX] = {"2001:db8::5", "192.0.2.1", "192.0.2.3", "192.0.2.4",
	    "192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8"};
	static const char *const none[] = {NULL};
	struct question q;

	(void)state;
	fake_dns_set(many, 0, false);
	ask_start(&q, "many.example");
	finish(&q);
	assert_int_equal(q.rc, 0);
	assert_int_equal(q.answer.count, RESOLVE_MAX);
	for (size_t i = 0; i < RESOLVE_MAX; i++)
		assert_string_equal(q.answer.address[i], kept[i]);
	fake_dns_set(none, 0, false);
	ask_expect_failure("none.example", "the name has no address");
}

static void the_name_used_longest_ago_is_forgotten_first(void **state)
{
	char host[32];

	(void)state;
	for (int i = 0; i < 256; i++) {
		snprintf(host, sizeof(host), "h%d.example", i);
		ask_expect(host, "192.0.2.1");
	}
	ask_expect("h0.example", "192.0.2.1");
	ask_expect("one-more.example", "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 257);
	ask_expect("h0.example", "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 257);
	ask_expect("h1.example", "192.0.2.1");
	assert_int_equal(fake_dns_calls(), 258);
}

static void a_name_that_is_too_long_is_our_error(void **state)
{
	static char host[300];
	struct question q;

	(void)state;
	memset(host, 'a', sizeof(host) - 1);
	ask_start(&q, host);
	finish(&q);
	assert_int_equal(q.rc, -1);
	assert_int_equal(q.err.kind, ERROR_OURS);
	assert_int_equal(fake_dns_calls(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	    TEST(literals_and_localhost_are_answered_without_waiting),
	    TEST(loopback_and_literals_are_told_apart_from_names),
	    TEST(many_who_ask_at_once_share_one_lookup),
	    TEST(an_answer_is_kept_for_60_s),
	    TEST(a_failure_is_kept_for_5_s),
	    TEST(an_old_answer_serves_for_10_min_while_lookups_fail),
	    TEST(silence_fails_after_10_s_and_a_late_answer_serves_the_next),
	    TEST(silence_delays_by_2_s_where_an_old_answer_is_at_hand),
	    TEST(cancelling_one_who_waits_leaves_the_others),
	    TEST(forgetting_during_a_lookup_still_answers_who_waits),
	    TEST(answers_keep_their_order_lose_repeats_and_end_at_the_limit),
	    TEST(the_name_used_longest_ago_is_forgotten_first),
	    TEST(a_name_that_is_too_long_is_our_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
