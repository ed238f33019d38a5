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
#include "net/websocket/websocket.h"
#include "tests/playground/slack/slack_rig.h"

SLACK_TEST(people_are_found_by_email_and_have_profiles_and_presence)
{
	struct json_object *said = slack_control(t, rig, "say",
			       "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"Ann Lee\",\"text\":\"hi\""),
			   *o;
	const char *ann = slack_at(said, "user_id");

	o = slack_call(t, rig, "users.lookupByEmail", "{\"email\":\"ann.lee@playground.example\"}");
	slack_has(o, "user.id", ann);
	slack_has(o, "user.profile.email", "ann.lee@playground.example");
	json_object_put(o);
	slack_expect(
	    t, rig, "users.lookupByEmail", "users_not_found", "{\"email\":\"bob@playground.example\"}");
	o = slack_call(t, rig, "users.profile.get", "{\"user\":\"%s\"}", ann);
	slack_has(o, "profile.real_name", "Ann Lee");
	json_object_put(o);
	slack_expect(t, rig, "users.profile.get", "user_not_found", "{\"user\":\"U0NOBODY\"}");
	o = slack_call(t, rig, "users.getPresence", "{\"user\":\"%s\"}", ann);
	slack_has(o, "presence", "active");
	slack_has(o, "connection_count", "");
	json_object_put(o);
	json_object_put(
	    slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"away\",\"who\":\"Ann Lee\""));
	o = slack_call(t, rig, "users.getPresence", "{\"user\":\"%s\"}", ann);
	slack_has(o, "presence", "away");
	json_object_put(o);
	slack_expect(t, rig, "users.setPresence", "invalid_presence", "{\"presence\":\"busy\"}");
	slack_expect(t, rig, "users.setPresence", NULL, "{\"presence\":\"away\"}");
	o = slack_call(t, rig, "users.getPresence", "{}");
	slack_has(o, "manual_away", "true");
	json_object_put(o);
	slack_set(t, rig, "\"missing_scopes\":[\"users:read.email\"]");
	o = slack_call(t, rig, "users.profile.get", "{\"user\":\"%s\"}", ann);
	slack_has(o, "profile.email", "");
	json_object_put(o);
	slack_expect(
	    t, rig, "users.lookupByEmail", "missing_scope", "{\"email\":\"ann.lee@playground.example\"}");
	json_object_put(said);
}

SLACK_TEST(the_workspace_and_its_emoji_are_told)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o = slack_call(t, rig, "team.info", "{}");

	slack_has(o, "team.domain", "playground");
	json_object_put(o);
	slack_expect(t, rig, "team.info", "team_not_found", "{\"team\":\"T0OTHER\"}");
	o = slack_call(t, rig, "auth.teams.list", "{}");
	slack_has(o, "teams.0.name", "Playground");
	json_object_put(o);
	json_object_put(
	    slack_control(t, rig, "emoji", "\"name\":\"myna\",\"url\":\"https://a.example/m.png\""));
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "emoji_changed");
	slack_has(o, "payload.event.name", "myna");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	json_object_put(slack_control(t, rig, "emoji", "\"name\":\"bird\",\"alias\":\"myna\""));
	slack_hear_event(t, w, "add"); /* its subtype */
	o = slack_call(t, rig, "emoji.list", "{}");
	slack_has(o, "emoji.myna", "https://a.example/m.png");
	slack_has(o, "emoji.bird", "alias:myna");
	json_object_put(o);
	json_object_put(slack_control(t, rig, "emoji", "\"name\":\"bird\",\"remove\":true"));
	slack_control_refused(t, rig, "emoji", "there is no emoji bird", "\"name\":\"bird\",\"remove\":true");
	websocket_close(t, w, 1000, "");
}

static void hear_shared(struct task *t, struct websocket *w, const char *file)
{
	struct json_object *o = slack_hear(t, w);

	slack_acknowledge(t, w, o);
	slack_has(o, "payload.event.type", "file_shared");
	slack_has(o, "payload.event.file_id", file);
	slack_has(o, "payload.event.file.id", file);
	json_object_put(o);
}

