#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "tests/playground/discord/discord_rig.h"
#include "net/websocket/websocket.h"
#include "playground/playground.h"

static void has_once(struct json_object *o, const char *path, const char *text)
{
	discord_has(o, path, text);
	json_object_put(o);
}

static void done(struct json_object *o)
{
	json_object_put(o);
}

static const char *repeat(const char *piece, size_t times)
{
	static struct buf text = BUF_INIT;

	buf_reset(&text);
	while (times-- > 0)
		buf_addstr(&text, piece);
	return text.data;
}

static struct discord_reply ask(struct task *t, struct discord_rig *rig, struct discord_request req)
{
	struct discord_reply reply;

	if (!req.method)
		req.method = "GET";
	discord_send(t, rig, &req, &reply);
	return reply;
}

/* The newest request was accepted, with a remark that has the text; NULL: with none. */
static void has_remark(struct discord_rig *rig, const char *text)
{
	const struct record_log *log = &playground_platform(rig->pg, "discord")->log;
	const struct record *r = &log->ring[(log->first + log->count - 1) % RECORD_MAX];

	assert_false(r->refused);
	if (text ? !strstr(r->problems, text) : r->problems[0] != '\0')
		fail_msg("\"%s\" is not the remark: %s", text ? text : "", r->problems);
}

DISCORD_TEST(who_asks_must_say_so_in_the_documented_form)
{
	static const char *const tokens[] = {"", "Bot x", DISCORD_TOKEN, ("Bearer " DISCORD_TOKEN),
	    "Bot OTAw.GabcDE.revokedAAAAAAAAAAAAAAAAAAAAAAAAA"};
	static const char *const agents[] = {"curl/8", "DiscordBot", "Mozilla (x, 1)"};
	struct discord_reply reply;

	for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
		reply = ask(t, rig,
		    (struct discord_request){.path = "/discord/api/v10/users/@me", .token = tokens[i]});
		assert_int_equal(reply.status, 401);
		assert_string_equal(reply.text, "{\"message\":\"401: Unauthorized\",\"code\":0}");
		discord_reply_clear(&reply);
	}
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		reply = ask(t, rig,
		    (struct discord_request){.path = "/discord/api/v10/users/@me", .agent = agents[i]});
		assert_int_equal(reply.status, 200);
		discord_reply_clear(&reply);
		has_remark(rig, "User-Agent");
	}
	reply = ask(t, rig, (struct discord_request){.path = "/discord/api/v10/gateway", .token = ""});
	assert_int_equal(reply.status, 200);
	assert_int_equal(strncmp(discord_at(reply.json, "url"), "ws://127.0.0.1:", 15), 0);
	discord_reply_clear(&reply);
}

DISCORD_TEST(unknown_paths_methods_and_versions_are_refused)
{
	static const struct {
		const char *path;
		int status;
		const char *remark;
	} versions[] = {{"/discord/api/v9/users/@me", 200, NULL},
	    {"/discord/api/v8/users/@me", 200, "version 8 of the API is deprecated"},
	    {"/discord/api/users/@me", 200, "version 6 of the API is deprecated"},
	    {"/discord/api/v5/users/@me", 400, NULL}, {"/discord/api/v11/users/@me", 400, NULL}};

	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		struct discord_reply reply = ask(t, rig, (struct discord_request){.path = versions[i].path});

		assert_int_equal(reply.status, versions[i].status);
		if (reply.status == 200)
			has_remark(rig, versions[i].remark);
		else
			discord_has(reply.json, "code", "50041");
		discord_reply_clear(&reply);
	}
	discord_refused(t, rig, 404, 0, "GET /nonsense");
	discord_refused(t, rig, 405, 0, "PUT /channels/5/messages");
	discord_refused(t, rig, 404, 10003, "GET /channels/5");
	discord_invalid(t, rig, "channel_id", "NUMBER_TYPE_COERCE", "GET /channels/five");
}

DISCORD_TEST(a_message_is_at_most_2000_code_points_after_trimming)
{
	const char *dev = discord_dev(t, rig);

	done(discord_call(
	    t, rig, 200, "POST /channels/%s/messages {\"content\":\"%s\"}", dev, repeat("😀", 2000)));
	discord_invalid(t, rig, "content", "BASE_TYPE_MAX_LENGTH",
	    "POST /channels/%s/messages {\"content\":\"%s\"}", dev, repeat("é", 2001));
	has_once(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\" \\n a b \\n\"}", dev),
	    "content", "a b");
	discord_refused(t, rig, 400, 50006, "POST /channels/%s/messages {\"content\":\" \\n\"}", dev);
	discord_refused(t, rig, 400, 50006, "POST /channels/%s/messages", dev);
}

