/* What channels of the rarer types take, and what whom lets do in a channel: overwrites and time-outs. */
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
#include "playground/world/json_format.h"
#include "tests/playground/discord/discord_rig.h"

#define EVERYBODY 1100 /* more than a chunk has */
#define CHUNK     1000

static void has_once(struct json_object *o, const char *path, const char *text)
{
	discord_has(o, path, text);
	json_object_put(o);
}

static const char *guild_of(struct task *t, struct discord_rig *rig)
{
	discord_set(t, rig, "\"limits\":false");
	return discord_keep(discord_call(t, rig, 200, "GET /channels/%s", discord_dev(t, rig)), "guild_id");
}

static void change_bot(struct task *t, struct discord_rig *rig, const char *action)
{
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",%s", action);
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

DISCORD_TEST(threads_of_an_announcement_channel_have_a_type_of_their_own)
{
	const char *g = guild_of(t, rig), *dev = discord_dev(t, rig), *news, *thread, *message;
	struct json_object *o;
	struct websocket *w;

	change_bot(t, rig, "\"action\":\"promote\"");
	news = discord_keep(
	    discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"news\",\"type\":5}", g), "id");
	w = discord_login(t, rig, DISCORD_USUAL, NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_refused(t, rig, 400, 50024, "POST /channels/%s/threads {\"name\":\"t\",\"type\":11}", news);
	discord_refused(t, rig, 400, 50024, "POST /channels/%s/threads {\"name\":\"t\",\"type\":12}", news);
	discord_refused(t, rig, 400, 50024, "POST /channels/%s/threads {\"name\":\"t\"}", news);
	discord_refused(t, rig, 400, 50024, "POST /channels/%s/threads {\"name\":\"t\",\"type\":10}", dev);
	o = discord_call(t, rig, 201, "POST /channels/%s/threads {\"name\":\"t\",\"type\":10}", news);
	discord_has(o, "type", "10");
	discord_has(o, "parent_id", news);
	assert_null(json_get(json_get_object(o, "thread_metadata"), "invitable"));
	thread = discord_keep(o, "id");
	has_once(hear_until(t, w, "THREAD_CREATE"), "d.type", "10");
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", thread));
	message = discord_keep(
	    discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"big\"}", news), "id");
	has_once(discord_call(t, rig, 201, "POST /channels/%s/messages/%s/threads {\"name\":\"of it\"}", news,
		     message),
	    "type", "10");
	has_once(discord_call(t, rig, 200, "GET /channels/%s", message), "type", "10");
	has_once(
	    discord_call(t, rig, 200, "GET /channels/%s/messages/%s", news, message), "thread.type", "10");
	json_object_put(discord_call(t, rig, 200, "PATCH /channels/%s {\"archived\":true}", thread));
	has_once(discord_call(t, rig, 200, "GET /channels/%s/threads/archived/public", news),
	    "threads.0.type", "10");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/threads/active", g), "threads.0.id", message);
	/* A person's, too. */
	json_object_put(hear_until(t, w, "THREAD_CREATE"));
	discord_order(t, rig, "say",
	    "\"chat\":\"updates\",\"kind\":\"news\",\"user\":\"ann\",\"thread\":\"talk\",\"text\":\"hi\"");
	o = hear_until(t, w, "THREAD_CREATE");
	discord_has(o, "d.name", "talk");
	has_once(o, "d.type", "10");
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(a_media_channel_has_posts_alone)
{
	const char *g = guild_of(t, rig), *media, *tag, *post, *hook, *token;
	struct json_object *o;

	change_bot(t, rig, "\"action\":\"promote\"");
	o = discord_call(t, rig, 201,
	    "POST /guilds/%s/channels {\"name\":\"Our Photos\",\"type\":16,\"available_tags\":[{\"name\":"
	    "\"sea\"}]}",
	    g);
	discord_has(o, "type", "16");
	discord_has(o, "name", "our-photos");
	media = discord_keep(json_object_get(o), "id");
	tag = discord_keep(o, "available_tags.0.id");
	discord_refused(t, rig, 400, 40058, "POST /channels/%s/messages {\"content\":\"x\"}", media);
	has_once(discord_call(t, rig, 200, "PATCH /channels/%s {\"flags\":16}", media), "flags", "16");
	discord_refused(t, rig, 400, 40067,
	    "POST /channels/%s/threads {\"name\":\"p\",\"message\":{\"content\":\"x\"}}", media);
	discord_invalid(t, rig, "message", "BASE_TYPE_REQUIRED",
	    "POST /channels/%s/threads {\"name\":\"p\",\"applied_tags\":[\"%s\"]}", media, tag);
	o = discord_call(t, rig, 201,
	    "POST /channels/%s/threads "
	    "{\"name\":\"p\",\"message\":{\"content\":\"first\"},\"applied_tags\":[\"%s\"]}",
	    media, tag);
	discord_has(o, "type", "11");
	discord_has(o, "parent_id", media);
	discord_has(o, "applied_tags.0", tag);
	post = discord_keep(o, "id");
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", post));
	has_once(discord_call(t, rig, 200, "GET /channels/%s", media), "last_message_id", post);
	discord_invalid(t, rig, "type", "CHANNEL_TYPE_INVALID", "PATCH /channels/%s {\"type\":0}", media);
	o = discord_call(t, rig, 200, "POST /channels/%s/webhooks {\"name\":\"sender\"}", media);
	hook = discord_keep(json_object_get(o), "id");
	token = discord_keep(o, "token");
	discord_refused(t, rig, 400, 220001, "POST /webhooks/%s/%s {\"content\":\"x\"}", hook, token);
	o = discord_call(t, rig, 200,
	    "POST /webhooks/%s/%s?wait=true "
	    "{\"content\":\"x\",\"thread_name\":\"q\",\"applied_tags\":[\"%s\"]}",
	    hook, token, tag);
	post = discord_keep(o, "channel_id");
	has_once(discord_call(t, rig, 200, "GET /channels/%s", post), "parent_id", media);
}

