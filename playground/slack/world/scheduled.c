#include <stdlib.h>

#include "playground/playground.h"
#include "playground/slack/methods/compose.h"
#include "playground/slack/world/world_internal.h"

void slk_scheduled_free(struct slk_scheduled *s)
{
	world_timer_stop(&s->timer);
	list_remove(&s->link);
	json_object_put(s->content);
	free(s);
}

void slk_scheduled_clear(struct slk_world *w)
{
	list_each_entry(&w->scheduled, struct slk_scheduled, entry, link)
		slk_scheduled_free(entry);
}

static void post(const struct slk_scheduled *s)
{
	const char *text = json_get_str(s->content, "text");
	struct slk_content content = {.text = xstrdup(text),
	    .markdown = json_get_bool(s->content, "markdown", false),
	    .blocks = json_get_array(s->content, "blocks"),
	    .attachments = json_get_array(s->content, "attachments")};
	struct slk_message *m = slk_message_add(s->conv, s->app, NULL, s->thread);

	slk_content_set(&content, m);
	if (s->broadcast && s->thread != 0)
		json_set_str(m->o, "subtype", "thread_broadcast");
	slk_conv_set_status(s->conv, s->thread, "");
	slk_event_message(s->conv, m);
	slk_content_clear(&content);
}

static int64_t early_ms(const struct slk_scheduled *s)
{
	return s->post_at * 1000 - clock_wall();
}

static void await(struct slk_scheduled *s);

/* An app that cannot write there any more posts nothing. A message with metadata is never posted
 * (docs.slack.dev/reference/methods/chat.scheduleMessage, "Bug alert"). */
static void on_time(struct clock_timer *timer, void *arg)
{
	struct slk_scheduled *s = arg;
	struct slk_world *w = s->conv->world;

	(void)timer;
	/* The clocks of the timers and of the wall are each cut to a millisecond. */
	if (early_ms(s) > 0) {
		await(s);
		return;
	}
	if (slk_conv_has(s->conv, s->app->user_id) && !s->conv->refusal && !s->app->revoked &&
	    !json_get(s->content, "metadata"))
		post(s);
	slk_show_conv(s->conv);
	slk_scheduled_free(s);
	playground_changed(w->pg);
}

static void await(struct slk_scheduled *s)
{
	int64_t ms = early_ms(s);

	world_timer_start(&s->timer, ms > 0 ? (uint64_t)ms : 0, on_time, s);
}

static struct slk_scheduled *make(struct slk_conv *c, struct slk_app *a, int64_t post_at)
{
	struct slk_scheduled *s = xcalloc(1, sizeof(*s));

	s->conv = c;
	s->app = a;
	s->post_at = post_at;
	list_append(&c->world->scheduled, &s->link);
	await(s);
	return s;
}

struct slk_scheduled *slk_scheduled_new(struct slk_conv *c, struct slk_app *a, int64_t thread, bool broadcast,
    int64_t post_at, const struct slk_content *content)
{
	struct slk_scheduled *s = make(c, a, post_at);
	struct json_object *o = json_object_new_object();

	slk_new_id(c->world, s->id, 'Q');
	s->thread = thread;
	s->broadcast = broadcast;
	s->created = clock_wall() / 1000;
	json_setf(o, "text: %s, markdown: %i", content->text, content->markdown);
	if (content->blocks)
		json_set(o, "blocks", slk_copy(content->blocks));
	if (content->attachments)
		json_set(o, "attachments", slk_copy(content->attachments));
	if (content->metadata)
		json_set(o, "metadata", slk_copy(content->metadata));
	s->content = o;
	slk_show_conv(c);
	return s;
}

struct json_object *slk_scheduled_json(const struct slk_scheduled *s)
{
	struct json_object *o = json_object_new_object();
	const char *text = json_get_str(s->content, "text");

	json_setf(o, "id: %s, channel_id: %s, post_at: %jd, date_created: %jd, text: %s", s->id, s->conv->id,
	    s->post_at, s->created, text ? text : "");
	return o;
}

struct json_object *slk_scheduled_save(const struct slk_scheduled *s)
{
	struct json_object *o = slk_scheduled_json(s);

	json_setf(o, "app: %s, thread: %jd, broadcast: %i, content: %p", s->app->app_id, s->thread,
	    s->broadcast, json_object_get(s->content));
	return o;
}

int slk_scheduled_load(struct slk_world *w, struct json_object *o)
{
	const char *id = json_get_str(o, "id"), *channel = json_get_str(o, "channel_id"),
		   *app = json_get_str(o, "app");
	struct slk_conv *c = channel ? slk_conv_find(w, channel) : NULL;
	struct slk_app *a = app ? slk_app_find(w, app) : NULL;
	struct json_object *content = json_get_object(o, "content");
	struct slk_scheduled *s;

	if (!slk_is_id(id, "Q") || !c || !a || !content)
		return -1;
	s = make(c, a, json_get_int(o, "post_at", 0));
	str_copy(s->id, sizeof(s->id), id);
	s->created = json_get_int(o, "date_created", 0);
	s->thread = json_get_int(o, "thread", 0);
	s->broadcast = json_get_bool(o, "broadcast", false);
	s->content = slk_copy(content);
	return 0;
}
