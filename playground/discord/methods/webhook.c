#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define AWAY_MAX 5 /* follow-ups to an interaction */

struct cord_message *cord_webhook_message(const struct cord_interaction *i)
{
	struct cord_message *m = cord_message_new(i->channel);

	m->bot = i->bot;
	m->webhook_id = i->bot->id;
	if (i->type == CORD_INTERACTION_COMMAND)
		m->type = i->command_type == 1 ? CORD_MESSAGE_COMMAND : CORD_MESSAGE_CONTEXT_COMMAND;
	if (i->source) {
		m->type = CORD_MESSAGE_REPLY;
		m->reply_to = i->source->id;
		m->reply_channel = i->channel->id;
	}
	m->interaction = json_object_get(i->meta);
	return m;
}

/* Finds the interaction of the path's webhook; NULL after a failure. */
static struct cord_interaction *call_interaction(struct cord_call *call)
{
	struct cord_bot *b = map_get(&call->world->bots, (int64_t)call->ids[0], 0);

	if (!b) {
		cord_fail(call,
		    cord_record_by_id(call->world, CORD_WEBHOOK, call->ids[0]) ? "Invalid Webhook Token" :
										 "Unknown Webhook");
		return NULL;
	}
	list_each_entry(&call->world->interaction_list, struct cord_interaction, i, link) {
		if (i->bot != b || strcmp(i->token, call->args[1]) != 0)
			continue;
		if (clock_now() > i->began_ms + CORD_INTERACTION_TOKEN_MS)
			break;
		call->bot = b;
		return i;
	}
	cord_fail(call, "Invalid Webhook Token");
	return NULL;
}

/* Finds the incoming webhook of the path; NULL: none has that id. */
static struct cord_record *call_hook(struct cord_call *call)
{
	struct cord_record *r = cord_record_by_id(call->world, CORD_WEBHOOK, call->ids[0]);
	const char *token = r ? json_get_str(r->json, "token") : NULL;

	return token && strcmp(token, call->args[1]) == 0 ? r : NULL;
}

/* The channel of the webhook, or the thread of it that the query names; NULL after a failure. */
static struct cord_channel *hook_channel(struct cord_call *call, const struct cord_record *r)
{
	struct cord_channel *c = cord_channel_find(call->world, cord_get_id(r->json, "channel_id"));
	uint64_t thread = cord_get_id(call->query, "thread_id");
	struct cord_channel *t = thread != 0 ? cord_channel_find(call->world, thread) : c;

	if (c && !c->gone && t && !t->gone && (t == c || t->parent == c))
		return t;
	cord_fail(call, "Unknown Channel");
	return NULL;
}

/* Finds @original, or the message with the id in the path; NULL after a failure. */
static struct cord_message *call_hook_message(struct cord_call *call)
{
	const struct cord_record *hook = call_hook(call);
	struct cord_interaction *i = hook ? NULL : call_interaction(call);
	struct cord_channel *c = hook ? hook_channel(call, hook) : i ? i->channel : NULL;
	struct cord_message *m;

	if (!c)
		return NULL;
	m = strstr(call->route->path, "@original") ? (i ? i->original : NULL) :
						     cord_channel_message(c, call->ids[2]);
	if (m && !m->deleted && (hook ? m->webhook_id == hook->id : m->bot == i->bot))
		return m;
	cord_fail(call, "Unknown Message");
	return NULL;
}

/* The author is the webhook, under the name that the body gives. */
static struct json_object *author_json(struct cord_call *call, const struct cord_record *r)
{
	struct json_object *o = json_object_new_object();
	const char *name = json_get_str(call->body, "username");

	json_setf(o, "id: %p, username: %s, avatar: %s, discriminator: '0000', bot: true",
	    cord_id_json(r->id), name ? name : json_get_str(r->json, "name"),
	    json_get_str(call->body, "avatar_url") ? CORD_IMAGE_HASH : json_get_str(r->json, "avatar"));
	return cord_fill("UserResponse", o);
}

/* A post of a forum has a name, or goes to a thread that is there. */
static int check_thread(struct cord_call *call, const struct cord_channel *c, const char *name)
{
	bool forum = c->type == CORD_FORUM || c->type == CORD_MEDIA;

	if (name && c->parent)
		return cord_fail(
		    call, "Webhooks posted to forum channels cannot have both a thread_name and thread_id");
	if (forum && !name)
		return cord_fail(
		    call, "Webhooks posted to forum channels must have a thread_name or thread_id");
	return name && !forum ? cord_fail(call, "Webhooks can only create threads in forum channels") : 0;
}

