/* What bots do with a guild: roles, members, channels, webhooks and the like. Answers and events are judged
 * by the tables throughout. */
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

#define PNG                                                                        \
	"data:image/"                                                              \
	"png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+" \
	"M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

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

static const char *person(struct task *t, struct discord_rig *rig, const char *name)
{
	return discord_keep(discord_control(t, rig, "say",
				"\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"%s\",\"text\":\"hi\"", name),
	    "user_id");
}

static void promote(struct task *t, struct discord_rig *rig)
{
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"promote\"");
}

static void grant(struct task *t, struct discord_rig *rig, const char *permission)
{
	discord_set(t, rig, "\"limits\":false");
	discord_order(t, rig, "member",
	    "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"grant\",\"permission\":\"%s\"", permission);
}

/* All events, to find those that matter. */
static struct json_object *hear_until(struct task *t, struct websocket *w, const char *name)
{
	for (;;) {
		struct json_object *o = discord_hear(t, w);

		if (strcmp(discord_at(o, "t"), name) == 0)
			return o;
		json_object_put(o);
	}
}

DISCORD_TEST(roles_follow_permissions_and_hierarchy)
{
	const char *g = guild_of(t, rig), *role, *bob = person(t, rig, "Bob");
	struct json_object *o;

	discord_refused(t, rig, 403, 50013, "POST /guilds/%s/roles {\"name\":\"mods\"}", g);
	grant(t, rig, "MANAGE_ROLES");
	/* What the bot may not do itself it cannot give. */
	discord_refused(t, rig, 403, 50013, "POST /guilds/%s/roles {\"permissions\":\"4\"}", g);
	o = discord_call(t, rig, 200,
	    "POST /guilds/%s/roles {\"name\":\"mods\",\"permissions\":\"2048\",\"color\":255,\"hoist\":true}",
	    g);
	discord_has(o, "permissions", "2048");
	discord_has(o, "colors.primary_color", "255");
	role = discord_keep(o, "id");
	has_once(discord_call(t, rig, 200, "PATCH /guilds/%s/roles/%s {\"name\":\"team\"}", g, role), "name",
	    "team");
	json_object_put(discord_call(t, rig, 204, "PUT /guilds/%s/members/%s/roles/%s", g, bob, role));
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/members/%s", g, bob), "roles.0", role);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/roles/member-counts", g), role, "1");
	discord_refused(t, rig, 404, 10011, "PUT /guilds/%s/members/%s/roles/77", g, bob);
	discord_refused(t, rig, 404, 10007, "PUT /guilds/%s/members/77/roles/%s", g, role);
	discord_refused(t, rig, 400, 50028, "DELETE /guilds/%s/roles/%s", g, g);
	/* Above its own it changes nothing. */
	discord_refused(
	    t, rig, 403, 50013, "PATCH /guilds/%s/roles [{\"id\":\"%s\",\"position\":5}]", g, role);
	json_object_put(discord_call(t, rig, 204, "DELETE /guilds/%s/roles/%s", g, role));
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/members/%s", g, bob), "roles", "[ ]");
	discord_refused(t, rig, 404, 10011, "GET /guilds/%s/roles/%s", g, role);
}

