#include <string.h>

#include "playground/slack/methods/compose.h"

int slk_team_info(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "team");
	struct json_object *o;

	if ((id && strcmp(id, SLK_TEAM) != 0) || (!id && json_get(call->params, "domain")))
		return slk_fail(call, id ? "team_not_found" : "team_not_on_enterprise");
	o = json_newf("{id: %s, name: 'Playground', url: 'https://playground.slack.com/', domain: "
		      "'playground', email_domain: %s, icon: %p}",
	    SLK_TEAM, SLK_EMAIL_DOMAIN, json_object_new_object());
	json_set_bool(json_get_object(o, "icon"), "image_default", true);
	json_set(call->out, "team", o);
	return 0;
}

/* Nobody has added fields to the profiles. */
int slk_team_profile_get(struct slk_call *call)
{
	json_set(call->out, "profile",
	    json_newf("{fields: %p, sections: %p}", json_object_new_array(), json_object_new_array()));
	return 0;
}

/* Undocumented: which values; those of samples, as of a workspace that allows everything. */
int slk_team_preferences_list(struct slk_call *call)
{
	json_setf(call->out,
	    "msg_edit_window_mins: -1, allow_message_deletion: true, display_real_names: false, "
	    "disable_file_uploads: 'allow_all', who_can_post_general: 'ra'");
	return 0;
}

int slk_assistant_search_info(struct slk_call *call)
{
	json_set_bool(call->out, "is_ai_search_enabled", false);
	return 0;
}

int slk_emoji_list(struct slk_call *call)
{
	char ts[SLK_ID_SIZE];

	json_set(
	    call->out, "emoji", call->world->emoji ? slk_copy(call->world->emoji) : json_object_new_object());
	slk_write_ts(slk_new_ts(call->world), ts);
	json_set_str(call->out, "cache_ts", ts);
	return 0;
}

static bool has_reacted(const struct slk_message *m, const char *user)
{
	struct json_object *all = json_get_array(m->o, "reactions");

	json_each(all, item) {
		struct json_object *users = json_get_array(item, "users");

		json_each(users, one)
			if (strcmp(json_object_get_string(one), user) == 0)
				return true;
	}
	return false;
}

static void add_items(const struct slk_conv *c, const char *user, struct json_object *items)
{
	for (size_t i = c->count; i-- > 0;) {
		struct slk_message *m = c->messages[i];

		if (m->deleted || !has_reacted(m, user))
			continue;
		json_object_array_add(items,
		    json_newf(
			"{type: 'message', channel: %s, message: %p}", c->id, slk_message_json(c, m, false)));
	}
}

/* The messages that somebody, or the app itself, has reacted to, where the app sees them. */
int slk_reactions_list(struct slk_call *call)
{
	const char *user = json_get_str(call->params, "user");
	struct json_object *all;

	if (user && strcmp(user, call->app->user_id) != 0 && !slk_find_user(call->world, user))
		return slk_fail(call, "user_not_found");
	all = json_object_new_array();
	list_each_entry(&call->world->convs, struct slk_conv, c, link)
		if (slk_conv_sees(c, call->app))
			add_items(c, user ? user : call->app->user_id, all);
	return slk_call_answer_page(call, all, 1000, "items");
}
