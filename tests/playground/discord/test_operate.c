/* What people do with a guild by Discord's own operations: with their rights and in their name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/websocket/websocket.h"
#include "playground/discord/http/endpoint.h"
#include "tests/playground/discord/discord_rig.h"

#define PNG                                                                            \
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" \
	"awAAAABJRU5ErkJggg=="

static void has_once(struct json_object *o, const char *path, const char *text)
{
	discord_has(o, path, text);
	json_object_put(o);
}

/* fmt: "METHOD /path {body}". Returns the answer of /control/operate in the channel dev. */
static struct json_object *operate(struct task *t, struct discord_rig *rig, const char *who, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));
static struct json_object *operate(
    struct task *t, struct discord_rig *rig, const char *who, const char *fmt, ...)
{
	struct buf what = BUF_INIT;
	struct json_object *o;
	char *path, *body;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&what, fmt, ap);
	va_end(ap);
	path = strchr(what.data, ' ');
	*path++ = '\0';
	body = strchr(path, ' ');
	if (body)
		*body++ = '\0';
	o = discord_control(t, rig, "operate",
	    "\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"%s\",\"method\":\"%s\",\"path\":\"%s\","
	    "\"reason\":\"tidy\",\"body\":%s",
	    who, what.data, path, body ? body : "null");
	buf_clear(&what);
	return o;
}

/* The same; returns what Discord answers, with that status. */
#define DOES(status, who, ...) json_only_answer(operate(t, rig, who, __VA_ARGS__), status)

static struct json_object *json_only_answer(struct json_object *o, const char *status)
{
	struct json_object *answer = json_object_get(json_get(o, "answer"));

	discord_has(o, "status", status);
	json_object_put(o);
	return answer;
}

static void done(struct json_object *o)
{
	json_object_put(o);
}

/* Of those that matter. */
static struct json_object *hear_until(struct task *t, struct websocket *w, const char *name)
{
	for (;;) {
		struct json_object *o = discord_hear(t, w);

		if (strcmp(discord_at(o, "t"), name) == 0)
			return o;
		json_object_put(o);
	}
}

/* Ann owns the guild; the bot may read the audit log and hear of rules and invites. Returns Ann's id. */
static const char *ann_owns(struct task *t, struct discord_rig *rig)
{
	static const char *const rights[] = {"VIEW_AUDIT_LOG", "MANAGE_GUILD", "MANAGE_CHANNELS"};

	discord_set(t, rig, "\"limits\":false");
	done(discord_call(t, rig, 200, "GET /users/@me")); /* the bot is there */
	discord_dev(t, rig);
	for (size_t i = 0; i < ARRAY_LEN(rights); i++)
		discord_order(t, rig, "member",
		    "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"grant\",\"permission\":\"%s\"",
		    rights[i]);
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"user\":\"Ann\",\"action\":\"own\"");
	return discord_keep(DOES("200", "Ann", "GET /guilds/{guild}"), "owner_id");
}

DISCORD_TEST(a_person_makes_roles_and_channels_and_the_bot_hears_of_it)
{
	char ann[32], role[32];
	struct websocket *w;
	struct json_object *o;

	str_copy(ann, sizeof(ann), ann_owns(t, rig));
	w = discord_login(t, rig, "5", NULL); /* guilds, moderation */
	discord_skip_event(t, w, "GUILD_CREATE");
	o = DOES(
	    "200", "Ann", "POST /guilds/{guild}/roles {\"name\":\"crew\",\"permissions\":\"268435456\"}");
	discord_has(o, "permissions", "268435456");
	str_copy(role, sizeof(role), discord_keep(o, "id"));
	has_once(discord_hear_event(t, w, "GUILD_ROLE_CREATE"), "d.role.id", role);
	o = hear_until(t, w, "GUILD_AUDIT_LOG_ENTRY_CREATE");
	discord_has(o, "d.user_id", ann);
	discord_has(o, "d.target_id", role);
	discord_has(o, "d.reason", "tidy");
	json_object_put(o);
	done(DOES("201", "Ann", "POST /guilds/{guild}/channels {\"name\":\"ideas\",\"type\":15}"));
	has_once(hear_until(t, w, "CHANNEL_CREATE"), "d.type", "15");
	done(DOES("201", "Ann", "POST /guilds/{guild}/channels {\"name\":\"Talk\",\"type\":2}"));
	has_once(hear_until(t, w, "CHANNEL_CREATE"), "d.type", "2");
	done(DOES("200", "Ann", "PATCH /guilds/{guild} {\"name\":\"Nest\"}"));
	has_once(hear_until(t, w, "GUILD_UPDATE"), "d.name", "Nest");
	o = DOES("200", "Ann", "GET /guilds/{guild}/audit-logs?limit=1");
	discord_has(o, "audit_log_entries.0.user_id", ann);
	discord_has(o, "users.0.global_name", "Ann");
	json_object_put(o);
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(a_person_takes_a_permission_from_the_bot)
{
	const char *dev;

	ann_owns(t, rig);
	dev = discord_dev(t, rig);
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev));
	done(DOES("204", "Ann", "PUT /channels/{channel}/permissions/{bot} {\"type\":1,\"deny\":\"2048\"}"));
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", dev);
	done(DOES("204", "Ann", "DELETE /channels/{channel}/permissions/{bot}"));
	done(
	    DOES("204", "Ann", "PUT /channels/{channel}/permissions/{guild} {\"type\":0,\"deny\":\"2048\"}"));
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", dev);
}

