/* Webhooks of channels: incoming ones, and those that follow an announcement channel. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define HOOKS_MAX 15

static void tell(struct cord_call *call, struct cord_channel *c, int action, uint64_t id,
    struct json_object *was, struct json_object *is)
{
	cord_event_in_guild(c->guild, "WEBHOOKS_UPDATE", CORD_INTENT_WEBHOOKS, 0,
	    cord_guild_event(c->guild, "channel_id", cord_id_json(c->id)));
	cord_call_audit(call, c->guild, action, id, was, is);
}

static size_t count_in(const struct cord_channel *c)
{
	size_t n = 0;

	list_each_entry(&c->world->records.list[CORD_WEBHOOK], struct cord_record, r, link)
		n += cord_get_id(r->json, "channel_id") == c->id;
	return n;
}

/* Discord: resources/webhook, Create Webhook. */
static int check_name(struct cord_call *call, const char *name)
{
	static const char *const bad[] = {"clyde", "discord"};

	for (size_t i = 0; name && i < sizeof(bad) / sizeof(bad[0]); i++)
		if (strcasestr(name, bad[i]))
			return cord_refuse_field(call, "name", "USERNAME_INVALID_CONTAINS",
			    "Username cannot contain \"%s\"", bad[i]);
	return 0;
}

static void set_avatar(struct json_object *o, struct json_object *body)
{
	if (json_get_str(body, "avatar"))
		json_set_str(o, "avatar", CORD_IMAGE_HASH);
	else if (cord_given(body, "avatar"))
		cord_set_null(o, "avatar");
}

static struct json_object *hook_new(
    struct cord_call *call, struct cord_channel *c, int type, const char *name)
{
	struct json_object *o = json_object_new_object();
	uint64_t random[4], id = cord_new_id(call->world);
	char token[69], url[320];

	json_setf(o, "id: %p, type: %d, name: %s, channel_id: %p, guild_id: %p, application_id: %p, user: %p",
	    cord_id_or_null(id), type, name, cord_id_or_null(c->id), cord_id_or_null(c->guild->id),
	    cord_id_or_null(type == 1 && call->bot ? call->bot->id : 0), cord_call_creator(call));
	set_avatar(o, call->body);
	if (type == 1) {
		clock_random(random, sizeof(random));
		snprintf(token, sizeof(token), "%017" PRIx64 "%017" PRIx64 "%017" PRIx64 "%017" PRIx64,
		    random[0], random[1], random[2], random[3]);
		snprintf(url, sizeof(url), "%s/discord/api/webhooks/%" PRIu64 "/%s", call->world->origin, id,
		    token);
		json_setf(o, "token: %s, url: %s", token, url);
	}
	cord_record_put(call->world, CORD_WEBHOOK, c->guild->id, id,
	    cord_fill(type == 1 ? "GuildIncomingWebhookResponse" : "ChannelFollowerWebhookResponse", o));
	tell(call, c, CORD_ACTION_WEBHOOK, id, NULL, o);
	return o;
}

static struct cord_channel *hook_place(struct cord_call *call)
{
	struct cord_channel *c = call->channel;

	if (!c->guild)
		cord_fail(call, "Cannot execute action on a DM channel");
	else if (c->parent || c->type == CORD_CATEGORY)
		cord_fail(call, "Cannot execute action on this channel type");
	else if (!(cord_call_may(call, c) & CORD_MAY_MANAGE_WEBHOOKS))
		cord_fail(call, "Missing Permissions");
	else
		return c;
	return NULL;
}

int cord_create_webhook(struct cord_call *call)
{
	struct cord_channel *c = hook_place(call);

	if (!c || check_name(call, json_get_str(call->body, "name")) != 0)
		return -1;
	if (count_in(c) >= HOOKS_MAX)
		return cord_fail(call, "Maximum number of webhooks reached (15)");
	call->result = json_object_get(hook_new(call, c, 1, json_get_str(call->body, "name")));
	return 0;
}

int cord_list_channel_webhooks(struct cord_call *call)
{
	struct cord_channel *c = hook_place(call);

	if (!c)
		return -1;
	call->result = json_object_new_array();
	list_each_entry(&call->world->records.list[CORD_WEBHOOK], struct cord_record, r, link)
		if (cord_get_id(r->json, "channel_id") == c->id)
			json_object_array_add(call->result, json_object_get(r->json));
	return 0;
}

int cord_get_guild_webhooks(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = cord_records_json(call->world, CORD_WEBHOOK, g->id);
	return 0;
}