SLACK_TEST(messages_files_and_clips_are_shared)
{
	struct websocket *w = slack_attach(t, rig);
	const char *said = slack_say(t, rig, "look *here*");
	struct json_object *o;
	char *id;

	slack_hear_event(t, w, "message");
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"Bea\",\"user\":\"Bea\",\"text\":\"read "
	    "this\",\"forward\":{\"chat\":\"dev\",\"message_id\":\"%s\"}",
	    said));
	slack_hear_event(t, w, "app_home_opened");
	o = slack_hear(t, w);
	slack_acknowledge(t, w, o);
	slack_has(o, "payload.event.text", "read this");
	slack_has(o, "payload.event.attachments.0.is_share", "true");
	slack_has(o, "payload.event.attachments.0.text", "look *here*");
	slack_has(o, "payload.event.attachments.0.author_subname", "ann");
	slack_has(o, "payload.event.attachments.0.ts", said);
	slack_has(o, "payload.event.attachments.0.message_blocks.0.message.blocks.0.type", "rich_text");
	json_object_put(o);
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"files\":[{\"name\":\"audio_message.m4a\",\"size\":9,"
	    "\"kind\":\"voice\",\"duration\":2.5}]"));
	o = slack_hear(t, w);
	slack_acknowledge(t, w, o);
	slack_has(o, "payload.event.subtype", "file_share");
	slack_has(o, "payload.event.files.0.subtype", "slack_audio");
	slack_has(o, "payload.event.files.0.mimetype", "audio/mp4");
	slack_has(o, "payload.event.files.0.media_display_type", "audio");
	slack_has(o, "payload.event.files.0.duration_ms", "2500");
	id = xstrdup(slack_at(o, "payload.event.files.0.id"));
	hear_shared(t, w, id);
	json_object_put(slack_control(t, rig, "say",
	    "\"chat\":\"Bea\",\"user\":\"Bea\",\"forward\":{\"chat\":\"dev\",\"message_id\":\"%s\",\"index\":"
	    "0}",
	    slack_at(o, "payload.event.ts")));
	json_object_put(o);
	o = slack_hear(t, w);
	slack_acknowledge(t, w, o);
	slack_has(o, "payload.event.subtype", "file_share");
	slack_has(o, "payload.event.files.0.id", id);
	json_object_put(o);
	hear_shared(t, w, id);
	slack_control_refused(t, rig, "say", "no such file",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"forward\":{\"message_id\":\"%s\",\"index\":0}", said);
	free(id);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(people_describe_channels_and_take_the_app_out)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	slack_say(t, rig, "hi");
	slack_hear_event(t, w, "message");
	json_object_put(
	    slack_control(t, rig, "chat", "\"chat\":\"dev\",\"user\":\"ann\",\"topic\":\"birds\""));
	o = slack_hear(t, w);
	slack_acknowledge(t, w, o);
	slack_has(o, "payload.event.subtype", "channel_topic");
	slack_has(o, "payload.event.topic", "birds");
	json_object_put(o);
	slack_control_refused(
	    t, rig, "chat", "sets the purpose of which channel", "\"chat\":\"dev\",\"purpose\":\"nests\"");
	json_object_put(
	    slack_control(t, rig, "chat", "\"chat\":\"dev\",\"user\":\"ann\",\"gone\":\"uninstalled\""));
	slack_hear_event(t, w, "app_uninstalled");
	slack_hear_event(t, w, "tokens_revoked");
	slack_expect(t, rig, "auth.test", "token_revoked", "{}");
	json_object_put(slack_control(t, rig, "chat", "\"chat\":\"dev\",\"user\":\"ann\",\"gone\":\"no\""));
	slack_expect(t, rig, "auth.test", NULL, "{}");
	websocket_close(t, w, 1000, "");
}

/* An app uploads a file and shares it in dev; the caller frees the id. */
static char *upload(struct task *t, struct slack_rig *rig, const char *name)
{
	char *body = xasprintf("filename=%s&length=3", name), *id;
	struct slack_reply reply, sent;

	slack_send(t, rig,
	    &(struct slack_request){.path = "/slack/api/files.getUploadURLExternal",
		.content_type = "application/x-www-form-urlencoded",
		.body = body},
	    &reply);
	id = xstrdup(slack_at(reply.json, "file_id"));
	slack_send(t, rig,
	    &(struct slack_request){.path = slack_at(reply.json, "upload_url"),
		.token = "",
		.content_type = "text/plain",
		.body = "abc"},
	    &sent);
	assert_int_equal(sent.status, 200);
	slack_expect(t, rig, "files.completeUploadExternal", NULL,
	    "{\"files\":[{\"id\":\"%s\"}],\"channel_id\":\"%s\"}", id, slack_dev(t, rig));
	slack_pass(t, 100);
	slack_reply_clear(&sent);
	slack_reply_clear(&reply);
	free(body);
	return id;
}

