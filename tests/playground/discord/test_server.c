/* What bots do with a guild as a whole: its settings and log, events, rules, invites, voice; and what stays
 * over a restart. */
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
#include "tests/playground/discord/discord_rig.h"

static void has_once(struct json_object *o, const char *path, const char *text)
{
	discord_has(o, path, text);
	json_object_put(o);
}

static void done(struct json_object *o)
{
	json_object_put(o);
}

/* The guild of the group dev, which the bot runs. */
static const char *guild_of(struct task *t, struct discord_rig *rig)
{
	const char *dev = discord_dev(t, rig);

	discord_set(t, rig, "\"limits\":false");
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"promote\"");
	return discord_keep(discord_call(t, rig, 200, "GET /channels/%s", dev), "guild_id");
}

static void demote(struct task *t, struct discord_rig *rig)
{
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"demote\"");
}

static const char *channel_of(struct task *t, struct discord_rig *rig, const char *g, int type)
{
	return discord_keep(discord_call(t, rig, 201,
				"POST /guilds/%s/channels {\"name\":\"c%d\",\"type\":%d}", g, type, type),
	    "id");
}

static struct json_object *hear_until(struct task *t, struct websocket *w, const char *name)
{
	for (;;) {
		struct json_object *o = discord_hear(t, w);

		if (strcmp(discord_at(o, "t"), name) == 0)
			return o;
		json_object_put(o);
	}
}

