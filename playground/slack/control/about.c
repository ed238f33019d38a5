#include "playground/slack/control/about.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/world/json_members.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/control/actions.h"
#include "playground/slack/world/file.h"
#include "playground/slack/world/message.h"

/* How to read the ids in texts: of people, apps and channels. */
static struct json_object *names_json(struct slk_world *w)
{
	struct json_object *o = json_object_new_object();

	list_each(&w->users, it, tmp) {
		const struct slk_user *u = list_entry(it, struct slk_user, link);

		json_set_str(o, u->id, u->name);
	}
	list_each(&w->apps, it, tmp) {
		const struct slk_app *a = list_entry(it, struct slk_app, link);

		json_set_str(o, a->user_id, a->name);
	}
	list_each(&w->convs, it, tmp) {
		const struct slk_conv *c = list_entry(it, struct slk_conv, link);

		json_set_str(o, c->id, c->name);
	}
	return o;
}

int slk_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const struct slk_world *w = self;
	struct slk_context s;

	if (slk_context_read(self, in, false, &s, err) != 0)
		return -1;
	json_set(out, "commands", slk_settings_commands(&w->set));
	json_set_str(out, "title", s.conv->user ? s.conv->user->name : s.conv->name);
	json_set_str(out, "type", slk_conv_type(s.conv));
	json_set_str(out, "bot_name", s.app->name);
	json_set_str(out, "bot_id", s.app->user_id);
	json_set(out, "names", names_json(self));
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

	if (slk_context_read(self, in, false, &s, err) != 0)
		return -1;
	m = slk_context_message(&s, in, "message_id", err);
	if (!m)
		return -1;
	files = json_get_array(m->o, "files");
	if (!files || i >= json_object_array_length(files))
		return error_set(err, ERROR_OURS, "that message has no such file");
	f = slk_file_find(self, json_get_str(json_object_array_get_idx(files, i), "id"));
	if (!f)
		return error_set(err, ERROR_OURS, "the file is gone");
	slk_file_write(f, &data);
	json_set_str(out, "name", f->name);
	members_set_bytes(out, "base64", data.data, data.len);
	buf_clear(&data);
	return 0;
}