DISCORD_TEST(bodies_are_refused_at_the_place_that_is_wrong)
{
	static const struct {
		const char *body, *place, *code;
	} rows[] = {
	    {"{\"content\":7}", "content", "STRING_TYPE_CONVERT"},
	    {"{\"tts\":\"perhaps\"}", "tts", "BOOLEAN_TYPE_CONVERT"},
	    {"{\"flags\":\"x\"}", "flags", "NUMBER_TYPE_COERCE"},
	    {"{\"content\":\"x\",\"flags\":64}", "flags", "BASE_TYPE_CHOICES"},
	    {"{\"content\":\"x\",\"shared_client_theme\":{}}", "shared_client_theme", "NOT_SIMULATED"},
	    {"{\"nonce\":\"aaaaaaaaaaaaaaaaaaaaaaaaaa\"}", "nonce", "NONCE_TYPE_TOO_LONG"},
	    {"{\"message_reference\":{}}", "message_reference.message_id", "BASE_TYPE_REQUIRED"},
	    {"{\"message_reference\":5}", "message_reference", "MODEL_TYPE_CONVERT"},
	    {"{\"content\":\"x\",\"message_reference\":{\"message_id\":\"5\"}}", "message_reference",
		"MESSAGE_REFERENCE_UNKNOWN_MESSAGE"},
	    {"{\"allowed_mentions\":{\"parse\":[\"all\"]}}", "allowed_mentions.parse.0", "BASE_TYPE_CHOICES"},
	    {"{\"allowed_mentions\":{\"parse\":[\"users\"],\"users\":[\"1\"]}}", "allowed_mentions",
		"MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"},
	    {"{\"allowed_mentions\":{\"users\":[\"x\"]}}", "allowed_mentions.users.0", "NUMBER_TYPE_COERCE"},
	    {"{\"embeds\":{}}", "embeds", "LIST_TYPE_CONVERT"},
	    {"{\"embeds\":[{}]}", "embeds.0.description", "BASE_TYPE_REQUIRED"},
	    {"{\"embeds\":[{\"title\":\"x\"},{\"title\":\"x\",\"color\":16777216}]}", "embeds.1.color",
		"NUMBER_TYPE_MAX"},
	    {"{\"embeds\":[{\"title\":\"x\",\"url\":\"ftp://x\"}]}", "embeds.0.url",
		"URL_TYPE_INVALID_SCHEME"},
	    {"{\"embeds\":[{\"fields\":[{\"name\":\"\",\"value\":\"x\"}]}]}", "embeds.0.fields.0.name",
		"BASE_TYPE_BAD_LENGTH"},
	    {"{\"components\":[{\"type\":99}]}", "components.0.type", "UNION_TYPE_CHOICES"},
	    {"{\"components\":[{\"type\":1,\"components\":[]}]}", "components.0.components",
		"BASE_TYPE_BAD_LENGTH"},
	    {"{\"components\":[{\"type\":1,\"components\":[{\"type\":2,\"style\":1,\"label\":\"x\"}]}]}",
		"components.0.components.0.custom_id", "BASE_TYPE_REQUIRED"},
	    {"{\"components\":[{\"type\":2,\"style\":1,\"label\":\"x\",\"custom_id\":\"x\"}]}",
		"components.0.type", "UNION_TYPE_CHOICES"},
	    {"{\"components\":[{\"type\":1,\"components\":[{\"type\":3,\"custom_id\":\"x\",\"options\":["
	     "{\"label\":\"a\",\"value\":\"a\"},{\"label\":\"b\",\"value\":\"a\"}]}]}]}",
		"components.0.components.0.options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
	    {"{\"attachments\":[{\"id\":\"0\"}]}", "attachments.0.id", "ATTACHMENT_NOT_FOUND"},
	    {"[]", "", "MODEL_TYPE_CONVERT"},
	};
	const char *dev = discord_dev(t, rig);

	discord_set(t, rig, "\"limits\":false");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		discord_invalid(
		    t, rig, rows[i].place, rows[i].code, "POST /channels/%s/messages %s", dev, rows[i].body);
	discord_refused(t, rig, 400, 50109, "POST /channels/%s/messages {\"content\":", dev);
	discord_invalid(t, rig, "limit", "NUMBER_TYPE_MAX", "GET /channels/%s/messages?limit=101", dev);
	discord_invalid(t, rig, "limit", "NUMBER_TYPE_MIN", "GET /channels/%s/messages?limit=0", dev);
	done(discord_transcript(t, rig, "dev"));
	for (size_t i = 0; i < playground_platform(rig->pg, "discord")->log.count; i++)
		assert_true(playground_platform(rig->pg, "discord")->log.ring[i].refused);
}

DISCORD_TEST(what_the_platform_ignores_is_accepted_with_a_remark)
{
	const char *dev = discord_dev(t, rig);

	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\",\"colour\":1}", dev));
	has_remark(rig, "/colour means nothing here");
	done(discord_call(
	    t, rig, 200, "POST /channels/%s/messages {\"embeds\":[{\"title\":\"x\",\"colour\":1}]}", dev));
	has_remark(rig, "/embeds/0/colour means nothing here");
	done(discord_call(t, rig, 200, "GET /channels/%s/messages?page=1", dev));
	has_remark(rig, "/page means nothing here");
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\",\"nonce\":5}", dev));
	has_remark(rig, NULL);
	done(discord_call(t, rig, 200,
	    "PUT /applications/900/commands "
	    "[{\"name\":\"old\",\"description\":\"x\",\"dm_permission\":false}]"));
	has_remark(rig, "/0/dm_permission is deprecated");
	discord_reported(t, rig, "deprecated", "PUT /applications/commands", 1);
}

DISCORD_TEST(an_operation_that_is_not_simulated_says_so)
{
	struct discord_reply reply =
	    ask(t, rig, (struct discord_request){.path = "/discord/api/v10/lobbies/5"});

	assert_int_equal(reply.status, 400);
	discord_has(reply.json, "message", "get_lobby is not simulated by the playground");
	discord_reply_clear(&reply);
	discord_refused(t, rig, 400, 0, "GET /users/@me/connections");
}