DISCORD_TEST(members_are_found_changed_kicked_and_banned)
{
	const char *g = guild_of(t, rig), *bob = person(t, rig, "Bob"), *eve = person(t, rig, "Eve");
	struct json_object *o;

	discord_refused(t, rig, 403, 50001, "GET /guilds/%s/members", g);
	discord_set(t, rig, "\"members\":true");
	o = discord_call(t, rig, 200, "GET /guilds/%s/members?limit=2", g);
	assert_int_equal(json_object_array_length(o), 2);
	json_object_put(o);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/members/search?query=bo", g), "0.user.id", bob);
	discord_refused(t, rig, 403, 50013, "PATCH /guilds/%s/members/%s {\"nick\":\"Bobby\"}", g, bob);
	has_once(
	    discord_call(t, rig, 200, "PATCH /guilds/%s/members/@me {\"nick\":\"me\"}", g), "nick", "me");
	promote(t, rig);
	o = discord_call(t, rig, 200,
	    "PATCH /guilds/%s/members/%s "
	    "{\"nick\":\"Bobby\",\"shoeSize\":44,\"communication_disabled_until\":\"2026-09-22T00:00:00Z\"}",
	    g, bob);
	discord_has(o, "nick", "Bobby");
	assert_string_equal(discord_at(o, "communication_disabled_until"), "2026-09-22T00:00:00Z");
	json_object_put(o);
	discord_invalid(t, rig, "communication_disabled_until", "GUILD_MEMBER_TIMEOUT_MAX",
	    "PATCH /guilds/%s/members/%s {\"communication_disabled_until\":\"2027-09-22T00:00:00Z\"}", g,
	    bob);
	json_object_put(discord_call(t, rig, 204, "DELETE /guilds/%s/members/%s", g, eve));
	discord_refused(t, rig, 404, 10007, "GET /guilds/%s/members/%s", g, eve);
	discord_refused(t, rig, 404, 10007, "DELETE /guilds/%s/members/%s", g, eve);
	discord_refused(t, rig, 404, 10013, "PUT /guilds/%s/bans/77 {}", g);
	json_object_put(
	    discord_call(t, rig, 204, "PUT /guilds/%s/bans/%s {\"delete_message_seconds\":3600}", g, bob));
	has_once(discord_transcript(t, rig, "dev"), "messages.0.deleted", "true");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/bans", g), "0.user.id", bob);
	has_once(
	    discord_call(t, rig, 200, "POST /guilds/%s/bulk-ban {\"user_ids\":[\"%s\",\"%s\"]}", g, bob, eve),
	    "failed_users.0", bob);
	json_object_put(discord_call(t, rig, 204, "DELETE /guilds/%s/bans/%s {}", g, bob));
	discord_refused(t, rig, 404, 10026, "GET /guilds/%s/bans/%s", g, bob);
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/prune?days=7", g), "pruned", "0");
}

DISCORD_TEST(channels_are_made_moved_and_closed_to_the_bot)
{
	const char *g = guild_of(t, rig), *category, *c;
	struct json_object *o;

	discord_refused(t, rig, 403, 50013, "POST /guilds/%s/channels {\"name\":\"x\"}", g);
	grant(t, rig, "MANAGE_CHANNELS");
	category = discord_keep(
	    discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"Work\",\"type\":4}", g), "id");
	o = discord_call(t, rig, 201,
	    "POST /guilds/%s/channels {\"name\":\"Big News\",\"topic\":\"what is new\",\"parent_id\":\"%s\"}",
	    g, category);
	discord_has(o, "name", "big-news");
	discord_has(o, "topic", "what is new");
	discord_has(o, "parent_id", category);
	c = discord_keep(o, "id");
	discord_invalid(t, rig, "parent_id", "CHANNEL_PARENT_INVALID_TYPE",
	    "POST /guilds/%s/channels {\"name\":\"x\",\"parent_id\":\"%s\"}", g, c);
	has_once(discord_call(t, rig, 200,
		     "PATCH /channels/%s {\"topic\":null,\"nsfw\":true,\"rate_limit_per_user\":5}", c),
	    "nsfw", "true");
	json_object_put(
	    discord_call(t, rig, 204, "PATCH /guilds/%s/channels [{\"id\":\"%s\",\"position\":9}]", g, c));
	has_once(discord_call(t, rig, 200, "GET /channels/%s", c), "position", "9");
	discord_refused(
	    t, rig, 403, 50013, "PUT /channels/%s/permissions/%s {\"type\":0,\"deny\":\"2048\"}", c, g);
	grant(t, rig, "MANAGE_ROLES");
	json_object_put(discord_call(
	    t, rig, 204, "PUT /channels/%s/permissions/%s {\"type\":0,\"deny\":\"2048\"}", c, g));
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/messages {\"content\":\"x\"}", c);
	json_object_put(
	    discord_call(t, rig, 204, "PUT /channels/%s/permissions/900 {\"type\":1,\"allow\":\"2048\"}", c));
	json_object_put(discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"x\"}", c));
	json_object_put(discord_call(t, rig, 204, "DELETE /channels/%s/permissions/900", c));
	discord_refused(t, rig, 404, 10009, "DELETE /channels/%s/permissions/900", c);
	json_object_put(discord_call(t, rig, 200, "DELETE /channels/%s", category));
	has_once(discord_call(t, rig, 200, "GET /channels/%s", c), "parent_id", "");
	json_object_put(discord_call(t, rig, 200, "DELETE /channels/%s", c));
	discord_refused(t, rig, 404, 10003, "GET /channels/%s", c);
}

