#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/world/world_internal.h"

#define TRIGGER_KEPT_MS 60000 /* after its end, to say whether it was used */

static void show(const struct slk_view *v)
{
	slk_show_conv(slk_conv_im(v->app, v->user, NULL, NULL));
}

void slk_view_set(struct slk_view *v, struct json_object *o)
{
	json_object_put(v->o);
	json_object_put(v->errors);
	v->o = o;
	v->errors = NULL;
	v->problem = NULL;
	if (json_get_array(o, "blocks"))
		slk_blocks_complete(json_get_array(o, "blocks"));
	snprintf(v->hash, sizeof(v->hash), "%" PRId64 ".%08" PRIx64, clock_wall() / 1000,
	    clock_random_below(UINT64_C(1) << 32));
	show(v);
}

static struct slk_view *make(struct slk_app *a, struct slk_user *u)
{
	struct slk_view *v = xcalloc(1, sizeof(*v));

	v->app = a;
	v->user = u;
	v->kept = json_object_new_object();
	list_append(&a->world->views, &v->link);
	return v;
}

struct slk_view *slk_view_new(
    struct slk_app *a, struct slk_user *u, struct json_object *o, struct slk_view *previous)
{
	struct slk_view *v = make(a, u);

	slk_new_id(a->world, v->id, 'V');
	v->previous = previous;
	slk_view_set(v, o);
	return v;
}

void slk_view_free(struct slk_view *v)
{
	list_each_entry(&v->app->world->views, struct slk_view, above, link)
		if (above->previous == v)
			above->previous = v->previous;
	list_remove(&v->link);
	json_object_put(v->o);
	json_object_put(v->kept);
	json_object_put(v->errors);
	free(v);
}

struct slk_view *slk_view_find(const struct slk_world *w, const char *id)
{
	list_each_entry(&w->views, struct slk_view, v, link)
		if (strcmp(v->id, id) == 0)
			return v;
	return NULL;
}

struct slk_view *slk_view_external(const struct slk_world *w, const char *external_id)
{
	list_each_entry(&w->views, struct slk_view, v, link) {
		const char *id = json_get_str(v->o, "external_id");

		if (id && id[0] != '\0' && strcmp(id, external_id) == 0)
			return v;
	}
	return NULL;
}

bool slk_view_is_modal(const struct slk_view *v)
{
	return strcmp(json_get_str(v->o, "type"), "modal") == 0;
}

/* The newest is the topmost. */
static struct slk_view *find_last(
    const struct slk_world *w, const struct slk_app *a, const struct slk_user *u, bool modal)
{
	for (struct list *it = w->views.prev; it != &w->views; it = it->prev) {
		struct slk_view *v = list_entry(it, struct slk_view, link);

		if ((!a || v->app == a) && v->user == u && slk_view_is_modal(v) == modal)
			return v;
	}
	return NULL;
}

struct slk_view *slk_view_top(const struct slk_world *w, const struct slk_app *a, const struct slk_user *u)
{
	return find_last(w, a, u, true);
}

struct slk_view *slk_view_home(const struct slk_world *w, const struct slk_app *a, const struct slk_user *u)
{
	return find_last(w, a, u, false);
}

size_t slk_view_depth(const struct slk_view *v)
{
	size_t n = 0;

	for (; v; v = v->previous)
		n++;
	return n;
}

void slk_view_close_all(struct slk_view *v)
{
	show(v);
	while (v) {
		struct slk_view *below = v->previous;

		slk_view_free(v);
		v = below;
	}
}

void slk_views_clear(struct slk_world *w)
{
	list_each_entry(&w->views, struct slk_view, entry, link)
		slk_view_free(entry);
}

