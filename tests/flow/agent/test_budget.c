/* Budgets with the real gateway: how many requests are made, what chats are told, and what a kill changes of
 * it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;

static void a_budget_holds_over_kills_and_every_message_has_its_answer(void **state)
{
	(void)state;
	flow_config(&f, "budgets = ( { scope = \"chat\"; calls = 2; }, { scope = \"all\"; calls = 3; } );",
	    "allow = [\"77\"]; admins = [\"78\"];");
	flow_gateway(&f, true);
	flow_say(&f, "78", "78", "/budget", "private");
	flow_expect(&f, "78", 0, "all chats together: 0 of 3 calls today");
	flow_say(&f, "77", "77", "one", "private");
	flow_expect(&f, "77", 0, "one");
	flow_expect(&f, "77", 1, "used to 50 %: 1 of 2 calls today");
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "two", "private");
	flow_expect(&f, "77", 2, "two");
	flow_expect(&f, "77", 3, "used up: 2 of 2 calls today");
	flow_expect(&f, "78", 1, "The budget of all chats together is used to 50 %: 2 of 3 calls today.");
	for (size_t i = 0; i < 3; i++) {
		flow_say(&f, "77", "77", "three", "private");
		flow_expect(&f, "77", 4 + i, "An admin can raise it, or lift it for today, with /budget.");
	}
	assert_int_equal(flow_model_requests(&f), 2);
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "/budget", "private");
	flow_expect(&f, "77", 7, "this chat: 2 of 2 calls today");
	flow_say(&f, "78", "78", "/budget chat telegram:77 5 calls a day", "private");
	flow_expect(
	    &f, "78", 2, "From now on the chat telegram:77: 5 calls a day; used today: 2 of 5 calls.");
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "four", "private");
	flow_expect(&f, "77", 8, "four");
	flow_expect(&f, "77", 9, "used to 50 %: 3 of 5 calls today");
	flow_expect(&f, "78", 3, "The budget of all chats together is used up: 3 of 3 calls today.");
	assert_int_equal(flow_model_requests(&f), 3);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "five", "private");
	flow_expect(&f, "77", 10, "The budget of all chats together is used up");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(flow_bot_messages(&f, "77"), 11);
	assert_int_equal(flow_bot_messages(&f, "78"), 4);
	assert_int_equal(flow_model_requests(&f), 3);
}

/* Of the newest request to the model. */
static int64_t newest_max_tokens(void)
{
	struct json_object *o = flow_get(&f, "/control/model"), *all = json_get_array(o, "requests");
	size_t n = json_object_array_length(all);
	int64_t most = n > 0 ?
	    json_get_int(json_get_object(json_object_array_get_idx(all, n - 1), "body"), "max_tokens", 0) :
	    -1;

	json_object_put(o);
	return most;
}

static void a_probe_is_one_small_request_outside_of_budgets_and_the_doctor_asks_no_model(void **state)
{
	char *out;

	(void)state;
	flow_config(&f, "budgets = ( { scope = \"all\"; calls = 0; } );", "allow = [\"77\"];");
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "hello", "private");
	flow_expect(&f, "77", 0, "used up: 0 of 0 calls today");
	flow_myna(&f, &out, "doctor", NULL);
	assert_non_null(strstr(out, "model"));
	free(out);
	assert_int_equal(flow_model_requests(&f), 0);
	assert_int_equal(flow_myna(&f, &out, "check", "--probe", NULL), 0);
	assert_non_null(strstr(out, "model script (scripted): ok"));
	free(out);
	assert_int_equal(flow_model_requests(&f), 1);
	assert_int_equal(newest_max_tokens(), 16);
	assert_int_equal(flow_myna(&f, &out, "status", NULL), 0);
	assert_null(strstr(out, "spent today"));
	free(out);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void chats_at_once_do_not_overrun_the_budget_of_all(void **state)
{
	static const char *const chats[] = {"77", "79", "80", "81", "82"};
	size_t answered = 0;
	char *out;

	(void)state;
	flow_config(&f, "budgets = ( { scope = \"all\"; calls = 3; } );", "allow = [\"*\"];");
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(chats); i++)
		flow_say(&f, chats[i], chats[i], "hello", "private");
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		flow_await(&f, chats[i], 1);
		char *got = flow_bot_text(&f, chats[i], 0);
		answered += !strstr(got, "used up");
		free(got);
	}
	assert_int_equal(answered, 3);
	assert_int_equal(flow_model_requests(&f), 3);
	assert_int_equal(flow_myna(&f, &out, "status", NULL), 0);
	assert_non_null(strstr(out, "spent today: "));
	assert_non_null(strstr(out, "cost not known"));
	free(out);
}

static void speak(const char *words)
{
	struct buf base64 = BUF_INIT;

	base64_encode(&base64, words, strlen(words));
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"text\":\"\","
	    "\"files\":[{\"name\":\"v.ogg\",\"kind\":\"voice\",\"base64\":\"%s\",\"duration\":5}]}",
	    base64.data));
	buf_clear(&base64);
}

static size_t transcriptions(void)
{
	struct json_object *o = flow_get(&f, "/control/model?method=audio.transcriptions");
	size_t n = json_object_array_length(json_get_array(o, "requests"));

	json_object_put(o);
	return n;
}

static void speech_is_counted_and_not_heard_when_nothing_is_left(void **state)
{
	(void)state;
	flow_config(&f, "budgets = ( { scope = \"chat\"; calls = 3; } );", "allow = [\"77\"];");
	flow_gateway(&f, true);
	speak("OggSwhat is 6*7");
	flow_expect(&f, "77", 0, "42");
	flow_expect(&f, "77", 1, "used to 50 %: 2 of 3 calls today");
	flow_say(&f, "77", "77", "/usage", "private");
	flow_expect(&f, "77", 2, "in 2 requests; cost: not known; 0:01 minutes of speech");
	assert_int_equal(transcriptions(), 1);
	speak("OggSwhat is 7*7");
	flow_expect(&f, "77", 4, "An admin can raise it, or lift it for today, with /budget.");
	assert_int_equal(transcriptions(), 2);
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	speak("OggSwhat is 8*7");
	flow_expect(&f, "77", 5, "The budget of this chat is used up: 3 of 3 calls today.");
	assert_int_equal(transcriptions(), 2);
	assert_int_equal(flow_model_requests(&f), 3);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_budget_holds_over_kills_and_every_message_has_its_answer, flow_begin, &f),
	    FLOW_TEST(speech_is_counted_and_not_heard_when_nothing_is_left, flow_begin, &f),
	    FLOW_TEST(
		a_probe_is_one_small_request_outside_of_budgets_and_the_doctor_asks_no_model, flow_begin, &f),
	    FLOW_TEST(chats_at_once_do_not_overrun_the_budget_of_all, flow_begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