DISCORD_TEST(a_forum_has_posts_with_tags)
{
	const char *g = guild_of(t, rig), *forum, *tag, *post;
	struct json_object *o;

	promote(t, rig);
	o = discord_call(t, rig, 201,
	    "POST /guilds/%s/channels "
	    "{\"name\":\"ideas\",\"type\":15,\"available_tags\":[{\"name\":\"bug\"}]}",
	    g);
	forum = discord_keep(json_object_get(o), "id");
	tag = discord_keep(o, "available_tags.0.id");
	discord_refused(t, rig, 400, 40058, "POST /channels/%s/messages {\"content\":\"x\"}", forum);
	discord_refused(t, rig, 404, 10087,
	    "POST /channels/%s/threads "
	    "{\"name\":\"p\",\"message\":{\"content\":\"x\"},\"applied_tags\":[\"77\"]}",
	    forum);
	o = discord_call(t, rig, 201,
	    "POST /channels/%s/threads "
	    "{\"name\":\"p\",\"message\":{\"content\":\"first\"},\"applied_tags\":[\"%s\"]}",
	    forum, tag);
	discord_has(o, "applied_tags.0", tag);
	discord_has(o, "message.content", "first");
	post = discord_keep(o, "id");
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages/%s", post, post), "content", "first");
	has_once(discord_call(t, rig, 200, "PATCH /channels/%s {\"archived\":true,\"locked\":true}", post),
	    "thread_metadata.archived", "true");
	has_once(discord_call(t, rig, 200, "GET /channels/%s/threads/archived/public", forum), "threads.0.id",
	    post);
	has_once(
	    discord_call(t, rig, 200, "GET /channels/%s/threads/search?name=P", forum), "total_results", "1");
}

DISCORD_TEST(threads_have_members_and_archive_themselves)
{
	const char *dev = discord_dev(t, rig), *bob = person(t, rig, "Bob"), *thread;

	thread = discord_keep(
	    discord_call(t, rig, 201,
		"POST /channels/%s/threads {\"name\":\"t\",\"type\":12,\"auto_archive_duration\":60}", dev),
	    "id");
	json_object_put(discord_call(t, rig, 204, "PUT /channels/%s/thread-members/%s", thread, bob));
	has_once(
	    discord_call(t, rig, 200, "GET /channels/%s/thread-members/%s?with_member=true", thread, bob),
	    "member.user.id", bob);
	has_once(discord_call(t, rig, 200, "GET /channels/%s", thread), "member_count", "2");
	json_object_put(discord_call(t, rig, 204, "DELETE /channels/%s/thread-members/%s", thread, bob));
	discord_refused(t, rig, 404, 10007, "GET /channels/%s/thread-members/%s", thread, bob);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/thread-members", thread), "0.user_id", "900");
	discord_pass(t, 61 * 60000);
	has_once(discord_call(t, rig, 200, "GET /channels/%s", thread), "thread_metadata.archived", "true");
	has_once(discord_call(t, rig, 200, "GET /channels/%s/users/@me/threads/archived/private", dev),
	    "threads.0.id", thread);
	discord_refused(t, rig, 403, 50013, "GET /channels/%s/threads/archived/private", dev);
	json_object_put(discord_call(t, rig, 200, "PATCH /channels/%s {\"archived\":false}", thread));
	json_object_put(discord_call(t, rig, 204, "DELETE /channels/%s/thread-members/@me", thread));
	discord_refused(t, rig, 403, 50001, "GET /channels/%s", thread); /* a private one */
}

