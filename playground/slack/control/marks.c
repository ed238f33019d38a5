#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

int slk_control_pin(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct slk_message *m;
	struct slk_context s;
	const char *problem;

	(void)out;
	if (slk_context_on(self, in, &s, &m, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" pins");
	problem = json_get_bool(in, "remove", false) ? slk_pin_remove(s.conv, m, s.user->id) :
						       slk_pin_add(s.conv, m, s.user->id);
	return problem ? error_set(err, ERROR_OURS, "%s", problem) : 0;
}

/* The workspace gets an emoji of its own, or another name for one, or loses it. */
int slk_control_emoji(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *name = json_get_str(in, "name"), *url = json_get_str(in, "url"),
		   *alias = json_get_str(in, "alias");
	bool gone = json_get_bool(in, "remove", false);
	struct json_object *o, *names;
	struct slk_world *w = self;
	char *value;

	(void)out;
	if (!name || !slk_reaction_is_name(name) || (!gone && !url == !alias))
		return error_set(err, ERROR_OURS,
		    "say which emoji: its \"name\", and a \"url\", an \"alias\" or \"remove\"");
	if (gone && !json_get(w->emoji, name))
		return error_set(err, ERROR_OURS, "there is no emoji %.64s", name);
	if (!w->emoji)
		w->emoji = json_object_new_object();
	o = json_newf("{type: 'emoji_changed', subtype: %s}", gone ? "remove" : "add");
	if (gone) {
		names = json_object_new_array();
		json_object_array_add(names, json_object_new_string(name));
		json_set(o, "names", names);
		json_object_object_del(w->emoji, name);
	} else {
		value = alias ? xasprintf("alias:%s", alias) : xstrdup(url);
		json_setf(o, "name: %s, value: %s", name, value);
		json_set_str(w->emoji, name, value);
		free(value);
	}
	slk_event_send_all(w, o);
	return 0;
}