/* The rig judges all of them by Discord's schemas. */
DISCORD_TEST(every_answer_has_the_members_of_its_schema)
{
	static const char *const places[] = {"GET /users/@me", "GET /users/@me/guilds",
	    "GET /applications/@me", "GET /oauth2/applications/@me", "GET /gateway/bot"};
	static const char *const in_guild[] = {"", "/channels", "/roles", "/threads/active", "/members/900"};
	const char *dev = discord_dev(t, rig), *id = discord_say(t, rig, "x"), *guild;
	struct json_object *channel = discord_call(t, rig, 200, "GET /channels/%s", dev), *o;

	guild = discord_at(channel, "guild_id");
	done(discord_call(t, rig, 201, "POST /channels/%s/messages/%s/threads {\"name\":\"n\"}", dev, id));
	done(discord_call(
	    t, rig, 204, "PUT /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%80/@me", dev, id));
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		done(discord_call(t, rig, 200, "%s", places[i]));
	for (size_t i = 0; i < ARRAY_LEN(in_guild); i++)
		done(discord_call(t, rig, 200, "GET /guilds/%s%s", guild, in_guild[i]));
	done(discord_call(t, rig, 200, "GET /channels/%s", id));
	done(discord_call(t, rig, 200, "GET /channels/%s/messages/%s", dev, id));
	o = discord_call(t, rig, 200,
	    "POST /channels/%s/messages "
	    "{\"flags\":32768,\"components\":[{\"type\":17,\"accent_color\":7,\"components\":["
	    "{\"type\":9,\"components\":[{\"type\":10,\"content\":\"t\"}],\"accessory\":{\"type\":2,"
	    "\"style\":2,\"label\":\"l\",\"custom_id\":\"c\"}},{\"type\":14,\"spacing\":2},{\"type\":12,"
	    "\"items\":[{\"media\":{\"url\":\"https://a.example/a.png\"}}]}]}]}",
	    dev);
	discord_has(o, "components.0.components.0.accessory.id", "3");
	done(o);
	o = discord_call(t, rig, 200,
	    "POST /channels/%s/messages "
	    "{\"embeds\":[{\"title\":\"t\",\"image\":{\"url\":\"https://a.example/a.png\"},"
	    "\"footer\":{\"text\":\"f\",\"icon_url\":null},\"fields\":[{\"name\":\"n\",\"value\":\"v\"}],"
	    "\"author\":{\"name\":\"a\"}}]}",
	    dev);
	discord_has(o, "embeds.0.type", "rich");
	done(o);
	done(channel);
}

DISCORD_TEST(components_v2_have_limits_and_no_legacy_fields)
{
	static const char text[] = "{\"type\":10,\"content\":\"%s\"}";
	const char *dev = discord_dev(t, rig);
	char chars[2002], *one;
	struct buf many = BUF_INIT;

	for (int i = 0; i < 40; i++)
		buf_addf(&many, "%s{\"type\":10,\"content\":\"x\"}", i > 0 ? "," : "");
	done(discord_call(
	    t, rig, 200, "POST /channels/%s/messages {\"flags\":32768,\"components\":[%s]}", dev, many.data));
	discord_invalid(t, rig, "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
	    "POST /channels/%s/messages {\"flags\":32768,\"components\":[{\"type\":17,\"components\":[%s]}]}",
	    dev, many.data);
	buf_clear(&many);
	memset(chars, 'x', sizeof(chars) - 1);
	chars[sizeof(chars) - 1] = '\0';
	one = xasprintf(text, chars);
	discord_invalid(t, rig, "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
	    "POST /channels/%s/messages "
	    "{\"flags\":32768,\"components\":[%s,{\"type\":17,\"components\":[%s]}]}",
	    dev, one, one);
	free(one);
	discord_invalid(t, rig, "poll", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
	    "POST /channels/%s/messages {\"flags\":32768,\"components\":[{\"type\":10,\"content\":\"x\"}],"
	    "\"poll\":{\"question\":{\"text\":\"?\"},\"answers\":[{\"poll_media\":{\"text\":\"a\"}}]}}",
	    dev);
	discord_invalid(t, rig, "embeds", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
	    "POST /channels/%s/messages {\"flags\":32768,\"components\":[{\"type\":10,\"content\":\"x\"}],"
	    "\"embeds\":[{\"title\":\"t\"}]}",
	    dev);
}

DISCORD_TEST(a_forward_has_a_copy_of_what_it_forwards)
{
	const char *dev = discord_dev(t, rig);
	struct json_object *said = discord_call(
			       t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev),
			   *o;

	o = discord_call(t, rig, 200,
	    "POST /channels/%s/messages "
	    "{\"message_reference\":{\"type\":1,\"channel_id\":\"%s\",\"message_id\":\"%s\"}}",
	    dev, dev, json_get_str(said, "id"));
	discord_has(o, "message_reference.type", "1");
	has_once(o, "message_snapshots.0.message.content", "x");
	json_object_put(said);
}

DISCORD_TEST(embeds_hold_6000_characters_together)
{
	const char *dev = discord_dev(t, rig);
	char *text = xstrdup(repeat("x", 3000));

	done(discord_call(t, rig, 200,
	    "POST /channels/%s/messages {\"embeds\":[{\"description\":\"%s\"},{\"description\":\"%s\"}]}",
	    dev, text, text));
	discord_invalid(t, rig, "embeds", "MAX_EMBED_SIZE_EXCEEDED",
	    "POST /channels/%s/messages "
	    "{\"embeds\":[{\"description\":\"%s\"},{\"title\":\"y\",\"description\":\"%s\"}]}",
	    dev, text, text);
	free(text);
}

