#include <string.h>
#include <strings.h>

#include "playground/slack/methods/compose.h"
#include "playground/slack/socket/socket.h"

/* Finds who has that id, a person or an app; NULL and false for nobody. */
static bool find(struct slk_call *call, const char *id, struct slk_user **u, struct slk_app **a)
{
	*u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;
	*a = *u ? NULL : slk_app_find(call->world, id);
	if (*a && strcmp((*a)->user_id, id) != 0)
		*a = NULL;
	return *u || *a;
}

/* The email address wants a scope of its own. */
static struct json_object *user_json(struct slk_call *call, const struct slk_user *u)
{
	struct json_object *o = slk_user_json(u);
	char email[SLK_EMAIL_SIZE];

	if (slk_settings_scope(&call->world->set, "users:read.email")) {
		slk_user_email(u, email);
		json_set_str(json_get_object(o, "profile"), "email", email);
	}
	return o;
}

int slk_users_info(struct slk_call *call)
{
	struct slk_user *u;
	struct slk_app *a;

	if (!find(call, json_get_str(call->params, "user"), &u, &a))
		return slk_fail(call, "user_not_found");
	json_set(call->out, "user", u ? user_json(call, u) : slk_app_user_json(a));
	return 0;
}

int slk_users_lookup_by_email(struct slk_call *call)
{
	const char *wanted = json_get_str(call->params, "email");
	char email[SLK_EMAIL_SIZE];

	list_each_entry(&call->world->users, struct slk_user, u, link) {
		slk_user_email(u, email);
		if (strcasecmp(email, wanted) != 0 || u->disabled)
			continue;
		json_set(call->out, "user", user_json(call, u));
		return 0;
	}
	return slk_fail(call, "users_not_found");
}

/* Of the app itself, when nobody is named. */
int slk_users_profile_get(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "user");
	struct slk_user *u;
	struct slk_app *a;
	struct json_object *o;

	if (!find(call, id ? id : call->app->user_id, &u, &a))
		return slk_fail(call, "user_not_found");
	o = u ? user_json(call, u) : slk_app_user_json(a);
	json_set(call->out, "profile", json_object_get(json_get_object(o, "profile")));
	json_object_put(o);
	return 0;
}

/* Of itself an app learns more. */
int slk_users_get_presence(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "user");
	struct slk_user *u;
	struct slk_app *a;
	bool away;

	if (!find(call, id ? id : call->app->user_id, &u, &a))
		return slk_refuse(call, "invalid_arguments", "must be the id of a user [json-pointer:/user]");
	away = u ? u->away : a->away;
	json_set_str(call->out, "presence", away ? "away" : "active");
	if (a != call->app)
		return 0;
	json_setf(call->out, "online: true, auto_away: false, manual_away: %i, connection_count: %jd", away,
	    (int64_t)slk_socket_count(a));
	return 0;
}

int slk_users_set_presence(struct slk_call *call)
{
	const char *presence = json_get_str(call->params, "presence");

	if (strcmp(presence, "auto") != 0 && strcmp(presence, "away") != 0)
		return slk_refuse(call, "invalid_presence", "presence is auto or away");
	call->app->away = presence[1] == 'w';
	return 0;
}

/* Deprecated, and without effect. */
int slk_users_set_active(struct slk_call *call)
{
	(void)call;
	return 0;
}

int slk_dnd_info(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "user");
	struct slk_user *u;
	struct slk_app *a;
	int64_t left;

	if (!find(call, id ? id : call->app->user_id, &u, &a))
		return slk_fail(call, "user_not_found");
	left = u ? u->snooze_until - clock_wall() / 1000 : 0;
	json_setf(call->out, "dnd_enabled: %i, next_dnd_start_ts: 1, next_dnd_end_ts: 1, snooze_enabled: %i",
	    left > 0, left > 0);
	if (left > 0)
		json_setf(call->out, "snooze_endtime: %jd, snooze_remaining: %jd", u->snooze_until, left);
	return 0;
}

int slk_dnd_team_info(struct slk_call *call)
{
	struct json_object *ids = slk_call_list(call, "users"), *users = json_object_new_object();
	struct slk_user *u;
	struct slk_app *a;

	if (json_count(ids) == 0)
		slk_fail(call, "no_users_provided");
	json_each(ids, item) {
		const char *id = json_object_get_string(item);

		if (find(call, id, &u, &a))
			json_set(users, id, slk_dnd_json(u));
		else
			slk_fail(call, "user_not_visible");
	}
	json_object_put(ids);
	if (!call->error)
		json_set(call->out, "users", json_object_get(users));
	json_object_put(users);
	return call->error ? -1 : 0;
}

int slk_users_list(struct slk_call *call)
{
	struct json_object *all = json_object_new_array();

	list_each_entry(&call->world->users, struct slk_user, entry, link)
		json_object_array_add(all, user_json(call, entry));
	list_each_entry(&call->world->apps, struct slk_app, a, link)
		json_object_array_add(all, slk_app_user_json(a));
	if (!json_get(call->params, "limit"))
		json_set_int(call->params, "limit", 1000);
	if (slk_call_answer_page(call, all, 1000, "members") != 0)
		return -1;
	json_set_int(call->out, "cache_ts", clock_wall() / 1000);
	return 0;
}

int slk_bots_info(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "bot");
	struct slk_app *a = id ? slk_app_find(call->world, id) : call->app;

	if (!a || (id && strcmp(id, a->bot_id) != 0))
		return slk_fail(call, "bot_not_found");
	json_set(call->out, "bot", slk_app_profile_json(a));
	return 0;
}
