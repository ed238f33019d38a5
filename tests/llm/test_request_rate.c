/* How fast a provider may be asked, on a clock that stands still until it is moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "llm/request_rate.h"

#define WALL_MS 1795312800000 /* 2026-11-22T02:00:00Z */

static struct llm_request_rate request_rate;

static int set_up(void **state)
{
	(void)state;
	clock_fake(WALL_MS, 1);
	clock_advance(1000);
	llm_request_rate_init(&request_rate, 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	llm_request_rate_clear(&request_rate);
	return 0;
}

static void no_minute_sees_more_than_is_allowed(void **state)
{
	uint64_t left[200];
	size_t n = 0;

	(void)state;
	llm_request_rate_clear(&request_rate);
	llm_request_rate_init(&request_rate, 7);
	while (n < ARRAY_LEN(left)) {
		clock_advance(clock_random_below(9000));
		left[n++] = clock_now() + llm_request_rate_wait(&request_rate);
		llm_request_rate_take(&request_rate);
		if (n > 7)
			assert_true(left[n - 1] >= left[n - 8] + 60000);
		if (n > 1)
			assert_true(left[n - 1] >= left[n - 2]);
	}
	/* And it is used: seven leave at once after a rest. */
	clock_advance(30 * 60 * 1000);
	for (int i = 0; i < 7; i++) {
		assert_int_equal(llm_request_rate_wait(&request_rate), 0);
		llm_request_rate_take(&request_rate);
	}
	assert_int_equal(llm_request_rate_wait(&request_rate), 60000);
}

static void without_a_limit_nothing_waits(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		assert_int_equal(llm_request_rate_wait(&request_rate), 0);
		llm_request_rate_take(&request_rate);
	}
}

static void nothing_is_asked_while_nothing_is_left(void **state)
{
	static const struct {
		const char *prefix, *left, *reset, *value;
		uint64_t wait;
	} table[] = {
	    {"x-ratelimit-", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "1s", 1000},
	    {"x-ratelimit-", "X-RateLimit-Remaining-Tokens", "X-RateLimit-Reset-Tokens", "6m0s", 360000},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "120ms", 120},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "2m59.5s", 179500},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "20", 20000},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "23h59m", 600000},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "soon", 0},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "-5s", 0},
	    {"x-ratelimit-", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-requests", "5s", 0},
	    {"anthropic-ratelimit-", "anthropic-ratelimit-requests-remaining",
		"anthropic-ratelimit-requests-reset", "2026-11-22T02:00:31Z", 30000},
	    {"anthropic-ratelimit-", "anthropic-ratelimit-input-tokens-remaining",
		"anthropic-ratelimit-input-tokens-reset", "2026-11-22T02:00:02Z", 1000},
	    {"anthropic-ratelimit-", "anthropic-ratelimit-tokens-remaining",
		"anthropic-ratelimit-tokens-reset", "2026-11-22T01:00:00Z", 0},
	    {"anthropic-ratelimit-", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "1s", 0},
	    {NULL, "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "1s", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		llm_request_rate_init(&request_rate, 0);
		llm_request_rate_header(&request_rate, table[i].prefix, table[i].reset, table[i].value);
		llm_request_rate_header(&request_rate, table[i].prefix, table[i].left, "1");
		assert_int_equal(llm_request_rate_wait(&request_rate), 0);
		llm_request_rate_header(&request_rate, table[i].prefix, table[i].left, "0");
		if (llm_request_rate_wait(&request_rate) != table[i].wait)
			fail_msg("%s: %s: waits %u ms", table[i].reset, table[i].value,
			    (unsigned)llm_request_rate_wait(&request_rate));
	}
}

static void what_was_used_up_comes_back(void **state)
{
	(void)state;
	llm_request_rate_header(&request_rate, "x-ratelimit-", "x-ratelimit-remaining-requests", "0");
	llm_request_rate_header(&request_rate, "x-ratelimit-", "x-ratelimit-reset-requests", "10s");
	assert_int_equal(llm_request_rate_wait(&request_rate), 10000);
	clock_advance(10000);
	assert_int_equal(llm_request_rate_wait(&request_rate), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(no_minute_sees_more_than_is_allowed, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(without_a_limit_nothing_waits, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(nothing_is_asked_while_nothing_is_left, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_was_used_up_comes_back, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("request_rate", tests, NULL, NULL);
}
