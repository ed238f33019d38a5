#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

/* Undocumented: how long they may be; a choice. */
#define NAME_MAX_LEN   255
#define HANDLE_MAX_LEN 80
#define NOTE_MAX       255
#define CHANNELS_MAX   100

static struct json_object *find(struct slk_call *call)
{
	struct json_object *o = slk_by_id(call->world->usergroups, json_get_str(call->params, "usergroup"));

	if (!o)
		slk_fail(call, "no_such_subteam");
	return o;
}

static bool is_disabled(struct json_object *o)
{
	return json_get_int(o, "date_delete", 0) != 0;
}

static bool is_taken(struct slk_world *w, struct json_object *but, const char *key, const char *value)
{
	json_each(w->usergroups, o)
		if (o != but && strcasecmp(json_get_str(o, key), value) == 0)
			return true;
	return false;
}

/* Handles share their names with people and channels. */
static const char *judge_handle(struct slk_world *w, struct json_object *but, const char *handle)
{
	size_t len = strlen(handle);

	/* Undocumented: which characters; those that people can type after an @. */
	for (size_t i = 0; i < len; i++)
		if (!islower((unsigned char)handle[i]) && !isdigit((unsigned char)handle[i]) &&
		    !strchr("-_.", handle[i]))
			return "bad_handle";
	if (len == 0 || len > HANDLE_MAX_LEN)
		return "bad_handle";
	return is_taken(w, but, "handle", handle) || slk_find_user(w, handle) || slk_conv_named(w, handle) ?
	    "handle_already_exists" :
	    NULL;
}

static const char *judge_name(struct slk_world *w, struct json_object *but, const char *name)
{
	if (name[0] == '\0')
		return "missing_subteam_name";
	if (utf8_count(name, strlen(name), UTF8_CHARS) > NAME_MAX_LEN)
		return "name_too_long";
	return is_taken(w, but, "name", name) ? "name_already_exists" : NULL;
}

/* The default channels of its members: "prefs". Takes ids. */
static int set_channels(struct slk_call *call, struct json_object *o, struct json_object *ids)
{
	struct json_object *channels = json_object_new_array(), *groups = json_object_new_array();

	json_each(ids, item) {
		struct slk_conv *c = slk_conv_find(call->world, json_object_get_string(item));
		bool known = c && slk_conv_sees(c, call->app) && c->name;

		if (!known || json_count(channels) + json_count(groups) == CHANNELS_MAX)
			slk_fail(call, known ? "too_many_linked_channels" : "invalid_channel_provided");
		else
			json_object_array_add(
			    c->kind == SLK_PUBLIC ? channels : groups, json_object_get(item));
	}
	json_set_int(o, "channel_count", (int64_t)(json_count(channels) + json_count(groups)));
	json_set(o, "prefs", json_newf("{channels: %p, groups: %p}", channels, groups));
	json_object_put(ids);
	return call->error ? -1 : 0;
}

/* Sets what a call gives of a user group, in a copy of it. */
static int set_parts(struct slk_call *call, struct json_object *o, struct json_object *but)
{
	const char *name = json_get_str(call->params, "name"), *handle = json_get_str(call->params, "handle"),
		   *note = json_get_str(call->params, "description"), *error;
	struct json_object *ids = slk_call_list(call, "channels");

	error = name ? judge_name(call->world, but, name) : NULL;
	if (!error && handle)
		error = judge_handle(call->world, but, handle);
	if (!error && note && utf8_count(note, strlen(note), UTF8_CHARS) > NOTE_MAX)
		error = "description_too_long";
	if (error) {
		json_object_put(ids);
		return slk_refuse(call, error, "the name, handle or description of a user group is refused");
	}
	if (name)
		json_set_str(o, "name", name);
	if (handle)
		json_set_str(o, "handle", handle);
	if (note)
		json_set_str(o, "description", note);
	json_setf(o, "date_update: %jd, updated_by: %s", clock_wall() / 1000, call->app->user_id);
	return ids ? set_channels(call, o, ids) : 0;
}

static struct json_object *counted(struct json_object *o)
{
	struct json_object *copy = slk_copy(o);

	json_set_int(copy, "user_count", (int64_t)json_count(json_get_array(o, "users")));
	return copy;
}

static int answer(struct slk_call *call, struct json_object *o, const char *event)
{
	struct json_object *copy = counted(o);

	if (!json_get_bool(call->params, "include_count", false))
		json_object_object_del(copy, "user_count");
	json_set(call->out, "usergroup", copy);
	slk_event_send_all(call->world, json_newf("{type: %s, subteam: %p}", event, counted(o)));
	return 0;
}

/* Of a name that has no handle. Undocumented: what Slack takes instead; the name in lower case. */
static char *handle_of(const char *name)
{
	char *handle = xstrdup(name);

	for (char *s = handle; *s != '\0'; s++)
		*s = isalnum((unsigned char)*s) ? (char)tolower((unsigned char)*s) : '-';
	return handle;
}

