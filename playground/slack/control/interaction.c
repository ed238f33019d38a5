#include <string.h>

#include "playground/slack/control/control.h"

static struct json_object *pair(const char *key, const char *value, const char *other, const char *more)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, key, value);
	json_set_str(o, other, more);
	return o;
}

struct json_object *slk_interaction_new(const struct slk_interaction *i, const char *type)
{
	bool on_message = strcmp(type, "message_action") == 0,
	     shortcut = on_message || strcmp(type, "shortcut") == 0;
	struct json_object *o = json_object_new_object(),
			   *user = pair("id", i->user->id, "name", i->user->name);

	json_set_str(o, "type", type);
	if (!on_message)
		json_set_str(user, "username", i->user->name);
	json_set_str(user, "team_id", SLK_TEAM);
	json_set(o, "user", user);
	if (!shortcut)
		json_set_str(o, "api_app_id", i->app->app_id);
	json_setf(o, "token: %s, team: %p, is_enterprise_install: false", SLK_VERIFICATION,
	    pair("id", SLK_TEAM, "domain", "playground"));
	if (strcmp(type, "view_closed") != 0)
		json_set_str(o, "trigger_id", slk_trigger_new(i->app, i->user)->id);
	if (i->conv)
		json_set(o, "channel",
		    pair("id", i->conv->id, "name", i->conv->name ? i->conv->name : "directmessage"));
	if (i->message && i->message->ephemeral[0] == '\0')
		json_set(o, "message", slk_message_json(i->conv, i->message, true));
	if (i->view)
		json_set(o, "view", slk_view_json(i->view));
	return o;
}

void slk_interaction_set_container(const struct slk_interaction *i, struct json_object *o,
    struct json_object *blocks, struct json_object *kept)
{
	struct json_object *container = json_object_new_object(), *state;

	if (i->view) {
		json_set_str(container, "type", "view");
		json_set_str(container, "view_id", i->view->id);
	} else {
		json_setf(container,
		    "type: 'message', message_ts: %s, channel_id: %s, is_ephemeral: %i, thread_ts: %s",
		    json_get_str(i->message->o, "ts"), i->conv->id, i->message->ephemeral[0] != '\0',
		    json_get_str(i->message->o, "thread_ts"));
		state = json_object_new_object();
		json_set(state, "values", slk_element_state(blocks, kept));
		json_set(o, "state", state);
	}
	json_set(o, "container", container);
}

int slk_interaction_fail(const char *what, struct error *err)
{
	return error_set(err, ERROR_OURS,
	    "%.60s: the app is not connected, and has no request URL: the platform shows a warning sign",
	    what);
}