DISCORD_TEST(webhooks_post_under_names_of_their_own)
{
	const char *dev = discord_dev(t, rig), *hook, *token, *message;
	struct json_object *o;

	discord_set(t, rig, "\"limits\":false");
	discord_refused(t, rig, 403, 50013, "POST /channels/%s/webhooks {\"name\":\"bot\"}", dev);
	grant(t, rig, "MANAGE_WEBHOOKS");
	discord_invalid(t, rig, "name", "USERNAME_INVALID_CONTAINS",
	    "POST /channels/%s/webhooks {\"name\":\"My Discord\"}", dev);
	o = discord_call(t, rig, 200, "POST /channels/%s/webhooks {\"name\":\"news\"}", dev);
	hook = discord_keep(json_object_get(o), "id");
	token = discord_keep(o, "token");
	json_object_put(
	    discord_call(t, rig, 204, "POST /webhooks/%s/%s {\"content\":\"quiet\"}", hook, token));
	o = discord_call(t, rig, 200,
	    "POST /webhooks/%s/%s?wait=true {\"content\":\"hello\",\"username\":\"Herald\"}", hook, token);
	discord_has(o, "author.username", "Herald");
	discord_has(o, "webhook_id", hook);
	message = discord_keep(o, "id");
	discord_refused(
	    t, rig, 403, 50005, "PATCH /channels/%s/messages/%s {\"content\":\"mine\"}", dev, message);
	has_once(discord_call(t, rig, 200, "PATCH /webhooks/%s/%s/messages/%s {\"content\":\"anew\"}", hook,
		     token, message),
	    "content", "anew");
	o = discord_transcript(t, rig, "dev");
	discord_has(o, "messages.0.from", "news");
	discord_has(o, "messages.1.from", "Herald");
	json_object_put(o);
	json_object_put(
	    discord_call(t, rig, 204, "DELETE /webhooks/%s/%s/messages/%s", hook, token, message));
	has_once(discord_call(t, rig, 200, "POST /webhooks/%s/%s/slack?wait=true {\"text\":\"from afar\"}",
		     hook, token),
	    "", "ok");
	discord_refused(t, rig, 401, 50027, "POST /webhooks/%s/wrong {\"content\":\"x\"}", hook);
	discord_refused(t, rig, 400, 220003, "POST /webhooks/%s/%s {\"content\":\"x\",\"thread_name\":\"y\"}",
	    hook, token);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/webhooks", dev), "0.name", "news");
	has_once(discord_call(t, rig, 200, "PATCH /webhooks/%s {\"name\":\"old\"}", hook), "name", "old");
	has_once(discord_call(t, rig, 200, "GET /webhooks/%s/%s", hook, token), "name", "old");
	json_object_put(discord_call(t, rig, 204, "DELETE /webhooks/%s", hook));
	discord_refused(t, rig, 404, 10015, "GET /webhooks/%s", hook);
}

DISCORD_TEST(messages_are_pinned_deleted_in_bulk_and_cleared_of_reactions)
{
	const char *dev = discord_dev(t, rig), *a = discord_say(t, rig, "one"),
		   *b = discord_say(t, rig, "two");
	struct json_object *o;

	discord_refused(t, rig, 403, 50013, "PUT /channels/%s/messages/pins/%s", dev, a);
	grant(t, rig, "PIN_MESSAGES");
	json_object_put(discord_call(t, rig, 204, "PUT /channels/%s/messages/pins/%s", dev, a));
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages/pins", dev), "items.0.message.id", a);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/pins", dev), "0.pinned", "true");
	json_object_put(discord_call(t, rig, 204, "DELETE /channels/%s/pins/%s", dev, a));
	discord_reported(t, rig, "deprecated", "GET /channels/pins", 1);
	discord_reported(t, rig, "deprecated", "GET /channels/messages/pins", 0);
	has_once(discord_call(t, rig, 200, "GET /channels/%s/messages/pins", dev), "items", "[ ]");
	discord_order(
	    t, rig, "react", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\",\"emoji\":\"👍\"", a);
	discord_refused(t, rig, 403, 50013, "DELETE /channels/%s/messages/%s/reactions", dev, a);
	grant(t, rig, "MANAGE_MESSAGES");
	json_object_put(
	    discord_call(t, rig, 204, "DELETE /channels/%s/messages/%s/reactions/%%F0%%9F%%91%%8D", dev, a));
	discord_order(
	    t, rig, "react", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\",\"emoji\":\"👍\"", a);
	json_object_put(discord_call(t, rig, 204, "DELETE /channels/%s/messages/%s/reactions", dev, a));
	o = discord_call(t, rig, 200, "GET /channels/%s/messages/%s", dev, a);
	assert_null(json_get(o, "reactions"));
	json_object_put(o);
	discord_invalid(t, rig, "messages", "BASE_TYPE_BAD_LENGTH",
	    "POST /channels/%s/messages/bulk-delete {\"messages\":[\"%s\"]}", dev, a);
	discord_refused(t, rig, 400, 50034,
	    "POST /channels/%s/messages/bulk-delete {\"messages\":[\"%s\",\"5\"]}", dev, a);
	json_object_put(discord_call(
	    t, rig, 204, "POST /channels/%s/messages/bulk-delete {\"messages\":[\"%s\",\"%s\"]}", dev, a, b));
	discord_refused(t, rig, 404, 10008, "GET /channels/%s/messages/%s", dev, b);
}

