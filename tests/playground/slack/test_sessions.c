/* Sessions of agents in threads: what apps set, and what people do with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "net/websocket/websocket.h"
#include "tests/playground/slack/slack_rig.h"

#define SECOND_TOKEN "xoxb-1-3-two"
#define HOUR_MS      3600000

/* Calls a method about the session of a thread in dev, with further members; the caller owns the answer. */
static struct json_object *act_on(
    struct task *t, struct slack_rig *rig, const char *method, const char *thread, const char *more)
{
	return slack_call(t, rig, method, "{\"channel_id\":\"%s\",\"thread_ts\":\"%s\",%s}",
	    slack_dev(t, rig), thread, more);
}

static void set_status(struct task *t, struct slack_rig *rig, const char *thread, const char *more)
{
	struct json_object *o = act_on(t, rig, "agents.sessions.setStatus", thread, more);

	slack_has(o, "ok", "true");
	json_object_put(o);
}

static void expect_error(struct task *t, struct slack_rig *rig, const char *method, const char *thread,
    const char *more, const char *error)
{
	struct json_object *o = act_on(t, rig, method, thread, more);

	slack_has(o, "error", error);
	json_object_put(o);
}

/* What people see of it in the transcript of dev. */
static void expect_session(
    struct task *t, struct slack_rig *rig, const char *thread, const char *status, const char *title)
{
	struct json_object *o = slack_transcript(t, rig, "dev"),
			   *session = json_get_object(json_get_object(o, "assistant"), thread);

	slack_has(session, "status", status);
	slack_has(session, "title", title);
	json_object_put(o);
}

SLACK_TEST(an_app_begins_a_session_with_a_title_and_moves_it_on)
{
	char data[] = "/tmp/slack-XXXXXX", *ts, *path;
	struct slack_reply reply;
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	ts = xstrdup(slack_say(t, rig, "plan my trip"));
	o = act_on(t, rig, "agents.sessions.setStatus", ts, "\"status\":\"processing\",\"title\":\"A trip\"");
	slack_has(o, "status", "processing");
	slack_has(o, "agent_status", "processing");
	slack_has(o, "title", "A trip");
	json_object_put(o);
	o = act_on(t, rig, "agents.sessions.setStatus", ts, "\"status\":\"suspended\",\"title\":\"Another\"");
	slack_has(o, "status", "suspended");
	slack_has(o, "title", "A trip");
	json_object_put(o);
	o = act_on(t, rig, "agents.sessions.rename", ts, "\"title\":\"To the sea\"");
	slack_has(o, "title", "To the sea");
	json_object_put(o);
	set_status(t, rig, ts, "\"status\":\"processing\"");
	path = xasprintf("/slack/api/conversations.history?channel=%s", slack_dev(t, rig));
	slack_send(t, rig, &(struct slack_request){.path = path, .content_type = ""}, &reply);
	slack_has(reply.json, "messages.0.agent_session.status", "processing");
	slack_has(reply.json, "messages.0.agent_session.title", "To the sea");
	slack_has(reply.json, "messages.0.agent_session.agent_statuses.0.is_stoppable", "true");
	slack_reply_clear(&reply);
	free(path);
	slack_rig_restart(t, rig, data);
	expect_session(t, rig, ts, "processing", "To the sea");
	slack_pass(t, HOUR_MS - 1000);
	expect_session(t, rig, ts, "processing", "To the sea");
	slack_pass(t, 1000);
	expect_session(t, rig, ts, "active", "To the sea");
	slack_rig_forget(t, rig, data);
	free(ts);
}