DISCORD_TEST(a_category_is_full_with_fifty_channels)
{
	char *g = xstrdup(guild_of(t, rig)), *category;
	const char *c = NULL;

	change_bot(t, rig, "\"action\":\"promote\"");
	category = xstrdup(discord_keep(
	    discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"Work\",\"type\":4}", g), "id"));
	for (int i = 0; i < 50; i++)
		c = discord_keep(
		    discord_call(t, rig, 201,
			"POST /guilds/%s/channels {\"name\":\"a\",\"parent_id\":\"%s\"}", g, category),
		    "id");
	json_object_put(discord_call(t, rig, 200, "PATCH /channels/%s {\"parent_id\":\"%s\"}", c, category));
	discord_invalid(t, rig, "parent_id", "CHANNEL_PARENT_MAX_CHANNELS",
	    "POST /guilds/%s/channels {\"name\":\"b\",\"parent_id\":\"%s\"}", g, category);
	json_object_put(discord_call(t, rig, 200, "DELETE /channels/%s", c));
	has_once(discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"b\",\"parent_id\":\"%s\"}",
		     g, category),
	    "parent_id", category);
	free(category);
	free(g);
}

/* Each member comes once, with those that were sent before in *seen. */
static size_t take_chunk(struct json_object *chunk, struct json_object *seen)
{
	struct json_object *members = json_get_array(json_get_object(chunk, "d"), "members");

	json_each(members, member) {
		const char *id = discord_at(member, "user.id");

		if (json_get(seen, id))
			fail_msg("%s comes twice", id);
		json_set_bool(seen, id, true);
	}
	return json_object_array_length(members);
}

DISCORD_TEST(a_tag_that_is_null_is_none)
{
	const char *g = guild_of(t, rig);
	struct json_object *o;

	change_bot(t, rig, "\"action\":\"promote\"");
	o = discord_call(t, rig, 201,
	    "POST /guilds/%s/channels "
	    "{\"name\":\"f\",\"type\":15,\"available_tags\":[null,{\"name\":\"sea\"},null]}",
	    g);
	discord_has(o, "available_tags.0.name", "sea");
	discord_has(o, "available_tags.1", "");
	json_object_put(o);
}