SLACK_TEST(files_are_listed_and_own_ones_deleted)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;
	char *mine, *hers;

	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	mine = upload(t, rig, "a.png");
	slack_hear_event(t, w, "file_share");
	slack_hear_event(t, w, "file_shared");
	o = slack_control(t, rig, "say",
	    "\"chat\":\"dev\",\"user\":\"ann\",\"text\":\"x\",\"files\":[{\"name\":\"b.txt\",\"size\":5}]");
	json_object_put(o);
	slack_hear_event(t, w, "file_share");
	slack_hear_event(t, w, "file_shared");
	o = slack_call(t, rig, "files.list", "{\"channel\":\"%s\"}", slack_dev(t, rig));
	slack_has(o, "paging.total", "2");
	slack_has(o, "files.1.id", mine);
	hers = xstrdup(slack_at(o, "files.0.id"));
	json_object_put(o);
	o = slack_call(t, rig, "files.list", "{\"types\":\"images,zips\",\"count\":1}");
	slack_has(o, "paging.total", "1");
	slack_has(o, "files.0.id", mine);
	json_object_put(o);
	o = slack_call(t, rig, "files.list", "{\"count\":1,\"page\":2}");
	slack_has(o, "paging.pages", "2");
	slack_has(o, "files.0.id", mine);
	json_object_put(o);
	slack_expect(t, rig, "files.list", "unknown_type", "{\"types\":\"films\"}");
	slack_expect(t, rig, "files.delete", "cant_delete_file", "{\"file\":\"%s\"}", hers);
	slack_expect(t, rig, "files.delete", "file_not_found", "{\"file\":\"F0NONE\"}");
	slack_expect(t, rig, "files.delete", NULL, "{\"file\":\"%s\"}", mine);
	slack_hear_event(t, w, "file_deleted");
	slack_expect(t, rig, "files.delete", "file_deleted", "{\"file\":\"%s\"}", mine);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.files.0.id", mine);
	slack_has(o, "messages.1.files.0.name", "");
	json_object_put(o);
	slack_expect(t, rig, "files.upload", "method_deprecated", "{}");
	free(mine);
	free(hers);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_link_of_the_app_is_told_and_unfurled)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;
	char *ts, *id;

	slack_set(t, rig, "\"unfurl_domains\":[\"example.com\"]");
	ts = xstrdup(slack_say(t, rig, "see https://docs.example.com/a?b=1 and https://other.org"));
	slack_hear_event(t, w, "message");
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "link_shared");
	slack_has(o, "payload.event.links.0.domain", "docs.example.com");
	slack_has(o, "payload.event.links.0.url", "https://docs.example.com/a?b=1");
	slack_has(o, "payload.event.links.1", "");
	slack_has(o, "payload.event.message_ts", ts);
	id = xstrdup(slack_at(o, "payload.event.unfurl_id"));
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(
	    t, rig, "chat.unfurl", "missing_ts", "{\"channel\":\"%s\",\"unfurls\":{}}", slack_dev(t, rig));
	slack_expect(t, rig, "chat.unfurl", "missing_unfurls", "{\"channel\":\"%s\",\"ts\":\"%s\"}",
	    slack_dev(t, rig), ts);
	slack_expect(t, rig, "chat.unfurl", "cannot_find_message",
	    "{\"channel\":\"%s\",\"ts\":\"1.000001\",\"unfurls\":{}}", slack_dev(t, rig));
	slack_expect(t, rig, "chat.unfurl", "cannot_unfurl_message",
	    "{\"unfurl_id\":\"%s\",\"source\":\"conversations_history\",\"unfurls\":{\"https://example.com/"
	    "z\":{\"title\":\"Z\"}}}",
	    id);
	slack_expect(t, rig, "chat.unfurl", "cannot_unfurl_url",
	    "{\"unfurl_id\":\"%s\",\"unfurls\":{\"https://other.org\":{\"title\":\"Z\"}}}", id);
	slack_expect(t, rig, "chat.unfurl", "cannot_parse_attachment",
	    "{\"unfurl_id\":\"%s\",\"unfurls\":{\"https://docs.example.com/a?b=1\":{\"blocks\":[{}]}}}", id);
	slack_expect(t, rig, "chat.unfurl", NULL,
	    "{\"unfurl_id\":\"%s\",\"unfurls\":\"{\\\"https://docs.example.com/"
	    "a?b=1\\\":{\\\"title\\\":\\\"A page\\\"}}\"}",
	    id);
	slack_hear_event(t, w, "message_changed");
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.0.attachments.0.title", "A page");
	slack_has(o, "messages.0.attachments.0.from_url", "https://docs.example.com/a?b=1");
	json_object_put(o);
	free(id);
	free(ts);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(reactions_are_listed_by_who_gave_them)
{
	const char *ts = slack_say(t, rig, "hello");
	char *more;
	struct json_object *o;

	slack_expect(t, rig, "reactions.add", NULL,
	    "{\"channel\":\"%s\",\"timestamp\":\"%s\",\"name\":\"eyes\"}", slack_dev(t, rig), ts);
	o = slack_call(t, rig, "reactions.list", "{}");
	slack_has(o, "items.0.message.ts", ts);
	slack_has(o, "items.0.message.reactions.0.name", "eyes");
	json_object_put(o);
	/* Each may give a message 23 of them. */
	more = xstrdup(slack_say(t, rig, "hello again"));
	for (int i = 1; i <= 24; i++)
		slack_expect(t, rig, "reactions.add", i <= 23 ? NULL : "too_many_reactions",
		    "{\"channel\":\"%s\",\"timestamp\":\"%s\",\"name\":\"e%d\"}", slack_dev(t, rig), more, i);
	free(more);
	slack_expect(t, rig, "reactions.list", "user_not_found", "{\"user\":\"U0NOBODY\"}");
}