DISCORD_TEST(a_nonce_that_is_enforced_brings_its_message_back_for_five_minutes)
{
	const char *dev = discord_dev(t, rig),
		   *body = "{\"content\":\"x\",\"nonce\":\"n\",\"enforce_nonce\":true}";
	const char *first =
	    discord_keep(discord_call(t, rig, 200, "POST /channels/%s/messages %s", dev, body), "id");

	has_once(discord_call(t, rig, 200, "POST /channels/%s/messages %s", dev, body), "id", first);
	assert_string_not_equal(
	    discord_keep(discord_call(t, rig, 200,
			     "POST /channels/%s/messages {\"content\":\"x\",\"nonce\":\"n\"}", dev),
		"id"),
	    first);
	discord_pass(t, 300001);
	assert_string_not_equal(
	    discord_keep(discord_call(t, rig, 200, "POST /channels/%s/messages %s", dev, body), "id"), first);
}

/* How many are pinged by it. */
static void expect_pings(
    struct task *t, struct discord_rig *rig, const char *dev, const char *more, const char *count)
{
	char number[16];
	struct json_object *o = discord_call(
	    t, rig, 200, "POST /channels/%s/messages {\"content\":\"<@77> <@!78> @everyone\"%s}", dev, more);

	snprintf(number, sizeof(number), "%d",
	    (int)json_object_array_length(json_get_array(o, "mentions")) +
		json_get_bool(o, "mention_everyone", false));
	assert_string_equal(number, count);
	json_object_put(o);
}

DISCORD_TEST(mentions_ping_as_far_as_they_are_allowed)
{
	const char *dev = discord_dev(t, rig);

	discord_set(t, rig, "\"limits\":false");
	discord_order(t, rig, "say", "\"user\":\"77\",\"text\":\"x\"");
	discord_order(t, rig, "say", "\"user\":\"78\",\"text\":\"x\"");
	expect_pings(t, rig, dev, "", "2");
	expect_pings(t, rig, dev, ",\"allowed_mentions\":{\"parse\":[]}", "0");
	expect_pings(t, rig, dev, ",\"allowed_mentions\":{\"users\":[\"77\"]}", "1");
	expect_pings(t, rig, dev, ",\"allowed_mentions\":{\"parse\":[\"users\",\"everyone\"]}", "2");
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"action\":\"promote\"");
	expect_pings(t, rig, dev, "", "3");
	expect_pings(t, rig, dev, ",\"allowed_mentions\":{\"parse\":[\"everyone\"]}", "1");
}

DISCORD_TEST(an_edit_changes_what_is_given_and_keeps_the_rest)
{
	const char *dev = discord_dev(t, rig);
	const char *id = discord_keep(
	    discord_call(t, rig, 200,
		"POST /channels/%s/messages {\"content\":\"x\",\"embeds\":[{\"title\":\"y\"}]}", dev),
	    "id");
	struct json_object *o =
	    discord_call(t, rig, 200, "PATCH /channels/%s/messages/%s {\"content\":null}", dev, id);

	discord_has(o, "content", "");
	discord_has(o, "embeds.0.title", "y");
	assert_string_not_equal(discord_at(o, "edited_timestamp"), "");
	json_object_put(o);
	discord_refused(t, rig, 400, 50006, "PATCH /channels/%s/messages/%s {\"embeds\":[]}", dev, id);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages/%s", dev, id), "embeds.0.title", "y");
	discord_refused(t, rig, 403, 50005, "PATCH /channels/%s/messages/%s {\"content\":\"x\"}", dev,
	    discord_say(t, rig, "mine"));
}

DISCORD_TEST(what_a_bot_may_not_do_it_is_told_with_its_code)
{
	const char *dev = discord_dev(t, rig), *id = discord_say(t, rig, "x");

	discord_set(t, rig, "\"limits\":false");
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"action\":\"deny\",\"permission\":\"ADD_REACTIONS\"");
	discord_refused(
	    t, rig, 403, 50013, "PUT /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%80/@me", dev, id);
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"action\":\"mute\"");
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", dev);
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/typing", dev);
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"action\":\"unmute\"");
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"action\":\"deny\",\"permission\":\"READ_MESSAGE_HISTORY\"");
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages", dev), "0.id", "");
	discord_refused(t, rig, 403, 50013, "GET /channels/%s/messages/%s", dev, id);
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"action\":\"hide\"");
	discord_refused(t, rig, 403, 50001, "GET /channels/%s", dev);
	discord_order(t, rig, "chat", "\"chat\":\"dev\",\"gone\":\"deleted\"");
	discord_refused(t, rig, 404, 10003, "GET /channels/%s", dev);
}