DISCORD_TEST(what_a_person_makes_names_the_person)
{
	char ann[32], voice[32], event[32];
	struct websocket *w;
	struct json_object *o;

	str_copy(ann, sizeof(ann), ann_owns(t, rig));
	w = discord_login(t, rig, "1114185", NULL); /* guilds, expressions, invites, events, rules */
	discord_skip_event(t, w, "GUILD_CREATE");
	str_copy(voice, sizeof(voice),
	    discord_keep(
		DOES("201", "Ann", "POST /guilds/{guild}/channels {\"name\":\"Talk\",\"type\":2}"), "id"));
	o = DOES("200", "Ann",
	    "POST /guilds/{guild}/scheduled-events {\"name\":\"Tea\",\"privacy_level\":2,\"entity_type\":2,"
	    "\"channel_id\":\"%s\",\"scheduled_start_time\":\"2026-10-01T10:00:00Z\"}",
	    voice);
	discord_has(o, "creator_id", ann);
	discord_has(o, "creator.global_name", "Ann");
	str_copy(event, sizeof(event), discord_keep(o, "id"));
	has_once(hear_until(t, w, "GUILD_SCHEDULED_EVENT_CREATE"), "d.id", event);
	discord_order(t, rig, "attend", "\"chat\":\"dev\",\"user\":\"Ann\",\"event\":\"%s\"", event);
	has_once(hear_until(t, w, "GUILD_SCHEDULED_EVENT_USER_ADD"), "d.user_id", ann);
	o = DOES("201", "Ann",
	    "POST /guilds/{guild}/emojis {\"name\":\"ok\",\"image\":\"data:image/png;base64," PNG "\"}");
	has_once(o, "user.id", ann);
	has_once(hear_until(t, w, "GUILD_EMOJIS_UPDATE"), "d.emojis.0.name", "ok");
	o = DOES("201", "Ann",
	    "POST /guilds/{guild}/stickers {\"name\":\"wave\",\"tags\":\"hi\",\"description\":\"\","
	    "\"file\":{\"name\":\"wave.png\",\"base64\":\"" PNG "\"}}");
	discord_has(o, "format_type", "1");
	has_once(o, "user.id", ann);
	has_once(hear_until(t, w, "GUILD_STICKERS_UPDATE"), "d.stickers.0.name", "wave");
	has_once(DOES("200", "Ann", "POST /channels/{channel}/invites"), "inviter.id", ann);
	has_once(hear_until(t, w, "INVITE_CREATE"), "d.inviter.id", ann);
	o = DOES("200", "Ann",
	    "POST /guilds/{guild}/auto-moderation/rules "
	    "{\"name\":\"calm\",\"event_type\":1,\"trigger_type\":1,"
	    "\"trigger_metadata\":{\"keyword_filter\":[\"fish\"]},\"actions\":[{\"type\":1}],\"enabled\":"
	    "true}");
	has_once(o, "creator_id", ann);
	has_once(hear_until(t, w, "AUTO_MODERATION_RULE_CREATE"), "d.creator_id", ann);
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(webhooks_stages_and_follows_of_a_person_work)
{
	const char *hook, *token, *stage, *dev;
	struct json_object *o;

	ann_owns(t, rig);
	dev = discord_dev(t, rig);
	o = DOES("200", "Ann", "POST /channels/{channel}/webhooks {\"name\":\"news\"}");
	discord_has(o, "user.global_name", "Ann");
	discord_has(o, "application_id", "");
	hook = discord_keep(json_object_get(o), "id");
	token = discord_keep(o, "token");
	has_once(
	    discord_call(t, rig, 200, "POST /webhooks/%s/%s?wait=true {\"content\":\"hear\"}", hook, token),
	    "author.username", "news");
	has_once(discord_transcript(t, rig, "dev"), "messages.0.from", "news");
	has_once(DOES("200", "Ann", "PATCH /webhooks/%s {\"name\":\"olds\"}", hook), "name", "olds");
	stage = discord_keep(
	    DOES("201", "Ann", "POST /guilds/{guild}/channels {\"name\":\"Hall\",\"type\":13}"), "id");
	done(DOES("200", "Ann", "POST /stage-instances {\"channel_id\":\"%s\",\"topic\":\"birds\"}", stage));
	has_once(DOES("200", "Ann", "GET /stage-instances/%s", stage), "topic", "birds");
	done(
	    DOES("204", "Ann", "PUT /channels/%s/permissions/{guild} {\"type\":0,\"deny\":\"1024\"}", stage));
	has_once(DOES("403", "Bea", "GET /stage-instances/%s", stage), "code", "50001");
	stage = discord_keep(
	    DOES("201", "Ann", "POST /guilds/{guild}/channels {\"name\":\"press\",\"type\":5}"), "id");
	done(DOES("200", "Ann", "POST /channels/%s/followers {\"webhook_channel_id\":\"{channel}\"}", stage));
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages?limit=1", dev), "0.author.global_name",
	    "Ann");
}