SLACK_TEST(a_me_message_is_short_of_what_others_have)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;

	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	slack_expect(t, rig, "chat.meMessage", "no_text", "{\"channel\":\"%s\"}", slack_dev(t, rig));
	slack_expect(
	    t, rig, "chat.meMessage", NULL, "{\"channel\":\"%s\",\"text\":\"waves\"}", slack_dev(t, rig));
	o = slack_hear(t, w);
	slack_has(o, "payload.event.subtype", "me_message");
	slack_has(o, "payload.event.text", "waves");
	slack_has(o, "payload.event.app_id", "");
	json_object_put(o);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_revoked_token_is_good_no_more_until_the_reset)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o = slack_call(t, rig, "auth.revoke", "{\"test\":true}");
	struct slack_reply reply;

	slack_has(o, "revoked", "false");
	json_object_put(o);
	slack_expect(t, rig, "auth.revoke", NULL, "{}");
	slack_hear_event(t, w, "tokens_revoked");
	slack_expect(t, rig, "auth.test", "token_revoked", "{}");
	slack_send(t, rig, &(struct slack_request){.path = "/control/reset", .body = "{}"}, &reply);
	slack_reply_clear(&reply);
	slack_expect(t, rig, "auth.test", NULL, "{}");
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(calls_of_a_method_are_limited_by_its_tier)
{
	static const struct {
		const char *method;
		int burst;
		unsigned wait_s;
	} tiers[] = {{"emoji.list", 20, 3}, {"team.info", 50, 2}, {"users.profile.get", 100, 1}};
	struct slack_reply reply;

	for (size_t i = 0; i < ARRAY_LEN(tiers); i++) {
		char *path = xasprintf("/slack/api/%s", tiers[i].method);

		for (int n = 1; n <= tiers[i].burst; n++) {
			slack_expect(t, rig, tiers[i].method, NULL, "{}");
			if (n == tiers[i].burst * 4 / 5 - 1)
				slack_reported(t, rig, "near_limit", tiers[i].method, 0);
		}
		slack_reported(t, rig, "near_limit", tiers[i].method, tiers[i].burst / 5 + 1);
		slack_send(t, rig, &(struct slack_request){.path = path, .body = "{}"}, &reply);
		assert_int_equal(reply.status, 429);
		assert_int_equal(reply.retry_s, tiers[i].wait_s);
		slack_has(reply.json, "error", "ratelimited");
		slack_reply_clear(&reply);
		slack_set(t, rig, "\"limits\":false");
		slack_expect(t, rig, tiers[i].method, NULL, "{}");
		slack_set(t, rig, "\"limits\":true");
		free(path);
	}
}

SLACK_TEST(what_wants_the_token_of_a_person_is_refused_to_a_bot)
{
	slack_expect(t, rig, "users.profile.set", "not_allowed_token_type",
	    "{\"name\":\"status_text\",\"value\":\"x\"}");
	slack_expect(t, rig, "files.sharedPublicURL", "not_allowed_token_type", "{\"file\":\"F0\"}");
}

/* Only what Slack does not have is an unknown method. */
SLACK_TEST(what_slack_has_and_the_playground_has_not_says_so)
{
	static const struct {
		const char *method, *token, *error, *sentence;
		int status;
	} rows[] = {
	    {"canvases.create", NULL, "not_simulated", "canvases.create is not simulated", 400},
	    {"agents.conversations.create", NULL, "not_simulated", "is not simulated", 400},
	    {"oauth.v2.access", "", "not_simulated", "is not simulated", 400},
	    {"search.messages", NULL, "not_allowed_token_type", "search.messages wants a user's token", 200},
	    {"admin.users.list", NULL, "not_allowed_token_type", "wants a user's token", 200},
	    {"search.messages", "xoxp-1-2-3", "not_simulated", "the tokens of users", 400},
	    {"canvases.unheardOf", NULL, "unknown_method", "", 200},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *path = xasprintf("/slack/api/%s", rows[i].method);
		struct slack_reply reply;

		slack_send(t, rig,
		    &(struct slack_request){.path = path, .token = rows[i].token, .body = "{}"}, &reply);
		assert_int_equal(reply.status, rows[i].status);
		slack_has(reply.json, "error", rows[i].error);
		if (!strstr(slack_at(reply.json, "response_metadata.messages.0"), rows[i].sentence))
			fail_msg("%s: %s", rows[i].method, reply.text);
		slack_reply_clear(&reply);
		free(path);
	}
}