/* Finds the webhook of the path: by its token, or by the actor's permission. */
static struct cord_record *call_hook(struct cord_call *call)
{
	struct cord_record *r = cord_record_by_id(call->world, CORD_WEBHOOK, call->ids[0]);
	const char *token = r ? json_get_str(r->json, "token") : NULL;

	if (!r)
		cord_fail(call, "Unknown Webhook");
	else if (strstr(call->route->path, "{webhook_token}") &&
	    (!token || strcmp(token, call->args[1]) != 0))
		cord_fail(call, "Invalid Webhook Token");
	else if (!strstr(call->route->path, "{webhook_token}") &&
	    !(cord_call_guild_may(call, cord_guild_find(call->world, r->owner)) & CORD_MAY_MANAGE_WEBHOOKS))
		cord_fail(call, "Missing Permissions");
	else
		return r;
	return NULL;
}

int cord_get_webhook(struct cord_call *call)
{
	struct cord_record *r = call_hook(call);

	if (!r)
		return -1;
	call->result = cord_copy(r->json);
	if (call->args[1][0] != '\0')
		json_object_object_del(call->result, "user"); /* who has the token alone does not see it */
	return 0;
}

int cord_update_webhook(struct cord_call *call)
{
	struct cord_record *r = call_hook(call);
	uint64_t to = cord_get_id(call->body, "channel_id");
	struct cord_channel *c;
	struct json_object *was;

	if (!r || check_name(call, json_get_str(call->body, "name")) != 0)
		return -1;
	c = cord_channel_find(call->world, to != 0 ? to : cord_get_id(r->json, "channel_id"));
	if (!c || c->gone || !c->guild || c->guild->id != r->owner)
		return cord_fail(call, "Unknown Channel");
	was = cord_copy(r->json);
	if (json_get_str(call->body, "name"))
		json_set_str(r->json, "name", json_get_str(call->body, "name"));
	set_avatar(r->json, call->body);
	cord_set_id(r->json, "channel_id", c->id);
	tell(call, c, CORD_ACTION_WEBHOOK + 1, r->id, was, r->json);
	json_object_put(was);
	return cord_get_webhook(call);
}

int cord_delete_webhook(struct cord_call *call)
{
	struct cord_record *r = call_hook(call);
	struct json_object *was;
	struct cord_channel *c;

	if (!r)
		return -1;
	was = json_object_get(r->json);
	c = cord_channel_find(call->world, cord_get_id(was, "channel_id"));
	cord_record_remove(call->world, r);
	if (c)
		tell(call, c, CORD_ACTION_WEBHOOK + 2, cord_get_id(was, "id"), was, NULL);
	json_object_put(was);
	return 0;
}

/* Discord: channel, Follow Announcement Channel. */
int cord_follow_channel(struct cord_call *call)
{
	struct cord_channel *c = call->channel,
			    *to =
				cord_channel_find(call->world, cord_get_id(call->body, "webhook_channel_id"));
	struct json_object *hook, *source;
	struct cord_message *notice;

	if (c->type != CORD_NEWS)
		return cord_fail(call, "Cannot execute action on this channel type");
	if (!to || to->gone || !to->guild || !cord_call_sees(call, to))
		return cord_fail(call, "Unknown Channel");
	if (!(cord_call_may(call, to) & CORD_MAY_MANAGE_WEBHOOKS))
		return cord_fail(call, "Missing Permissions");
	if (count_in(to) >= HOOKS_MAX)
		return cord_fail(call, "Maximum number of webhooks reached (15)");
	hook = hook_new(call, to, 2, c->name);
	source = json_newf("{id: %p, name: %s}", cord_id_json(c->id), c->name);
	json_set(hook, "source_channel", source);
	source = json_newf("{id: %p, name: %s}", cord_id_json(c->guild->id), c->guild->name);
	json_set(hook, "source_guild", cord_fill("WebhookSourceGuildResponse", source));
	notice = cord_message_new(to);
	notice->user = call->user;
	notice->bot = call->bot;
	notice->type = CORD_MESSAGE_FOLLOWED;
	notice->reply_to = c->last_message_id;
	notice->reply_channel = c->id;
	cord_message_set_content(notice, c->name, strlen(c->name));
	cord_channel_add(to, notice);
	cord_event_message(notice, "MESSAGE_CREATE");
	call->result = json_object_new_object();
	json_set(call->result, "channel_id", cord_id_json(c->id));
	json_object_object_add(call->result, "webhook_id", json_object_get(json_get(hook, "id")));
	return 0;
}
