#include <stdlib.h>

#include "base/buf.h"
#include "playground/slack/control/control.h"

/* How to read the ids in texts: of people, apps and channels. */
static struct json_object *names_json(struct slk_world *w)
{
	struct json_object *o = json_object_new_object();

	list_each_entry(&w->users, const struct slk_user, u, link)
		json_set_str(o, u->id, u->name);
	list_each_entry(&w->apps, const struct slk_app, a, link)
		json_set_str(o, a->user_id, a->name);
	list_each_entry(&w->convs, const struct slk_conv, c, link)
		json_set_str(o, c->id, c->name);
	return o;
}

/* The modals that a person has open, the topmost last, and the Home tab, each with what the person is told.
 */
static void add_views(struct slk_world *w, const struct slk_context *s, struct json_object *out)
{
	struct json_object *modals = json_object_new_array();
	const struct slk_view *home = slk_view_home(w, s->app, s->user);

	list_each_entry(&w->views, const struct slk_view, v, link) {
		struct json_object *o;

		if (v->user != s->user || !slk_view_is_modal(v))
			continue;
		o = slk_view_json(v);
		json_set(o, "errors", v->errors ? json_object_get(v->errors) : NULL);
		json_set_str(o, "problem", v->problem);
		json_object_array_add(modals, o);
	}
	json_setf(out, "views: %p, home: %p, offered: %p", modals, home ? slk_view_json(home) : NULL,
	    json_object_get(s->user->offered));
}

static struct json_object *scheduled_json(const struct slk_conv *c)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&c->world->scheduled, const struct slk_scheduled, s, link)
		if (s->conv == c)
			json_object_array_add(array, slk_scheduled_json(s));
	return array;
}

static void add_channel(const struct slk_conv *c, struct json_object *out)
{
	json_setf(out, "topic: %s, purpose: %s, archived: %i, bookmarks: %p, scheduled: %p",
	    json_get_str(c->topic, "value"), json_get_str(c->purpose, "value"), slk_conv_is_archived(c),
	    c->bookmarks ? slk_copy(c->bookmarks) : json_object_new_array(), scheduled_json(c));
}

int slk_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const struct slk_world *w = self;
	struct slk_context s;

	if (slk_context_read(self, in, false, &s, err) != 0)
		return -1;
	json_setf(out, "commands: %p, title: %s, type: %s, bot_name: %s, bot_id: %s, names: %p",
	    slk_settings_commands(&w->set), s.conv->user ? s.conv->user->name : s.conv->name,
	    slk_conv_type(s.conv), s.app->name, s.app->user_id, names_json(self));
	add_channel(s.conv, out);
	if (s.user)
		add_views(self, &s, out);
	return 0;
}

int slk_about_file(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *index = members_string(in, "index");
	size_t i = index ? strtoul(index, NULL, 10) : 0;
	struct buf data = BUF_INIT;
	struct json_object *files;
	struct slk_message *m;
	struct slk_file *f;
	struct slk_context s;

	if (slk_context_on(self, in, &s, &m, err) != 0)
		return -1;
	files = json_get_array(m->o, "files");
	if (!files || i >= json_count(files))
		return error_set(err, ERROR_OURS, "that message has no such file");
	f = slk_file_find(self, json_get_str(json_at(files, i), "id"));
	if (!f)
		return error_set(err, ERROR_OURS, "the file is gone");
	slk_file_write(f, &data);
	json_set_str(out, "name", f->name);
	members_set_bytes(out, "base64", data.data, data.len);
	buf_clear(&data);
	return 0;
}