SLACK_TEST(user_groups_are_created_filled_mentioned_and_disabled)
{
	char data[] = "/tmp/slack-XXXXXX", *ann, *id;
	struct json_object *o;
	struct websocket *w;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	w = slack_attach(t, rig);
	slack_say(t, rig, "hi");
	slack_hear_event(t, w, "message");
	o = slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"active\",\"who\":\"ann\"");
	ann = xstrdup(slack_at(o, "user_id"));
	json_object_put(o);
	o = slack_call(t, rig, "usergroups.create", "{\"name\":\"Bird Friends\",\"channels\":\"%s\"}",
	    slack_dev(t, rig));
	slack_has(o, "usergroup.handle", "bird-friends");
	slack_has(o, "usergroup.channel_count", "1");
	slack_has(o, "usergroup.user_count", "");
	id = xstrdup(slack_at(o, "usergroup.id"));
	json_object_put(o);
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "subteam_created");
	slack_has(o, "payload.event.subteam.id", id);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(t, rig, "usergroups.create", "name_already_exists", "{\"name\":\"bird friends\"}");
	slack_expect(
	    t, rig, "usergroups.create", "handle_already_exists", "{\"name\":\"B\",\"handle\":\"ann\"}");
	slack_expect(t, rig, "usergroups.create", "bad_handle", "{\"name\":\"B\",\"handle\":\"No!\"}");
	slack_expect(t, rig, "usergroups.create", "invalid_channel_provided",
	    "{\"name\":\"B\",\"channels\":[\"C0NONE\"]}");
	slack_expect(t, rig, "usergroups.users.update", "no_users_provided",
	    "{\"usergroup\":\"%s\",\"users\":\"\"}", id);
	slack_expect(t, rig, "usergroups.users.update", "invalid_users",
	    "{\"usergroup\":\"%s\",\"users\":\"%s,U0NOBODY\"}", id, ann);
	slack_expect(t, rig, "usergroups.users.update", "no_such_subteam",
	    "{\"usergroup\":\"S0NONE\",\"users\":\"%s\"}", ann);
	o = slack_call(t, rig, "usergroups.users.update",
	    "{\"usergroup\":\"%s\",\"users\":[\"%s\",\"%s\"],\"include_count\":true}", id, ann, ann);
	slack_has(o, "usergroup.user_count", "1");
	json_object_put(o);
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "subteam_members_changed");
	slack_has(o, "payload.event.added_users.0", ann);
	slack_has(o, "payload.event.removed_users_count", "0");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_hear_event(t, w, "subteam_updated");
	slack_say(t, rig, "look, @bird-friends");
	o = slack_hear(t, w);
	assert_non_null(strstr(slack_at(o, "payload.event.text"), id));
	slack_acknowledge(t, w, o);
	json_object_put(o);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.text", "look, @bird-friends");
	json_object_put(o);
	websocket_close(t, w, 1000, "");
	slack_pass(t, 0);
	slack_rig_restart(t, rig, data);
	slack_expect(t, rig, "usergroups.update", NULL, "{\"usergroup\":\"%s\",\"name\":\"Birders\"}", id);
	o = slack_call(t, rig, "usergroups.list", "{\"include_users\":true}");
	slack_has(o, "usergroups.0.name", "Birders");
	slack_has(o, "usergroups.0.handle", "bird-friends");
	slack_has(o, "usergroups.0.users.0", ann);
	json_object_put(o);
	o = slack_call(t, rig, "usergroups.disable", "{\"usergroup\":\"%s\"}", id);
	assert_true(slack_at(o, "usergroup.deleted_by")[0] == 'U');
	json_object_put(o);
	slack_expect(t, rig, "usergroups.users.list", "no_such_subteam", "{\"usergroup\":\"%s\"}", id);
	o = slack_call(t, rig, "usergroups.list", "{}");
	slack_has(o, "usergroups.0.id", "");
	json_object_put(o);
	slack_expect(t, rig, "usergroups.enable", NULL, "{\"usergroup\":\"%s\"}", id);
	o = slack_call(t, rig, "usergroups.users.list", "{\"usergroup\":\"%s\"}", id);
	slack_has(o, "users.0", ann);
	json_object_put(o);
	slack_rig_forget(t, rig, data);
	free(ann);
	free(id);
}

static struct json_object *hear(struct task *t, struct websocket *w, const char *type)
{
	struct json_object *o = slack_hear(t, w);