static int execute_hook(struct cord_call *call, const struct cord_record *r)
{
	struct cord_channel *c = hook_channel(call, r);
	const char *thread = json_get_str(call->body, "thread_name");
	struct json_object *creator = json_get_object(r->json, "user");
	struct cord_message *m;
	bool good;

	if (!c || check_thread(call, c, thread) != 0)
		return -1;
	m = cord_message_new(c);
	m->user = cord_user_find(call->world, cord_get_id(creator, "id"));
	if (!m->user)
		m->bot = cord_bot_choose(call->world, json_get_str(creator, "id"));
	m->webhook_id = r->id;
	m->author = author_json(call, r);
	if (thread)
		good =
		    cord_post_new(call, c, thread, call->body, json_get_array(call->body, "applied_tags"), m);
	else
		good = cord_compose(call, call->body, m, CORD_WEBHOOK_FLAGS) == 0;
	if (!good) {
		cord_message_free(m);
		return -1;
	}
	if (!thread) {
		cord_channel_add(c, m);
		cord_event_message(m, "MESSAGE_CREATE");
	}
	if (json_get_bool(call->query, "wait", false))
		call->result = cord_message_json(m);
	return 0;
}

/* Discord: resources/webhook, Execute Slack-Compatible Webhook: attachments are embeds. */
int cord_execute_slack_compatible_webhook(struct cord_call *call)
{
	const struct cord_record *r = call_hook(call);
	struct json_object *body = call->body, *o = json_object_new_object(),
			   *embeds = json_object_new_array(),
			   *attachments = json_get_array(body, "attachments");
	int ret = -1;

	json_each(attachments, from)
		json_object_array_add(embeds,
		    json_newf("{title: %s, url: %s, description: %s}", json_get_str(from, "title"),
			json_get_str(from, "title_link"), json_get_str(from, "text")));
	json_setf(o, "content: %s, username: %s, avatar_url: %s, embeds: %p", json_get_str(body, "text"),
	    json_get_str(body, "username"), json_get_str(body, "icon_url"), embeds);
	call->body = o;
	if (r)
		ret = execute_hook(call, r);
	else
		cord_fail(call, "Unknown Webhook");
	call->body = body;
	json_object_put(o);
	if (ret == 0) {
		json_object_put(call->result);
		call->result = json_object_new_string("ok");
	}
	return ret;
}

/* The first follow-up after a deferral becomes the answer (deprecated, but still works). */
static int fill_original(struct cord_call *call, struct cord_interaction *i)
{
	if (cord_compose_edit(call, call->body, i->original) != 0)
		return -1;
	i->original->flags &= ~(int64_t)CORD_FLAG_LOADING;
	cord_show_channel(i->channel);
	call->result = cord_message_json(i->original);
	return 0;
}

/* Discord: Create Followup Message: where the app is not installed to the place. */
static bool is_away(const struct cord_interaction *i)
{
	return i->channel->guild ? !cord_guild_has(i->channel->guild, i->bot) : !i->channel->user;
}

int cord_execute_webhook(struct cord_call *call)
{
	const struct cord_record *hook = call_hook(call);
	struct cord_interaction *i;
	struct cord_message *m;

	if (hook)
		return execute_hook(call, hook);
	i = call_interaction(call);
	if (!i)
		return -1;
	if (i->answered == CORD_CALLBACK_NONE) /* there is no answer yet to follow up */
		return cord_fail(call, "Unknown Webhook");
	if (i->original && (i->original->flags & CORD_FLAG_LOADING))
		return fill_original(call, i);
	if (is_away(i) && i->followups >= AWAY_MAX)
		return cord_fail(call, "This interaction has hit the maximum number of follow up messages");
	m = cord_webhook_message(i);
	if (json_get_int(call->body, "flags", 0) & CORD_FLAG_EPHEMERAL)
		m->visible_to = i->user->id;
	if (cord_compose(call, call->body, m, CORD_WEBHOOK_FLAGS | CORD_FLAG_EPHEMERAL) != 0) {
		cord_message_free(m);
		return -1;
	}
	cord_channel_add(i->channel, m);
	cord_event_message(m, "MESSAGE_CREATE");
	i->followups++;
	call->result = cord_message_json(m); /* an application's webhook returns it also without wait */
	return 0;
}

int cord_get_webhook_message(struct cord_call *call)
{
	struct cord_message *m = call_hook_message(call);

	if (!m)
		return -1;
	call->result = cord_message_json(m);
	return 0;
}

int cord_update_webhook_message(struct cord_call *call)
{
	struct cord_message *m = call_hook_message(call);

	if (!m || cord_compose_edit(call, call->body, m) != 0)
		return -1;
	call->result = cord_message_json(m);
	return 0;
}

int cord_delete_webhook_message(struct cord_call *call)
{
	struct cord_message *m = call_hook_message(call);

	if (!m)
		return -1;
	cord_message_delete(m);
	return 0;
}