DISCORD_TEST(announcements_reach_the_channels_that_follow)
{
	const char *g = guild_of(t, rig), *dev = discord_dev(t, rig), *news, *message;
	struct json_object *o;

	promote(t, rig);
	news = discord_keep(
	    discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"news\",\"type\":5}", g), "id");
	json_object_put(discord_call(
	    t, rig, 200, "POST /channels/%s/followers {\"webhook_channel_id\":\"%s\"}", news, dev));
	message = discord_keep(
	    discord_call(t, rig, 200, "POST /channels/%s/messages {\"content\":\"hear\"}", news), "id");
	has_once(discord_call(t, rig, 200, "POST /channels/%s/messages/%s/crosspost", news, message), "flags",
	    "1");
	discord_refused(t, rig, 400, 40033, "POST /channels/%s/messages/%s/crosspost", news, message);
	o = discord_call(t, rig, 200, "GET /channels/%s/messages?limit=1", dev);
	discord_has(o, "0.content", "hear");
	discord_has(o, "0.flags", "2");
	discord_has(o, "0.message_reference.message_id", message);
	json_object_put(o);
}

DISCORD_TEST(a_poll_is_voted_in_and_ends_with_its_result)
{
	const char *dev = discord_dev(t, rig), *poll;
	struct websocket *w = discord_login(t, rig, "50331649", NULL); /* guilds, polls */
	struct json_object *o;

	discord_skip_event(t, w, "GUILD_CREATE");
	o = discord_call(t, rig, 200,
	    "POST /channels/%s/messages "
	    "{\"poll\":{\"question\":{\"text\":\"Tea?\"},\"answers\":[{\"poll_media\":{\"text\":"
	    "\"yes\"}},{\"poll_media\":{\"text\":\"no\"}}],\"duration\":1}}",
	    dev);
	discord_has(o, "poll.answers.1.answer_id", "2");
	poll = discord_keep(o, "id");
	discord_order(t, rig, "vote",
	    "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\",\"answer\":\"yes\"", poll);
	has_once(discord_hear_event(t, w, "MESSAGE_POLL_VOTE_ADD"), "d.answer_id", "1");
	discord_order(
	    t, rig, "vote", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\",\"answer\":2", poll);
	has_once(discord_hear_event(t, w, "MESSAGE_POLL_VOTE_REMOVE"), "d.answer_id", "1");
	has_once(discord_hear_event(t, w, "MESSAGE_POLL_VOTE_ADD"), "d.answer_id", "2");
	has_once(discord_call(t, rig, 200, "GET /channels/%s/polls/%s/answers/2", dev, poll),
	    "users.0.global_name", "Ann");
	discord_refused(t, rig, 400, 520003, "PATCH /channels/%s/messages/%s {\"content\":\"x\"}", dev, poll);
	discord_pass(t, 3600001);
	o = discord_call(t, rig, 200, "GET /channels/%s/messages?limit=1", dev);
	discord_has(o, "0.type", "46");
	discord_has(o, "0.embeds.0.type", "poll_result");
	discord_has(o, "0.embeds.0.fields.4.value", "no");
	json_object_put(o);
	discord_refused(t, rig, 400, 520001, "POST /channels/%s/polls/%s/expire", dev, poll);
	websocket_close(t, w, 1000, "");
}

/* A list by pages of one, each behind the page before: by id, whoever came first. */
static void expect_pages(struct task *t, struct discord_rig *rig, const char *list, const char *id,
    const char *const *people, size_t count)
{
	const char *after = "1";

	for (size_t i = 0; i < count; i++) {
		has_once(discord_call(t, rig, 200, "GET %slimit=1&after=%s", list, after), id, people[i]);
		after = people[i];
	}
	has_once(discord_call(t, rig, 200, "GET %slimit=1&after=%s", list, after), id, "");
}