	slack_has(o, "payload.event.type", type);
	slack_acknowledge(t, w, o);
	return o;
}

SLACK_TEST(who_joins_changes_and_leaves_the_workspace_is_told)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o;
	char *id;

	slack_say(t, rig, "hello");
	slack_hear_event(t, w, "message");
	json_object_put(
	    slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"join\",\"who\":\"eve\""));
	o = hear(t, w, "team_join");
	slack_has(o, "payload.event.user.name", "eve");
	slack_has(o, "payload.event.user.deleted", "false");
	id = xstrdup(slack_at(o, "payload.event.user.id"));
	json_object_put(o);
	slack_control_refused(t, rig, "member", "eve is in the workspace already",
	    "\"chat\":\"dev\",\"action\":\"join\",\"who\":\"eve\"");
	slack_control_refused(t, rig, "member", "say a new \"name\" that nobody has",
	    "\"chat\":\"dev\",\"action\":\"rename\",\"who\":\"eve\",\"name\":\"ann\"");
	json_object_put(slack_control(
	    t, rig, "member", "\"chat\":\"dev\",\"action\":\"rename\",\"who\":\"eve\",\"name\":\"Eva\""));
	o = hear(t, w, "user_change");
	slack_has(o, "payload.event.user.id", id);
	slack_has(o, "payload.event.user.profile.display_name", "Eva");
	json_object_put(o);
	json_object_put(
	    slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"disable\",\"who\":\"Eva\""));
	o = hear(t, w, "user_change");
	slack_has(o, "payload.event.user.deleted", "true");
	json_object_put(o);
	free(id);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(who_snoozes_is_told_by_dnd)
{
	struct websocket *w = slack_attach(t, rig);
	struct json_object *o = slack_control(t, rig, "say",
			       "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"ann\",\"text\":\"hi\""),
			   *said = o;
	const char *ann = slack_at(said, "user_id");
	char *path = xasprintf("users.%s.dnd_enabled", ann);

	slack_hear_event(t, w, "message");
	json_object_put(
	    slack_control(t, rig, "member", "\"chat\":\"dev\",\"action\":\"snooze\",\"who\":\"ann\""));
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "dnd_updated_user");
	slack_has(o, "payload.event.dnd_status.dnd_enabled", "true");
	slack_acknowledge(t, w, o);
	json_object_put(o);
	o = slack_call(t, rig, "dnd.info", "{\"user\":\"%s\"}", ann);
	slack_has(o, "snooze_enabled", "true");
	slack_has(o, "snooze_remaining", "3600");
	json_object_put(o);
	slack_expect(t, rig, "dnd.info", "user_not_found", "{\"user\":\"U0NOBODY\"}");
	slack_expect(t, rig, "dnd.teamInfo", "no_users_provided", "{\"users\":\"\"}");
	o = slack_call(t, rig, "dnd.teamInfo", "{\"users\":\"%s\"}", ann);
	slack_has(o, path, "true");
	json_object_put(o);
	slack_pass(t, 3600000);
	o = slack_call(t, rig, "dnd.info", "{\"user\":\"%s\"}", ann);
	slack_has(o, "snooze_enabled", "false");
	json_object_put(o);
	json_object_put(said);
	free(path);
	websocket_close(t, w, 1000, "");
}

SLACK_TEST(a_call_has_participants_until_it_ends)
{
	struct json_object *said = slack_control(t, rig, "say",
			       "\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"ann\",\"text\":\"hi\""),
			   *o;
	const char *ann = slack_at(said, "user_id");
	char *id;

	slack_expect(t, rig, "calls.add", "invalid_created_by",
	    "{\"external_unique_id\":\"1\",\"join_url\":\"https://a.example/1\"}");
	o = slack_call(t, rig, "calls.add",
	    "{\"external_unique_id\":\"1\",\"join_url\":\"https://a.example/"
	    "1\",\"title\":\"Daily\",\"created_by\":\"%s\","
	    "\"users\":[{\"slack_id\":\"%s\"}]}",
	    ann, ann);
	slack_has(o, "call.title", "Daily");
	id = xstrdup(slack_at(o, "call.id"));
	json_object_put(o);
	slack_expect(t, rig, "chat.postMessage", NULL,
	    "{\"channel\":\"%s\",\"text\":\"A call\",\"blocks\":[{\"type\":\"call\",\"call_id\":\"%s\"}]}",
	    slack_dev(t, rig), id);
	slack_expect(t, rig, "calls.participants.add", "bad_users",
	    "{\"id\":\"%s\",\"users\":[{\"slack_id\":\"%s\"}]}", id, ann);
	slack_expect(t, rig, "calls.participants.add", "user_not_found",
	    "{\"id\":\"%s\",\"users\":[{\"slack_id\":\"U0NOBODY\"}]}", id);
	slack_expect(t, rig, "calls.participants.add", NULL,
	    "{\"id\":\"%s\",\"users\":[{\"external_id\":\"x\",\"display_name\":\"Xi\"}]}", id);
	slack_expect(t, rig, "calls.participants.remove", NULL,
	    "{\"id\":\"%s\",\"users\":[{\"slack_id\":\"%s\"}]}", id, ann);
	slack_expect(t, rig, "calls.participants.remove", "bad_users",
	    "{\"id\":\"%s\",\"users\":[{\"slack_id\":\"%s\"}]}", id, ann);
	slack_expect(t, rig, "calls.update", NULL, "{\"id\":\"%s\",\"title\":\"Weekly\"}", id);
	o = slack_call(t, rig, "calls.info", "{\"id\":\"%s\"}", id);
	slack_has(o, "call.title", "Weekly");
	slack_has(o, "call.users.0.display_name", "Xi");
	json_object_put(o);
	slack_expect(t, rig, "calls.end", NULL, "{\"id\":\"%s\"}", id);
	slack_expect(t, rig, "calls.end", "inactive_call", "{\"id\":\"%s\"}", id);
	slack_expect(t, rig, "calls.info", "invalid_call_id", "{\"id\":\"R0NONE\"}");
	json_object_put(said);
	free(id);
}

