/* What a guild has once: its settings, widget, welcome screen, onboarding; its audit log. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

static struct json_object *settings_of(const struct cord_guild *g, enum cord_setting what)
{
	return cord_record_get(g->world, CORD_SETTINGS, g->id, what)->json;
}

/* Images are given as data and shown by a hash. */
static void merge_images(struct json_object *into, struct json_object *body)
{
	static const char *const images[] = {"banner", "discovery_splash", "home_header", "icon", "splash"};

	for (size_t i = 0; i < ARRAY_LEN(images); i++)
		if (json_get_str(body, images[i]))
			json_set_str(into, images[i], CORD_IMAGE_HASH);
}

int cord_update_guild(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	static const char *const never_null[] = {"afk_timeout", "default_message_notifications",
	    "explicit_content_filter", "features", "preferred_locale", "premium_progress_bar_enabled",
	    "region", "system_channel_flags", "verification_level"};
	const char *name = json_get_str(call->body, "name");
	struct json_object *settings, *was;

	was = cord_guild_json(g, NULL);
	settings = settings_of(g, CORD_GUILD_SETTINGS);
	cord_merge(settings, call->body);
	json_object_object_del(settings, "name");
	merge_images(settings, call->body);
	for (size_t i = 0; i < ARRAY_LEN(never_null); i++)
		if (!json_get(settings, never_null[i]))
			json_object_object_del(settings, never_null[i]);
	if (name) {
		free(g->name);
		g->name = xstrdup(name);
	}
	cord_guild_changed(g);
	call->result = cord_guild_json(g, NULL);
	cord_call_audit(call, g, CORD_ACTION_GUILD_UPDATE, g->id, was, call->result);
	json_object_put(was);
	return 0;
}

static size_t count_members(const struct cord_guild *g)
{
	struct cord_ids ids;

	cord_members(g, &ids);
	free(ids.list);
	return ids.count;
}

int cord_get_guild(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = cord_guild_json(g, NULL);
	if (!json_get_bool(call->query, "with_counts", false))
		return 0;
	json_set_int(call->result, "approximate_member_count", (int64_t)count_members(g));
	json_set_int(call->result, "approximate_presence_count", (int64_t)count_members(g));
	return 0;
}

int cord_get_guild_preview(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = cord_part("GuildPreviewResponse", cord_guild_json(g, NULL));
	json_set_int(call->result, "approximate_member_count", (int64_t)count_members(g));
	json_set_int(call->result, "approximate_presence_count", (int64_t)count_members(g));
	return 0;
}

/* The settings of one kind, changed by the body if there is one. */
static int answer_settings(
    struct cord_call *call, struct cord_guild *g, enum cord_setting what, const char *schema)
{
	struct json_object *o = settings_of(g, what);

	if (call->body) {
		cord_merge(o, call->body);
	}
	if (what == CORD_ONBOARDING)
		json_set(o, "guild_id", cord_id_json(g->id));
	call->result = cord_fill(schema, cord_copy(o));
	return 0;
}

int cord_get_widget_settings(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *settings;

	answer_settings(call, g, CORD_WIDGET, "WidgetSettingsResponse");
	if (!call->body)
		return 0;
	settings = settings_of(g, CORD_GUILD_SETTINGS);
	json_set_bool(settings, "widget_enabled", json_get_bool(call->result, "enabled", false));
	json_object_object_add(
	    settings, "widget_channel_id", json_object_get(json_get(call->result, "channel_id")));
	cord_guild_changed(g);
	return 0;
}

/* Open to all; its members are nobody, as presences are not simulated. */
int cord_get_guild_widget(struct cord_call *call)
{
	struct cord_guild *g = cord_guild_find(call->world, call->ids[0]);
	struct json_object *o;

	if (!g)
		return cord_fail(call, "Unknown Guild");
	if (!json_get_bool(settings_of(g, CORD_WIDGET), "enabled", false))
		return cord_fail(call, "Widget Disabled");
	o = json_newf("{id: %p, name: %s}", cord_id_json(g->id), g->name);
	call->result = cord_fill("WidgetResponse", o);
	list_each_entry(&call->world->channel_list, const struct cord_channel, c, link) {
		if (c->guild != g || c->gone || c->type != CORD_VOICE)
			continue;
		o = json_newf("{id: %p, name: %s, position: %jd}", cord_id_json(c->id), c->name,
		    json_get_int(c->more, "position", 0));
		json_object_array_add(json_get_array(call->result, "channels"), o);
	}
	return 0;
}

int cord_get_welcome_screen(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *channels;

	if (!call->body && !json_get_bool(settings_of(g, CORD_WELCOME), "enabled", false) &&
	    !(cord_call_guild_may(call, g) & CORD_MAY_MANAGE_GUILD))
		return cord_fail(call, "Unknown Guild Welcome Screen");
	channels = json_get_array(call->body, "welcome_channels");
	json_each(channels, item)
		cord_fill("GuildWelcomeScreenChannelResponse", item);
	answer_settings(call, g, CORD_WELCOME, "GuildWelcomeScreenResponse");
	json_object_object_del(call->result, "enabled");
	return 0;
}