int slk_usergroups_create(struct slk_call *call)
{
	const char *name = json_get_str(call->params, "name");
	char id[SLK_ID_SIZE], *handle = handle_of(name);
	struct json_object *o;

	slk_new_id(call->world, id, 'S');
	o = json_newf(
	    "{id: %s, team_id: %s, is_usergroup: true, is_subteam: true, description: '', handle: %s, "
	    "is_external: false, date_create: %jd, date_delete: 0, auto_provision: false, "
	    "enterprise_subteam_id: '', created_by: %s, users: %p}",
	    id, SLK_TEAM, handle, clock_wall() / 1000, call->app->user_id, json_object_new_array());
	if (!json_get(call->params, "handle"))
		json_set_str(call->params, "handle", handle);
	free(handle);
	if (!json_get(call->params, "channels"))
		json_set(call->params, "channels", json_object_new_array());
	if (set_parts(call, o, NULL) != 0) {
		json_object_put(o);
		return -1;
	}
	if (!call->world->usergroups)
		call->world->usergroups = json_object_new_array();
	json_object_array_add(call->world->usergroups, o);
	return answer(call, o, "subteam_created");
}

int slk_usergroups_update(struct slk_call *call)
{
	struct json_object *o = find(call), *next;

	if (!o)
		return -1;
	next = slk_copy(o);
	if (set_parts(call, next, o) == 0) {
		json_object_object_foreach(next, key, value) {
			json_set(o, key, json_object_get(value));
		}
	}
	json_object_put(next);
	return call->error ? -1 : answer(call, o, "subteam_updated");
}

static int enable(struct slk_call *call, bool enabled)
{
	struct json_object *o = find(call);
	int64_t now = clock_wall() / 1000;

	if (!o)
		return -1;
	json_setf(o, "date_delete: %jd, date_update: %jd, updated_by: %s", enabled ? 0 : now, now,
	    call->app->user_id);
	if (enabled)
		json_object_object_del(o, "deleted_by");
	else
		json_set_str(o, "deleted_by", call->app->user_id);
	return answer(call, o, "subteam_updated");
}

int slk_usergroups_enable(struct slk_call *call)
{
	return enable(call, true);
}

int slk_usergroups_disable(struct slk_call *call)
{
	return enable(call, false);
}

int slk_usergroups_list(struct slk_call *call)
{
	bool disabled = json_get_bool(call->params, "include_disabled", false),
	     count = json_get_bool(call->params, "include_count", false),
	     users = json_get_bool(call->params, "include_users", false);
	struct json_object *list = json_object_new_array(), *one;

	json_each(call->world->usergroups, o) {
		if (is_disabled(o) && !disabled)
			continue;
		one = counted(o);
		if (!count)
			json_object_object_del(one, "user_count");
		if (!users)
			json_object_object_del(one, "users");
		json_object_array_add(list, one);
	}
	json_set(call->out, "usergroups", list);
	return 0;
}

int slk_usergroups_users_list(struct slk_call *call)
{
	struct json_object *o = find(call);

	if (!o)
		return -1;
	if (is_disabled(o) && !json_get_bool(call->params, "include_disabled", false))
		return slk_fail(call, "no_such_subteam");
	json_set(call->out, "users", slk_copy(json_get_array(o, "users")));
	return 0;
}

static bool has(struct json_object *list, const char *id)
{
	json_each(list, item)
		if (strcmp(json_object_get_string(item), id) == 0)
			return true;
	return false;
}

/* Those of all that others do not have. */
static struct json_object *without(struct json_object *all, struct json_object *others)
{
	struct json_object *rest = json_object_new_array();

	json_each(all, item)
		if (!has(others, json_object_get_string(item)) && !has(rest, json_object_get_string(item)))
			json_object_array_add(rest, json_object_get(item));
	return rest;
}

static void tell_members(struct slk_call *call, struct json_object *o, struct json_object *before)
{
	struct json_object *after = json_get_array(o, "users"), *added = without(after, before),
			   *removed = without(before, after);

	slk_event_send_all(call->world,
	    json_newf(
		"{type: 'subteam_members_changed', subteam_id: %s, team_id: %s, date_previous_update: %jd, "
		"date_update: %jd, added_users: %p, added_users_count: %jd, removed_users: %p, "
		"removed_users_count: %jd}",
		json_get_str(o, "id"), SLK_TEAM, json_get_int(o, "date_update", 0), clock_wall() / 1000,
		added, (int64_t)json_count(added), removed, (int64_t)json_count(removed)));
}

/* All members anew. */
int slk_usergroups_users_update(struct slk_call *call)
{
	struct json_object *o = find(call), *ids = o ? slk_call_list(call, "users") : NULL, *users;

	if (!o)
		return -1;
	if (json_count(ids) == 0)
		slk_fail(call, "no_users_provided");
	json_each(ids, item) {
		const char *id = json_object_get_string(item);
		struct slk_user *u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;

		if (!u || u->disabled)
			slk_fail(call, "invalid_users");
	}
	if (call->error) {
		json_object_put(ids);
		return -1;
	}
	users = without(ids, NULL); /* each once */
	json_object_put(ids);
	ids = json_object_get(json_get_array(o, "users"));
	json_set(o, "users", users);
	tell_members(call, o, ids);
	json_object_put(ids);
	json_setf(o, "date_update: %jd, updated_by: %s", clock_wall() / 1000, call->app->user_id);
	return answer(call, o, "subteam_updated");
}