DISCORD_TEST(scheduled_events_need_a_place_and_a_time)
{
	const char *g = guild_of(t, rig), *id, *voice = channel_of(t, rig, g, 2);
	struct websocket *w;

	discord_invalid(t, rig, "entity_metadata", "BASE_TYPE_REQUIRED",
	    "POST /guilds/%s/scheduled-events "
	    "{\"name\":\"e\",\"privacy_level\":2,\"entity_type\":3,\"scheduled_start_time\":"
	    "\"2026-10-01T10:00:00Z\"}",
	    g);
	discord_invalid(t, rig, "scheduled_start_time", "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST",
	    "POST /guilds/%s/scheduled-events "
	    "{\"name\":\"e\",\"privacy_level\":2,\"entity_type\":2,\"channel_id\":\"%s\","
	    "\"scheduled_start_time\":\"2020-10-01T10:00:00Z\"}",
	    g, voice);
	w = discord_login(t, rig, "65537", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	id =
	    discord_keep(discord_call(t, rig, 200,
			     "POST /guilds/%s/scheduled-events "
			     "{\"name\":\"e\",\"privacy_level\":2,\"entity_type\":3,\"scheduled_start_time\":"
			     "\"2026-10-01T10:00:00Z\",\"scheduled_end_time\":\"2026-10-01T12:00:00Z\","
			     "\"entity_metadata\":{\"location\":\"Park\"}}",
			     g),
		"id");
	has_once(discord_hear_event(t, w, "GUILD_SCHEDULED_EVENT_CREATE"), "d.id", id);
	discord_order(
	    t, rig, "attend", "\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"Ann\",\"event\":\"%s\"", id);
	has_once(
	    discord_hear_event(t, w, "GUILD_SCHEDULED_EVENT_USER_ADD"), "d.guild_scheduled_event_id", id);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/scheduled-events?with_user_count=true", g),
	    "0.user_count", "1");
	has_once(
	    discord_call(t, rig, 200, "GET /guilds/%s/scheduled-events/%s/users?with_member=true", g, id),
	    "0.member.user.global_name", "Ann");
	discord_invalid(t, rig, "status", "TRANSITION_INVALID_GUILD_EVENT_STATUS",
	    "PATCH /guilds/%s/scheduled-events/%s {\"status\":3}", g, id);
	has_once(discord_call(t, rig, 200, "PATCH /guilds/%s/scheduled-events/%s {\"status\":2}", g, id),
	    "status", "2");
	done(discord_call(t, rig, 200, "PATCH /guilds/%s/scheduled-events/%s {\"status\":3}", g, id));
	discord_refused(t, rig, 400, 180000, "PATCH /guilds/%s/scheduled-events/%s {\"name\":\"x\"}", g, id);
	done(discord_call(t, rig, 204, "DELETE /guilds/%s/scheduled-events/%s", g, id));
	discord_refused(t, rig, 404, 10070, "GET /guilds/%s/scheduled-events/%s", g, id);
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(events_that_are_over_leave_room_for_others)
{
	static const char event[] =
	    "{\"name\":\"e\",\"privacy_level\":2,\"entity_type\":3,\"scheduled_start_time\":"
	    "\"2026-10-01T10:00:00Z\",\"scheduled_end_time\":\"2026-10-01T12:00:00Z\","
	    "\"entity_metadata\":{\"location\":\"Park\"}}";
	char *g = xstrdup(guild_of(t, rig));
	const char *id = NULL;

	for (int i = 0; i < 100; i++)
		id = discord_keep(
		    discord_call(t, rig, 200, "POST /guilds/%s/scheduled-events %s", g, event), "id");
	discord_refused(t, rig, 400, 30038, "POST /guilds/%s/scheduled-events %s", g, event);
	done(discord_call(t, rig, 200, "PATCH /guilds/%s/scheduled-events/%s {\"status\":4}", g, id));
	done(discord_call(t, rig, 200, "POST /guilds/%s/scheduled-events %s", g, event));
	discord_refused(t, rig, 400, 30038, "POST /guilds/%s/scheduled-events %s", g, event);
	free(g);
}

/* POST /control/say of Ann in dev must fail with that text. */
static void blocked(struct task *t, struct discord_rig *rig, const char *text, const char *why)
{
	char *body =
	    xasprintf("{\"platform\":\"discord\",\"chat\":\"dev\",\"user\":\"ann\",\"text\":\"%s\"}", text);
	struct discord_reply reply;

	discord_send(t, rig,
	    &(struct discord_request){.method = "POST", .path = "/control/say", .body = body}, &reply);
	assert_int_equal(reply.status, 400);
	if (!strstr(reply.text, why))
		fail_msg("\"%s\" is not in %s", why, reply.text);
	discord_reply_clear(&reply);
	free(body);
}

DISCORD_TEST(a_poll_that_the_platform_refuses_is_refused_to_people)
{
	char answer[250] = "", *text;

	memset(answer, 'a', sizeof(answer) - 1);
	discord_dev(t, rig);
	text = xasprintf(
	    "\",\"poll\":{\"question\":\"Tea?\",\"answers\":[\"%s\"]},\"thread\":\"general", answer);
	blocked(t, rig, text, "does not take that poll");
	free(text);
}

DISCORD_TEST(rules_block_report_and_silence)
{
	const char *g = guild_of(t, rig), *dev = discord_dev(t, rig), *alerts = channel_of(t, rig, g, 0),
		   *rule;
	struct websocket *w;
	struct json_object *o;

	rule = discord_keep(
	    discord_call(t, rig, 200,
		"POST /guilds/%s/auto-moderation/rules "
		"{\"name\":\"words\",\"event_type\":1,\"trigger_type\":1,\"enabled\":"
		"true,\"trigger_metadata\":{\"keyword_filter\":[\"spam*\"],\"allow_list\":[\"spam "
		"can\"]},\"actions\":[{"
		"\"type\":1,\"metadata\":{}},{\"type\":2,\"metadata\":{\"channel_id\":\"%s\"}}]}",
		g, alerts),
	    "id");
	w = discord_login(t, rig, "2097153", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	blocked(t, rig, "buy Spammer now", "auto moderation");
	o = discord_hear_event(t, w, "AUTO_MODERATION_ACTION_EXECUTION");
	discord_has(o, "d.matched_keyword", "spam*");
	discord_has(o, "d.content", "buy Spammer now");
	json_object_put(o);
	has_once(hear_until(t, w, "AUTO_MODERATION_ACTION_EXECUTION"), "d.action.type", "2");
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages", alerts), "0.type", "24");
	discord_say(t, rig, "a spam can");
	{
		char *edit = xasprintf("spam now\",\"edit\":\"%s", discord_say(t, rig, "antispam"));

		blocked(t, rig, edit, "auto moderation");
		free(edit);
	}
	has_once(
	    discord_call(t, rig, 200, "GET /channels/%s/messages?limit=1", dev), "0.content", "antispam");
	done(discord_call(
	    t, rig, 200, "POST /channels/%s/messages {\"content\":\"spam\"}", dev)); /* who runs the guild */
	demote(t, rig);
	discord_refused(t, rig, 400, 200000, "POST /channels/%s/messages {\"content\":\"spam\"}", dev);
	discord_refused(t, rig, 403, 50013, "GET /guilds/%s/auto-moderation/rules", g);
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"promote\"");
	has_once(discord_call(t, rig, 200,
		     "PATCH /guilds/%s/auto-moderation/rules/%s "
		     "{\"actions\":[{\"type\":3,\"metadata\":{\"duration_seconds\":60}}]}",
		     g, rule),
	    "name", "words");
	discord_say(t, rig, "spam");
	blocked(t, rig, "more", "timed out");
	discord_pass(t, 61000);
	discord_say(t, rig, "again");
	done(discord_call(t, rig, 204, "DELETE /guilds/%s/auto-moderation/rules/%s", g, rule));
	discord_refused(t, rig, 404, 0, "GET /guilds/%s/auto-moderation/rules/%s", g, rule);
	discord_say(t, rig, "spam");
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(a_pattern_of_a_rule_costs_little_and_is_of_rust)
{
	static const char body[] =
	    "{\"name\":\"words\",\"event_type\":1,\"trigger_type\":1,\"enabled\":true,\"trigger_metadata\":{"
	    "\"regex_patterns\":[\"%s\"]},\"actions\":[{\"type\":1,\"metadata\":{}}]}";
	static const struct {
		const char *pattern, *why;
	} wrong[] = {
	    {"((((a{1,60}){1,60}){1,60}){1,60})", "too large"},
	    {"a(?=b)", "look-around, including look-ahead and look-behind, is not supported"},
	    {"(?<!a)b", "look-around"},
	    {"(a)\\\\1", "backreferences are not supported"},
	    {"\\\\Ka", "unrecognized escape sequence"},
	    {"(*UCP)a", "repetition operator missing expression"},
	    {"(?#x)", "unrecognized flag"},
	    {"(a", "closing parenthesis"},
	};
	const char *g = guild_of(t, rig), *rule;
	struct json_object *o;

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *text = xasprintf(body, wrong[i].pattern);

		o = discord_call(t, rig, 400, "POST /guilds/%s/auto-moderation/rules %s", g, text);
		if (!strstr(json_object_get_string(o), wrong[i].why))
			fail_msg("\"%s\" is not in %s", wrong[i].why, json_object_get_string(o));
		done(o);
		free(text);
	}
	{
		/* A text on which each of the patterns goes back over all of it, again and again. */
		char as[1900],
		    *text =
			xasprintf(body, "(a+)+$\",\"(?i)(?P<x>(a|aa)+)\\\\u{62}\",\"[^]\\\\d]{3}\\\\bfoo");

		memset(as, 'a', sizeof(as));
		memcpy(as + sizeof(as) - 3, "!!", 3);
		rule = discord_keep(
		    discord_call(t, rig, 200, "POST /guilds/%s/auto-moderation/rules %s", g, text), "id");
		discord_say(t, rig, as);
		blocked(t, rig, "look: AAb", "auto moderation");
		blocked(t, rig, "abc", "auto moderation");
		blocked(t, rig, "a; -foo", "auto moderation");
		discord_say(t, rig, "a; 7foo");
		free(text);
	}
	discord_refused(t, rig, 400, 50035,
	    "PATCH /guilds/%s/auto-moderation/rules/%s {\"trigger_metadata\":{\"regex_patterns\":[\"(\"]}}",
	    g, rule);
}

DISCORD_TEST(invites_last_as_long_as_they_say)
{
	const char *g = guild_of(t, rig), *dev = discord_dev(t, rig), *code;

	code = discord_keep(
	    discord_call(t, rig, 200, "POST /channels/%s/invites {\"max_age\":60}", dev), "code");
	has_once(discord_call(t, rig, 200, "POST /channels/%s/invites {\"max_age\":60}", dev), "code", code);
	has_once(discord_call(t, rig, 200, "GET /invites/%s?with_counts=true", code), "guild.id", g);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/invites", dev), "0.code", code);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/invites", g), "0.code", code);
	discord_pass(t, 61000);
	discord_refused(t, rig, 404, 10006, "GET /invites/%s", code);
	code = discord_keep(discord_call(t, rig, 200, "POST /channels/%s/invites {}", dev), "code");
	has_once(discord_call(t, rig, 200, "DELETE /invites/%s", code), "code", code);
	discord_refused(t, rig, 404, 10006, "DELETE /invites/%s", code);
}

