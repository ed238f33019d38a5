/* The clocks of the machine jump under a real gateway. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/weather.h"

#define DAY_MS (24LL * 3600 * 1000)

static struct flow f;
static struct weather *weather;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	weather = weather_new(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	weather_gateway(&f, true);
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	weather_free(weather);
	return 0;
}

static void every_jump_of_the_wall_clock_is_survived(void **state)
{
	const int64_t jumps[] = {DAY_MS, -DAY_MS, -(int64_t)time(NULL) * 1000, 400 * DAY_MS, 0};

	(void)state;
	for (size_t i = 0; i < sizeof(jumps) / sizeof(*jumps); i++) {
		/* In the middle of a turn, whose answer then waits for a flood penalty. */
		json_object_put(flow_control(&f, "fault",
		    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"retry_"
		    "after\",\"seconds\":2}"));
		flow_say(&f, "77", "77", "what is 6*7", "private");
		flow_await_log(&f, "will send again in");
		uint64_t began = flow_now_ms();
		weather->wall_ms = jumps[i];
		flow_expect(&f, "77", 2 * i, "42");
		assert_true(flow_now_ms() - began >= 1000);
		flow_say(&f, "77", "77", "what is 3*3", "private");
		flow_expect(&f, "77", 2 * i + 1, "9");
		char *cut = xasprintf(": >%s/gateway.log", f.dir);
		assert_int_equal(system(cut), 0);
		free(cut);
	}
	assert_int_equal(flow_bot_messages(&f, "77"), 10);
	/* And over a start. */
	weather->wall_ms = -DAY_MS;
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 2*2", "private");
	flow_expect(&f, "77", 10, "4");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void after_a_long_sleep_the_backlog_is_answered_soon(void **state)
{
	(void)state;
	for (int i = 1; i <= 3; i++) {
		/* The process stands still, and wakes eight hours later. */
		kill(f.gateway, SIGSTOP);
		flow_say(&f, "77", "77", "what is 6*7", "private");
		flow_say(&f, "77", "77", "what is 3*3", "private");
		weather->wall_ms += DAY_MS / 3;
		weather->mono_ms += DAY_MS / 3;
		kill(f.gateway, SIGCONT);
		uint64_t began = flow_now_ms();
		flow_await(&f, "77", 2 * (size_t)i);
		assert_true(flow_now_ms() - began < 60000);
	}
	assert_int_equal(flow_bot_messages(&f, "77"), 6);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(every_jump_of_the_wall_clock_is_survived),
	    FLOW(after_a_long_sleep_the_backlog_is_answered_soon),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