DISCORD_TEST(many_members_come_in_chunks)
{
	struct json_object *seen = json_object_new_object(), *o;
	const char *g = guild_of(t, rig);
	struct websocket *w;
	char *text;

	for (int i = 0; i < EVERYBODY; i++)
		discord_order(t, rig, "member",
		    "\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"p%d\",\"action\":\"join\"", i);
	discord_set(t, rig, "\"members\":true");
	w = discord_login(t, rig, "3", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	text = xasprintf(
	    "{\"op\":8,\"d\":{\"guild_id\":\"%s\",\"nonce\":\"all\",\"query\":\"\",\"limit\":0}}", g);
	discord_tell(t, w, text);
	free(text);
	o = discord_hear_event(t, w, "GUILD_MEMBERS_CHUNK");
	discord_has(o, "d.guild_id", g);
	discord_has(o, "d.nonce", "all");
	discord_has(o, "d.chunk_index", "0");
	discord_has(o, "d.chunk_count", "2");
	assert_int_equal(take_chunk(o, seen), CHUNK);
	json_object_put(o);
	o = discord_hear_event(t, w, "GUILD_MEMBERS_CHUNK");
	discord_has(o, "d.nonce", "all");
	discord_has(o, "d.chunk_index", "1");
	discord_has(o, "d.chunk_count", "2");
	assert_int_equal(take_chunk(o, seen), EVERYBODY + 1 - CHUNK); /* and the bot */
	json_object_put(o);
	assert_non_null(json_get(seen, "900"));
	/* Nothing follows but what is asked next. */
	text = xasprintf(
	    "{\"op\":8,\"d\":{\"guild_id\":\"%s\",\"nonce\":\"few\",\"query\":\"p1\",\"limit\":100}}", g);
	discord_tell(t, w, text);
	free(text);
	o = discord_hear_event(t, w, "GUILD_MEMBERS_CHUNK");
	discord_has(o, "d.nonce", "few");
	discord_has(o, "d.chunk_count", "1");
	assert_int_equal(json_object_array_length(json_get_array(json_get_object(o, "d"), "members")), 100);
	json_object_put(o);
	json_object_put(seen);
	websocket_close(t, w, 1000, "");
}

/* A new role, which the bot has or not. */
static const char *role_of(struct task *t, struct discord_rig *rig, const char *g, bool has)
{
	const char *role =
	    discord_keep(discord_call(t, rig, 200, "POST /guilds/%s/roles {\"permissions\":\"0\"}", g), "id");

	if (has)
		json_object_put(discord_call(t, rig, 204, "PUT /guilds/%s/members/900/roles/%s", g, role));
	return role;
}

/* Discord: topics/permissions: everyone's first, then those of all roles, allowing last, then the member's.
 */
DISCORD_TEST(overwrites_count_in_the_order_of_the_platform)
{
	enum { EVERYONE, A, B, NOT_HIS, MEMBER, PLACES };
	enum { SEND = 2048, VIEW = 1024 };
	static const struct {
		int allow[PLACES], deny[PLACES];
		int code; /* of the answer to a message; 0: it is sent */
	} cases[] = {
	    {.code = 0},
	    {.deny[EVERYONE] = SEND, .code = 50013},
	    {.deny[EVERYONE] = SEND, .allow[A] = SEND},
	    {.deny[EVERYONE] = SEND, .allow[NOT_HIS] = SEND, .code = 50013},
	    {.deny[EVERYONE] = SEND, .deny[A] = SEND, .allow[B] = SEND},
	    {.deny[EVERYONE] = SEND, .allow[A] = SEND, .deny[B] = SEND},
	    {.deny[EVERYONE] = SEND, .allow[A] = SEND, .deny[MEMBER] = SEND, .code = 50013},
	    {.deny[EVERYONE] = SEND, .allow[MEMBER] = SEND},
	    {.allow[EVERYONE] = SEND, .deny[A] = SEND, .code = 50013},
	    {.deny[A] = SEND, .code = 50013},
	    {.deny[A] = SEND, .deny[B] = SEND, .code = 50013},
	    {.deny[A] = SEND, .allow[B] = SEND},
	    {.deny[A] = SEND, .deny[B] = SEND, .allow[MEMBER] = SEND},
	    {.deny[NOT_HIS] = SEND},
	    {.allow[A] = SEND, .allow[B] = SEND, .deny[MEMBER] = SEND, .code = 50013},
	    {.deny[EVERYONE] = VIEW, .code = 50001},
	    {.deny[EVERYONE] = VIEW | SEND, .allow[A] = SEND, .code = 50001},
	    {.deny[EVERYONE] = VIEW | SEND, .allow[A] = SEND, .allow[B] = VIEW},
	    {.deny[EVERYONE] = VIEW, .allow[A] = VIEW, .deny[MEMBER] = VIEW, .code = 50001},
	};
	const char *g = guild_of(t, rig), *ids[PLACES] = {[EVERYONE] = g, [MEMBER] = "900"}, *channel = NULL;

	change_bot(t, rig, "\"action\":\"grant\",\"permission\":\"MANAGE_ROLES\"");
	change_bot(t, rig, "\"action\":\"grant\",\"permission\":\"MANAGE_CHANNELS\"");
	for (int i = A; i <= NOT_HIS; i++)
		ids[i] = xstrdup(role_of(t, rig, g, i != NOT_HIS));
	g = ids[EVERYONE] = xstrdup(g);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *overwrites = json_object_new_array();

		for (int k = EVERYONE; k < PLACES; k++)
			if (cases[i].allow[k] != 0 || cases[i].deny[k] != 0)
				json_object_array_add(overwrites,
				    json_newf("{id: %s, type: %d, allow: %d, deny: %d}", ids[k], k == MEMBER,
					cases[i].allow[k], cases[i].deny[k]));
		channel = discord_keep(
		    discord_call(t, rig, 201,
			"POST /guilds/%s/channels {\"name\":\"case-%zu\",\"permission_overwrites\":%s}", g, i,
			json_object_to_json_string_ext(overwrites, JSON_C_TO_STRING_PLAIN)),
		    "id");
		if (cases[i].code != 0)
			discord_refused(t, rig, 403, cases[i].code,
			    "POST /channels/%s/messages {\"content\":\"%zu\"}", channel, i);
		else
			json_object_put(discord_call(
			    t, rig, 200, "POST /channels/%s/messages {\"content\":\"%zu\"}", channel, i));
		json_object_put(overwrites);
	}
	/* An administrator sees the last one, which it is denied. */
	change_bot(t, rig, "\"action\":\"promote\"");
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", channel));
	for (int i = EVERYONE; i <= NOT_HIS; i++)
		free((char *)(uintptr_t)ids[i]);
}