DISCORD_TEST(reactions_are_emoji_and_come_back)
{
	const char *dev = discord_dev(t, rig), *id = discord_say(t, rig, "x");

	discord_set(t, rig, "\"limits\":false");
	done(discord_call(
	    t, rig, 204, "PUT /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%80/@me", dev, id));
	done(discord_call(t, rig, 204, "PUT /channels/%s/messages/%s/reactions/blob:123/@me", dev, id));
	discord_refused(t, rig, 400, 10014, "PUT /channels/%s/messages/%s/reactions/eyes/@me", dev, id);
	discord_refused(t, rig, 400, 10014, "PUT /channels/%s/messages/%s/reactions/7/@me", dev, id);
	has_once(
	    discord_call(t, rig, 200, "GET /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%80", dev, id),
	    "0.id", "900");
	done(discord_call(t, rig, 204, "DELETE /channels/%s/messages/%s/reactions/blob:123/@me", dev, id));
	discord_refused(
	    t, rig, 400, 10014, "DELETE /channels/%s/messages/%s/reactions/blob:123/@me", dev, id);
	for (int i = 1; i < 20; i++)
		done(discord_call(
		    t, rig, 204, "PUT /channels/%s/messages/%s/reactions/e%02d:1/@me", dev, id, i));
	discord_refused(t, rig, 400, 30010, "PUT /channels/%s/messages/%s/reactions/e99:1/@me", dev, id);
}

DISCORD_TEST(threads_have_their_rules)
{
	const char *dev = discord_dev(t, rig), *id = discord_say(t, rig, "x"), *other;
	struct json_object *o;

	discord_set(t, rig, "\"limits\":false");
	o = discord_call(t, rig, 201, "POST /channels/%s/messages/%s/threads {\"name\":\"n\"}", dev, id);
	discord_has(o, "id", id);
	discord_has(o, "type", "11");
	discord_has(o, "parent_id", dev);
	json_object_put(o);
	discord_refused(
	    t, rig, 400, 160004, "POST /channels/%s/messages/%s/threads {\"name\":\"n\"}", dev, id);
	discord_invalid(t, rig, "auto_archive_duration", "BASE_TYPE_CHOICES",
	    "POST /channels/%s/threads {\"name\":\"n\",\"auto_archive_duration\":5}", dev);
	o = discord_call(t, rig, 201, "POST /channels/%s/threads {\"name\":\"n\"}", dev);
	discord_has(o, "type", "12"); /* private unless it is said */
	other = discord_keep(o, "id");
	discord_refused(t, rig, 400, 50024, "POST /channels/%s/threads {\"name\":\"n\"}", other);
	done(discord_call(t, rig, 200, "PATCH /channels/%s {\"archived\":true}", id));
	discord_refused(t, rig, 400, 50083, "PATCH /channels/%s {\"name\":\"m\"}", id);
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", id));
	has_once(discord_call(t, rig, 200, "GET /channels/%s", id), "thread_metadata.archived", "false");
	discord_order(t, rig, "topic", "\"chat\":\"dev\",\"thread\":\"%s\",\"action\":\"lock\"", id);
	discord_refused(t, rig, 400, 160005, "POST /channels/%s/messages {\"content\":\"x\"}", id);
}

DISCORD_TEST(channels_are_of_the_kind_that_was_said)
{
	static const struct {
		const char *kind, *type;
	} rows[] = {{"group", "0"}, {"channel", "0"}, {"news", "5"}};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *id = discord_keep(
		    discord_control(t, rig, "chat", "\"chat\":\"c%zu\",\"kind\":\"%s\"", i, rows[i].kind),
		    "chat_id");

		has_once(discord_call(t, rig, 200, "GET /channels/%s", id), "type", rows[i].type);
		has_once(discord_transcript(t, rig, id), "kind", rows[i].kind);
	}
}

DISCORD_TEST(direct_messages_are_opened_once_and_may_be_refused)
{
	const char *dm;

	discord_invalid(
	    t, rig, "recipient_id", "USER_NOT_FOUND", "POST /users/@me/channels {\"recipient_id\":\"77\"}");
	dm = discord_keep(discord_control(t, rig, "say", "\"user\":\"77\",\"text\":\"x\""), "chat_id");
	has_once(discord_call(t, rig, 200, "POST /users/@me/channels {\"recipient_id\":\"77\"}"), "id", dm);
	discord_order(t, rig, "chat", "\"chat\":\"77\",\"gone\":\"blocked\"");
	discord_refused(t, rig, 403, 50007, "POST /channels/%s/messages {\"content\":\"x\"}", dm);
	discord_order(t, rig, "chat", "\"chat\":\"77\",\"gone\":\"no\"");
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dm));
}

static const char multipart[] = "--b\r\nContent-Disposition: form-data; "
				"name=\"payload_json\"\r\nContent-Type: application/json\r\n\r\n%s\r\n"
				"--b\r\nContent-Disposition: form-data; name=\"%s\"; "
				"filename=\"%s\"\r\nContent-Type: %s\r\n\r\nbytes\r\n--b--\r\n";

/* The answer to an upload, of that status. */
static struct json_object *upload(struct task *t, struct discord_rig *rig, const char *payload,
    const char *part, const char *name, int status)
{
	char *path = xasprintf("/discord/api/v10/channels/%s/messages", discord_dev(t, rig));
	struct buf body = BUF_INIT;
	struct discord_reply reply;
	struct json_object *o;

	buf_addf(&body, multipart, payload, part, name, "audio/ogg");
	reply = ask(t, rig,
	    (struct discord_request){.method = "POST",
		.path = path,
		.content_type = "multipart/form-data; boundary=b",
		.body = body.data});
	if (reply.status != status)
		fail_msg("%d: %s", reply.status, reply.text);
	o = json_object_get(reply.json);
	discord_reply_clear(&reply);
	buf_clear(&body);
	free(path);
	return o;
}