DISCORD_TEST(those_who_react_vote_or_follow_come_in_pages)
{
	const char *dev = discord_dev(t, rig), *ann = person(t, rig, "Ann"), *bob = person(t, rig, "Bob");
	bool bob_is_last = strtoull(bob, NULL, 10) > strtoull(ann, NULL, 10);
	const char *const people[] = {"900", bob_is_last ? ann : bob, bob_is_last ? bob : ann};
	const char *message = discord_say(t, rig, "x"), *poll, *thread;
	char path[160];

	discord_set(t, rig, "\"limits\":false,\"members\":true");
	poll = discord_keep(
	    discord_call(t, rig, 200,
		"POST /channels/%s/messages {\"poll\":{\"question\":{\"text\":\"Tea?\"},\"answers\":[{"
		"\"poll_media\":{\"text\":\"yes\"}}],\"duration\":1}}",
		dev),
	    "id");
	thread = discord_keep(
	    discord_call(t, rig, 201, "POST /channels/%s/threads {\"name\":\"t\",\"type\":12}", dev), "id");
	for (size_t i = 2; i > 0; i--) {
		const char *name = people[i] == ann ? "Ann" : "Bob";

		discord_order(t, rig, "react",
		    "\"chat\":\"dev\",\"user\":\"%s\",\"message_id\":\"%s\",\"emoji\":\"👍\"", name, message);
		discord_order(t, rig, "vote",
		    "\"chat\":\"dev\",\"user\":\"%s\",\"message_id\":\"%s\",\"answer\":\"yes\"", name, poll);
		json_object_put(
		    discord_call(t, rig, 204, "PUT /channels/%s/thread-members/%s", thread, people[i]));
	}
	snprintf(path, sizeof(path), "/channels/%s/messages/%s/reactions/%%F0%%9F%%91%%8D?", dev, message);
	expect_pages(t, rig, path, "0.id", people + 1, 2);
	snprintf(path, sizeof(path), "/channels/%s/polls/%s/answers/1?", dev, poll);
	expect_pages(t, rig, path, "users.0.id", people + 1, 2);
	snprintf(path, sizeof(path), "/channels/%s/thread-members?with_member=true&", thread);
	expect_pages(t, rig, path, "0.user_id", people, 3);
}

