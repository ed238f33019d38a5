/* Discord's rate limits on a clock that the test moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"
#include "channels/discord/rate_limit.h"
#include "channels/discord/outcome.h"

#define ROUTE "POST /channels/{}/messages"

static struct discord_rate_limiter limiter;

struct call {
	const char *route, *major;
	struct discord_rate_limit_headers limit;
	struct discord_outcome outcome;
	uint64_t takes_ms;
	uint64_t went_at; /* clock_now(); 0: not yet */
	bool done;
};

static void call_task(struct task *t, void *arg)
{
	struct call *c = arg;
	struct discord_bucket *b = discord_rate_limit_enter(t, &limiter, c->route, c->major, NULL);

	assert_non_null(b);
	c->went_at = clock_now();
	if (c->takes_ms > 0)
		task_sleep(t, c->takes_ms, NULL);
	discord_rate_limit_leave(&limiter, b, c->route, c->major, &c->limit, &c->outcome);
	c->done = true;
}

static struct call call_of(const char *major, int64_t limit, int64_t remaining, uint64_t reset_ms)
{
	struct call c = {.route = ROUTE,
	    .major = major,
	    .limit = {.limit = limit, .remaining = remaining, .reset_ms = reset_ms},
	    .outcome = {.class = DISCORD_OK, .status = 200}};

	if (limit >= 0)
		str_copy(c.limit.bucket, sizeof(c.limit.bucket), "hash");
	return c;
}