DISCORD_TEST(a_thread_has_the_overwrites_of_its_channel)
{
	const char *g = guild_of(t, rig), *dev = discord_dev(t, rig), *thread;

	change_bot(t, rig, "\"action\":\"grant\",\"permission\":\"MANAGE_ROLES\"");
	thread = discord_keep(
	    discord_call(t, rig, 201, "POST /channels/%s/threads {\"name\":\"t\",\"type\":11}", dev), "id");
	json_object_put(discord_call(
	    t, rig, 204, "PUT /channels/%s/permissions/%s {\"type\":0,\"deny\":\"2048\"}", dev, g));
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", dev);
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", thread));
	json_object_put(discord_call(
	    t, rig, 204, "PUT /channels/%s/permissions/%s {\"type\":0,\"deny\":\"274877906944\"}", dev, g));
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", thread);
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev));
}

/* Discord: topics/permissions, Permissions For Timed Out Members. */
DISCORD_TEST(a_bot_that_is_timed_out_only_reads)
{
	const char *g = guild_of(t, rig), *message = discord_say(t, rig, "hello"), *dev = discord_dev(t, rig),
		   *thread;
	struct websocket *w;
	struct json_object *o;

	change_bot(t, rig, "\"action\":\"grant\",\"permission\":\"MANAGE_ROLES\"");
	change_bot(t, rig, "\"action\":\"grant\",\"permission\":\"MANAGE_CHANNELS\"");
	thread = discord_keep(
	    discord_call(t, rig, 201, "POST /channels/%s/threads {\"name\":\"t\",\"type\":11}", dev), "id");
	json_object_put(discord_call(
	    t, rig, 204, "PUT /channels/%s/permissions/900 {\"type\":1,\"allow\":\"2048\"}", dev));
	w = discord_login(t, rig, DISCORD_USUAL, NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	change_bot(t, rig, "\"action\":\"timeout\",\"seconds\":600");
	o = hear_until(t, w, "GUILD_MEMBER_UPDATE");
	discord_has(o, "d.user.id", "900");
	assert_string_not_equal(discord_at(o, "d.communication_disabled_until"), "");
	json_object_put(o);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages/%s", dev, message), "content", "hello");
	json_object_put(discord_call(t, rig, 200, "GET /channels/%s/messages", dev));
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", dev);
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", thread);
	discord_refused(
	    t, rig, 403, 50013, "PUT /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%8D/@me", dev, message);
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/threads {\"name\":\"u\",\"type\":11}", dev);
	discord_refused(t, rig, 403, 50013, "PATCH /channels/%s {\"topic\":\"x\"}", dev);
	discord_refused(t, rig, 403, 50013, "POST /guilds/%s/roles {\"name\":\"mods\"}", g);
	discord_refused(t, rig, 403, 50013, "POST /guilds/%s/channels {\"name\":\"x\"}", g);
	discord_refused(t, rig, 403, 50013, "PATCH /guilds/%s/members/@me {\"nick\":\"me\"}", g);
	/* It hears what others say. */
	discord_say(t, rig, "still there?");
	has_once(hear_until(t, w, "MESSAGE_CREATE"), "d.content", "still there?");
	websocket_close(t, w, 1000, "");
	change_bot(t, rig, "\"action\":\"promote\"");
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev));
	change_bot(t, rig, "\"action\":\"demote\"");
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", dev);
	discord_pass(t, 600001);
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", dev));
	json_object_put(discord_call(t, rig, 200, "POST /guilds/%s/roles {\"name\":\"mods\"}", g));
	has_once(
	    discord_call(t, rig, 200, "GET /guilds/%s/members/900", g), "communication_disabled_until", "");
}