SLACK_TEST(a_file_that_is_elsewhere_is_shared_by_its_own_id)
{
	char data[] = "/tmp/slack-XXXXXX";
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	slack_say(t, rig, "hi");
	o = slack_call(t, rig, "files.remote.add",
	    "{\"external_id\":\"doc-1\",\"external_url\":\"https://a.example/doc\",\"title\":\"Plan.pdf\"}");
	slack_has(o, "file.is_external", "true");
	slack_has(o, "file.external_url", "https://a.example/doc");
	slack_has(o, "file.filetype", "pdf");
	json_object_put(o);
	slack_expect(
	    t, rig, "files.remote.info", "too_many_ids", "{\"external_id\":\"doc-1\",\"file\":\"F1\"}");
	slack_expect(t, rig, "files.remote.info", "invalid_args", "{}");
	slack_expect(
	    t, rig, "files.remote.update", NULL, "{\"external_id\":\"doc-1\",\"title\":\"Plan B.pdf\"}");
	slack_expect(t, rig, "files.remote.share", "channel_not_found",
	    "{\"external_id\":\"doc-1\",\"channels\":\"C0NONE\"}");
	slack_expect(t, rig, "files.remote.share", NULL, "{\"external_id\":\"doc-1\",\"channels\":\"%s\"}",
	    slack_dev(t, rig));
	slack_rig_restart(t, rig, data);
	o = slack_transcript(t, rig, "dev");
	slack_has(o, "messages.1.files.0.title", "Plan B.pdf");
	json_object_put(o);
	o = slack_call(t, rig, "files.remote.list", "{\"channel\":\"%s\"}", slack_dev(t, rig));
	slack_has(o, "files.0.external_id", "doc-1");
	json_object_put(o);
	slack_expect(t, rig, "files.remote.remove", NULL, "{\"external_id\":\"doc-1\"}");
	slack_expect(t, rig, "files.remote.info", "file_not_found", "{\"external_id\":\"doc-1\"}");
	slack_rig_forget(t, rig, data);
}

SLACK_TEST(what_little_there_is_to_say_of_the_workspace_is_said)
{
	struct json_object *o = slack_call(t, rig, "team.profile.get", "{}");
	struct slack_reply reply;

	slack_has(o, "profile.fields", "[ ]");
	json_object_put(o);
	o = slack_call(t, rig, "team.preferences.list", "{}");
	slack_has(o, "allow_message_deletion", "true");
	json_object_put(o);
	o = slack_call(t, rig, "assistant.search.info", "{}");
	slack_has(o, "is_ai_search_enabled", "false");
	json_object_put(o);
	slack_expect(t, rig, "users.setActive", NULL, "{}");
	for (int i = 0; i < 2; i++) {
		slack_send(t, rig,
		    &(struct slack_request){.path = "/slack/api/apps.event.authorizations.list",
			.token = APP_TOKEN,
			.body =
			    i == 0 ? "{\"event_context\":\"4-playground\"}" : "{\"event_context\":\"x\"}"},
		    &reply);
		slack_has(reply.json, "error", i == 0 ? "" : "invalid_event_context");
		slack_has(reply.json, "authorizations.0.is_bot", i == 0 ? "true" : "");
		slack_reply_clear(&reply);
	}
}

