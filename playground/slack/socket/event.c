#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/slack/socket/event.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/world/message.h"
#include "playground/spec/spec.h"

/* docs.slack.dev/reference/events: the scope that an event wants. */
static const struct {
	const char *type, *scope;
} scopes[] = {
    {"agent_session_", "chat:write"},
    {"app_mention", "app_mentions:read"},
    {"channel_", "channels:read"},
    {"dnd_", "dnd:read"},
    {"emoji_changed", "emoji:read"},
    {"file_", "files:read"},
    {"group_", "groups:read"},
    {"link_shared", "links:read"},
    {"pin_", "pins:read"},
    {"reaction_", "reactions:read"},
    {"subteam_", "usergroups:read"},
    {"team_join", "users:read"},
    {"user_change", "users:read"},
};

static bool may_get(const struct slk_app *a, struct json_object *event)
{
	const char *type = json_get_str(event, "type"), *kind = json_get_str(event, "channel_type");
	char scope[SLK_SCOPE_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		if (strncmp(type, scopes[i].type, strlen(scopes[i].type)) == 0)
			return slk_settings_scope(&a->world->set, scopes[i].scope);
	if (!kind)
		return true;
	if (strncmp(type, "member_", 7) == 0)
		return slk_settings_scope(&a->world->set, kind[0] == 'C' ? "channels:read" : "groups:read");
	snprintf(scope, sizeof(scope), "%s%s:history", kind,
	    strcmp(kind, "channel") == 0 || strcmp(kind, "group") == 0 ? "s" : "");
	return slk_settings_scope(&a->world->set, scope);
}

void slk_event_name(struct json_object *event, char *out, size_t size)
{
	const char *type = json_get_str(event, "type"), *subtype = json_get_str(event, "subtype");

	if (!subtype || strcmp(type, "message") != 0)
		snprintf(out, size, "event.%s", type);
	else if (strncmp(subtype, "group_", 6) == 0) /* private channels have them, too */
		snprintf(out, size, "event.message.channel_%s", subtype + 6);
	else
		snprintf(out, size, "event.%s.%s", type, subtype);
}

static const struct spec_record *record_of(struct json_object *event)
{
	char name[80];

	slk_event_name(event, name, sizeof(name));
	return spec_type(spec_of("slack"), name);
}

void slk_event_send_to(struct slk_app *a, struct json_object *event)
{
	const struct spec_record *record = record_of(event);
	struct json_object *payload, *list, *o;
	char id[SLK_ID_SIZE];

	if (!may_get(a, event)) {
		json_object_put(event);
		return;
	}
	if (record)
		spec_fill(record, event);
	payload = json_object_new_object();
	list = json_object_new_array();
	o = json_object_new_object();
	slk_new_id(a->world, id, 'E');
	id[1] = 'v';
	json_setf(payload,
	    "token: %s, team_id: %s, context_team_id: %s, api_app_id: %s, event: %p, type: 'event_callback', "
	    "event_id: %s, event_time: %jd",
	    SLK_VERIFICATION, SLK_TEAM, SLK_TEAM, a->app_id, event, id, clock_wall() / 1000);
	json_setf(
	    o, "team_id: %s, user_id: %s, is_bot: true, is_enterprise_install: false", SLK_TEAM, a->user_id);
	json_object_array_add(list, o);
	json_setf(payload, "authorizations: %p, is_ext_shared_channel: false, event_context: %s", list,
	    SLK_EVENT_CONTEXT);
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
	list_each_entry(&c->world->apps, struct slk_app, a, link)
		if (slk_conv_has(c, a->user_id))
			slk_event_send_to(a, json_object_get(event));
	json_object_put(event);
}

void slk_event_send_all(struct slk_world *w, struct json_object *event)
{
	set_event_ts(w, event);
	list_each_entry(&w->apps, struct slk_app, a, link)
		slk_event_send_to(a, json_object_get(event));
	json_object_put(event);
}

static bool is_broadcast(struct json_object *message)
{
	const char *subtype = json_get_str(message, "subtype");

	return subtype && strcmp(subtype, "thread_broadcast") == 0;
}

static struct json_object *message_event(
    const struct slk_conv *c, const struct slk_message *m, const char *type)
{
	struct json_object *o = slk_copy(m->o);

	json_setf(o, "type: %s, channel: %s", type, c->id);
	json_set_str(o, "event_ts", json_get_str(o, "ts"));
	if (m->thread != 0 && is_broadcast(o)) {
		const struct slk_message *root = slk_message_find(c, m->thread);

		if (root)
			json_set(o, "root", slk_message_json(c, root, false));
	}
	return o;
}

/* Events API, app_mention: none in direct messages, and none for the app's own messages. */
static bool is_mention(const struct slk_conv *c, const struct slk_message *m, const struct slk_app *a)
{
	char mention[SLK_ID_SIZE + 4];

	snprintf(mention, sizeof(mention), "<@%s>", a->user_id);
	return c->kind != SLK_IM && m->app != a && strstr(slk_message_text(m), mention);
}

/* Undocumented: bots have met both orders. */
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

/* Where it stands among the message's other events is not documented. */
static void send_shared(struct slk_conv *c, const struct slk_message *m)
{
	json_each(json_get_array(m->o, "files"), file) {
		const char *id = json_get_str(file, "id");

		slk_event_send(c,
		    json_newf(
			"{type: 'file_shared', channel_id: %s, file_id: %s, user_id: %s, file: {id: %s}}",
			c->id, id, json_get_str(m->o, "user"), id));
	}
}

void slk_event_message(struct slk_conv *c, const struct slk_message *m)
{
	list_each_entry(&c->world->apps, struct slk_app, a, link) {
		if (!slk_conv_has(c, a->user_id))
			continue;
		if (is_mention(c, m, a))
			send_both(c, m, a);
		else
			send_message(c, m, a);
	}
	send_shared(c, m);
}

/* Makes the event about another message. */
static struct json_object *about(const struct slk_conv *c, const char *subtype)
{
	struct json_object *o = json_object_new_object();
	char ts[SLK_ID_SIZE];

	slk_write_ts(slk_new_ts(c->world), ts);
	json_setf(o,
	    "type: 'message', subtype: %s, channel: %s, hidden: true, ts: %s, event_ts: %s, channel_type: %s",
	    subtype, c->id, ts, ts, slk_conv_type(c));
	return o;
}

void slk_event_changed(struct slk_conv *c, const struct slk_message *m, struct json_object *before)
{
	struct json_object *o = about(c, "message_changed");

	json_setf(o, "message: %p, previous_message: %p", slk_copy(m->o), before);
	slk_event_send(c, o);
}

void slk_event_deleted(struct slk_conv *c, const struct slk_message *m)
{
	struct json_object *o = about(c, "message_deleted");

	json_setf(o, "deleted_ts: %s, previous_message: %p", json_get_str(m->o, "ts"), slk_copy(m->o));
	slk_event_send(c, o);
}

void slk_event_reaction(
    struct slk_conv *c, const struct slk_message *m, const char *user, const char *name, int added)
{
	struct json_object *o = json_object_new_object(), *item = json_object_new_object();

	json_setf(o, "type: %s, user: %s, reaction: %s, item_user: %s",
	    added ? "reaction_added" : "reaction_removed", user, name, json_get_str(m->o, "user"));
	json_setf(item, "type: 'message', channel: %s, ts: %s", c->id, json_get_str(m->o, "ts"));
	json_set(o, "item", item);
	slk_event_send(c, o);
}

void slk_event_member(struct slk_conv *c, const char *user, int joined, const char *inviter)
{
	slk_event_send(c,
	    json_newf("{type: %s, user: %s, channel: %s, channel_type: %s, team: %s, inviter: %s}",
		joined ? "member_joined_channel" : "member_left_channel", user, c->id,
		c->kind == SLK_PUBLIC ? "C" : "G", SLK_TEAM, inviter));
}

static struct json_object *named(const struct slk_conv *c, const char *name)
{
	struct json_object *o = json_object_new_object();
	char type[32];

	snprintf(type, sizeof(type), "%s_%s", c->kind == SLK_PUBLIC ? "channel" : "group", name);
	json_set_str(o, "type", type);
	return o;
}

void slk_event_channel(struct slk_conv *c, const char *name, const char *user)
{
	static const char *const actors[] = {"actor_id", "user"};
	struct json_object *o = named(c, name);

	json_set_str(o, "channel", c->id);
	for (size_t i = 0; i < ARRAY_LEN(actors); i++)
		if (spec_member(record_of(o), actors[i]))
			json_set_str(o, actors[i], user);
	slk_event_send(c, o);
}

static struct json_object *channel_json(const struct slk_conv *c)
{
	return json_newf("{id: %s, is_channel: true, name: %s, name_normalized: %s, created: %jd}", c->id,
	    c->name, c->name, c->created);
}

void slk_event_created(struct slk_conv *c)
{
	struct json_object *o = named(c, "created"), *channel = channel_json(c);

	json_setf(channel, "creator: %s, context_team_id: %s", c->creator, SLK_TEAM);
	json_set(o, "channel", channel);
	slk_event_send_all(c->world, o);
}

void slk_event_renamed(struct slk_conv *c)
{
	struct json_object *o = named(c, "rename");

	json_set(o, "channel", channel_json(c));
	slk_event_send(c, o);
}

void slk_event_opened(struct slk_conv *c, const char *tab, const struct slk_view *view)
{
	struct json_object *o =
	    json_newf("{type: 'app_home_opened', user: %s, channel: %s, tab: %s}", c->user->id, c->id, tab);

	if (view)
		json_set(o, "view", slk_view_json(view));
	slk_event_send(c, o);
}

void slk_event_pin(
    struct slk_conv *c, const char *user, const struct slk_message *m, struct json_object *item, int added)
{
	size_t count = c->pins ? json_count(c->pins) : 0;
	struct json_object *o = json_object_new_object(), *info = json_object_new_object();

	json_setf(o, "type: %s, user: %s, channel_id: %s", added ? "pin_added" : "pin_removed", user, c->id);
	json_setf(info, "channel: %s, pinned_by: %s, pinned_ts: %jd", c->id, json_get_str(item, "created_by"),
	    json_get_int(item, "created", 0));
	json_setf(o, "item: %p, item_user: %s, pin_count: %jd, pinned_info: %p", item,
	    json_get_str(m->o, "user"), (int64_t)count, info);
	if (!added)
		json_set_bool(o, "has_pins", count > 0);
	slk_event_send(c, o);
}

/* The next link in mrkdwn, "<https://DOMAIN/…>" or without brackets; NULL when there is none. */
static const char *next_link(const char *text, size_t *len)
{
	const char *at = strstr(text, "https://"), *plain = strstr(text, "http://");

	at = at && (!plain || at < plain) ? at : plain;
	if (at)
		*len = strcspn(at, "<>| \n\t");
	return at;
}

/* The domain of a link, if the app unfurls it: its own, or one above it. */
static bool read_domain(
    const struct slk_settings *set, const char *url, size_t len, char out[SLK_DOMAIN_SIZE])
{
	const char *host = strstr(url, "://") + 3;
	size_t host_len = strcspn(host, "/:?#<>| \n\t");

	if (host + host_len > url + len || host_len >= SLK_DOMAIN_SIZE)
		return false;
	memcpy(out, host, host_len);
	out[host_len] = '\0';
	for (size_t i = 0; i < set->domain_count; i++) {
		const char *domain = set->domains[i];
		size_t n = strlen(domain);

		if (strcasecmp(out, domain) == 0 ||
		    (host_len > n && out[host_len - n - 1] == '.' &&
			strcasecmp(out + host_len - n, domain) == 0))
			return true;
	}
	return false;
}

bool slk_link_is_ours(const struct slk_world *w, const char *url)
{
	char domain[SLK_DOMAIN_SIZE];

	return strstr(url, "://") && read_domain(&w->set, url, strlen(url), domain);
}

void slk_event_links(struct slk_conv *c, const struct slk_message *m)
{
	struct json_object *links = json_object_new_array();
	const char *text = slk_message_text(m), *ts = json_get_str(m->o, "ts");
	char domain[SLK_DOMAIN_SIZE], *id;
	size_t len;

	for (; (text = next_link(text, &len)); text += len) {
		char *url = xstrndup(text, len);

		if (read_domain(&c->world->set, text, len, domain)) {
			json_object_array_add(links, json_newf("{domain: %s, url: %s}", domain, url));
		}
		free(url);
	}
	if (json_count(links) == 0) {
		json_object_put(links);
		return;
	}
	id = xasprintf("%s.%s", c->id, ts);
	slk_event_send(c,
	    json_newf("{type: 'link_shared', channel: %s, is_bot_user_member: true, user: %s, message_ts: "
		      "%s, thread_ts: %s, unfurl_id: %s, source: 'conversations_history', links: %p}",
		c->id, json_get_str(m->o, "user"), ts, json_get_str(m->o, "thread_ts"), id, links));
	free(id);
}

void slk_event_notice(struct slk_conv *c, struct slk_user *u, struct slk_app *a, const char *kind,
    const char *value, const char *text)
{
	struct slk_message *m = slk_message_add(c, NULL, u, 0);
	char subtype[32];

	snprintf(subtype, sizeof(subtype), "%s_%s", slk_conv_type(c), kind);
	json_setf(m->o, "subtype: %s, user: %s, text: %s", subtype, u ? u->id : a->user_id, text);
	if (strcmp(kind, "topic") == 0 || strcmp(kind, "purpose") == 0 || strcmp(kind, "name") == 0)
		json_set_str(m->o, kind, value);
	if (strcmp(kind, "name") == 0)
		json_set(m->o, "old_name", json_object_get(json_at(c->previous_names, 0)));
	m->notice = true;
	slk_event_message(c, m);
}