SLACK_TEST(a_wrong_status_title_or_thread_is_refused)
{
	static const char set[] = "agents.sessions.setStatus", rename[] = "agents.sessions.rename";
	char *ts = xstrdup(slack_say(t, rig, "plan my trip"));
	char title[202], *more;
	struct json_object *o;

	memset(title, 'x', sizeof(title));
	title[201] = '\0';
	more = xasprintf("\"status\":\"active\",\"title\":\"%s\"", title);
	o = act_on(t, rig, set, ts, "\"status\":\"is thinking\"");
	slack_has(o, "error", "invalid_arguments");
	slack_has(
	    o, "response_metadata.messages.0", "[ERROR] must be a valid enum value [json-pointer:/status]");
	json_object_put(o);
	expect_error(t, rig, set, ts, "\"status\":\"\"", "invalid_arguments");
	expect_error(t, rig, set, ts, more, "invalid_arguments");
	expect_error(t, rig, set, "1.000001", "\"status\":\"active\"", "invalid_thread_ts");
	expect_error(
	    t, rig, set, ts, "\"status\":\"active\",\"initiator_user_id\":\"U0NOBODY\"", "user_not_found");
	slack_expect(t, rig, set, "invalid_arguments", "{\"channel_id\":\"%s\",\"status\":\"active\"}",
	    slack_dev(t, rig));
	expect_error(t, rig, rename, ts, "\"title\":\"A trip\"", "session_not_found");
	title[200] = '\0';
	free(more);
	more = xasprintf("\"status\":\"active\",\"title\":\"%s\"", title);
	set_status(t, rig, ts, more);
	expect_error(t, rig, rename, ts, "\"title\":\"\"", "invalid_arguments");
	slack_set(t, rig, "\"missing_scopes\":[\"assistant:write\"]");
	expect_error(t, rig, set, ts, "\"status\":\"active\"", "not_authorized");
	slack_set(t, rig, "\"missing_scopes\":[\"chat:write\"]");
	expect_error(t, rig, rename, ts, "\"title\":\"A trip\"", "missing_scope");
	free(more);
	free(ts);
}

static struct json_object *start_stream(struct task *t, struct slack_rig *rig, const char *thread)
{
	struct json_object
	    *said = slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"active\",\"who\":\"ann\""),
	    *o = slack_call(t, rig, "chat.startStream",
		"{\"channel\":\"%s\",\"thread_ts\":\"%s\",\"recipient_team_id\":\"T0PLAYGRND\","
		"\"recipient_user_id\":\"%s\",\"markdown_text\":\"a\"}",
		slack_dev(t, rig), thread, slack_at(said, "user_id"));

	slack_has(o, "ok", "true");
	json_object_put(said);
	return o;
}

SLACK_TEST(a_person_stops_an_agent_and_its_streams)
{
	char *ts = xstrdup(slack_say(t, rig, "plan my trip"));
	struct websocket *w = slack_attach(t, rig);
	struct json_object *stream, *o;

	slack_control_refused(t, rig, "assistant", "no agent has a session",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"stop\":true", ts);
	set_status(t, rig, ts, "\"status\":\"processing\"");
	stream = start_stream(t, rig, ts);
	slack_hear_event(t, w, "message");
	slack_control_refused(t, rig, "assistant", "say which \"user\"",
	    "\"chat\":\"dev\",\"thread\":\"%s\",\"stop\":true", ts);
	json_object_put(slack_control(
	    t, rig, "assistant", "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"stop\":true", ts));
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "agent_session_stopped");
	slack_has(o, "payload.event.channel", slack_dev(t, rig));
	slack_has(o, "payload.event.thread_ts", ts);
	slack_has(o, "payload.event.streaming_message_ts.0", slack_at(stream, "ts"));
	assert_true(slack_at(o, "payload.event.user")[0] == 'U');
	assert_true(strcmp(slack_at(o, "payload.event.event_ts"), ts) > 0);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(t, rig, "chat.appendStream", "stopped_by_user",
	    "{\"channel\":\"%s\",\"ts\":\"%s\",\"markdown_text\":\"b\"}", slack_dev(t, rig),
	    slack_at(stream, "ts"));
	expect_session(t, rig, ts, "processing", "");
	set_status(t, rig, ts, "\"status\":\"active\"");
	slack_control_refused(t, rig, "assistant", "no agent is processing",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"stop\":true", ts);
	json_object_put(stream);
	websocket_close(t, w, 1000, "");
	free(ts);
}

SLACK_TEST(a_person_renames_a_session)
{
	char *ts = xstrdup(slack_say(t, rig, "plan my trip"));
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;
	char long_title[202];

	memset(long_title, 'x', sizeof(long_title));
	long_title[201] = '\0';
	set_status(t, rig, ts, "\"status\":\"active\"");
	slack_control_refused(t, rig, "assistant", "at most 200 characters",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"title\":\"%s\"", ts, long_title);
	for (int i = 0; i < 2; i++) {
		json_object_put(slack_control(t, rig, "assistant",
		    "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"title\":\"%s\"", ts,
		    i == 0 ? "A trip" : "To the sea"));
		o = slack_hear(t, w);
		slack_has(o, "payload.event.type", "agent_session_title_changed");
		slack_has(o, "payload.event.team_id", "T0PLAYGRND");
		slack_has(o, "payload.event.thread_ts", ts);
		slack_has(o, "payload.event.title", i == 0 ? "A trip" : "To the sea");
		slack_has(o, "payload.event.previous_title", i == 0 ? "" : "A trip");
		assert_true(i == 1 ||
		    !json_get(json_get_object(json_get_object(o, "payload"), "event"), "previous_title"));
		slack_acknowledge(t, w, o);
		json_object_put(o);
	}
	expect_session(t, rig, ts, "active", "To the sea");
	websocket_close(t, w, 1000, "");
	free(ts);
}

