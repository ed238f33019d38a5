#include "playground/slack/socket/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/socket/envelope.h"
#include "playground/slack/world/message.h"

void slk_event_send_to(struct slk_app *a, struct json_object *event)
{
	struct json_object *payload = json_object_new_object(), *list = json_object_new_array(),
			   *o = json_object_new_object();
	char id[SLK_ID_SIZE];

	slk_new_id(a->world, id, 'E');
	id[1] = 'v';
	json_set_str(payload, "token", "playground-verification-token");
	json_set_str(payload, "team_id", SLK_TEAM);
	json_set_str(payload, "context_team_id", SLK_TEAM);
	json_set_str(payload, "api_app_id", a->app_id);
	json_set(payload, "event", event);
	json_set_str(payload, "type", "event_callback");
	json_set_str(payload, "event_id", id);
	json_set_int(payload, "event_time", clock_wall() / 1000);
	json_set_str(o, "team_id", SLK_TEAM);
	json_set_str(o, "user_id", a->user_id);
	json_set_bool(o, "is_bot", true);
	json_set_bool(o, "is_enterprise_install", false);
	json_object_array_add(list, o);
	json_set(payload, "authorizations", list);
	json_set_bool(payload, "is_ext_shared_channel", false);
	json_set_str(payload, "event_context", "4-playground");
	slk_envelope_send(a, SLK_EVENTS_API, payload);
}

static void set_event_ts(struct slk_world *w, struct json_object *event)
{
	char ts[SLK_ID_SIZE];

	slk_write_ts(slk_new_ts(w), ts);
	json_set_str(event, "event_ts", ts);
}

void slk_event_send(struct slk_conv *c, struct json_object *event)
{
	if (!json_get(event, "event_ts"))
		set_event_ts(c->world, event);
	list_each(&c->world->apps, it, tmp) {
		struct slk_app *a = list_entry(it, struct slk_app, link);

		if (slk_conv_has(c, a->user_id))
			slk_event_send_to(a, json_object_get(event));
	}
	json_object_put(event);
}

static struct json_object *message_event(
    const struct slk_conv *c, const struct slk_message *m, const char *type)
{
	struct json_object *o = slk_copy(m->o);

	json_set_str(o, "type", type);
	json_set_str(o, "channel", c->id);
	json_set_str(o, "event_ts", json_get_str(o, "ts"));
	return o;
}

/* Events API, app_mention: none in direct messages, and none for the app's own messages. */
static bool is_mention(const struct slk_conv *c, const struct slk_message *m, const struct slk_app *a)
{
	char mention[SLK_ID_SIZE + 4];

	snprintf(mention, sizeof(mention), "<@%s>", a->user_id);
	return c->kind != SLK_IM && m->app != a && strstr(slk_message_text(m), mention);
}

static bool mention_is_first(struct slk_world *w)
{
	if (w->set.mentions == SLK_MENTIONS_ALTERNATE)
		w->mention_turn = !w->mention_turn;
	return w->set.mentions == SLK_MENTION_FIRST || w->set.mentions == SLK_MENTION_ONLY ||
	    (w->set.mentions == SLK_MENTIONS_ALTERNATE && w->mention_turn);
}

static void send_message(struct slk_conv *c, const struct slk_message *m, struct slk_app *a)
{
	struct json_object *o = message_event(c, m, "message");

	json_set_str(o, "channel_type", slk_conv_type(c));
	slk_event_send_to(a, o);
}

static void send_both(struct slk_conv *c, const struct slk_message *m, struct slk_app *a)
{
	enum slk_mentions set = c->world->set.mentions;
	bool first = mention_is_first(c->world);

	if (!first && set != SLK_MENTION_ONLY)
		send_message(c, m, a);
	if (set != SLK_MESSAGE_ONLY)
		slk_event_send_to(a, message_event(c, m, "app_mention"));
	if (first && set != SLK_MENTION_ONLY)
		send_message(c, m, a);
}

void slk_event_message(struct slk_conv *c, const struct slk_message *m)
{
	list_each(&c->world->apps, it, tmp) {
		struct slk_app *a = list_entry(it, struct slk_app, link);

		if (!slk_conv_has(c, a->user_id))
			continue;
		if (is_mention(c, m, a))
			send_both(c, m, a);
		else
			send_message(c, m, a);
	}
}

/* Makes the event about another message. */
static struct json_object *about(const struct slk_conv *c, const char *subtype)
{
	struct json_object *o = json_object_new_object();
	char ts[SLK_ID_SIZE];

	slk_write_ts(slk_new_ts(c->world), ts);
	json_set_str(o, "type", "message");
	json_set_str(o, "subtype", subtype);
	json_set_str(o, "channel", c->id);
	json_set_bool(o, "hidden", true);
	json_set_str(o, "ts", ts);
	json_set_str(o, "event_ts", ts);
	json_set_str(o, "channel_type", slk_conv_type(c));
	return o;
}

void slk_event_changed(struct slk_conv *c, const struct slk_message *m, struct json_object *before)
{
	struct json_object *o = about(c, "message_changed");

	json_set(o, "message", slk_copy(m->o));
	json_set(o, "previous_message", before);
	slk_event_send(c, o);
}

void slk_event_deleted(struct slk_conv *c, const struct slk_message *m)
{
	struct json_object *o = about(c, "message_deleted");

	json_set_str(o, "deleted_ts", json_get_str(m->o, "ts"));
	json_set(o, "previous_message", slk_copy(m->o));
	slk_event_send(c, o);
}

void slk_event_reaction(
    struct slk_conv *c, const struct slk_message *m, const char *user, const char *name, int added)
{
	struct json_object *o = json_object_new_object(), *item = json_object_new_object();

	json_set_str(o, "type", added ? "reaction_added" : "reaction_removed");
	json_set_str(o, "user", user);
	json_set_str(o, "reaction", name);
	json_set_str(o, "item_user", json_get_str(m->o, "user"));
	json_set_str(item, "type", "message");
	json_set_str(item, "channel", c->id);
	json_set_str(item, "ts", json_get_str(m->o, "ts"));
	json_set(o, "item", item);
	slk_event_send(c, o);
}

void slk_event_member(struct slk_conv *c, const char *user, int joined)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "type", joined ? "member_joined_channel" : "member_left_channel");
	json_set_str(o, "user", user);
	json_set_str(o, "channel", c->id);
	json_set_str(o, "channel_type", c->kind == SLK_PUBLIC ? "C" : "G");
	json_set_str(o, "team", SLK_TEAM);
	slk_event_send(c, o);
}

void slk_event_channel(struct slk_conv *c, const char *type)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "type", type);
	json_set_str(o, "channel", c->id);
	slk_event_send(c, o);
}

void slk_event_notice(struct slk_conv *c, struct slk_user *u, const char *kind, const char *text)
{
	struct slk_message *m = slk_message_add(c, NULL, u, 0);
	char subtype[32];

	snprintf(subtype, sizeof(subtype), "%s_%s", slk_conv_type(c), kind);
	json_set_str(m->o, "subtype", subtype);
	json_set_str(m->o, "text", text);
	m->notice = true;
	slk_event_message(c, m);
}