DISCORD_TEST(the_log_says_who_did_what_and_why)
{
	const char *g = guild_of(t, rig), *role;
	struct json_object *o;

	role = discord_keep(discord_call(t, rig, 200, "POST /guilds/%s/roles {\"name\":\"a\"}", g), "id");
	done(discord_call(t, rig, 200, "PATCH /guilds/%s/roles/%s {\"name\":\"b\"}", g, role));
	o = discord_call(t, rig, 200, "GET /guilds/%s/audit-logs?limit=1", g);
	discord_has(o, "audit_log_entries.0.action_type", "31");
	discord_has(o, "audit_log_entries.0.target_id", role);
	discord_has(o, "audit_log_entries.0.changes.0.key", "name");
	discord_has(o, "audit_log_entries.0.changes.0.old_value", "a");
	discord_has(o, "users.0.id", "900");
	json_object_put(o);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/audit-logs?action_type=30", g),
	    "audit_log_entries.0.target_id", role);
	demote(t, rig);
	discord_refused(t, rig, 403, 50013, "GET /guilds/%s/audit-logs", g);
}

DISCORD_TEST(settings_of_a_guild_are_kept)
{
	const char *g = guild_of(t, rig), *dev = discord_dev(t, rig), *code;

	has_once(discord_call(t, rig, 200,
		     "PATCH /guilds/%s {\"name\":\"New\",\"description\":\"d\",\"afk_timeout\":60}", g),
	    "description", "d");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s?with_counts=true", g), "name", "New");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/preview", g), "description", "d");
	discord_refused(t, rig, 403, 50004, "GET /guilds/%s/widget.json", g);
	has_once(discord_call(
		     t, rig, 200, "PATCH /guilds/%s/widget {\"enabled\":true,\"channel_id\":\"%s\"}", g, dev),
	    "enabled", "true");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/widget.json", g), "name", "New");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s", g), "widget_enabled", "true");
	has_once(discord_call(t, rig, 200,
		     "PATCH /guilds/%s/welcome-screen "
		     "{\"enabled\":true,\"description\":\"hi\",\"welcome_channels\":[{\"channel_id\":"
		     "\"%s\",\"description\":\"here\"}]}",
		     g, dev),
	    "welcome_channels.0.description", "here");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/welcome-screen", g), "description", "hi");
	has_once(discord_call(t, rig, 200, "PUT /guilds/%s/onboarding {\"enabled\":false,\"mode\":1}", g),
	    "mode", "1");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/onboarding", g), "guild_id", g);
	done(discord_call(t, rig, 200,
	    "PUT /guilds/%s/incident-actions {\"invites_disabled_until\":\"2026-10-01T10:00:00Z\"}", g));
	done(discord_call(t, rig, 200, "GET /guilds/%s/vanity-url", g));
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/integrations", g), "0.application.id", "900");
	code =
	    discord_keep(discord_call(t, rig, 200, "POST /guilds/%s/templates {\"name\":\"t\"}", g), "code");
	discord_refused(t, rig, 400, 30031, "POST /guilds/%s/templates {\"name\":\"t\"}", g);
	has_once(discord_call(t, rig, 200, "GET /guilds/templates/%s", code), "serialized_source_guild.name",
	    "New");
	done(discord_call(t, rig, 200, "PUT /guilds/%s/templates/%s", g, code));
	has_once(discord_call(t, rig, 200, "DELETE /guilds/%s/templates/%s", g, code), "name", "t");
	discord_refused(t, rig, 404, 10057, "GET /guilds/templates/%s", code);
}