DISCORD_TEST(people_make_polls_forward_and_pin)
{
	const char *dev = discord_dev(t, rig), *said = discord_say(t, rig, "look");
	struct websocket *w = discord_login(t, rig, "33280", NULL); /* messages of guilds, content */
	struct json_object *o;

	discord_order(
	    t, rig, "say", "\"chat\":\"dev\",\"user\":\"Bea\",\"forward\":{\"message_id\":\"%s\"}", said);
	o = discord_hear_event(t, w, "MESSAGE_CREATE");
	discord_has(o, "d.message_reference.type", "1");
	discord_has(o, "d.message_reference.message_id", said);
	discord_has(o, "d.message_snapshots.0.message.content", "look");
	discord_has(o, "d.content", "");
	json_object_put(o);
	discord_order(t, rig, "say",
	    "\"chat\":\"dev\",\"user\":\"Ann\",\"poll\":{\"question\":\"Tea?\",\"answers\":[\"yes\",\"no\"],"
	    "\"multiple\":true,\"seconds\":3600}");
	o = discord_hear_event(t, w, "MESSAGE_CREATE");
	discord_has(o, "d.author.global_name", "ann");
	discord_has(o, "d.poll.question.text", "Tea?");
	discord_has(o, "d.poll.answers.1.poll_media.text", "no");
	discord_has(o, "d.poll.allow_multiselect", "true");
	json_object_put(o);
	discord_order(t, rig, "vote",
	    "\"chat\":\"dev\",\"user\":\"Bea\",\"message_id\":\"newest\",\"answer\":[\"yes\",2]");
	discord_order(
	    t, rig, "vote", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"newest\",\"end\":true");
	has_once(discord_hear_event(t, w, "MESSAGE_UPDATE"), "d.poll.results.answer_counts.1.count", "1");
	has_once(discord_hear_event(t, w, "MESSAGE_CREATE"), "d.type", "46");
	discord_order(t, rig, "pin", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\"", said);
	has_once(discord_hear_event(t, w, "MESSAGE_UPDATE"), "d.pinned", "true");
	o = discord_hear_event(t, w, "MESSAGE_CREATE");
	discord_has(o, "d.type", "6");
	discord_has(o, "d.author.global_name", "ann");
	json_object_put(o);
	discord_order(
	    t, rig, "pin", "\"chat\":\"dev\",\"user\":\"Ann\",\"message_id\":\"%s\",\"remove\":true", said);
	has_once(discord_hear_event(t, w, "MESSAGE_UPDATE"), "d.pinned", "false");
	has_once(discord_call(t, rig, 200, "GET /channels/%s", dev), "last_pin_timestamp", "");
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(people_moderate_and_describe)
{
	const char *dev = discord_dev(t, rig);
	struct websocket *w;
	struct json_object *o;

	discord_order(t, rig, "say", "\"chat\":\"dev\",\"user\":\"Bea\",\"text\":\"hi\"");
	discord_set(t, rig, "\"members\":true");
	w = discord_login(t, rig, "7", NULL); /* guilds, members, moderation */
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"user\":\"Bea\",\"action\":\"nick\",\"nick\":\"Queen\"");
	has_once(discord_hear_event(t, w, "GUILD_MEMBER_UPDATE"), "d.nick", "Queen");
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"user\":\"Bea\",\"action\":\"timeout\",\"seconds\":60");
	o = discord_hear_event(t, w, "GUILD_MEMBER_UPDATE");
	assert_true(discord_at(o, "d.communication_disabled_until")[0] == '2');
	json_object_put(o);
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"user\":\"Bea\",\"action\":\"ban\"");
	has_once(discord_hear_event(t, w, "GUILD_BAN_ADD"), "d.user.global_name", "Bea");
	has_once(discord_hear_event(t, w, "GUILD_MEMBER_REMOVE"), "d.user.global_name", "Bea");
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"user\":\"Bea\",\"action\":\"unban\"");
	has_once(discord_hear_event(t, w, "GUILD_BAN_REMOVE"), "d.user.global_name", "Bea");
	discord_order(t, rig, "chat", "\"chat\":\"dev\",\"topic\":\"birds\"");
	has_once(discord_hear_event(t, w, "CHANNEL_UPDATE"), "d.topic", "birds");
	has_once(discord_call(t, rig, 200, "GET /channels/%s", dev), "topic", "birds");
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(emoji_stickers_and_sounds_are_kept)
{
	const char *g = guild_of(t, rig), *id;
	struct json_object *o;

	discord_refused(
	    t, rig, 403, 50013, "POST /guilds/%s/emojis {\"name\":\"ok\",\"image\":\"" PNG "\"}", g);
	promote(t, rig);
	discord_invalid(t, rig, "image", "BINARY_TYPE_INVALID_IMAGE",
	    "POST /guilds/%s/emojis {\"name\":\"ok\",\"image\":\"x\"}", g);
	o = discord_call(t, rig, 201, "POST /guilds/%s/emojis {\"name\":\"ok\",\"image\":\"" PNG "\"}", g);
	discord_has(o, "user.id", "900");
	id = discord_keep(o, "id");
	has_once(discord_call(t, rig, 200, "PATCH /guilds/%s/emojis/%s {\"name\":\"fine\"}", g, id), "name",
	    "fine");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s", g), "emojis.0.name", "fine");
	json_object_put(discord_call(t, rig, 204, "DELETE /guilds/%s/emojis/%s", g, id));
	discord_refused(t, rig, 404, 10014, "GET /guilds/%s/emojis/%s", g, id);
	has_once(discord_call(
		     t, rig, 201, "POST /applications/900/emojis {\"name\":\"own\",\"image\":\"" PNG "\"}"),
	    "name", "own");
	has_once(discord_call(t, rig, 200, "GET /applications/900/emojis"), "items.0.name", "own");
	json_object_put(discord_call(t, rig, 201,
	    "POST /guilds/%s/soundboard-sounds "
	    "{\"name\":\"boo\",\"sound\":\"data:audio/ogg;base64,T2dnUw==\"}",
	    g));
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/soundboard-sounds", g), "items.0.name", "boo");
	has_once(discord_call(t, rig, 200, "GET /guilds/%s/stickers", g), "", "[ ]");
}

/* What cannot be null is left as it is. */
DISCORD_TEST(a_null_takes_nothing_away_that_must_be_there)
{
	const char *g = guild_of(t, rig), *id;

	promote(t, rig);
	id = discord_keep(discord_call(t, rig, 201,
			      "POST /applications/900/emojis {\"name\":\"own\",\"image\":\"" PNG "\"}"),
	    "id");
	has_once(discord_call(t, rig, 200, "PATCH /applications/900/emojis/%s {\"name\":null}", id), "name",
	    "own");
	id = discord_keep(
	    discord_call(t, rig, 200,
		"POST /guilds/%s/auto-moderation/rules {\"name\":\"r\",\"event_type\":1,\"trigger_type\":1,"
		"\"trigger_metadata\":{\"keyword_filter\":[\"tea\"]},\"actions\":[{\"type\":1}]}",
		g),
	    "id");
	has_once(discord_call(
		     t, rig, 200, "PATCH /guilds/%s/auto-moderation/rules/%s {\"trigger_type\":null}", g, id),
	    "trigger_type", "1");
}