#define SAY "{\"platform\":\"discord\",\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"hi\"}"

DISCORD_TEST(a_person_that_is_timed_out_says_nothing)
{
	const char *g = guild_of(t, rig), *ann;
	struct discord_reply reply;

	discord_say(t, rig, "hello");
	ann = discord_keep(
	    discord_call(t, rig, 200, "GET /guilds/%s/members/search?query=ann", g), "0.user.id");
	discord_refused(t, rig, 403, 50013,
	    "PATCH /guilds/%s/members/%s {\"communication_disabled_until\":\"2026-09-22T00:00:00Z\"}", g,
	    ann);
	change_bot(t, rig, "\"action\":\"promote\"");
	json_object_put(discord_call(t, rig, 200,
	    "PATCH /guilds/%s/members/%s {\"communication_disabled_until\":\"2026-09-22T00:00:00Z\"}", g,
	    ann));
	discord_send(
	    t, rig, &(struct discord_request){.method = "POST", .path = "/control/say", .body = SAY}, &reply);
	assert_int_equal(reply.status, 400);
	discord_has(reply.json, "error", "ann is timed out");
	discord_reply_clear(&reply);
	json_object_put(discord_call(
	    t, rig, 200, "PATCH /guilds/%s/members/%s {\"communication_disabled_until\":null}", g, ann));
	discord_say(t, rig, "at last");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(threads_of_an_announcement_channel_have_a_type_of_their_own),
	    cmocka_unit_test(a_media_channel_has_posts_alone),
	    cmocka_unit_test(a_tag_that_is_null_is_none),
	    cmocka_unit_test(a_category_is_full_with_fifty_channels),
	    cmocka_unit_test(many_members_come_in_chunks),
	    cmocka_unit_test(overwrites_count_in_the_order_of_the_platform),
	    cmocka_unit_test(a_thread_has_the_overwrites_of_its_channel),
	    cmocka_unit_test(a_bot_that_is_timed_out_only_reads),
	    cmocka_unit_test(a_person_that_is_timed_out_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
