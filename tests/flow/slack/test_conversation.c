/* Conversations over the simulated Slack, with the real gateway: threads, streams, crashes, files. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;
static char ann[40]; /* her id */

/* Ann writes: the id of her message, malloc'd. thread may be NULL. */
static char *say(const char *chat, const char *thread, const char *text)
{
	struct json_object *o = flow_control(&f, "say",
	    "{\"platform\":\"slack\",\"chat\":\"%s\",\"user\":\"ann\",\"kind\":\"%s\",\"text\":\"%s\"%s%s%s}",
	    chat, strcmp(chat, "ann") == 0 ? "private" : "group", text, thread ? ",\"thread\":\"" : "",
	    thread ? thread : "", thread ? "\"" : "");
	char *id = xstrdup(json_get_str(o, "message_id"));

	str_copy(ann, sizeof(ann), json_get_str(o, "user_id"));
	json_object_put(o);
	return id;
}

static void ready_with(const char *more)
{
	char *slack = xasprintf("allow = [\"*\"]; chats = [\"*\"]; %s", more);

	flow_config_channels(&f, "tools: { workspace_scope = \"shared\"; };", "", slack, NULL);
	free(slack);
	flow_gateway(&f, true);
	flow_await_log(&f, "connected as");
}

/* How many messages of the bot, in the thread unless it is NULL, have this text in them. */
static size_t count_of(const char *chat, const char *thread, const char *text)
{
	struct json_object *o = flow_transcript(&f, "slack", chat), *list = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *m = json_object_array_get_idx(list, i);
		const char *in = json_get_str(m, "thread");

		if (thread && strcmp(in ? in : "", thread) != 0)
			continue;
		n += json_get_bool(m, "bot", false) && !json_get_bool(m, "deleted", false) &&
		    strstr(json_get_str(m, "text"), text) && !strstr(json_get_str(m, "text"), "…");
	}
	json_object_put(o);
	return n;
}

static void await_answer(const char *chat, const char *thread, const char *text)
{
	for (uint64_t due = flow_deadline(); count_of(chat, thread, text) == 0;)
		flow_look(&f, due, "nobody said \"%s\" in %s", text, chat);
}

static size_t count_requests(const char *method)
{
	char *path = xasprintf("/control/requests?platform=slack&method=%s", method);
	struct json_object *o = flow_get(&f, path);
	size_t n = json_object_array_length(json_get_array(o, "requests"));

	json_object_put(o);
	free(path);
	return n;
}

/* Every request was one that Slack takes. */
static void expect_no_refusals(void)
{
	struct json_object *o = flow_get(&f, "/control/requests?platform=slack");
	struct json_object *list = json_get_array(o, "requests");

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *r = json_object_array_get_idx(list, i);
		if (strcmp(json_get_str(r, "verdict"), "ok") != 0)
			fail_msg("refused: %s", json_object_get_string(r));
	}
	json_object_put(o);
}

static void a_question_is_answered_in_its_thread(void **state)
{
	(void)state;
	ready_with("");
	free(say("general", NULL, "nobody in particular"));
	char *root = say("general", NULL, "@bot my name is Ann");
	await_answer("general", root, "Ann");
	/* What was said in the channel before is known in the thread that the question opened. */
	struct json_object *asked = flow_get(&f, "/control/model");
	assert_non_null(strstr(json_object_to_json_string(asked), "nobody in particular"));
	json_object_put(asked);
	/* No mention is needed where it takes part, and the thread is one conversation. */
	free(say("general", root, "what is my name"));
	flow_until(&f, count_of("general", root, "Ann") >= 2);
	assert_int_equal(count_of("general", "", ""), 0);
	free(say("ann", NULL, "what is 17*23"));
	await_answer("ann", "", "391");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	expect_no_refusals();
	free(root);
}

static void a_long_answer_is_seen_as_it_grows(void **state)
{
	(void)state;
	ready_with("preview_after = \"100 ms\";");
	char *root = say("general", NULL, "@bot count to 20");
	await_answer("general", root, "20");
	assert_int_equal(count_requests("chat.startStream"), 1);
	flow_until(&f, count_requests("chat.update") > 0);
	assert_true(count_requests("reactions.add") >= 1);
	assert_true(count_requests("assistant.threads.setStatus") >= 1);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(count_of("general", root, "20"), 1);
	expect_no_refusals();
	free(root);
}

