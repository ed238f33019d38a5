#include <stdlib.h>

#include "playground/playground.h"
#include "playground/slack/world/world_internal.h"

struct share {
	struct list link;
	struct slk_conv *conv;
	struct slk_app *app;
	int64_t thread;
	char *comment;
	struct json_object *files;
	struct clock_timer timer;
};

static void drop(struct share *s)
{
	clock_timer_stop(&s->timer);
	list_remove(&s->link);
	json_object_put(s->files);
	free(s->comment);
	free(s);
}

void slk_share_attach(struct slk_conv *c, struct slk_message *m, struct slk_file *f)
{
	struct json_object *array = json_get_array(m->o, "files");

	if (!array) {
		array = json_object_new_array();
		json_setf(
		    m->o, "files: %p, subtype: 'file_share', upload: false, display_as_bot: false", array);
	}
	slk_file_share(f, c, m->ts, m->thread);
	json_object_array_add(array, slk_file_json(f, c->world->base));
}

static void on_time(struct clock_timer *timer, void *arg)
{
	struct share *s = arg;
	struct slk_world *w = s->conv->world;
	struct slk_message *m = slk_message_add(s->conv, s->app, NULL, s->thread);

	(void)timer;
	json_set_str(m->o, "text", s->comment ? s->comment : "");
	json_each(s->files, item) {
		struct slk_file *f = slk_file_find(w, json_get_str(item, "id"));

		slk_share_attach(s->conv, m, f);
	}
	slk_conv_set_status(s->conv, s->thread, "");
	slk_event_message(s->conv, m);
	playground_changed(w->pg);
	drop(s);
}

void slk_share_later(
    struct slk_conv *c, struct slk_app *a, int64_t thread, const char *comment, struct json_object *files)
{
	struct share *s = xcalloc(1, sizeof(*s));

	s->conv = c;
	s->app = a;
	s->thread = thread;
	s->comment = xstrdup(comment);
	s->files = json_object_get(files);
	list_append(&c->world->shares, &s->link);
	clock_timer_start(&s->timer, (uint64_t)c->world->set.share_ms, on_time, s);
}

void slk_shares_clear(struct slk_world *w)
{
	list_each_entry(&w->shares, struct share, entry, link)
		drop(entry);
}