DISCORD_TEST(people_and_stages_are_in_voice_channels)
{
	const char *g = guild_of(t, rig), *voice = channel_of(t, rig, g, 2),
		   *stage = channel_of(t, rig, g, 13), *ann;

	ann = discord_keep(discord_control(t, rig, "say",
			       "\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"Ann\",\"text\":\"x\""),
	    "user_id");
	discord_refused(t, rig, 404, 10065, "GET /guilds/%s/voice-states/%s", g, ann);
	discord_refused(
	    t, rig, 400, 40032, "PATCH /guilds/%s/members/%s {\"channel_id\":\"%s\"}", g, ann, stage);
	discord_order(
	    t, rig, "voice", "\"chat\":\"%s\",\"kind\":\"group\",\"user\":\"Ann\",\"self_mute\":true", voice);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/voice-states/%s", g, ann), "self_mute", "true");
	done(discord_call(t, rig, 200, "PATCH /guilds/%s/members/%s {\"channel_id\":\"%s\"}", g, ann, stage));
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/voice-states/%s", g, ann), "suppress", "true");
	done(discord_call(t, rig, 204,
	    "PATCH /guilds/%s/voice-states/%s {\"channel_id\":\"%s\",\"suppress\":false}", g, ann, stage));
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/voice-states/%s", g, ann), "suppress", "false");
	has_once(discord_call(
		     t, rig, 200, "POST /stage-instances {\"channel_id\":\"%s\",\"topic\":\"talk\"}", stage),
	    "topic", "talk");
	discord_refused(
	    t, rig, 400, 150006, "POST /stage-instances {\"channel_id\":\"%s\",\"topic\":\"talk\"}", stage);
	has_once(discord_call(t, rig, 200, "PATCH /stage-instances/%s {\"topic\":\"more\"}", stage), "topic",
	    "more");
	done(discord_call(t, rig, 204, "DELETE /stage-instances/%s", stage));
	discord_refused(t, rig, 404, 10067, "GET /stage-instances/%s", stage);
	has_once(discord_call(t, rig, 200, "GET /voice/regions"), "0.id", "brazil");
	has_once(discord_call(t, rig, 200, "GET /soundboard-default-sounds"), "0.name", "quack");
	discord_refused(
	    t, rig, 400, 40032, "POST /channels/%s/send-soundboard-sound {\"sound_id\":\"1\"}", voice);
}