/* The message that is streamed: its id, malloc'd. */
static char *await_stream(const char *chat)
{
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "nothing is streamed")) {
		struct json_object *o = flow_transcript(&f, "slack", chat),
				   *list = json_get_array(o, "messages");
		char *id = NULL;

		for (size_t i = 0;
		     list && count_requests("chat.startStream") > 0 && i < json_object_array_length(list);
		     i++)
			if (json_get_bool(json_object_array_get_idx(list, i), "bot", false))
				id = xstrdup(json_get_str(json_object_array_get_idx(list, i), "id"));
		json_object_put(o);
		if (id)
			return id;
	}
}

static void who_stops_the_stream_stops_the_turn(void **state)
{
	(void)state;
	ready_with("preview_after = \"0 ms\";");
	char *root = say("general", NULL, "@bot count to 2000"), *id = await_stream("general");
	flow_press(&f, "slack", "general", "ann", id, "stop");
	await_answer("general", root, "topped");
	assert_int_equal(count_of("general", root, "1999"), 0);
	free(id);
	free(root);
}

enum moment { AT_ONCE, IN_THE_TURN, WITH_THE_ANSWER, BEHIND_THE_TURN, MOMENTS };

static void await_moment(enum moment m, const char *answer)
{
	if (m == IN_THE_TURN)
		flow_until(&f, flow_turn_runs(&f) || count_of("ann", NULL, answer) > 0);
	if (m >= WITH_THE_ANSWER)
		await_answer("ann", NULL, answer);
	if (m == BEHIND_THE_TURN)
		flow_until(&f, !flow_turn_runs(&f));
}

static void a_kill_loses_nothing_and_repeats_nothing(void **state)
{
	char text[40];

	(void)state;
	/* Slack itself tries again after a minute. */
	json_object_put(flow_control(&f, "settings", "{\"slack\":{\"retry_ms\":[0,500,2000]}}"));
	ready_with("");
	for (size_t i = 0; i < MOMENTS; i++) {
		snprintf(text, sizeof(text), "what is %zu*1000", i + 2);
		free(say("ann", NULL, text));
		snprintf(text, sizeof(text), "%zu000", i + 2);
		await_moment((enum moment)i, text);
		flow_gateway_end(&f, SIGKILL);
		flow_gateway(&f, true);
		await_answer("ann", NULL, text);
	}
	/* Behind all that a start repeats. */
	free(say("ann", NULL, "what is 17*23"));
	await_answer("ann", NULL, "391");
	for (size_t i = 0; i < MOMENTS; i++) {
		snprintf(text, sizeof(text), "%zu000", i + 2);
		assert_int_equal(count_of("ann", NULL, text), 1);
	}
	assert_int_equal(count_of("ann", NULL, "may be a repeat"), 0);
}

/* How many events Slack has not given up to deliver. */
static int64_t unacknowledged(void)
{
	struct json_object *o = flow_control(&f, "socket", "{\"platform\":\"slack\"}");
	int64_t n = json_get_int(o, "unacknowledged", -1);

	json_object_put(o);
	return n;
}

static void what_slack_gave_up_to_deliver_is_answered_after_the_start(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"slack\":{\"retry_ms\":[0,0,0]}}"));
	ready_with("");
	char *root = say("general", NULL, "@bot what is 2*2");
	await_answer("general", root, "4");
	flow_gateway_kill(&f);
	free(say("ann", NULL, "what is 17*23"));
	free(say("general", root, "what is 19*19"));
	flow_until(&f, unacknowledged() == 0);
	flow_gateway(&f, true);
	await_answer("ann", NULL, "391");
	await_answer("general", root, "361");
	free(say("ann", NULL, "what is 5*5"));
	await_answer("ann", NULL, "25");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	/* Another start finds nothing that is new. */
	flow_gateway(&f, true);
	flow_await_log(&f, "backfill done");
	free(say("ann", NULL, "what is 6*7"));
	free(say("general", root, "what is 6*7"));
	await_answer("ann", NULL, "42");
	await_answer("general", root, "42");
	assert_int_equal(count_of("ann", NULL, "391"), 1);
	assert_int_equal(count_of("general", root, "361"), 1);
	expect_no_refusals();
	free(root);
}