int cord_get_onboarding(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	answer_settings(call, g, CORD_ONBOARDING, "UserGuildOnboardingResponse");
	if (call->body)
		cord_call_audit(call, g, CORD_ACTION_ONBOARDING, g->id, NULL, call->body);
	return 0;
}

int cord_update_guild_incident_actions(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *o;

	o = json_object_new_object();
	cord_merge(o, json_get_object(settings_of(g, CORD_GUILD_SETTINGS), "incidents_data"));
	cord_merge(o, call->body);
	json_set(settings_of(g, CORD_GUILD_SETTINGS), "incidents_data",
	    cord_fill("GuildIncidentsDataResponse", o));
	cord_guild_changed(g);
	call->result = json_object_get(o);
	return 0;
}

/* Guilds here have no such address. */
int cord_get_guild_vanity_url(struct cord_call *call)
{
	call->result = json_newf("{code: null, uses: 0}");
	return 0;
}

static bool is_wanted(struct cord_call *call, const struct cord_record *r)
{
	static const char *const ids[] = {"target_id", "user_id"};
	uint64_t before = cord_get_id(call->query, "before"), after = cord_get_id(call->query, "after");

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (json_get(call->query, ids[i]) &&
		    cord_get_id(call->query, ids[i]) != cord_get_id(r->json, ids[i]))
			return false;
	if (json_get(call->query, "action_type") &&
	    json_get_int(call->query, "action_type", 0) != json_get_int(r->json, "action_type", 0))
		return false;
	return (before == 0 || r->id < before) && r->id > after;
}

/* The people and others that entries name. */
static void add_named(
    struct cord_call *call, struct json_object *o, struct json_object *entry, struct json_object *seen)
{
	static const char *const ids[] = {"target_id", "user_id"};

	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		const char *id = json_get_str(entry, ids[i]);
		struct json_object *user = id && !json_get(seen, id) ?
		    cord_anyone_json(call->world, cord_get_id(entry, ids[i])) :
		    NULL;

		if (!user)
			continue;
		json_set_bool(seen, id, true);
		json_object_array_add(json_get_array(o, "users"), user);
	}
}

/* Newest first; with after, oldest first. */
int cord_list_guild_audit_log_entries(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	size_t limit = cord_call_limit(call, 50);
	bool forwards = json_get(call->query, "after") != NULL;
	struct json_object *o, *entries, *seen;
	struct list *head = &call->world->records.list[CORD_AUDIT];

	entries = json_object_new_array();
	seen = json_object_new_object();
	o = json_object_new_object();
	json_set(o, "users", json_object_new_array());
	for (struct list *it = forwards ? head->next : head->prev; it != head;
	     it = forwards ? it->next : it->prev) {
		struct cord_record *r = list_entry(it, struct cord_record, link);

		if (r->owner != g->id || json_count(entries) >= limit || !is_wanted(call, r))
			continue;
		json_object_array_add(entries, json_object_get(r->json));
		add_named(call, o, r->json, seen);
	}
	json_object_put(seen);
	json_set(o, "audit_log_entries", entries);
	json_set(o, "webhooks", cord_records_json(call->world, CORD_WEBHOOK, g->id));
	json_set(o, "guild_scheduled_events", cord_records_json(call->world, CORD_SCHEDULED, g->id));
	json_set(o, "auto_moderation_rules", cord_records_json(call->world, CORD_RULE, g->id));
	call->result = cord_fill("GuildAuditLogResponse", o);
	return 0;
}

/* The bots are the integrations. */
int cord_list_guild_integrations(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = json_object_new_array();
	for (size_t i = 0; i < g->bot_count; i++) {
		struct json_object *o = json_object_new_object(), *account = json_object_new_object(),
				   *application = json_object_new_object(), *scopes = json_object_new_array();
		const struct cord_bot *b = g->bots[i].bot;

		if (!g->bots[i].in)
			continue;
		json_setf(o, "id: %p, name: %s, type: 'discord', enabled: true",
		    cord_id_json(g->bots[i].role), b->username);
		json_setf(account, "id: %p, name: %s", cord_id_json(b->id), b->username);
		json_set(o, "account", account);
		json_setf(application, "id: %p, name: %s, bot: %p", cord_id_json(b->id), b->username,
		    cord_bot_json(b));
		json_set(o, "application", application);
		json_object_array_add(scopes, json_object_new_string("bot"));
		json_set(o, "scopes", scopes);
		json_object_array_add(call->result, cord_fill("DiscordIntegrationResponse", o));
	}
	return 0;
}
