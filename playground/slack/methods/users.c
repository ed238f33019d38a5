#include <string.h>

#include "base/json/json.h"
#include "playground/slack/world/app.h"
#include "playground/slack/http/methods.h"

int slk_users_info(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "user");
	struct slk_user *u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;
	struct slk_app *a = !u ? slk_app_find(call->world, id) : NULL;

	if (!u && (!a || strcmp(a->user_id, id) != 0))
		return slk_fail(call, "user_not_found");
	json_set(call->out, "user", u ? slk_user_json(u) : slk_app_user_json(a));
	return 0;
}

int slk_users_list(struct slk_call *call)
{
	struct json_object *all = json_object_new_array(), *page = json_object_new_array();
	size_t from = 0, to = 0;
	int ret;

	list_each(&call->world->users, it, tmp)
		json_object_array_add(all, slk_user_json(list_entry(it, struct slk_user, link)));
	list_each(&call->world->apps, it, tmp)
		json_object_array_add(all, slk_app_user_json(list_entry(it, struct slk_app, link)));
	if (!json_get(call->params, "limit"))
		json_set_int(call->params, "limit", 1000);
	ret = slk_call_page(call, json_object_array_length(all), 1000, &from, &to);
	for (size_t i = from; ret == 0 && i < to; i++)
		json_object_array_add(page, json_object_get(json_object_array_get_idx(all, i)));
	json_set(call->out, "members", page);
	json_object_put(all);
	return ret;
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