DISCORD_TEST(events_of_a_guild_reach_the_bots_with_the_intent)
{
	const char *g = guild_of(t, rig), *bob = person(t, rig, "Bob");
	struct websocket *w;

	discord_set(t, rig, "\"members\":true");
	promote(t, rig);
	w = discord_login(t, rig, "7", NULL); /* guilds, members, moderation */
	discord_skip_event(t, w, "GUILD_CREATE");
	json_object_put(discord_call(t, rig, 200, "POST /guilds/%s/roles {\"name\":\"x\"}", g));
	has_once(discord_hear_event(t, w, "GUILD_ROLE_CREATE"), "d.role.name", "x");
	has_once(hear_until(t, w, "GUILD_AUDIT_LOG_ENTRY_CREATE"), "d.action_type", "30");
	json_object_put(discord_call(t, rig, 204, "PUT /guilds/%s/bans/%s {}", g, bob));
	has_once(hear_until(t, w, "GUILD_BAN_ADD"), "d.user.id", bob);
	has_once(hear_until(t, w, "GUILD_MEMBER_REMOVE"), "d.user.id", bob);
	json_object_put(discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"y\"}", g));
	has_once(hear_until(t, w, "CHANNEL_CREATE"), "d.name", "y");
	websocket_close(t, w, 1000, "");
}

DISCORD_TEST(a_bot_hears_of_another_that_joins_and_leaves)
{
	static const struct discord_request other = {.method = "GET",
	    .path = "/discord/api/v10/users/@me",
	    .token = "Bot OTAx.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"};
	struct discord_reply reply;
	struct websocket *w;
	struct json_object *o;

	discord_dev(t, rig);
	discord_set(t, rig, "\"members\":true");
	json_object_put(discord_call(t, rig, 200, "GET /users/@me")); /* the guild is this one's */
	discord_send(t, rig, &other, &reply);
	assert_int_equal(reply.status, 200);
	discord_reply_clear(&reply);
	w = discord_login(t, rig, "3", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"bot\":\"901\",\"action\":\"add\"");
	has_once(discord_hear_event(t, w, "GUILD_ROLE_CREATE"), "d.role.tags.bot_id", "901");
	o = discord_hear_event(t, w, "GUILD_MEMBER_ADD");
	discord_has(o, "d.user.id", "901");
	assert_int_equal(json_object_array_length(json_get_array(json_get_object(o, "d"), "roles")), 1);
	json_object_put(o);
	discord_order(
	    t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"bot\":\"901\",\"action\":\"remove\"");
	has_once(discord_hear_event(t, w, "GUILD_MEMBER_REMOVE"), "d.user.id", "901");
	discord_skip_event(t, w, "GUILD_ROLE_DELETE");
	websocket_close(t, w, 1000, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(roles_follow_permissions_and_hierarchy),
	    cmocka_unit_test(members_are_found_changed_kicked_and_banned),
	    cmocka_unit_test(channels_are_made_moved_and_closed_to_the_bot),
	    cmocka_unit_test(a_forum_has_posts_with_tags),
	    cmocka_unit_test(threads_have_members_and_archive_themselves),
	    cmocka_unit_test(webhooks_post_under_names_of_their_own),
	    cmocka_unit_test(messages_are_pinned_deleted_in_bulk_and_cleared_of_reactions),
	    cmocka_unit_test(announcements_reach_the_channels_that_follow),
	    cmocka_unit_test(a_poll_is_voted_in_and_ends_with_its_result),
	    cmocka_unit_test(those_who_react_vote_or_follow_come_in_pages),
	    cmocka_unit_test(people_make_polls_forward_and_pin),
	    cmocka_unit_test(people_moderate_and_describe),
	    cmocka_unit_test(emoji_stickers_and_sounds_are_kept),
	    cmocka_unit_test(a_null_takes_nothing_away_that_must_be_there),
	    cmocka_unit_test(a_bot_hears_of_another_that_joins_and_leaves),
	    cmocka_unit_test(events_of_a_guild_reach_the_bots_with_the_intent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