DISCORD_TEST(files_come_in_parts_and_are_described)
{
	struct json_object *o;

	discord_set(t, rig, "\"limits\":false");
	o = upload(
	    t, rig, "{\"attachments\":[{\"id\":0,\"description\":\"what\"}]}", "files[0]", "a b.txt", 200);
	discord_has(o, "attachments.0.filename", "a_b.txt");
	discord_has(o, "attachments.0.size", "5");
	discord_has(o, "attachments.0.description", "what");
	json_object_put(o);
	has_once(upload(t, rig, "{}", "image", "a", 400), "errors.image._errors.0.code", "UNKNOWN_FIELD");
	has_once(upload(t, rig, "{}", "files", "a", 400), "errors.files._errors.0.code", "UNKNOWN_FIELD");
	has_once(upload(t, rig, "{}", "file", "a", 200), "attachments.0.filename", "a");
	has_once(upload(t, rig, "{}", "file0", "b", 200), "attachments.0.filename", "b");
	has_once(upload(t, rig, "{\"attachments\":[{\"id\":1}]}", "files[0]", "a", 400),
	    "errors.attachments.0.id._errors.0.code", "ATTACHMENT_NOT_FOUND");
	has_once(upload(t, rig, "{\"flags\":8192}", "files[0]", "a.ogg", 400), "code", "50161");
	has_once(upload(t, rig, "{\"flags\":8192}", "files[0]", "a.txt", 400), "code", "50160");
	has_once(
	    upload(t, rig, "{\"flags\":8192,\"content\":\"x\"}", "files[0]", "a.ogg", 400), "code", "50159");
	o = upload(t, rig,
	    "{\"flags\":8192,\"attachments\":[{\"id\":0,\"duration_secs\":1.5,\"waveform\":\"AAAA\"}]}",
	    "files[0]", "a.ogg", 200);
	discord_has(o, "attachments.0.duration_secs", "1.5");
	discord_refused(t, rig, 400, 50162, "PATCH /channels/%s/messages/%s {\"content\":\"x\"}",
	    discord_dev(t, rig), discord_at(o, "id"));
	json_object_put(o);
}

DISCORD_TEST(urls_of_files_are_signed_and_end_after_a_day)
{
	const char *url = discord_keep(upload(t, rig, "{}", "files[0]", "a.txt", 200), "attachments.0.url");
	char *forged = xstrdup(url);
	struct discord_reply reply = ask(t, rig, (struct discord_request){.path = url, .token = ""});

	assert_int_equal(reply.status, 200);
	assert_string_equal(reply.text, "bytes");
	discord_reply_clear(&reply);
	forged[strlen(forged) - 2] ^= 1;
	reply = ask(t, rig, (struct discord_request){.path = forged, .token = ""});
	assert_int_equal(reply.status, 404);
	discord_reply_clear(&reply);
	discord_pass(t, 86400000);
	reply = ask(t, rig, (struct discord_request){.path = url, .token = ""});
	assert_int_equal(reply.status, 404);
	assert_string_equal(reply.text, "This content is no longer available.");
	discord_reply_clear(&reply);
	free(forged);
}

DISCORD_TEST(buckets_tell_what_is_left_and_refuse_what_is_over)
{
	char *path = xasprintf("/discord/api/v10/channels/%s/messages", discord_dev(t, rig));
	struct discord_request req = {.method = "POST", .path = path, .body = "{\"content\":\"x\"}"};
	struct discord_reply reply;
	char left[8];

	for (int i = 4; i >= 0; i--) {
		reply = ask(t, rig, req);
		assert_int_equal(reply.status, 200);
		snprintf(left, sizeof(left), "%d", i);
		discord_has(reply.headers, "x-ratelimit-remaining", left);
		discord_has(reply.headers, "x-ratelimit-limit", "5");
		discord_has(reply.headers, "x-ratelimit-reset-after", "5.000");
		discord_reply_clear(&reply);
	}
	discord_pass(t, 3500);
	reply = ask(t, rig, req);
	assert_int_equal(reply.status, 429);
	discord_has(reply.headers, "retry-after", "2");
	discord_has(reply.headers, "x-ratelimit-scope", "user");
	discord_has(reply.json, "retry_after", "1.5");
	discord_has(reply.json, "global", "false");
	discord_reply_clear(&reply);
	discord_order(t, rig, "say", "\"chat\":\"ops\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"x\"");
	done(discord_call(t, rig, 200, "GET /channels/%s", discord_dev(t, rig))); /* another bucket */
	discord_pass(t, 1500);
	reply = ask(t, rig, req);
	assert_int_equal(reply.status, 200);
	discord_reply_clear(&reply);
	free(path);
}

DISCORD_TEST(a_bot_has_50_requests_a_second_over_all)
{
	struct discord_reply reply = {0};

	for (int i = 0; i < 51; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/discord/api/v10/users/%d", 1000 + i);
		discord_reply_clear(&reply);
		reply = ask(t, rig, (struct discord_request){.path = path});
	}
	assert_int_equal(reply.status, 429);
	discord_has(reply.json, "global", "true");
	discord_has(reply.headers, "x-ratelimit-global", "true");
	discord_has(reply.headers, "x-ratelimit-scope", "global");
	discord_reply_clear(&reply);
	discord_pass(t, 1000);
	discord_refused(t, rig, 404, 10013, "GET /users/1000");
}