static void set_of_second(
    struct task *t, struct slack_rig *rig, const char *thread, const char *status, const char *of_session)
{
	char *body = xasprintf("{\"channel_id\":\"%s\",\"thread_ts\":\"%s\",\"status\":\"%s\"}",
	    slack_dev(t, rig), thread, status);
	struct slack_reply reply;

	slack_send(t, rig,
	    &(struct slack_request){
		.path = "/slack/api/agents.sessions.setStatus", .token = SECOND_TOKEN, .body = body},
	    &reply);
	slack_has(reply.json, "status", of_session);
	slack_has(reply.json, "agent_status", status);
	slack_reply_clear(&reply);
	free(body);
}

SLACK_TEST(of_two_agents_the_one_that_needs_most_gives_the_status)
{
	char *ts = xstrdup(slack_say(t, rig, "plan my trip"));
	struct websocket *w = slack_attach(t, rig);
	struct slack_reply reply;

	set_status(t, rig, ts, "\"status\":\"active\"");
	slack_send(t, rig,
	    &(struct slack_request){.path = "/slack/api/auth.test", .token = SECOND_TOKEN, .body = "{}"},
	    &reply);
	json_object_put(
	    slack_control(t, rig, "say", "\"chat\":\"dev\",\"user\":\"ann\",\"text\":\"come\",\"bot\":\"%s\"",
		slack_at(reply.json, "user_id")));
	slack_reply_clear(&reply);
	slack_hear_event(t, w, "member_joined_channel");
	slack_hear_event(t, w, "message");
	set_of_second(t, rig, ts, "closed", "active");
	set_of_second(t, rig, ts, "processing", "processing");
	json_object_put(slack_control(
	    t, rig, "assistant", "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"stop\":true", ts));
	set_of_second(t, rig, ts, "suspended", "suspended");
	json_object_put(slack_control(
	    t, rig, "assistant", "\"chat\":\"dev\",\"user\":\"ann\",\"thread\":\"%s\",\"title\":\"x\"", ts));
	slack_hear_event(t, w, "agent_session_title_changed"); /* that of the stop went to the other one */
	websocket_close(t, w, 1000, "");
	free(ts);
}

SLACK_TEST(the_end_of_a_stream_moves_the_session_on)
{
	char *ts = xstrdup(slack_say(t, rig, "plan my trip"));
	struct json_object *stream;

	for (int i = 0; i < 3; i++) {
		if (i > 0)
			set_status(t, rig, ts, "\"status\":\"processing\"");
		stream = start_stream(t, rig, ts);
		slack_expect(t, rig, "chat.stopStream", "invalid_arguments",
		    "{\"channel\":\"%s\",\"ts\":\"%s\",\"session_status\":\"x\"}", slack_dev(t, rig),
		    slack_at(stream, "ts"));
		slack_expect(t, rig, "chat.stopStream", NULL, "{\"channel\":\"%s\",\"ts\":\"%s\"%s}",
		    slack_dev(t, rig), slack_at(stream, "ts"),
		    i == 2 ? ",\"session_status\":\"suspended\"" : "");
		expect_session(t, rig, ts, i == 0 ? "" : i == 1 ? "active" : "suspended", "");
		json_object_put(stream);
	}
	free(ts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_app_begins_a_session_with_a_title_and_moves_it_on),
	    cmocka_unit_test(a_wrong_status_title_or_thread_is_refused),
	    cmocka_unit_test(a_person_stops_an_agent_and_its_streams),
	    cmocka_unit_test(a_person_renames_a_session),
	    cmocka_unit_test(of_two_agents_the_one_that_needs_most_gives_the_status),
	    cmocka_unit_test(the_end_of_a_stream_moves_the_session_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
