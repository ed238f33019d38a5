/* Reminders with the real gateway: they outlive it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "flow/flow.h"

#define PEOPLE "allow = [\"77\"];"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", PEOPLE);
	return 0;
}

/* Waits until the bot has said that. What a kill cut off may be said again. */
static void expect(const char *part)
{
	bool found = false;

	for (size_t i = 0; !found; i++) {
		flow_await(&f, "77", i + 1);
		char *text = flow_bot_text(&f, "77", i);
		found = strstr(text, part);
		free(text);
	}
}

static void a_reminder_that_was_set_is_given_after_a_kill(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "/remind add in 1 s stretch your legs", "private");
	expect("Reminder 1 is set, next: 20");
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	expect("stretch your legs");
	flow_say(&f, "77", "77", "/remind", "private");
	expect("There are no reminders in this chat.");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void on_the_command_line_there_is_no_chat_to_remind_in(void **state)
{
	char *out;

	(void)state;
	assert_int_equal(flow_myna(&f, &out, "tool", "run", "remind", "{\"action\":\"list\"}", NULL), 1);
	assert_non_null(strstr(out, "\"cause\":\"NO_CHAT\""));
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_reminder_that_was_set_is_given_after_a_kill, begin, &f),
	    FLOW_TEST(on_the_command_line_there_is_no_chat_to_remind_in, begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
