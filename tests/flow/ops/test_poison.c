/* A message whose handling kills the process every time, with real kills. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/weather.h"

#define POISON "xyzzy-of-doom"

static struct flow f;
static struct weather *weather;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	weather = weather_new(&f);
	snprintf(weather->poison, sizeof(weather->poison), "%s", POISON);
	flow_config(&f, "", "allow = [\"77\", \"78\", \"79\"]; rate_private = 0;");
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	weather_free(weather);
	return 0;
}

static int64_t given_up(void)
{
	struct json_object *status = flow_status(&f);
	int64_t n = json_get_int(json_get_object(status, "queue"), "turns_dead", -1);

	json_object_put(status);
	return n;
}

/* Runs it until it dies of the poison, as often as that happens, at most so often; how often it did. */
static int die(int most)
{
	int n = 0;

	while (n < most) {
		if (f.gateway <= 0)
			weather_run(&f);
		assert_int_equal(flow_gateway_wait(&f), -SIGKILL);
		n++;
	}
	return n;
}

static void after_three_deaths_it_is_left_and_its_chat_is_told_once(void **state)
{
	char *out;

	(void)state;
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "say " POISON, "private");
	flow_say(&f, "77", "77", "what is 6*7", "private");
	assert_int_equal(die(3), 3);
	weather_gateway(&f, true);
	flow_expect(&f, "77", 0, "something went wrong three times");
	flow_say(&f, "77", "77", "what is 3*3", "private");
	flow_expect(&f, "77", 1, "42");
	flow_expect(&f, "77", 2, "9");
	assert_int_equal(flow_bot_messages(&f, "77"), 3);
	assert_int_equal(given_up(), 1);
	assert_int_equal(flow_myna(&f, &out, "status", NULL), 0);
	assert_non_null(strstr(out, "given up: 1"));
	free(out);
	flow_await_log(&f, "turn ended: given up");
	/* It is kept for the operator. Sent to a command it would be as deadly: that is the shim's doing. */
	weather->poison[0] = '\0';
	assert_int_equal(flow_myna(&f, &out, "dead", NULL), 0);
	assert_non_null(strstr(out, "telegram:77"));
	assert_non_null(strstr(out, POISON));
	free(out);
	snprintf(weather->poison, sizeof(weather->poison), "%s", POISON);
	/* For good: nothing of it comes back. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 2*2", "private");
	flow_expect(&f, "77", 3, "4");
}

static void who_was_under_way_at_each_death_is_answered_all_the_same(void **state)
{
	(void)state;
	weather_gateway(&f, true);
	/* These take a while: every death comes in the middle of them. */
	flow_say(&f, "78", "78", "count to 20", "private");
	flow_say(&f, "79", "79", "count to 20", "private");
	flow_say(&f, "77", "77", "say " POISON, "private");
	assert_int_equal(die(3), 3);
	weather_gateway(&f, true);
	flow_expect(&f, "77", 0, "something went wrong three times");
	flow_await_log(&f, "turn ended: answered");
	flow_await(&f, "78", 1);
	flow_await(&f, "79", 1);
	struct json_object *t = flow_transcript(&f, "telegram", "78");
	assert_null(strstr(json_object_to_json_string(t), "something went wrong"));
	json_object_put(t);
	t = flow_transcript(&f, "telegram", "79");
	assert_null(strstr(json_object_to_json_string(t), "something went wrong"));
	json_object_put(t);
	assert_int_equal(given_up(), 1);
}

static void a_dead_letter_is_answered_when_an_operator_has_it_tried_again(void **state)
{
	char *out;

	(void)state;
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "say " POISON, "private");
	assert_int_equal(die(3), 3);
	weather_gateway(&f, true);
	flow_expect(&f, "77", 0, "something went wrong three times");
	/* What was wrong is mended. */
	weather->poison[0] = '\0';
	assert_int_equal(flow_myna(&f, &out, "dead", "retry", "1", NULL), 0);
	assert_string_equal(out, "1 message waits for an answer again.\n");
	free(out);
	flow_expect(&f, "77", 1, POISON);
	assert_int_equal(flow_myna(&f, &out, "dead", "retry", "1", NULL), 1);
	assert_non_null(strstr(out, "no dead letter"));
	free(out);
	assert_int_equal(given_up(), 0);
	assert_int_equal(flow_bot_messages(&f, "77"), 2);
	snprintf(weather->poison, sizeof(weather->poison), "%s", POISON);
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(after_three_deaths_it_is_left_and_its_chat_is_told_once),
	    FLOW(a_dead_letter_is_answered_when_an_operator_has_it_tried_again),
	    FLOW(who_was_under_way_at_each_death_is_answered_all_the_same),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
