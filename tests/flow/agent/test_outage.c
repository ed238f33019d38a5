/* The model is away for a while, with a real gateway that is killed meanwhile. Hours are in
 * tests/session/turn/test_outage_wait.c. */
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

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\", \"78\"];");
	flow_gateway(&f, true);
	return 0;
}

/* The next count requests to the model end like this. */
static void fail_model(const char *how, int count)
{
	json_object_put(flow_control(
	    &f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"count\":%d,%s}", count, how));
}

static bool is_down(void)
{
	struct json_object *status = flow_status(&f);
	bool down = json_get_bool(json_get_object(status, "model"), "down", false);

	json_object_put(status);
	return down;
}

static void a_message_is_kept_over_kills_and_answered_when_the_model_is_back(void **state)
{
	char *out;

	(void)state;
	fail_model("\"kind\":\"close\"", 5);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 0, "I cannot reach my language model at the moment. I keep your message");
	assert_true(is_down());
	assert_int_equal(flow_myna(&f, &out, "status", NULL), 0);
	assert_non_null(strstr(out, "no model answers (transient)"));
	free(out);
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 3*3", "private");
	flow_gateway_end(&f, SIGKILL);
	flow_gateway(&f, true);
	flow_expect(&f, "77", 1, "42");
	flow_expect(&f, "77", 2, "9");
	assert_int_equal(flow_bot_messages(&f, "77"), 3);
	assert_false(is_down());
}

static void commands_work_while_the_model_is_away(void **state)
{
	(void)state;
	fail_model("\"kind\":\"retry_after\",\"seconds\":600", 1);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 0, "My language model asks me to slow down. I keep your message");
	flow_say(&f, "78", "78", "what is 3*3", "private");
	flow_expect(&f, "78", 0, "My language model asks me to slow down. I keep your message");
	uint64_t began = flow_now_ms();
	flow_say(&f, "77", "77", "/stop", "private");
	flow_expect(&f, "77", 1, "Stopped.");
	flow_say(&f, "78", "78", "/new", "private");
	flow_expect(&f, "78", 1, "A new conversation begins");
	assert_true(flow_now_ms() - began < 120000);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	/* The one request that was refused is all that the provider has seen. */
	assert_int_equal(flow_model_requests(&f), 1);
}

/* How many messages of the chat have the text. */
static size_t count_told(const char *chat, const char *text)
{
	size_t n = 0, told = 0;

	for (char *got; (got = flow_bot_text(&f, chat, n)); n++) {
		told += strstr(got, text) != NULL;
		assert_null(strstr(got, "a-key-for-tests"));
		free(got);
	}
	return told;
}

static void expect_doctor(const char *text, bool there)
{
	char *out;

	flow_myna(&f, &out, "doctor", NULL);
	if ((strstr(out, text) != NULL) != there || strstr(out, "a-key-for-tests"))
		fail_msg("doctor %s \"%s\":\n%s", there ? "lacks" : "has", text, out);
	free(out);
}

static void what_only_the_operator_can_mend_is_told_to_the_admins_once(void **state)
{
	(void)state;
	flow_gateway_end(&f, SIGTERM);
	flow_config(&f, "", "allow = [\"77\", \"78\"]; admins = [\"78\"];");
	flow_gateway(&f, true);
	/* No bot may write to a person first. */
	flow_say(&f, "78", "78", "/whoami", "private");
	flow_expect(&f, "78", 0, "admin");
	fail_model("\"kind\":\"status\",\"status\":401", 2);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 0, "My language model refuses my key.");
	flow_expect(&f, "78", 1,
	    "The model provider script refuses its key (401). Put the right one into "
	    "llm.providers.script.key, then reload.");
	expect_doctor("The model provider script refuses its key (401)", true);
	expect_doctor("ok       model", false);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 1, "My language model refuses my key.");
	fail_model("\"kind\":\"status\",\"status\":404", 1);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 2, "My language model refused the request.");
	flow_expect(&f, "78", 2, "it does not know the model scripted, or base_url is wrong");
	/* Also not again after a restart; what is shown is for this one to find out. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_gateway(&f, true);
	expect_doctor("The model provider script", false);
	expect_doctor("ok       model script: was not asked yet", true);
	fail_model("\"kind\":\"status\",\"status\":401", 1);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 3, "My language model refuses my key.");
	expect_doctor("The model provider script refuses its key (401)", true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 4, "42");
	expect_doctor("The model provider script", false);
	expect_doctor("ok       model script: has answered", true);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(count_told("78", "refuses its key"), 1);
	char *log = flow_log(&f);
	assert_null(strstr(log, "a-key-for-tests"));
	free(log);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_message_is_kept_over_kills_and_answered_when_the_model_is_back),
	    FLOW(commands_work_while_the_model_is_away),
	    FLOW(what_only_the_operator_can_mend_is_told_to_the_admins_once),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
