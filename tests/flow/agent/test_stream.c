/* Answers that are seen while they are written. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/weather.h"

#define ANN   "allow = [\"77\"]; "
#define GROUP "-1001"
/* A word every 400 ms or so: eight seconds. */
#define COUNT "count to 30"
#define LAST  "30."

static struct flow f;

static void ready(const char *channel)
{
	flow_config(&f, "", channel);
	flow_gateway(&f, true);
}

/* How often the method was called, all accepted. */
static size_t calls(const char *method)
{
	struct json_object *o = flow_get(&f, "/control/requests?platform=telegram"),
			   *all = json_get_array(o, "requests");
	size_t n = 0;

	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *r = json_object_array_get_idx(all, i);
		const char *name = json_get_str(r, "method"), *verdict = json_get_str(r, "verdict");
		if (!name || strcmp(name, method) != 0)
			continue;
		if (!verdict || strcmp(verdict, "ok") != 0)
			fail_msg("%s was refused: %s", method, json_object_to_json_string(r));
		n++;
	}
	json_object_put(o);
	return n;
}

static void await_calls(const char *method, size_t count)
{
	for (uint64_t due = flow_deadline(); calls(method) < count;)
		flow_look(&f, due, "%s was not called %zu times", method, count);
}

/* The bot's first message, once it ends in this. */
static void await_end(const char *chat, const char *text)
{
	for (uint64_t due = flow_deadline();;
	     flow_look(&f, due, "the bot's message does not end in \"%s\"", text)) {
		char *got = flow_bot_text(&f, chat, 0);
		bool ends =
		    got && strlen(got) >= strlen(text) && strcmp(got + strlen(got) - strlen(text), text) == 0;
		free(got);
		if (ends)
			return;
	}
}

static void say_in_group(const char *text)
{
	char *said = xasprintf("@myna_bot %s", text);

	flow_say(&f, GROUP, "77", said, "group");
	free(said);
}

static void a_private_chat_sees_drafts_and_gets_one_message(void **state)
{
	(void)state;
	ready(ANN);
	flow_say(&f, "77", "77", COUNT, "private");
	await_calls("sendMessageDraft", 3);
	assert_int_equal(flow_bot_messages(&f, "77"), 0);
	await_end("77", LAST);
	assert_int_equal(flow_bot_messages(&f, "77"), 1);
	assert_int_equal(calls("sendMessage"), 1);
	assert_int_equal(calls("editMessageText"), 0);
}

static void a_group_sees_one_message_grow(void **state)
{
	(void)state;
	ready(ANN);
	say_in_group(COUNT);
	await_calls("editMessageText", 1);
	char *got = flow_bot_text(&f, GROUP, 0);
	assert_non_null(strstr(got, "…"));
	free(got);
	await_end(GROUP, LAST);
	assert_int_equal(flow_bot_messages(&f, GROUP), 1);
	assert_int_equal(calls("sendMessage"), 1);
	assert_int_equal(calls("sendMessageDraft"), 0);
}

static void after_a_crash_the_answer_takes_the_place_of_what_was_shown(void **state)
{
	(void)state;
	ready(ANN);
	say_in_group(COUNT);
	await_calls("editMessageText", 1);
	assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
	flow_gateway(&f, true);
	await_end(GROUP, LAST);
	assert_int_equal(flow_bot_messages(&f, GROUP), 1);
	assert_int_equal(calls("sendMessage"), 1);
}

static void after_a_full_disk_the_answer_takes_the_place_of_what_was_shown(void **state)
{
	struct weather *weather = weather_new(&f);

	(void)state;
	flow_config(&f, "", ANN "preview_after = \"4 s\";");
	weather_gateway(&f, true);
	say_in_group(COUNT);
	/* The turn has begun. */
	await_calls("sendChatAction", 1);
	weather->write_errno = ENOSPC;
	flow_await_log(&f, "a preview is not recorded");
	/* The answer cannot be stored either, and is asked for again. */
	flow_await_log(&f, "a turn waits because the store failed");
	weather->write_errno = 0;
	await_end(GROUP, LAST);
	assert_int_equal(flow_bot_messages(&f, GROUP), 1);
	assert_int_equal(calls("sendMessage"), 1);
	weather_free(weather);
}

static void what_was_stopped_stays_and_says_so(void **state)
{
	(void)state;
	ready(ANN);
	say_in_group(COUNT);
	await_calls("editMessageText", 1);
	flow_say(&f, GROUP, "77", "/stop", "group");
	await_end(GROUP, "(stopped)");
	flow_await(&f, GROUP, 2);
	char *got = flow_bot_text(&f, GROUP, 0);
	assert_non_null(strstr(got, "1"));
	assert_null(strstr(got, "…"));
	free(got);
}

static void a_fast_answer_is_one_message(void **state)
{
	(void)state;
	ready(ANN);
	say_in_group("what is 2*21");
	await_end(GROUP, "42");
	assert_int_equal(calls("sendMessage"), 1);
	assert_int_equal(calls("editMessageText"), 0);
}

static void previews_can_be_switched_off(void **state)
{
	(void)state;
	ready(ANN "previews = false;");
	flow_say(&f, "77", "77", "count to 12", "private");
	await_end("77", "12.");
	assert_int_equal(calls("sendMessageDraft"), 0);
	assert_int_equal(calls("editMessageText"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_private_chat_sees_drafts_and_gets_one_message, flow_begin, &f),
	    FLOW_TEST(a_group_sees_one_message_grow, flow_begin, &f),
	    FLOW_TEST(after_a_crash_the_answer_takes_the_place_of_what_was_shown, flow_begin, &f),
	    FLOW_TEST(after_a_full_disk_the_answer_takes_the_place_of_what_was_shown, flow_begin, &f),
	    FLOW_TEST(what_was_stopped_stays_and_says_so, flow_begin, &f),
	    FLOW_TEST(a_fast_answer_is_one_message, flow_begin, &f),
	    FLOW_TEST(previews_can_be_switched_off, flow_begin, &f),
	};

	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