DISCORD_TEST(the_report_tells_of_limits_that_are_near)
{
	const char *dev = discord_dev(t, rig);
	const char *id = discord_say(t, rig, "hello");

	done(discord_call(
	    t, rig, 204, "PUT /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%8D/@me", dev, id));
	discord_reported(t, rig, "near_limit", "PUT /channels/messages/reactions", 0); /* it has but one */
	for (int i = 1; i <= 4; i++) {
		discord_reported(t, rig, "near_limit", "POST /channels/messages", 0);
		done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"%d\"}", dev, i));
	}
	discord_reported(t, rig, "near_limit", "POST /channels/messages", 1);
	discord_pass(t, 1000);
	for (int i = 1; i <= 40; i++) {
		discord_reported(t, rig, "near_limit", "GET /users", 0);
		discord_refused(t, rig, 404, 10013, "GET /users/%d", 1000 + i);
	}
	discord_reported(t, rig, "near_limit", "GET /users", 1);
}

DISCORD_TEST(slow_mode_is_told_with_its_code)
{
	const char *dev = discord_dev(t, rig);

	discord_order(t, rig, "chat", "\"chat\":\"dev\",\"slowmode\":30");
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev));
	has_once(discord_call(t, rig, 429, "POST /channels/%s/messages {\"content\":\"x\"}", dev), "code",
	    "20016");
	discord_pass(t, 30000);
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev));
}

DISCORD_TEST(old_messages_are_edited_three_times_in_six_seconds)
{
	const char *dev = discord_dev(t, rig);
	const char *id = discord_keep(
	    discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev), "id");

	discord_pass(t, 3600001);
	for (int i = 0; i < 3; i++)
		done(discord_call(
		    t, rig, 200, "PATCH /channels/%s/messages/%s {\"content\":\"%d\"}", dev, id, i));
	has_once(discord_call(t, rig, 429, "PATCH /channels/%s/messages/%s {\"content\":\"y\"}", dev, id),
	    "code", "30046");
	discord_pass(t, 6000);
	done(discord_call(t, rig, 200, "PATCH /channels/%s/messages/%s {\"content\":\"y\"}", dev, id));
}

/* A command is given; the interaction as the gateway tells it, which is the caller's. */
static struct json_object *give(struct task *t, struct discord_rig *rig, struct websocket *w)
{
	discord_order(t, rig, "command", "\"chat\":\"77\",\"user\":\"77\",\"command\":\"ask\"");
	return discord_hear_event(t, w, "INTERACTION_CREATE");
}

static void answer(
    struct task *t, struct discord_rig *rig, struct json_object *i, int status, int code, const char *body)
{
	struct json_object *o = discord_call(t, rig, status, "POST /interactions/%s/%s/callback %s",
	    discord_at(i, "d.id"), discord_at(i, "d.token"), body);

	if (code != 0)
		assert_int_equal(json_get_int(o, "code", 0), code);
	json_object_put(o);
}

/* Discord: Registering a Command: 200 new ones a day. */
DISCORD_TEST(commands_are_new_two_hundred_times_a_day)
{
	for (int round = 0; round < 3; round++) {
		struct buf body = BUF_INIT;

		for (int i = 0; i < (round < 2 ? 100 : 1); i++)
			buf_addf(&body, "%c{\"name\":\"c%d\",\"description\":\"x\"}", i == 0 ? '[' : ',',
			    round * 100 + i);
		buf_addch(&body, ']');
		if (round < 2)
			done(discord_call(t, rig, 200, "PUT /applications/900/commands %s", body.data));
		else
			discord_refused(t, rig, 400, 30034, "PUT /applications/900/commands %s", body.data);
		buf_clear(&body);
	}
	done(discord_call(
	    t, rig, 200, "PUT /applications/900/commands [{\"name\":\"c150\",\"description\":\"y\"}]"));
	discord_refused(
	    t, rig, 400, 30034, "POST /applications/900/commands {\"name\":\"n\",\"description\":\"y\"}");
	discord_pass(t, 86400000);
	done(discord_call(
	    t, rig, 201, "POST /applications/900/commands {\"name\":\"n\",\"description\":\"y\"}"));
}