DISCORD_TEST(people_may_what_their_roles_say)
{
	const char *bea;

	ann_owns(t, rig);
	bea = discord_keep(
	    DOES("200", "Bea", "PATCH /guilds/{guild}/members/@me {\"nick\":\"Queen\"}"), "user.id");
	has_once(DOES("403", "Bea", "POST /guilds/{guild}/roles {\"name\":\"x\"}"), "code", "50013");
	has_once(
	    DOES("403", "Bea", "PUT /channels/{channel}/permissions/{bot} {\"type\":1,\"deny\":\"2048\"}"),
	    "code", "50013");
	done(DOES("200", "Bea", "POST /channels/{channel}/invites")); /* everyone may */
	done(DOES(
	    "200", "Ann", "POST /guilds/{guild}/roles {\"name\":\"mods\",\"permissions\":\"268435456\"}"));
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"user\":\"Bea\",\"action\":\"give\",\"role\":\"mods\"");
	has_once(DOES("200", "Bea", "POST /guilds/{guild}/roles {\"name\":\"x\"}"), "name", "x");
	/* Not what she may not do herself, nor to the owner. */
	has_once(DOES("403", "Bea", "POST /guilds/{guild}/roles {\"name\":\"x\",\"permissions\":\"8\"}"),
	    "code", "50013");
	has_once(DOES("403", "Bea", "DELETE /guilds/{guild}/members/%s", bea), "code", "50013");
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"user\":\"Bea\",\"action\":\"leave\"");
	has_once(DOES("403", "Bea", "GET /guilds/{guild}/roles"), "code", "50001");
	has_once(DOES("403", "Bea", "GET /channels/{channel}"), "code", "50001");
}

/* The call must fail with a sentence that has these words. */
static void refused(struct task *t, struct discord_rig *rig, const char *members, const char *words)
{
	char *body = xasprintf("{\"platform\":\"discord\",\"user\":\"Ann\",%s}", members);
	struct discord_reply reply;

	discord_send(t, rig,
	    &(struct discord_request){.method = "POST", .path = "/control/operate", .body = body}, &reply);
	assert_int_equal(reply.status, 400);
	if (!strstr(reply.text, words))
		fail_msg("%s: %s", members, reply.text);
	discord_reply_clear(&reply);
	free(body);
}

DISCORD_TEST(operations_of_bots_are_refused_with_the_call_of_people)
{
	static const struct {
		const char *method, *path, *words;
	} rows[] = {
	    {"POST", "/channels/{channel}/messages", "create_message is for bots: people have /control/say"},
	    {"DELETE", "/channels/{channel}/messages/1", "/control/delete"},
	    {"PUT", "/channels/{channel}/messages/1/reactions/x/@me", "/control/react"},
	    {"POST", "/channels/{channel}/threads", "/control/topic"},
	    {"POST", "/webhooks/1/token", "/control/say"},
	    {"POST", "/interactions/1/token/callback", "create_interaction_response is for bots alone"},
	    {"PUT", "/applications/900/commands", "for bots alone"},
	    {"GET", "/users/@me", "for bots alone"},
	    {"GET", "/gateway/bot", "for bots alone"},
	    {"POST", "/lobbies", "create_lobby is not simulated"},
	    {"PUT", "/guilds/{guild}", "Discord has no PUT /guilds/"},
	    {"PUT", "/nothing", "Discord has no path /nothing"},
	    {"GET", "/guilds/{guild}?a=%zz", "query"},
	};

	discord_dev(t, rig);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *members = xasprintf(
		    "\"chat\":\"dev\",\"method\":\"%s\",\"path\":\"%s\"", rows[i].method, rows[i].path);

		refused(t, rig, members, rows[i].words);
		free(members);
	}
	refused(t, rig, "\"method\":\"GET\"", "say which");
	refused(t, rig, "\"user\":\"\",\"method\":\"GET\",\"path\":\"/x\"", "say which \\\"user\\\"");
	refused(t, rig, "\"method\":\"GET\",\"path\":\"/channels/{channel}\"",
	    "{channel} stands for nothing here");
	refused(t, rig, "\"bot\":\"5\",\"method\":\"GET\",\"path\":\"/x\"", "no bot with that id");
	refused(t, rig,
	    "\"method\":\"POST\",\"path\":\"/guilds/{guild}/stickers\",\"body\":{\"file\":{\"name\":\"x\"}}",
	    "a file is");
}

