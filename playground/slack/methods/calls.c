#include <string.h>

#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

/* Calls that an app offers elsewhere, and tells Slack of (docs.slack.dev/apis/web-api/using-the-calls-api).
 */

static struct json_object *find(struct slk_call *call)
{
	struct json_object *o = slk_by_id(call->world->calls, json_get_str(call->params, "id"));

	if (!o)
		slk_fail(call, "invalid_call_id");
	return o;
}

static struct json_object *find_active(struct slk_call *call)
{
	struct json_object *o = find(call);

	if (o && json_get(o, "date_end")) {
		slk_fail(call, "inactive_call");
		return NULL;
	}
	return o;
}

static int answer(struct slk_call *call, struct json_object *o)
{
	json_set(call->out, "call", slk_copy(o));
	return 0;
}

static void set_parts(struct slk_call *call, struct json_object *o)
{
	static const char *const parts[] = {
	    "desktop_app_join_url", "external_display_id", "external_unique_id", "join_url", "title"};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (json_get_str(call->params, parts[i]))
			json_set_str(o, parts[i], json_get_str(call->params, parts[i]));
}

/* People of the workspace have a slack_id, others an external_id. */
static int check_users(struct slk_call *call, struct json_object *users)
{
	json_each(users, u) {
		const char *id = json_get_str(u, "slack_id");

		if (!json_object_is_type(u, json_type_object) || (!id && !json_get_str(u, "external_id")))
			return slk_refuse(call, "invalid_arguments",
			    "a user has slack_id or external_id [json-pointer:/users]");
		if (id && !slk_find_user(call->world, id))
			return slk_fail(call, "user_not_found");
	}
	return 0;
}

int slk_calls_add(struct slk_call *call)
{
	const char *by = json_get_str(call->params, "created_by");
	struct json_object *users = json_get_array(call->params, "users"), *o;
	char id[SLK_ID_SIZE];

	if (!by || !slk_find_user(call->world, by))
		return slk_fail(call, "invalid_created_by");
	if (json_get_int(call->params, "date_start", 0) < 0)
		return slk_fail(call, "invalid_start_time");
	if (check_users(call, users) != 0)
		return -1;
	slk_new_id(call->world, id, 'R');
	o = json_newf("{id: %s, date_start: %jd, users: %p, channels: %p}", id,
	    json_get_int(call->params, "date_start", clock_wall() / 1000),
	    users ? slk_copy(users) : json_object_new_array(), json_object_new_array());
	set_parts(call, o);
	if (!call->world->calls)
		call->world->calls = json_object_new_array();
	json_object_array_add(call->world->calls, o);
	return answer(call, o);
}

int slk_calls_end(struct slk_call *call)
{
	struct json_object *o = find_active(call);

	if (!o)
		return -1;
	json_set_int(o, "date_end",
	    json_get(call->params, "duration") ?
		json_get_int(o, "date_start", 0) + json_get_int(call->params, "duration", 0) :
		clock_wall() / 1000);
	return 0;
}

int slk_calls_info(struct slk_call *call)
{
	struct json_object *o = find(call);

	return o ? answer(call, o) : -1;
}

int slk_calls_update(struct slk_call *call)
{
	struct json_object *o = find(call);

	if (!o)
		return -1;
	set_parts(call, o);
	return answer(call, o);
}

/* Returns the place of a user in the list, or SIZE_MAX. */
static size_t place(struct json_object *list, struct json_object *user)
{
	const char *key = json_get_str(user, "slack_id") ? "slack_id" : "external_id",
		   *id = json_get_str(user, key);

	for (size_t i = 0; i < json_count(list); i++) {
		const char *other = json_get_str(json_at(list, i), key);

		if (other && strcmp(other, id) == 0)
			return i;
	}
	return SIZE_MAX;
}

static int change(struct slk_call *call, bool add)
{
	struct json_object *o = find_active(call), *users = json_get_array(call->params, "users"), *list;

	if (!o || check_users(call, users) != 0)
		return -1;
	list = json_get_array(o, "users");
	json_each(users, u)
		if ((place(list, u) == SIZE_MAX) != add)
			return slk_fail(call, "bad_users");
	json_each(users, u) {
		size_t i = place(list, u);

		if (add && i == SIZE_MAX)
			json_object_array_add(list, slk_copy(u));
		else if (!add && i != SIZE_MAX)
			json_object_array_del_idx(list, i, 1);
	}
	return 0;
}

int slk_calls_participants_add(struct slk_call *call)
{
	return change(call, true);
}

int slk_calls_participants_remove(struct slk_call *call)
{
	return change(call, false);
}
