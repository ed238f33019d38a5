#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "net/websocket/websocket.h"
#include "tests/playground/slack/slack_rig.h"

#define PATIENT "\"ping_ms\":600000,\"pong_ms\":600000,\"connection_s\":86400"

/* The id of a person, who writes in the channel dev; the caller frees it. */
static char *person(struct task *t, struct slack_rig *rig, const char *name)
{
	struct json_object *o = slack_control(
	    t, rig, "say", "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"%s\",\"text\":\"hi\"", name);
	char *id = xstrdup(slack_at(o, "user_id"));

	json_object_put(o);
	return id;
}

/* Creates a channel; the caller frees its id. */
static char *create(struct task *t, struct slack_rig *rig, const char *name)
{
	struct json_object *o = slack_call(t, rig, "conversations.create", "{\"name\":\"%s\"}", name);
	char *id = xstrdup(slack_at(o, "channel.id"));

	slack_has(o, "channel.name", name);
	slack_has(o, "channel.is_member", "true");
	json_object_put(o);
	return id;
}

SLACK_TEST(a_channel_is_created_under_a_name_that_is_allowed)
{
	static const struct {
		const char *name, *error;
	} rows[] = {{"", "invalid_name_required"}, {"News", "invalid_name_specials"},
	    {"a b", "invalid_name_specials"}, {"--_", "invalid_name_punctuation"}, {"news", "name_taken"},
	    {"n\303\251ws-1", NULL}};
	struct websocket *w = slack_attach(t, rig);
	char *long_name = xcalloc(1, 82), *c = create(t, rig, "news");
	struct json_object *o = slack_hear(t, w);

	slack_has(o, "payload.event.type", "channel_created");
	slack_has(o, "payload.event.channel.id", c);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		slack_expect(
		    t, rig, "conversations.create", rows[i].error, "{\"name\":\"%s\"}", rows[i].name);
	memset(long_name, 'a', 81);
	slack_expect(
	    t, rig, "conversations.create", "invalid_name_maxlength", "{\"name\":\"%s\"}", long_name);
	slack_set(t, rig, "\"missing_scopes\":[\"groups:write\"]");
	o = slack_call(t, rig, "conversations.create", "{\"name\":\"secret\",\"is_private\":true}");
	slack_has(o, "error", "missing_scope");
	slack_has(o, "needed", "groups:write");
	json_object_put(o);
	free(long_name);
	free(c);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(people_are_invited_and_removed)
{
	struct websocket *w = slack_attach(t, rig);
	char *ann = person(t, rig, "ann"), *bob = person(t, rig, "bob"), *c = create(t, rig, "news");
	struct json_object *o;

	for (int i = 0; i < 4; i++) { /* two messages, and Bob came in between; the channel */
		o = slack_hear(t, w);
		slack_acknowledge(t, w, o);
		json_object_put(o);
	}
	slack_expect(t, rig, "conversations.invite", "no_user", "{\"channel\":\"%s\"}", c);
	slack_expect(t, rig, "conversations.invite", "user_not_found",
	    "{\"channel\":\"%s\",\"users\":\"%s,U0NOBODY\"}", c, ann);
	slack_expect(t, rig, "conversations.invite", NULL, "{\"channel\":\"%s\",\"users\":\"%s\"}", c, ann);
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "member_joined_channel");
	slack_has(o, "payload.event.user", ann);
	assert_true(slack_at(o, "payload.event.inviter")[0] == 'U');
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_hear_event(t, w, "channel_join");
	slack_expect(t, rig, "conversations.invite", "already_in_channel",
	    "{\"channel\":\"%s\",\"users\":\"%s\"}", c, ann);
	o = slack_call(t, rig, "conversations.invite",
	    "{\"channel\":\"%s\",\"users\":\"%s,%s\",\"force\":true}", c, ann, bob);
	slack_has(o, "ok", "true");
	slack_has(o, "errors.0.error", "already_in_channel");
	slack_has(o, "channel.is_member", "true");
	json_object_put(o);
	slack_hear_event(t, w, "member_joined_channel");
	slack_hear_event(t, w, "channel_join");
	slack_expect(
	    t, rig, "conversations.kick", "user_not_found", "{\"channel\":\"%s\",\"user\":\"U0NOBODY\"}", c);
	slack_expect(t, rig, "conversations.kick", NULL, "{\"channel\":\"%s\",\"user\":\"%s\"}", c, bob);
	slack_hear_event(t, w, "member_left_channel");
	slack_hear_event(t, w, "channel_leave");
	slack_expect(
	    t, rig, "conversations.kick", "not_in_channel", "{\"channel\":\"%s\",\"user\":\"%s\"}", c, bob);
	slack_expect(t, rig, "conversations.leave", NULL, "{\"channel\":\"%s\"}", c);
	slack_hear_event(t, w, "member_left_channel");
	slack_hear_event(t, w, "channel_left");
	o = slack_call(t, rig, "conversations.leave", "{\"channel\":\"%s\"}", c);
	slack_has(o, "not_in_channel", "true");
	json_object_put(o);
	slack_expect(t, rig, "conversations.invite", "not_in_channel",
	    "{\"channel\":\"%s\",\"users\":\"%s\"}", c, bob);
	slack_expect(t, rig, "chat.postMessage", "not_in_channel", "{\"channel\":\"%s\",\"text\":\"x\"}", c);
	free(ann);
	free(bob);
	free(c);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(an_app_can_neither_invite_nor_remove_itself_nor_leave_a_channel_empty)
{
	struct json_object *me = slack_call(t, rig, "auth.test", "{}");
	char *c = create(t, rig, "news");

	slack_expect(t, rig, "conversations.invite", "cant_invite_self",
	    "{\"channel\":\"%s\",\"users\":\"%s\"}", c, slack_at(me, "user_id"));
	slack_expect(t, rig, "conversations.kick", "cant_kick_self", "{\"channel\":\"%s\",\"user\":\"%s\"}",
	    c, slack_at(me, "user_id"));
	slack_expect(t, rig, "conversations.leave", "last_member", "{\"channel\":\"%s\"}", c);
	json_object_put(me);
	free(c);
}

SLACK_TEST(an_archived_channel_takes_nothing_until_it_is_back)
{
	struct websocket *w = slack_attach(t, rig);
	char *c = create(t, rig, "news"), *ann;

	slack_hear_event(t, w, "channel_created");
	slack_expect(t, rig, "conversations.unarchive", "not_archived", "{\"channel\":\"%s\"}", c);
	slack_expect(t, rig, "conversations.archive", NULL, "{\"channel\":\"%s\"}", c);
	slack_hear_event(t, w, "channel_archive");
	slack_expect(t, rig, "conversations.archive", "already_archived", "{\"channel\":\"%s\"}", c);
	slack_expect(t, rig, "chat.postMessage", "is_archived", "{\"channel\":\"%s\",\"text\":\"x\"}", c);
	slack_expect(
	    t, rig, "conversations.setTopic", "is_archived", "{\"channel\":\"%s\",\"topic\":\"x\"}", c);
	slack_expect(t, rig, "conversations.rename", "is_archived", "{\"channel\":\"%s\",\"name\":\"x\"}", c);
	slack_expect(t, rig, "conversations.unarchive", NULL, "{\"channel\":\"%s\"}", c);
	slack_hear_event(t, w, "channel_unarchive");
	slack_expect(t, rig, "chat.postMessage", NULL, "{\"channel\":\"%s\",\"text\":\"x\"}", c);
	slack_hear_event(t, w, "message");
	ann = person(t, rig, "ann");
	slack_expect(t, rig, "conversations.open", NULL, "{\"users\":\"%s\"}", ann);
	free(ann);
	free(c);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(topic_purpose_and_name_are_told_and_kept)
{
	char data[] = "/tmp/slack-XXXXXX", *c, *wide;
	struct websocket *w;
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	w = slack_attach(t, rig);
	c = create(t, rig, "news");
	slack_hear_event(t, w, "channel_created");
	wide = xcalloc(1, 252);
	memset(wide, 'x', 251);
	slack_expect(
	    t, rig, "conversations.setTopic", "too_long", "{\"channel\":\"%s\",\"topic\":\"%s\"}", c, wide);
	o = slack_call(t, rig, "conversations.setTopic", "{\"channel\":\"%s\",\"topic\":\"Today\"}", c);
	slack_has(o, "channel.topic.value", "Today");
	json_object_put(o);
	o = slack_hear(t, w);
	slack_has(o, "payload.event.subtype", "channel_topic");
	slack_has(o, "payload.event.topic", "Today");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(t, rig, "conversations.setPurpose", NULL, "{\"channel\":\"%s\",\"purpose\":\"All\"}", c);
	slack_hear_event(t, w, "channel_purpose");
	slack_expect(t, rig, "conversations.rename", "not_authorized",
	    "{\"channel\":\"%s\",\"name\":\"old\"}", slack_dev(t, rig));
	slack_expect(t, rig, "conversations.rename", NULL, "{\"channel\":\"%s\",\"name\":\"old\"}", c);
	slack_hear_event(t, w, "channel_rename");
	slack_hear_event(t, w, "channel_name");
	slack_expect(
	    t, rig, "conversations.mark", "invalid_timestamp", "{\"channel\":\"%s\",\"ts\":\"x\"}", c);
	slack_expect(
	    t, rig, "conversations.mark", NULL, "{\"channel\":\"%s\",\"ts\":\"1790000000.000100\"}", c);
	slack_expect(t, rig, "conversations.archive", NULL, "{\"channel\":\"%s\"}", c);
	slack_hear_event(t, w, "channel_archive");
	websocket_close(t, w, 1000, "");
	slack_pass(t, 0);
	slack_rig_restart(t, rig, data);
	o = slack_about(t, rig, "old", "ann");
	slack_has(o, "topic", "Today");
	slack_has(o, "purpose", "All");
	slack_has(o, "archived", "true");
	json_object_put(o);
	o = slack_call(t, rig, "conversations.setTopic", "{\"channel\":\"%s\",\"topic\":\"x\"}", c);
	slack_has(o, "error", "is_archived");
	json_object_put(o);
	slack_rig_forget(t, rig, data);
	free(wide);
	free(c);
}

SLACK_TEST(each_kind_of_conversation_has_its_methods_and_scopes)
{
	struct json_object *said = slack_control(
			       t, rig, "say", "\"chat\":\"ann\",\"user\":\"ann\",\"text\":\"hi\""),
			   *o;
	const char *im = slack_at(said, "chat_id");

	slack_expect(t, rig, "conversations.archive", "method_not_supported_for_channel_type",
	    "{\"channel\":\"%s\"}", im);
	slack_expect(t, rig, "conversations.leave", "method_not_supported_for_channel_type",
	    "{\"channel\":\"%s\"}", im);
	slack_expect(t, rig, "conversations.close", "method_not_supported_for_channel_type",
	    "{\"channel\":\"%s\"}", slack_dev(t, rig));
	slack_expect(t, rig, "conversations.close", NULL, "{\"channel\":\"%s\"}", im);
	o = slack_call(t, rig, "conversations.close", "{\"channel\":\"%s\"}", im);
	slack_has(o, "already_closed", "true");
	json_object_put(o);
	o = slack_call(t, rig, "conversations.open", "{\"users\":\"%s\"}", slack_at(said, "user_id"));
	slack_has(o, "already_open", "");
	json_object_put(o);
	slack_set(t, rig, "\"missing_scopes\":[\"im:write\"]");
	o = slack_call(t, rig, "conversations.close", "{\"channel\":\"%s\"}", im);
	slack_has(o, "needed", "im:write");
	json_object_put(o);
	json_object_put(said);
}

SLACK_TEST(messages_are_pinned_by_apps_and_people)
{
	struct websocket *w = slack_attach(t, rig);
	char *ts = xstrdup(slack_say(t, rig, "hello")), *c = xstrdup(slack_dev(t, rig));
	struct json_object *o;

	slack_hear_event(t, w, "message");
	slack_expect(t, rig, "pins.add", "no_item_specified", "{\"channel\":\"%s\"}", c);
	slack_expect(t, rig, "pins.add", "bad_timestamp", "{\"channel\":\"%s\",\"timestamp\":\"x\"}", c);
	slack_expect(
	    t, rig, "pins.add", "message_not_found", "{\"channel\":\"%s\",\"timestamp\":\"1.000001\"}", c);
	slack_expect(t, rig, "pins.add", NULL, "{\"channel\":\"%s\",\"timestamp\":\"%s\"}", c, ts);
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "pin_added");
	slack_has(o, "payload.event.item.message.text", "hello");
	slack_has(o, "payload.event.pin_count", "1");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(
	    t, rig, "pins.add", "already_pinned", "{\"channel\":\"%s\",\"timestamp\":\"%s\"}", c, ts);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.0.pinned", "true");
	json_object_put(o);
	o = slack_call(t, rig, "pins.list", "{\"channel\":\"%s\"}", c);
	slack_has(o, "items.0.message.pinned_to.0", c);
	json_object_put(o);
	json_object_put(slack_control(
	    t, rig, "pin", "\"chat\":\"dev\",\"user\":\"bob\",\"message_id\":\"%s\",\"remove\":true", ts));
	slack_hear_event(t, w, "pin_removed");
	slack_expect(t, rig, "pins.remove", "not_pinned", "{\"channel\":\"%s\",\"timestamp\":\"%s\"}", c, ts);
	json_object_put(
	    slack_control(t, rig, "pin", "\"chat\":\"dev\",\"user\":\"bob\",\"message_id\":\"%s\"", ts));
	slack_hear_event(t, w, "pin_added");
	json_object_put(slack_control(t, rig, "delete", "\"chat\":\"dev\",\"message_id\":\"%s\"", ts));
	slack_hear_event(t, w, "message_deleted");
	o = slack_call(t, rig, "pins.list", "{\"channel\":\"%s\"}", c);
	slack_has(o, "items", "[ ]");
	json_object_put(o);
	free(ts);
	free(c);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(an_event_wants_its_scope)
{
	struct websocket *w = slack_attach(t, rig);
	const char *ts;

	slack_set(t, rig, "\"missing_scopes\":[\"pins:read\",\"channels:history\"]");
	ts = slack_say(t, rig, "unheard");
	slack_expect(
	    t, rig, "pins.add", NULL, "{\"channel\":\"%s\",\"timestamp\":\"%s\"}", slack_dev(t, rig), ts);
	slack_set(t, rig, "\"missing_scopes\":[]");
	json_object_put(slack_control(t, rig, "react",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"emoji\":\"eyes\"", ts));
	slack_hear_event(t, w, "reaction_added");
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(bookmarks_are_added_changed_listed_and_removed)
{
	struct json_object *o;
	char *c, *id;

	slack_say(t, rig, "hello");
	c = xstrdup(slack_dev(t, rig));
	slack_expect(t, rig, "bookmarks.add", "invalid_bookmark_type",
	    "{\"channel_id\":\"%s\",\"title\":\"T\",\"type\":\"file\"}", c);
	slack_expect(t, rig, "bookmarks.add", "invalid_link",
	    "{\"channel_id\":\"%s\",\"title\":\"T\",\"type\":\"link\",\"link\":\"x\"}", c);
	slack_expect(t, rig, "bookmarks.add", "invalid_emoji",
	    "{\"channel_id\":\"%s\",\"title\":\"T\",\"type\":\"link\",\"link\":\"https://"
	    "a.example\",\"emoji\":\"x\"}",
	    c);
	o = slack_call(t, rig, "bookmarks.add",
	    "{\"channel_id\":\"%s\",\"title\":\"T\",\"type\":\"link\",\"link\":\"https://"
	    "a.example\",\"emoji\":\":eyes:\"}",
	    c);
	slack_has(o, "bookmark.title", "T");
	id = xstrdup(slack_at(o, "bookmark.id"));
	json_object_put(o);
	slack_expect(t, rig, "bookmarks.edit", "not_found",
	    "{\"channel_id\":\"%s\",\"bookmark_id\":\"Bk0\",\"title\":\"U\"}", c);
	o = slack_call(t, rig, "bookmarks.edit",
	    "{\"channel_id\":\"%s\",\"bookmark_id\":\"%s\",\"title\":\"U\"}", c, id);
	slack_has(o, "bookmark.title", "U");
	slack_has(o, "bookmark.link", "https://a.example");
	json_object_put(o);
	o = slack_about(t, rig, "dev", "ann");
	slack_has(o, "bookmarks.0.title", "U");
	json_object_put(o);
	slack_expect(
	    t, rig, "bookmarks.remove", NULL, "{\"channel_id\":\"%s\",\"bookmark_id\":\"%s\"}", c, id);
	o = slack_call(t, rig, "bookmarks.list", "{\"channel_id\":\"%s\"}", c);
	slack_has(o, "bookmarks", "[ ]");
	json_object_put(o);
	free(id);
	free(c);
}

/* Schedules a text; the caller frees the id. */
static char *schedule(struct task *t, struct slack_rig *rig, const char *c, const char *text, int64_t in_s)
{
	struct json_object *o = slack_call(t, rig, "chat.scheduleMessage",
	    "{\"channel\":\"%s\",\"text\":\"%s\",\"post_at\":%lld}", c, text,
	    (long long)(clock_wall() / 1000 + in_s));
	char *id = xstrdup(slack_at(o, "scheduled_message_id"));

	slack_has(o, "message.text", text);
	json_object_put(o);
	return id;
}

SLACK_TEST(a_message_is_posted_at_its_time_also_after_a_restart)
{
	char data[] = "/tmp/slack-XXXXXX", *id, *c;
	struct websocket *w;
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	slack_set(t, rig, PATIENT);
	w = slack_attach(t, rig);
	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	c = xstrdup(slack_dev(t, rig));
	free(schedule(t, rig, c, "soon", 60));
	slack_pass(t, 59000);
	o = slack_about(t, rig, "dev", "ann");
	slack_has(o, "scheduled.0.text", "soon");
	json_object_put(o);
	slack_pass(t, 1000);
	o = slack_hear(t, w);
	slack_has(o, "payload.event.text", "soon");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	id = schedule(t, rig, c, "later", 120);
	websocket_close(t, w, 1000, "");
	slack_pass(t, 0);
	slack_rig_restart(t, rig, data);
	o = slack_call(t, rig, "chat.scheduledMessages.list", "{}");
	slack_has(o, "scheduled_messages.0.id", id);
	json_object_put(o);
	slack_pass(t, 120000);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.2.text", "later");
	json_object_put(o);
	free(id);
	free(c);
	slack_rig_forget(t, rig, data);
}

SLACK_TEST(scheduled_messages_have_limits_and_can_be_deleted_in_time)
{
	int64_t now = clock_wall() / 1000;
	struct json_object *o;
	char *c, *id;

	slack_set(t, rig, "\"limits\":false");
	slack_say(t, rig, "hello");
	c = xstrdup(slack_dev(t, rig));
	slack_expect(
	    t, rig, "chat.scheduleMessage", "invalid_time", "{\"channel\":\"%s\",\"text\":\"x\"}", c);
	slack_expect(t, rig, "chat.scheduleMessage", "time_in_past",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"post_at\":%lld}", c, (long long)now);
	slack_expect(t, rig, "chat.scheduleMessage", "time_too_far",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"post_at\":%lld}", c, (long long)(now + 120LL * 86400 + 2));
	slack_expect(t, rig, "chat.scheduleMessage", "no_text", "{\"channel\":\"%s\",\"post_at\":%lld}", c,
	    (long long)(now + 100));
	now += 300 - now % 300; /* the next window */
	for (int i = 0; i < 30; i++)
		slack_expect(t, rig, "chat.scheduleMessage", NULL,
		    "{\"channel\":\"%s\",\"text\":\"x\",\"post_at\":%lld}", c, (long long)(now + 200 + i));
	slack_expect(t, rig, "chat.scheduleMessage", "restricted_too_many",
	    "{\"channel\":\"%s\",\"text\":\"x\",\"post_at\":%lld}", c, (long long)(now + 299));
	slack_expect(t, rig, "chat.scheduleMessage", NULL,
	    "{\"channel\":\"%s\",\"text\":\"x\",\"post_at\":%lld}", c, (long long)(now + 300));
	o = slack_call(t, rig, "chat.scheduledMessages.list",
	    "{\"channel\":\"%s\",\"limit\":10,\"oldest\":\"%lld\"}", c, (long long)(now + 229));
	assert_int_equal(json_object_array_length(json_get_array(o, "scheduled_messages")), 2);
	id = xstrdup(slack_at(o, "scheduled_messages.0.id"));
	json_object_put(o);
	slack_expect(t, rig, "chat.scheduledMessages.list", "invalid_channel", "{\"channel\":\"C0NOWHERE\"}");
	slack_expect(t, rig, "chat.deleteScheduledMessage", NULL,
	    "{\"channel\":\"%s\",\"scheduled_message_id\":\"%s\"}", c, id);
	slack_expect(t, rig, "chat.deleteScheduledMessage", "invalid_scheduled_message_id",
	    "{\"channel\":\"%s\",\"scheduled_message_id\":\"%s\"}", c, id);
	free(id);
	id = schedule(t, rig, c, "now", 59);
	slack_expect(t, rig, "chat.deleteScheduledMessage", "invalid_scheduled_message_id",
	    "{\"channel\":\"%s\",\"scheduled_message_id\":\"%s\"}", c, id);
	free(id);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_channel_is_created_under_a_name_that_is_allowed),
	    cmocka_unit_test(people_are_invited_and_removed),
	    cmocka_unit_test(an_app_can_neither_invite_nor_remove_itself_nor_leave_a_channel_empty),
	    cmocka_unit_test(an_archived_channel_takes_nothing_until_it_is_back),
	    cmocka_unit_test(topic_purpose_and_name_are_told_and_kept),
	    cmocka_unit_test(each_kind_of_conversation_has_its_methods_and_scopes),
	    cmocka_unit_test(messages_are_pinned_by_apps_and_people),
	    cmocka_unit_test(an_event_wants_its_scope),
	    cmocka_unit_test(bookmarks_are_added_changed_listed_and_removed),
	    cmocka_unit_test(a_message_is_posted_at_its_time_also_after_a_restart),
	    cmocka_unit_test(scheduled_messages_have_limits_and_can_be_deleted_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
