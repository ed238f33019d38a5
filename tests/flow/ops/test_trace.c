/* The way of a message, as an operator asks for it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	flow_gateway(&f, true);
	return 0;
}

static void expect(const char *out, const char *const *steps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strstr(out, steps[i]))
			fail_msg("%s is missing in\n%s", steps[i], out);
}

static void a_message_is_traced_while_the_gateway_runs_and_after_it(void **state)
{
	static const char *const way[] = {"said           telegram:77 by 77", "received       inbound 1",
	    "committed      inbound 1", "turn begun     turn 1", "model asked", "model answered",
	    "turn ended     answered, 0 rounds of calls, begun once\n", "to be sent     row 1",
	    "sending        row 1, try 1", "acknowledged   row 1, message ",
	    "sent           row 1, message "};
	char *out;

	(void)state;
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	flow_await_log(&f, "turn ended: answered");
	/* The commit of its end follows the platform's answer. */
	uint64_t due = flow_deadline();
	while (flow_myna(&f, &out, "trace", "1", NULL) == 0 && !strstr(out, "sent           ") &&
	    flow_now_ms() < due)
		free(out);
	expect(out, way, ARRAY_LEN(way));
	/* What was said is not shown. */
	assert_null(strstr(out, "6*7"));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "trace", "telegram:77:nothing", NULL), 1);
	assert_non_null(strstr(out, "no such message"));
	free(out);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(flow_myna(&f, &out, "trace", "turn:1", NULL), 0);
	expect(out, way, ARRAY_LEN(way));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "trace", "99", NULL), 1);
	assert_non_null(strstr(out, "no such message"));
	free(out);
	assert_int_equal(flow_myna(&f, NULL, "trace", NULL), 64);
	assert_int_equal(flow_myna(&f, &out, "trace", "nonsense", NULL), 64);
	assert_non_null(strstr(out, "trace takes a message: the number after inbound="));
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_message_is_traced_while_the_gateway_runs_and_after_it, begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