/* Defaults of a view; docs.slack.dev, views.publish, has the title. */
static void add_defaults(struct json_object *o)
{
	static const char *const texts[] = {"callback_id", "external_id", "private_metadata"},
				 *const flags[] = {"clear_on_close", "notify_on_close"},
				 *const nulls[] = {"close", "submit"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (!json_get(o, texts[i]))
			json_set_str(o, texts[i], "");
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (!json_get(o, flags[i]))
			json_set_bool(o, flags[i], false);
	for (size_t i = 0; i < ARRAY_LEN(nulls); i++)
		if (!json_get(o, nulls[i]))
			json_set(o, nulls[i], NULL);
	if (json_get(o, "title"))
		return;
	json_set(o, "title", json_newf("{type: 'plain_text', text: 'View Title', emoji: true}"));
}

struct json_object *slk_view_json(const struct slk_view *v)
{
	struct json_object *o = slk_copy(v->o), *state = json_object_new_object();
	const struct slk_view *root = v;

	while (root->previous)
		root = root->previous;
	json_setf(o, "id: %s, team_id: %s", v->id, SLK_TEAM);
	json_set(state, "values", slk_element_state(json_get_array(v->o, "blocks"), v->kept));
	json_setf(o, "state: %p, hash: %s", state, v->hash);
	add_defaults(o);
	json_setf(o,
	    "previous_view_id: %p, root_view_id: %s, app_id: %s, app_installed_team_id: %s, bot_id: %s",
	    v->previous ? json_object_new_string(v->previous->id) : NULL, root->id, v->app->app_id, SLK_TEAM,
	    v->app->bot_id);
	return o;
}

struct json_object *slk_view_save(const struct slk_view *v)
{
	return json_newf("{id: %s, app: %s, user: %s, hash: %s, previous: %s, view: %p, kept: %p}", v->id,
	    v->app->app_id, v->user->id, v->hash, v->previous ? v->previous->id : NULL, json_object_get(v->o),
	    json_object_get(v->kept));
}

int slk_view_load(struct slk_world *w, struct json_object *o)
{
	const char *id = json_get_str(o, "id"), *app = json_get_str(o, "app"),
		   *user = json_get_str(o, "user"), *hash = json_get_str(o, "hash"),
		   *previous = json_get_str(o, "previous");
	struct slk_app *a = app ? slk_app_find(w, app) : NULL;
	struct slk_user *u = user ? slk_find_user(w, user) : NULL;
	struct json_object *view = json_get_object(o, "view"), *kept = json_get_object(o, "kept");
	struct slk_view *v;

	if (!slk_is_id(id, "V") || !a || !u || !hash || !json_get_str(view, "type"))
		return -1;
	v = make(a, u);
	str_copy(v->id, sizeof(v->id), id);
	str_copy(v->hash, sizeof(v->hash), hash);
	v->o = slk_copy(view);
	v->previous = previous ? slk_view_find(w, previous) : NULL;
	if (kept) {
		json_object_put(v->kept);
		v->kept = slk_copy(kept);
	}
	return 0;
}

static void drop_trigger(struct slk_trigger *t)
{
	list_remove(&t->link);
	free(t);
}

const struct slk_trigger *slk_trigger_new(struct slk_app *a, struct slk_user *u)
{
	struct slk_trigger *t = xcalloc(1, sizeof(*t));
	char secret[33];

	list_each_entry(&a->world->triggers, struct slk_trigger, old, link)
		if (old->until_ms + TRIGGER_KEPT_MS <= clock_now())
			drop_trigger(old);
	clock_random_hex(secret, 16);
	snprintf(t->id, sizeof(t->id), "%" PRIu64 ".%" PRId64 ".%s", ++a->world->last_number,
	    clock_wall() / 1000, secret);
	t->app = a;
	t->user = u;
	t->until_ms = clock_now() + (uint64_t)a->world->set.trigger_ms;
	list_append(&a->world->triggers, &t->link);
	return t;
}

/* "132456.7890123.abcdef" */
static bool is_trigger(const char *id)
{
	size_t first = strspn(id, "0123456789"),
	       second = id[first] == '.' ? strspn(id + first + 1, "0123456789") : 0;

	return first > 0 && second > 0 && id[first + 1 + second] == '.' &&
	    strspn(id + first + 2 + second, "0123456789abcdef") == strlen(id + first + 2 + second) &&
	    id[first + 2 + second] != '\0';
}

const char *slk_trigger_take(struct slk_app *a, const char *id, struct slk_trigger **t)
{
	list_each_entry(&a->world->triggers, struct slk_trigger, known, link) {
		if (strcmp(known->id, id) != 0 || known->app != a)
			continue;
		if (known->used)
			return "exchanged_trigger_id";
		if (known->until_ms <= clock_now())
			return "expired_trigger_id";
		known->used = true;
		*t = known;
		return NULL;
	}
	return is_trigger(id) ? "expired_trigger_id" : "invalid_trigger_id";
}

void slk_triggers_clear(struct slk_world *w)
{
	list_each_entry(&w->triggers, struct slk_trigger, entry, link)
		drop_trigger(entry);
}