SLACK_TEST(a_person_opens_the_thread_of_an_app_and_presses_what_it_suggests)
{
	char data[] = "/tmp/slack-XXXXXX", *thread, *im;
	struct json_object *o;
	struct websocket *w;

	assert_non_null(mkdtemp(data));
	slack_rig_restart(t, rig, data);
	w = slack_attach(t, rig);
	slack_say(t, rig, "hi");
	slack_hear_event(t, w, "message");
	o = slack_control(t, rig, "assistant", "\"user\":\"Bea\",\"context\":\"dev\"");
	thread = xstrdup(slack_at(o, "thread"));
	im = xstrdup(slack_at(o, "chat_id"));
	json_object_put(o);
	slack_hear_event(t, w, "app_home_opened");
	o = slack_hear(t, w);
	slack_has(o, "payload.event.type", "assistant_thread_started");
	slack_has(o, "payload.event.assistant_thread.channel_id", im);
	slack_has(o, "payload.event.assistant_thread.thread_ts", thread);
	slack_has(o, "payload.event.assistant_thread.context.channel_id", slack_dev(t, rig));
	slack_acknowledge(t, w, o);
	json_object_put(o);
	slack_expect(t, rig, "assistant.threads.setTitle", NULL,
	    "{\"channel_id\":\"%s\",\"thread_ts\":\"%s\",\"title\":\"Birds\"}", im, thread);
	slack_expect(t, rig, "assistant.threads.setSuggestedPrompts", NULL,
	    "{\"channel_id\":\"%s\",\"thread_ts\":\"%s\",\"title\":\"Try\",\"prompts\":[{\"title\":\"Sing\","
	    "\"message\":\"Sing me "
	    "a song\"}]}",
	    im, thread);
	json_object_put(slack_control(t, rig, "assistant", "\"user\":\"Bea\",\"thread\":\"%s\"", thread));
	slack_hear_event(t, w, "assistant_thread_context_changed");
	slack_control_refused(t, rig, "press", "no prompt \"Dance\"",
	    "\"chat\":\"Bea\",\"user\":\"Bea\",\"thread\":\"%s\",\"button\":\"Dance\"", thread);
	json_object_put(slack_control(t, rig, "press",
	    "\"chat\":\"Bea\",\"user\":\"Bea\",\"thread\":\"%s\",\"button\":\"Sing\"", thread));
	o = slack_hear(t, w);
	slack_has(o, "payload.event.text", "Sing me a song");
	slack_has(o, "payload.event.thread_ts", thread);
	slack_acknowledge(t, w, o);
	json_object_put(o);
	websocket_close(t, w, 1000, "");
	slack_pass(t, 0);
	slack_rig_restart(t, rig, data);
	o = slack_transcript(t, rig, "Bea");
	slack_has(o, "messages.0.id", thread);
	slack_has(json_get_object(json_get_object(o, "assistant"), thread), "title", "Birds");
	slack_has(json_get_object(json_get_object(o, "assistant"), thread), "prompts.0.title", "Sing");
	json_object_put(o);
	slack_control_refused(
	    t, rig, "assistant", "in a direct message", "\"chat\":\"dev\",\"user\":\"Bea\"");
	slack_rig_forget(t, rig, data);
	free(thread);
	free(im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(people_are_found_by_email_and_have_profiles_and_presence),
	    cmocka_unit_test(the_workspace_and_its_emoji_are_told),
	    cmocka_unit_test(messages_files_and_clips_are_shared),
	    cmocka_unit_test(people_describe_channels_and_take_the_app_out),
	    cmocka_unit_test(files_are_listed_and_own_ones_deleted),
	    cmocka_unit_test(a_link_of_the_app_is_told_and_unfurled),
	    cmocka_unit_test(reactions_are_listed_by_who_gave_them),
	    cmocka_unit_test(a_me_message_is_short_of_what_others_have),
	    cmocka_unit_test(a_revoked_token_is_good_no_more_until_the_reset),
	    cmocka_unit_test(calls_of_a_method_are_limited_by_its_tier),
	    cmocka_unit_test(what_wants_the_token_of_a_person_is_refused_to_a_bot),
	    cmocka_unit_test(what_slack_has_and_the_playground_has_not_says_so),
	    cmocka_unit_test(user_groups_are_created_filled_mentioned_and_disabled),
	    cmocka_unit_test(who_joins_changes_and_leaves_the_workspace_is_told),
	    cmocka_unit_test(who_snoozes_is_told_by_dnd),
	    cmocka_unit_test(a_call_has_participants_until_it_ends),
	    cmocka_unit_test(a_file_that_is_elsewhere_is_shared_by_its_own_id),
	    cmocka_unit_test(what_little_there_is_to_say_of_the_workspace_is_said),
	    cmocka_unit_test(a_person_opens_the_thread_of_an_app_and_presses_what_it_suggests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
