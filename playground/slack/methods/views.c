#include <string.h>

#include "playground/slack/methods/compose.h"

static int answer(struct slk_call *call, const struct slk_view *v)
{
	json_set(call->out, "view", slk_view_json(v));
	return 0;
}

/* Judges the view; type: NULL for any. v: the one that it replaces, or NULL. */
static int read_view(struct slk_call *call, const char *type, const struct slk_view *v)
{
	struct json_object *view = json_get_object(call->params, "view");
	const char *external = json_get_str(view, "external_id");
	struct slk_view *same =
	    external && external[0] != '\0' ? slk_view_external(call->world, external) : NULL;

	if (slk_view_check(call, view) != 0)
		return -1;
	if (type && strcmp(json_get_str(view, "type"), type) != 0)
		return slk_refuse(
		    call, "invalid_arguments", "must be a view of type %s [json-pointer:/view/type]", type);
	return same && same != v ? slk_fail(call, "duplicate_external_id") : 0;
}

static struct json_object *view_of(struct slk_call *call)
{
	return slk_copy(json_get_object(call->params, "view"));
}

/* A trigger is used up by a call that is otherwise right. */
static int take_trigger(struct slk_call *call, struct slk_trigger **t)
{
	const char *id = json_get_str(call->params, "trigger_id"), *error;

	if (!id)
		return slk_refuse(call, "invalid_arguments", "missing required field: trigger_id");
	error = slk_trigger_take(call->app, id, t);
	return error ? slk_fail(call, error) : 0;
}

/* What the person has open of the app makes room. */
int slk_views_open(struct slk_call *call)
{
	struct slk_trigger *t;
	struct slk_view *v;

	if (read_view(call, "modal", NULL) != 0 || take_trigger(call, &t) != 0)
		return -1;
	v = slk_view_top(call->world, call->app, t->user);
	if (v)
		slk_view_close_all(v);
	return answer(call, slk_view_new(call->app, t->user, view_of(call), NULL));
}

int slk_views_push(struct slk_call *call)
{
	struct slk_trigger *t;
	struct slk_view *v;

	if (read_view(call, "modal", NULL) != 0 || take_trigger(call, &t) != 0)
		return -1;
	v = slk_view_top(call->world, call->app, t->user);
	if (!v)
		return slk_fail(call, "not_found");
	if (slk_view_depth(v) >= SLK_VIEWS_MAX)
		return slk_fail(call, "push_limit_reached");
	return answer(call, slk_view_new(call->app, t->user, view_of(call), v));
}

static int check_hash(struct slk_call *call, const struct slk_view *v)
{
	const char *hash = json_get_str(call->params, "hash");

	return v && hash && strcmp(hash, v->hash) != 0 ? slk_fail(call, "hash_conflict") : 0;
}

int slk_views_update(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "view_id"),
		   *external = json_get_str(call->params, "external_id");
	struct slk_view *v = id ? slk_view_find(call->world, id) :
	    external            ? slk_view_external(call->world, external) :
				  NULL;

	if (!id && !external)
		return slk_refuse(call, "invalid_arguments", "missing required field: view_id");
	if (!v || v->app != call->app)
		return slk_fail(call, "not_found");
	if (read_view(call, slk_view_is_modal(v) ? "modal" : "home", v) != 0 || check_hash(call, v) != 0)
		return -1;
	slk_view_set(v, view_of(call));
	return answer(call, v);
}

int slk_views_publish(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "user_id");
	struct slk_user *u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;
	struct slk_view *v = u ? slk_view_home(call->world, call->app, u) : NULL;

	if (!u)
		return slk_refuse(
		    call, "invalid_arguments", "must be the id of a user [json-pointer:/user_id]");
	if (read_view(call, "home", v) != 0 || check_hash(call, v) != 0)
		return -1;
	if (v)
		slk_view_set(v, view_of(call));
	else
		v = slk_view_new(call->app, u, view_of(call), NULL);
	return answer(call, v);
}