static void socket_act(const char *action)
{
	json_object_put(flow_control(&f, "socket", "{\"platform\":\"slack\",\"action\":\"%s\"}", action));
}

/* Slack repeats it only when it is told to. */
static void what_went_into_a_lost_connection_is_answered_at_once_and_once(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "settings", "{\"slack\":{\"retry_ms\":[600000,600000,600000]}}"));
	ready_with("");
	free(say("ann", NULL, "what is 2*2"));
	await_answer("ann", NULL, "4");
	char *root = say("general", NULL, "@bot what is 3*3");
	await_answer("general", root, "9");
	socket_act("silence");
	free(say("ann", NULL, "what is 17*23"));
	free(say("general", root, "what is 19*19"));
	socket_act("abort");
	await_answer("ann", NULL, "391");
	await_answer("general", root, "361");
	assert_true(unacknowledged() >= 2);
	socket_act("retry");
	flow_until(&f, unacknowledged() == 0);
	free(say("ann", NULL, "what is 6*7"));
	free(say("general", root, "what is 6*7"));
	await_answer("ann", NULL, "42");
	await_answer("general", root, "42");
	assert_int_equal(count_of("ann", NULL, "391"), 1);
	assert_int_equal(count_of("general", root, "361"), 1);
	expect_no_refusals();
	free(root);
}

static void a_command_is_answered(void **state)
{
	(void)state;
	ready_with("");
	free(say("ann", NULL, "what is 2*3"));
	await_answer("ann", NULL, "6");
	json_object_put(flow_control(&f, "command",
	    "{\"platform\":\"slack\",\"chat\":\"ann\",\"user\":\"ann\",\"command\":\"/"
	    "myna\",\"text\":\"whoami\"}"));
	await_answer("ann", NULL, ann);
	expect_no_refusals();
}

static void safe_mode_names_the_command_as_people_type_it_here(void **state)
{
	char *kept = xasprintf("%s/state/config.good", f.dir), *slack;

	(void)state;
	free(say("ann", NULL, "hello"));
	slack = xasprintf("allow = [\"*\"]; admins = [\"%s\"];", ann);
	flow_config_channels(&f, "", "", slack, NULL);
	flow_gateway(&f, true);
	flow_until(&f, access(kept, F_OK) == 0);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_config_channels(&f, "nosuch = 1;", "", slack, NULL);
	flow_gateway(&f, true);
	await_answer("ann", NULL, "Safe mode: ");
	assert_int_equal(count_of("ann", NULL, "Correct it, then /myna reload."), 1);
	free(slack);
	free(kept);
}

static void files_come_in_and_go_out(void **state)
{
	(void)state;
	ready_with("");
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"slack\",\"chat\":\"ann\",\"user\":\"ann\",\"kind\":\"private\",\"text\":\"here "
	    "it is\",\"files\":[{\"name\":\"plan.txt\",\"base64\":\"dGhlIGxhdW5jaCBpcyBvbiBGcmlkYXkK\"}]}"));
	await_answer("ann", NULL, "You said: here it is");
	assert_true(count_requests("files.info") >= 1);
	flow_put(&f, "state/workspace/out.txt", "going out\n");
	free(say("ann", NULL, "send me out.txt"));
	await_answer("ann", NULL, "out.txt:");
	assert_int_equal(count_requests("files.completeUploadExternal"), 1);
	expect_no_refusals();
}

#define TEST(name) FLOW_TEST(name, flow_begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_question_is_answered_in_its_thread),
	    TEST(a_long_answer_is_seen_as_it_grows),
	    TEST(who_stops_the_stream_stops_the_turn),
	    TEST(a_kill_loses_nothing_and_repeats_nothing),
	    TEST(what_slack_gave_up_to_deliver_is_answered_after_the_start),
	    TEST(what_went_into_a_lost_connection_is_answered_at_once_and_once),
	    TEST(a_command_is_answered),
	    TEST(safe_mode_names_the_command_as_people_type_it_here),
	    TEST(files_come_in_and_go_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