DISCORD_TEST(an_interaction_is_answered_once_within_three_seconds)
{
	static const char deferred[] = "{\"type\":5}", said[] = "{\"type\":4,\"data\":{\"content\":\"x\"}}";
	struct websocket *w = discord_login(t, rig, "0", NULL);
	struct json_object *i;

	done(discord_call(
	    t, rig, 200, "PUT /applications/900/commands [{\"name\":\"ask\",\"description\":\"x\"}]"));
	i = give(t, rig, w);
	discord_has(i, "d.type", "2");
	discord_has(i, "d.data.name", "ask");
	discord_has(i, "d.user.id", "77");
	discord_has(i, "d.context", "1");
	answer(t, rig, i, 400, 50035, "{\"type\":6}"); /* there is no message to update */
	answer(t, rig, i, 400, 50035, "{\"type\":4,\"data\":{\"content\":7}}");
	answer(t, rig, i, 400, 50006, "{\"type\":4,\"data\":{}}");
	answer(t, rig, i, 204, 0, deferred);
	answer(t, rig, i, 400, 40060, said);
	discord_pass(t, 899000);
	done(discord_call(t, rig, 200, "PATCH /webhooks/900/%s/messages/@original {\"content\":\"at last\"}",
	    discord_at(i, "d.token")));
	discord_pass(t, 1100);
	discord_refused(t, rig, 401, 50027, "PATCH /webhooks/900/%s/messages/@original {\"content\":\"x\"}",
	    discord_at(i, "d.token"));
	json_object_put(i);
	websocket_close(t, w, 1000, "");
	w = discord_login(t, rig, "0", NULL);
	i = give(t, rig, w);
	discord_pass(t, 3001);
	answer(t, rig, i, 404, 10062, said);
	json_object_put(i);
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(many_invalid_requests_are_banned)
{
	struct discord_reply reply = {0};

	for (int i = 0; i <= 10000; i++) {
		discord_reply_clear(&reply);
		reply = ask(
		    t, rig, (struct discord_request){.path = "/discord/api/v10/users/@me", .token = "Bot x"});
	}
	assert_int_equal(reply.status, 429);
	assert_string_equal(reply.text, "error code: 1015");
	discord_reply_clear(&reply);
}

DISCORD_TEST(state_outlives_a_restart)
{
	char folder[] = "/tmp/myna-discord-XXXXXX", *file;
	struct json_object *before, *after;
	const char *id;

	assert_non_null(mkdtemp(folder));
	discord_rig_restart(t, rig, folder);
	discord_set(t, rig, "\"limits\":false");
	done(discord_call(
	    t, rig, 200, "PUT /applications/900/commands [{\"name\":\"ask\",\"description\":\"x\"}]"));
	id = discord_say(t, rig, "hello @bot");
	done(discord_call(t, rig, 204, "PUT /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%80/@me",
	    discord_dev(t, rig), id));
	done(discord_call(
	    t, rig, 201, "POST /channels/%s/messages/%s/threads {\"name\":\"n\"}", discord_dev(t, rig), id));
	done(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"below\"}", id));
	done(upload(t, rig, "{\"content\":\"see\"}", "files[0]", "a.txt", 200));
	discord_order(t, rig, "say", "\"user\":\"77\",\"text\":\"direct\"");
	before = discord_transcript(t, rig, "dev");
	discord_rig_restart(t, rig, folder);
	after = discord_transcript(t, rig, "dev");
	assert_string_equal(json_object_get_string(before), json_object_get_string(after));
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages/%s", discord_dev(t, rig), id),
	    "thread.name", "n");
	has_once(discord_call(t, rig, 200, "GET /applications/900/commands"), "0.name", "ask");
	has_once(discord_transcript(t, rig, "77"), "messages.0.text", "direct");
	json_object_put(before);
	json_object_put(after);
	discord_rig_restart(t, rig, NULL);
	file = xasprintf("%s/playground.json", folder);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(folder), 0);
	free(file);
}

DISCORD_TEST(a_direct_message_may_be_begun_by_its_id)
{
	json_object_put(discord_call(t, rig, 200, "GET /users/@me"));
	discord_order(
	    t, rig, "say", "\"chat\":\"1001\",\"user\":\"1002\",\"text\":\"hi\",\"kind\":\"private\"");
	discord_order(t, rig, "say", "\"user\":\"1002\",\"text\":\"ho\"");
	struct json_object *o = discord_call(t, rig, 200, "GET /channels/1001/messages");
	assert_int_equal(json_object_array_length(o), 2);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_direct_message_may_be_begun_by_its_id),
	    cmocka_unit_test(who_asks_must_say_so_in_the_documented_form),
	    cmocka_unit_test(unknown_paths_methods_and_versions_are_refused),
	    cmocka_unit_test(a_message_is_at_most_2000_code_points_after_trimming),
	    cmocka_unit_test(bodies_are_refused_at_the_place_that_is_wrong),
	    cmocka_unit_test(what_the_platform_ignores_is_accepted_with_a_remark),
	    cmocka_unit_test(an_operation_that_is_not_simulated_says_so),
	    cmocka_unit_test(every_answer_has_the_members_of_its_schema),
	    cmocka_unit_test(components_v2_have_limits_and_no_legacy_fields),
	    cmocka_unit_test(a_forward_has_a_copy_of_what_it_forwards),
	    cmocka_unit_test(embeds_hold_6000_characters_together),
	    cmocka_unit_test(a_nonce_that_is_enforced_brings_its_message_back_for_five_minutes),
	    cmocka_unit_test(mentions_ping_as_far_as_they_are_allowed),
	    cmocka_unit_test(an_edit_changes_what_is_given_and_keeps_the_rest),
	    cmocka_unit_test(what_a_bot_may_not_do_it_is_told_with_its_code),
	    cmocka_unit_test(reactions_are_emoji_and_come_back),
	    cmocka_unit_test(threads_have_their_rules),
	    cmocka_unit_test(channels_are_of_the_kind_that_was_said),
	    cmocka_unit_test(direct_messages_are_opened_once_and_may_be_refused),
	    cmocka_unit_test(files_come_in_parts_and_are_described),
	    cmocka_unit_test(urls_of_files_are_signed_and_end_after_a_day),
	    cmocka_unit_test(buckets_tell_what_is_left_and_refuse_what_is_over),
	    cmocka_unit_test(a_bot_has_50_requests_a_second_over_all),
	    cmocka_unit_test(the_report_tells_of_limits_that_are_near),
	    cmocka_unit_test(slow_mode_is_told_with_its_code),
	    cmocka_unit_test(old_messages_are_edited_three_times_in_six_seconds),
	    cmocka_unit_test(commands_are_new_two_hundred_times_a_day),
	    cmocka_unit_test(an_interaction_is_answered_once_within_three_seconds),
	    cmocka_unit_test(many_invalid_requests_are_banned),
	    cmocka_unit_test(state_outlives_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