DISCORD_TEST(an_application_has_settings_and_entitlements)
{
	static const char *const no_skus[] = {"0", "9223372036854775808"};
	const char *id;

	discord_dev(t, rig);
	discord_set(t, rig, "\"limits\":false");
	has_once(discord_call(t, rig, 200,
		     "PATCH /applications/@me {\"tags\":[\"fun\"],\"icon\":\"data:image/png;base64,AA==\"}"),
	    "tags.0", "fun");
	has_once(discord_call(t, rig, 200, "PATCH /applications/@me {\"description\":\"Answers\"}"),
	    "description", "Answers");
	discord_refused(t, rig, 403, 20012, "GET /applications/5");
	has_once(discord_call(t, rig, 200, "PATCH /users/@me {\"username\":\"Robo\"}"), "username", "Robo");
	has_once(discord_call(t, rig, 200, "GET /users/900"), "username", "Robo");
	done(discord_call(t, rig, 200,
	    "PUT /applications/900/role-connections/metadata "
	    "[{\"key\":\"k\",\"name\":\"n\",\"description\":\"d\",\"type\":1}]"));
	has_once(discord_call(t, rig, 200, "GET /applications/900/role-connections/metadata"), "0.key", "k");
	id = discord_keep(discord_call(t, rig, 200,
			      "POST /applications/900/entitlements "
			      "{\"sku_id\":\"5\",\"owner_id\":\"77\",\"owner_type\":2}"),
	    "id");
	has_once(discord_call(t, rig, 200, "GET /applications/900/entitlements?user_id=77"), "0.id", id);
	has_once(discord_call(t, rig, 200, "GET /applications/900/entitlements?user_id=78"), "", "[ ]");
	for (size_t i = 0; i < ARRAY_LEN(no_skus); i++)
		discord_refused(t, rig, 404, 10027,
		    "POST /applications/900/entitlements "
		    "{\"sku_id\":\"%s\",\"owner_id\":\"77\",\"owner_type\":2}",
		    no_skus[i]);
	has_once(discord_call(t, rig, 200, "GET /applications/900/entitlements?sku_ids=5"), "0.id", id);
	has_once(discord_call(t, rig, 200, "GET /applications/900/entitlements?sku_ids=1"), "", "[ ]");
	done(discord_call(t, rig, 204, "POST /applications/900/entitlements/%s/consume", id));
	has_once(discord_call(t, rig, 200, "GET /applications/900/entitlements/%s", id), "consumed", "true");
	done(discord_call(t, rig, 204, "DELETE /applications/900/entitlements/%s", id));
	has_once(discord_call(t, rig, 200, "GET /applications/900/entitlements"), "", "[ ]");
}