DISCORD_TEST(a_guild_needs_no_channel_and_no_bot_to_be_made)
{
	struct json_object *o;

	o = discord_control(t, rig, "operate",
	    "\"guild\":\"Attic\",\"user\":\"Ann\",\"method\":\"GET\",\"path\":\"/guilds/"
	    "{guild}?with_counts=true\"");
	discord_has(o, "answer.name", "Attic");
	discord_has(o, "answer.approximate_member_count", "2");
	json_object_put(o);
	/* What Discord ignores is told. */
	o = discord_control(t, rig, "operate",
	    "\"guild\":\"Attic\",\"user\":\"Ann\",\"method\":\"PATCH\",\"path\":\"/guilds/{guild}/members/"
	    "@me\","
	    "\"body\":{\"nik\":\"Queen\"}");
	discord_has(o, "status", "200");
	assert_non_null(strstr(discord_at(o, "problems.0"), "nik"));
	json_object_put(o);
	/* A message that is read in the direct chat, where only these two are. */
	discord_order(t, rig, "say", "\"chat\":\"Bea\",\"user\":\"Bea\",\"text\":\"hi\"");
	o = discord_control(t, rig, "operate",
	    "\"chat\":\"Bea\",\"user\":\"Bea\",\"method\":\"GET\",\"path\":\"/channels/{channel}/messages\"");
	discord_has(o, "answer.0.content", "hi");
	json_object_put(o);
}

/* Replaces what is variable in a path by what is there, as far as that is a guild, a channel or a person. */
static char *fill_path(const char *path, const char *message)
{
	struct buf out = BUF_INIT;

	for (; *path != '\0'; path++) {
		if (*path != '{') {
			buf_addch(&out, *path);
			continue;
		}
		buf_addstr(&out,
		    strncmp(path, "{guild_id}", 10) == 0       ? "{guild}" :
			strncmp(path, "{channel_id}", 12) == 0 ? "{channel}" :
			strncmp(path, "{message_id}", 12) == 0 ? message :
			strncmp(path, "{emoji_name}", 12) == 0 ? "%F0%9F%91%8D" :
			strncmp(path, "{role_id}", 9) == 0     ? "{guild}" :
								 "{user}");
		path = strchr(path, '}');
	}
	return out.data;
}

/* None of them may need a bot. */
DISCORD_TEST(every_operation_with_a_place_is_one_of_people)
{
	size_t count, tried = 0;
	const struct cord_route *all = cord_routes(&count);
	const char *message, *call;

	ann_owns(t, rig);
	message = discord_say(t, rig, "hello");
	for (size_t i = 0; i < count; i++) {
		char *path = fill_path(all[i].path, message);
		struct json_object *o;

		if (cord_route_is_for_people(&all[i], &call) &&
		    strcmp(all[i].spec->name, "delete_channel") != 0) {
			o = operate(t, rig, "Ann", "%s %s", all[i].method, path);
			if (json_get_int(o, "status", 0) >= 500)
				fail_msg("%s: %s", all[i].spec->name, json_object_get_string(o));
			json_object_put(o);
			tried++;
		}
		free(path);
	}
	assert_true(tried > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_person_makes_roles_and_channels_and_the_bot_hears_of_it),
	    cmocka_unit_test(a_person_takes_a_permission_from_the_bot),
	    cmocka_unit_test(what_a_person_makes_names_the_person),
	    cmocka_unit_test(webhooks_stages_and_follows_of_a_person_work),
	    cmocka_unit_test(people_may_what_their_roles_say),
	    cmocka_unit_test(operations_of_bots_are_refused_with_the_call_of_people),
	    cmocka_unit_test(a_guild_needs_no_channel_and_no_bot_to_be_made),
	    cmocka_unit_test(every_operation_with_a_place_is_one_of_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