static void loop_once(void)
{
	for (int i = 0; i < 8; i++)
		uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

/* In steps, so that tasks run at the instants of their timers. */
static void advance(uint64_t ms)
{
	loop_once();
	for (; ms > 0; ms--) {
		clock_advance(1);
		loop_once();
	}
}

static void start(struct call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		task_start(NULL, "call", call_task, &calls[i]);
	loop_once();
}

static uint64_t begun_at;

static int set_up(void **state)
{
	(void)state;
	clock_fake(INT64_C(1790000000000), 1);
	discord_rate_limit_init(&limiter, 0, 500, 5000);
	begun_at = clock_now();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	advance(20000);
	assert_int_equal(task_count(), 0);
	discord_rate_limit_clear(&limiter);
	return 0;
}

static void what_is_left_of_a_bucket_goes_at_once_and_the_rest_waits(void **state)
{
	struct call first = call_of("10", 5, 2, 1000), more[4];

	(void)state;
	start(&first, 1);
	assert_true(first.done);
	for (size_t i = 0; i < 4; i++)
		more[i] = call_of("10", -1, -1, 0);
	start(more, 4);
	assert_int_equal(more[0].went_at, begun_at);
	assert_int_equal(more[1].went_at, begun_at);
	assert_int_equal(more[2].went_at, 0);
	advance(1200);
	assert_true(more[2].went_at >= begun_at + 1000 && more[2].went_at <= begun_at + 1100);
	assert_true(more[3].done);
}

/* Somebody else with our token has used the bucket, too. */
static void a_later_answer_with_a_lower_count_is_believed(void **state)
{
	struct call first = call_of("10", 5, 4, 1000), second = call_of("10", 5, 1, 1000), more[3];

	(void)state;
	start(&first, 1);
	start(&second, 1);
	assert_true(second.done);
	for (size_t i = 0; i < 3; i++)
		more[i] = call_of("10", -1, -1, 0);
	start(more, 3);
	assert_true(more[0].done);
	assert_int_equal(more[1].went_at, 0);
	assert_int_equal(more[2].went_at, 0);
	advance(1200);
	assert_true(more[1].went_at >= begun_at + 1000);
	assert_true(more[2].done);
}

/* The answer that was given first comes last, and tells of a count that is not true any more. */
static void an_answer_that_was_overtaken_gives_no_requests_back(void **state)
{
	struct call first = call_of("10", 5, 2, 1000), slow = call_of("10", 5, 1, 1000),
		    quick = call_of("10", 5, 0, 1000), next;

	(void)state;
	start(&first, 1);
	slow.takes_ms = 100;
	start(&slow, 1);
	start(&quick, 1);
	assert_true(quick.done);
	slow.limit.reset_ms = 900;
	advance(100);
	assert_true(slow.done);
	next = call_of("10", 5, 4, 1000);
	start(&next, 1);
	assert_int_equal(next.went_at, 0);
	advance(1100);
	assert_true(next.went_at >= begun_at + 1000);
}

static void channels_do_not_wait_for_one_another(void **state)
{
	struct call full = call_of("10", 5, 0, 5000), other = call_of("11", 5, 4, 5000),
		    same = call_of("10", 5, 4, 5000);

	(void)state;
	start(&full, 1);
	start(&other, 1);
	start(&same, 1);
	assert_true(other.done);
	assert_false(same.done);
	advance(5100);
	assert_true(same.done);
}

static void a_route_of_which_nothing_is_known_has_one_request_under_way(void **state)
{
	struct call calls[3] = {call_of("10", -1, -1, 0), call_of("10", -1, -1, 0), call_of("10", -1, -1, 0)};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		calls[i].takes_ms = 100;
	start(calls, 3);
	advance(350);
	assert_int_equal(calls[0].went_at, begun_at);
	assert_int_equal(calls[1].went_at, begun_at + 100);
	assert_int_equal(calls[2].went_at, begun_at + 200);
}

static void routes_of_one_bucket_share_it(void **state)
{
	struct call post = call_of("10", 5, 0, 3000), patch = call_of("10", 5, 0, 3000), next;

	(void)state;
	patch.route = "PATCH /channels/{}/messages/{}";
	start(&patch, 1);
	assert_true(patch.done);
	start(&post, 1);
	assert_true(post.done); /* it was not known then that they share */
	next = call_of("10", 5, 4, 3000);
	start(&next, 1);
	assert_false(next.done);
	advance(3100);
	assert_true(next.done);
}

static void a_429_pauses_its_bucket_and_a_global_one_everything(void **state)
{
	struct call limited = call_of("10", 5, 0, 1000), same = call_of("10", -1, -1, 0),
		    other = call_of("11", -1, -1, 0);
	struct call global = call_of("12", -1, -1, 0), after = call_of("13", -1, -1, 0);

	(void)state;
	limited.outcome =
	    (struct discord_outcome){.class = DISCORD_RATE_LIMITED, .status = 429, .retry_ms = 4000};
	start(&limited, 1);
	start(&same, 1);
	start(&other, 1);
	assert_true(other.done);
	global.outcome = (struct discord_outcome){
	    .class = DISCORD_RATE_LIMITED, .status = 429, .retry_ms = 2000, .global = true};
	start(&global, 1);
	start(&after, 1);
	assert_false(after.done);
	assert_null(discord_rate_limit_try(&limiter, "POST /channels/{}/typing", "14"));
	advance(2100);
	assert_true(after.done);
	assert_false(same.done);
	advance(2000);
	assert_true(same.done);
}

static void a_limit_within_the_limit_does_not_pause_the_bucket(void **state)
{
	struct call limited = call_of("10", 5, 3, 1000), same = call_of("10", -1, -1, 0);

	(void)state;
	limited.outcome =
	    (struct discord_outcome){.class = DISCORD_RATE_LIMITED, .status = 429, .retry_ms = 4000};
	start(&limited, 1);
	start(&same, 1);
	assert_true(same.done);
}

static void all_together_stay_below_the_limit_of_a_second(void **state)
{
	static struct call calls[100];
	static char majors[100][8];
	unsigned within = 0;

	(void)state;
	discord_rate_limit_clear(&limiter);
	discord_rate_limit_init(&limiter, 45, 500, 5000);
	for (size_t i = 0; i < 100; i++) {
		snprintf(majors[i], sizeof(majors[i]), "%zu", i + 1);
		calls[i] = call_of(majors[i], -1, -1, 0);
	}
	start(calls, 100);
	advance(999);
	for (size_t i = 0; i < 100; i++)
		within += calls[i].went_at != 0;
	assert_in_range(within, 40, 45);
	advance(1500);
	for (size_t i = 0; i < 100; i++)
		assert_true(calls[i].done);
}

static void refused_requests_are_counted_for_ten_minutes(void **state)
{
	struct discord_outcome refused = {.class = DISCORD_CHAT_UNREACHABLE, .status = 403};
	struct discord_rate_limit_headers own = DISCORD_RATE_LIMIT_HEADERS_INIT,
					  shared = {.limit = -1, .remaining = -1, .scope = "shared"};
	struct discord_outcome limited = {.class = DISCORD_RATE_LIMITED, .status = 429};

	(void)state;
	for (int i = 0; i < 499; i++)
		discord_rate_limit_note(&limiter, &own, &refused);
	discord_rate_limit_note(&limiter, &shared, &limited);
	assert_int_equal(discord_rate_limit_invalid(&limiter), 499);
	struct discord_bucket *b = discord_rate_limit_try(&limiter, ROUTE, "10");
	assert_non_null(b);
	discord_rate_limit_leave(&limiter, b, ROUTE, "10", &own, NULL);
	discord_rate_limit_note(&limiter, &own, &limited);
	assert_int_equal(discord_rate_limit_invalid(&limiter), 500);
	assert_null(discord_rate_limit_try(&limiter, ROUTE, "10"));
	clock_advance(11 * 60 * 1000);
	assert_int_equal(discord_rate_limit_invalid(&limiter), 0);
}

static void too_many_refusals_stop_everything_until_they_are_old(void **state)
{
	struct discord_outcome refused = {.class = DISCORD_CHAT_UNREACHABLE, .status = 403};
	struct discord_rate_limit_headers own = DISCORD_RATE_LIMIT_HEADERS_INIT;
	struct call call = call_of("10", -1, -1, 0);

	(void)state;
	for (int i = 0; i < 5000; i++)
		discord_rate_limit_note(&limiter, &own, &refused);
	start(&call, 1);
	for (int minute = 0; minute < 9; minute++) {
		clock_advance(60 * 1000);
		loop_once();
	}
	assert_false(call.done);
	for (int minute = 0; minute < 2; minute++) {
		clock_advance(60 * 1000);
		loop_once();
	}
	assert_true(call.done);
}

static void headers_are_read_whatever_their_case(void **state)
{
	struct discord_rate_limit_headers l = DISCORD_RATE_LIMIT_HEADERS_INIT;

	(void)state;
	discord_rate_limit_read_header(&l, "x-ratelimit-limit", "5");
	discord_rate_limit_read_header(&l, "X-RateLimit-Remaining", "0");
	discord_rate_limit_read_header(&l, "X-RateLimit-Reset-After", "1.25");
	discord_rate_limit_read_header(&l, "X-RateLimit-Bucket", "abcd");
	discord_rate_limit_read_header(&l, "X-RateLimit-Scope", "shared");
	discord_rate_limit_read_header(&l, "X-RateLimit-Limit-Else", "9");
	assert_int_equal(l.limit, 5);
	assert_int_equal(l.remaining, 0);
	assert_int_equal(l.reset_ms, 1250);
	assert_string_equal(l.bucket, "abcd");
	assert_string_equal(l.scope, "shared");
	discord_rate_limit_read_header(&l, "X-RateLimit-Remaining", "x");
	assert_int_equal(l.remaining, 0);
}

static void buckets_that_say_nothing_any_more_are_forgotten(void **state)
{
	static char major[24];

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(major, sizeof(major), "%u", i + 1);
		struct discord_bucket *b = discord_rate_limit_try(&limiter, ROUTE, major);
		struct discord_rate_limit_headers limit = {
		    .bucket = "hash", .limit = 5, .remaining = 4, .reset_ms = 100};
		assert_non_null(b);
		discord_rate_limit_leave(&limiter, b, ROUTE, major, &limit, NULL);
		clock_advance(10);
	}
	assert_true(limiter.buckets < 300);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_left_of_a_bucket_goes_at_once_and_the_rest_waits),
	    TEST(a_later_answer_with_a_lower_count_is_believed),
	    TEST(an_answer_that_was_overtaken_gives_no_requests_back),
	    TEST(channels_do_not_wait_for_one_another),
	    TEST(a_route_of_which_nothing_is_known_has_one_request_under_way),
	    TEST(routes_of_one_bucket_share_it),
	    TEST(a_429_pauses_its_bucket_and_a_global_one_everything),
	    TEST(a_limit_within_the_limit_does_not_pause_the_bucket),
	    TEST(all_together_stay_below_the_limit_of_a_second),
	    TEST(refused_requests_are_counted_for_ten_minutes),
	    TEST(too_many_refusals_stop_everything_until_they_are_old),
	    TEST(headers_are_read_whatever_their_case),
	    TEST(buckets_that_say_nothing_any_more_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