DISCORD_TEST(messages_are_searched_in_a_guild)
{
	const char *g = guild_of(t, rig), *id = discord_say(t, rig, "the Needle");
	struct json_object *o;

	discord_say(t, rig, "hay");
	o = discord_call(t, rig, 200, "GET /guilds/%s/messages/search?content=needle", g);
	discord_has(o, "total_results", "1");
	discord_has(o, "messages.0.0.id", id);
	json_object_put(o);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/messages/search?sort_order=asc", g),
	    "messages.0.0.id", id);
}

DISCORD_TEST(what_was_made_is_there_after_a_restart)
{
	char data[] = "/tmp/test-discord-XXXXXX";
	const char *g, *role, *dev, *poll, *forum;
	struct json_object *o;

	assert_non_null(mkdtemp(data));
	discord_rig_restart(t, rig, data);
	g = guild_of(t, rig);
	dev = discord_dev(t, rig);
	role = discord_keep(discord_call(t, rig, 200, "POST /guilds/%s/roles {\"name\":\"kept\"}", g), "id");
	forum = channel_of(t, rig, g, 15);
	done(discord_call(
	    t, rig, 204, "PUT /channels/%s/permissions/%s {\"type\":0,\"deny\":\"2048\"}", forum, role));
	poll = discord_keep(discord_call(t, rig, 200,
				"POST /channels/%s/messages "
				"{\"poll\":{\"question\":{\"text\":\"Tea?\"},\"answers\":[{\"poll_media\":{"
				"\"text\":\"yes\"}}]}}",
				dev),
	    "id");
	discord_order(
	    t, rig, "vote", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\",\"answer\":1", poll);
	done(discord_call(t, rig, 204, "PUT /channels/%s/messages/pins/%s", dev, poll));
	done(discord_call(t, rig, 200, "PATCH /users/@me {\"username\":\"Robo\"}"));
	discord_rig_restart(t, rig, data);
	discord_set(t, rig, "\"limits\":false");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/roles/%s", g, role), "name", "kept");
	has_once(
	    discord_call(t, rig, 200, "GET /channels/%s", forum), "permission_overwrites.0.deny", "2048");
	o = discord_call(t, rig, 200, "GET /channels/%s/messages/%s", dev, poll);
	discord_has(o, "poll.results.answer_counts.0.count", "1");
	discord_has(o, "pinned", "true");
	discord_has(o, "author.username", "Robo");
	json_object_put(o);
	done(discord_call(t, rig, 200, "GET /guilds/%s/audit-logs", g)); /* still an administrator */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scheduled_events_need_a_place_and_a_time),
	    cmocka_unit_test(events_that_are_over_leave_room_for_others),
	    cmocka_unit_test(a_poll_that_the_platform_refuses_is_refused_to_people),
	    cmocka_unit_test(rules_block_report_and_silence),
	    cmocka_unit_test(a_pattern_of_a_rule_costs_little_and_is_of_rust),
	    cmocka_unit_test(invites_last_as_long_as_they_say),
	    cmocka_unit_test(the_log_says_who_did_what_and_why),
	    cmocka_unit_test(settings_of_a_guild_are_kept),
	    cmocka_unit_test(people_and_stages_are_in_voice_channels),
	    cmocka_unit_test(an_application_has_settings_and_entitlements),
	    cmocka_unit_test(messages_are_searched_in_a_guild),
	    cmocka_unit_test(what_was_made_is_there_after_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
