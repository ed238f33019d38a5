/* A request that fails in one chat leaves all other chats alone, on every platform: with the two lines that
 * the playground suggests for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "flow/flow.h"

static const struct side {
	const char *platform, *chat, *user;
} sides[] = {
    {"telegram", "77", "77"},
    {"slack", "D0ANN", "U0ANN"},
    {"discord", "200000000000000377", "377"},
    {"telegram", "78", "78"},
};

#define SLACK 1

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config_channels(&f, "", "allow = [\"77\", \"78\"]; admins = [\"78\"];", "allow = [\"U0ANN\"];",
	    "allow = [\"377\"];");
	flow_gateway(&f, true);
	return 0;
}

static void say(const struct side *s, const char *text)
{
	flow_say_on(&f, s->platform, s->chat, s->user, text, "private");
}

static size_t count(const struct side *s, const char *text)
{
	struct json_object *o = flow_transcript(&f, s->platform, s->chat),
			   *all = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		n += json_get_bool(m, "bot", false) && strstr(json_get_str(m, "text"), text);
	}
	json_object_put(o);
	return n;
}

static void expect(const struct side *s, const char *text)
{
	for (uint64_t due = flow_deadline(); count(s, text) == 0;)
		flow_look(&f, due, "%s %s: no \"%s\"", s->platform, s->chat, text);
}

/* In one chat the model fails until its message is kept. The others are answered meanwhile, and it in the
 * end. */
static void fails_alone(const struct side *failing, const char *line, const char *notice, const char *answer)
{
	say(failing, line);
	expect(failing, notice);
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		if (&sides[i] == failing)
			continue;
		say(&sides[i], "what is 6*7");
		expect(&sides[i], "42");
		assert_int_equal(count(&sides[i], "I keep your message"), 0);
	}
	expect(failing, answer);
}

static void a_model_error_in_one_chat_leaves_the_others_alone(void **state)
{
	(void)state;
	fails_alone(&sides[0], "model error",
	    "My language model is overloaded at the moment. I keep your message and try again in a few "
	    "seconds, until it answers. /stop drops it.",
	    "My model failed three times");
}

/* A provider that names a wait speaks for the account: the others may wait for it too, and are answered. */
static void a_rate_limit_in_one_chat_is_over_for_all_when_it_says(void **state)
{
	(void)state;
	say(&sides[SLACK], "rate limit");
	expect(&sides[SLACK], "/myna stop drops it.");
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++)
		say(&sides[i], "what is 6*7");
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++)
		expect(&sides[i], "42");
	expect(&sides[SLACK], "My model asked me three times to slow down");
}

static void a_chat_whose_requests_keep_failing_is_freed_by_stop(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"count\":3,\"kind\":\"status\",\"status\":500}"));
	say(&sides[SLACK], "what is 6*7");
	expect(&sides[SLACK], "I keep your message");
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"count\":-1,\"kind\":\"stall\",\"seconds\":600}"));
	json_object_put(flow_control(&f, "command",
	    "{\"platform\":\"slack\",\"chat\":\"D0ANN\",\"user\":\"U0ANN\",\"command\":\"/"
	    "myna\",\"text\":\"stop\"}"));
	expect(&sides[SLACK], "Stopped.");
	assert_int_equal(count(&sides[SLACK], "42"), 0);
}

static void an_admin_can_try_at_once(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"count\":1,\"kind\":\"retry_after\",\"seconds\":"
	    "600}"));
	say(&sides[0], "what is 6*7");
	expect(&sides[0], "I keep your message and try again in 10 min");
	say(&sides[0], "/models retry");
	expect(&sides[0], "/models retry is for admins.");
	say(&sides[3], "/models");
	expect(&sides[3], "/models retry does so now.");
	say(&sides[3], "/models retry");
	expect(&sides[3], "I try again now. 1 message is waiting.");
	expect(&sides[0], "42");
}

#define TEST(name) FLOW_TEST(name, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_model_error_in_one_chat_leaves_the_others_alone),
	    TEST(a_rate_limit_in_one_chat_is_over_for_all_when_it_says),
	    TEST(a_chat_whose_requests_keep_failing_is_freed_by_stop),
	    TEST(an_admin_can_try_at_once),
	};

	cmocka_set_test_filter(getenv("STAGE_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
