#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/world_internal.h"

#define STATE_VERSION 1

static struct json_object *save_user(const struct slk_user *u)
{
	return json_newf("{id: %s, name: %s, disabled: %i, away: %i, snooze_until: %jd}", u->id, u->name,
	    u->disabled, u->away, u->snooze_until);
}

/* Tokens can be stored: the simulated ones are no secrets. */
static struct json_object *save_app(const struct slk_app *a)
{
	return json_newf("{bot_token: %s, app_token: %s, revoked: %i, away: %i, envelopes: %p}", a->bot_token,
	    a->app_token, a->revoked, a->away, slk_envelopes_save(a));
}

static struct json_object *save_file(const struct slk_file *f)
{
	struct json_object *o = json_object_new_object();
	struct buf data = BUF_INIT;

	json_setf(o,
	    "id: %s, name: %s, title: %s, size: %jd, user: %s, app: %s, created: %jd, clip_ms: %jd, deleted: "
	    "%i, state: %d, secret: %s, shares: %p",
	    f->id, f->name, f->title, (int64_t)f->len, f->user ? f->user->id : NULL,
	    f->app ? f->app->app_id : NULL, f->created, f->clip_ms, f->state == SLK_FILE_DELETED, f->state,
	    f->secret, json_object_get(f->shares));
	json_setf(o, "external_id: %s, external_url: %s", f->external_id, f->external_url);
	if (f->data) {
		base64_encode(&data, f->data, f->len);
		json_set_str(o, "base64", data.data);
	}
	buf_clear(&data);
	return o;
}

static struct json_object *save_message(const struct slk_message *m)
{
	struct json_object *o =
	    json_newf("{ts: %jd, thread: %jd, message: %p}", m->ts, m->thread, json_object_get(m->o));

	if (m->metadata)
		json_set(o, "metadata", json_object_get(m->metadata));
	if (m->kept)
		json_set(o, "kept", json_object_get(m->kept));
	json_setf(o, "app: %s, user: %s, ephemeral: %s, deleted: %i, tombstone: %i, notice: %i, edits: %d",
	    m->app ? m->app->app_id : NULL, m->user ? m->user->id : NULL, m->ephemeral, m->deleted,
	    m->tombstone, m->notice, m->edits);
	return o;
}

/* Where it is kept in the state, and in the conversation. */
static const struct {
	const char *name;
	size_t at;
} parts[] = {
    {"topic", offsetof(struct slk_conv, topic)},
    {"purpose", offsetof(struct slk_conv, purpose)},
    {"previous_names", offsetof(struct slk_conv, previous_names)},
    {"pins", offsetof(struct slk_conv, pins)},
    {"bookmarks", offsetof(struct slk_conv, bookmarks)},
    {"assistants", offsetof(struct slk_conv, assistants)},
};

static const char *const refusals[] = {
    "channel_not_found", "is_archived", "messages_tab_disabled", "restricted_action"};

static struct json_object **part_of(const struct slk_conv *c, size_t i)
{
	return (struct json_object **)((char *)(uintptr_t)c + parts[i].at);
}

static struct json_object *save_conv(const struct slk_conv *c)
{
	struct json_object *o = json_object_new_object(), *members = json_object_new_array(),
			   *messages = json_object_new_array();

	json_setf(o,
	    "id: %s, kind: %d, name: %s, user: %s, app: %s, created: %jd, creator: %s, refusal: %s, "
	    "last_read: %jd, closed: %i",
	    c->id, c->kind, c->name, c->user ? c->user->id : NULL, c->app ? c->app->app_id : NULL, c->created,
	    c->creator, c->refusal, c->last_read, c->closed);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (*part_of(c, i))
			json_set(o, parts[i].name, json_object_get(*part_of(c, i)));
	for (size_t i = 0; i < c->member_count; i++)
		json_object_array_add(members, json_object_new_string(c->members[i]));
	for (size_t i = 0; i < c->count; i++)
		json_object_array_add(messages, save_message(c->messages[i]));
	json_setf(o, "members: %p, messages: %p", members, messages);
	return o;
}

#define SAVE_EACH(list, type, save)                                                     \
	do {                                                                            \
		struct json_object *array = json_object_new_array();                    \
		list_each(&w->list, it, tmp)                                            \
			json_object_array_add(array, save(list_entry(it, type, link))); \
		json_set(o, #list, array);                                              \
	} while (0)

/* What is JSON in the workspace. */
static const struct {
	const char *name;
	size_t at;
} kept[] = {
    {"calls", offsetof(struct slk_world, calls)},
    {"emoji", offsetof(struct slk_world, emoji)},
    {"usergroups", offsetof(struct slk_world, usergroups)},
};

static struct json_object **kept_of(struct slk_world *w, size_t i)
{
	return (struct json_object **)((char *)w + kept[i].at);
}

struct json_object *slk_persist_save(void *self)
{
	struct slk_world *w = self;
	struct json_object *o = json_newf("{version: %d, last_ts: %jd}", STATE_VERSION, w->last_ts);

	SAVE_EACH(users, struct slk_user, save_user);
	SAVE_EACH(apps, struct slk_app, save_app);
	SAVE_EACH(files, struct slk_file, save_file);
	SAVE_EACH(convs, struct slk_conv, save_conv);
	SAVE_EACH(views, struct slk_view, slk_view_save);
	SAVE_EACH(scheduled, struct slk_scheduled, slk_scheduled_save);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		if (*kept_of(w, i))
			json_set(o, kept[i].name, json_object_get(*kept_of(w, i)));
	return o;
}

static int load_user(struct slk_world *w, struct json_object *o)
{
	const char *id = json_get_str(o, "id"), *name = json_get_str(o, "name");
	struct slk_user *u = slk_is_id(id, "UW") && name ? slk_get_user(w, id, NULL) : NULL;

	if (!u)
		return -1;
	slk_rename_user(w, u, name);
	u->disabled = json_get_bool(o, "disabled", false);
	u->away = json_get_bool(o, "away", false);
	u->snooze_until = json_get_int(o, "snooze_until", 0);
	return 0;
}

/* An app that is there already takes the place of that in the state: the ids of apps come from their order.
 */
static int load_app(struct slk_world *w, struct json_object *o)
{
	struct slk_app *a;
	size_t n = 0;

	list_each(&w->apps, it, tmp)
		if (n++ == w->loaded_apps) {
			w->loaded_apps++;
			return 0;
		}
	w->loaded_apps++;
	a = slk_app_new(w);
	a->bot_token = xstrdup(json_get_str(o, "bot_token"));
	a->app_token = xstrdup(json_get_str(o, "app_token"));
	a->revoked = json_get_bool(o, "revoked", false);
	a->away = json_get_bool(o, "away", false);
	slk_envelopes_load(a, json_get_array(o, "envelopes"));
	return 0;
}

static int load_file(struct slk_world *w, struct json_object *o)
{
	const char *id = json_get_str(o, "id"), *name = json_get_str(o, "name"),
		   *title = json_get_str(o, "title"), *text = json_get_str(o, "base64"),
		   *user = json_get_str(o, "user"), *app = json_get_str(o, "app"),
		   *secret = json_get_str(o, "secret");
	bool deleted = json_get_bool(o, "deleted", false);
	/* Earlier versions saved no state. */
	int64_t state = json_get_int(o, "state", deleted ? SLK_FILE_DELETED : SLK_FILE_COMPLETE);
	struct buf data = BUF_INIT;
	struct slk_file *f;

	if (!slk_is_id(id, "F") || !name || state < SLK_FILE_WANTED || state > SLK_FILE_DELETED ||
	    (secret && strlen(secret) != sizeof(f->secret) - 1) ||
	    (text && base64_decode(&data, text, strlen(text)) != 0)) {
		buf_clear(&data);
		return -1;
	}
	f = slk_file_new(w, name, (size_t)json_get_int(o, "size", 0));
	str_copy(f->id, sizeof(f->id), id);
	map_put(&w->by_id, (int64_t)slk_hash(f->id), 0, f);
	if (text) {
		f->len = data.len;
		f->data = buf_take(&data);
	}
	if (title) {
		free(f->title);
		f->title = xstrdup(title);
	}
	f->external_id = xstrdup(json_get_str(o, "external_id"));
	f->external_url = xstrdup(json_get_str(o, "external_url"));
	f->user = user ? slk_find_user(w, user) : NULL;
	f->app = app ? slk_app_find(w, app) : NULL;
	f->created = json_get_int(o, "created", f->created);
	f->clip_ms = json_get_int(o, "clip_ms", 0);
	f->state = (enum slk_file_state)state;
	if (secret)
		str_copy(f->secret, sizeof(f->secret), secret);
	json_object_put(f->shares);
	f->shares =
	    json_get_object(o, "shares") ? slk_copy(json_get_object(o, "shares")) : json_object_new_object();
	return 0;
}

static int load_message(struct slk_conv *c, struct json_object *o)
{
	const char *app = json_get_str(o, "app"), *user = json_get_str(o, "user"),
		   *only = json_get_str(o, "ephemeral");
	struct json_object *message = json_get_object(o, "message"),
			   *metadata = json_get_object(o, "metadata");
	struct slk_message *m;

	if (!message || (c->count > 0 && json_get_int(o, "ts", 0) <= c->messages[c->count - 1]->ts))
		return -1;
	m = slk_message_load(c, json_get_int(o, "ts", 0), json_get_int(o, "thread", 0));
	m->o = slk_copy(message);
	m->metadata = metadata ? slk_copy(metadata) : NULL;
	m->kept = json_get_object(o, "kept") ? slk_copy(json_get_object(o, "kept")) : NULL;
	m->app = app ? slk_app_find(c->world, app) : NULL;
	m->user = user ? slk_find_user(c->world, user) : NULL;
	str_copy(m->ephemeral, sizeof(m->ephemeral), only ? only : "");
	m->deleted = json_get_bool(o, "deleted", false);
	m->tombstone = json_get_bool(o, "tombstone", false);
	m->notice = json_get_bool(o, "notice", false);
	m->edits = (int)json_get_int(o, "edits", 0);
	return 0;
}

static void load_parts(struct slk_conv *c, struct json_object *o)
{
	const char *creator = json_get_str(o, "creator"), *refusal = json_get_str(o, "refusal");

	str_copy(c->creator, sizeof(c->creator), creator ? creator : "");
	for (size_t i = 0; refusal && i < ARRAY_LEN(refusals); i++)
		if (strcmp(refusals[i], refusal) == 0)
			c->refusal = refusals[i];
	c->last_read = json_get_int(o, "last_read", 0);
	c->closed = json_get_bool(o, "closed", false);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (json_get(o, parts[i].name))
			*part_of(c, i) = slk_copy(json_get(o, parts[i].name));
}

static int load_conv(struct slk_world *w, struct json_object *o)
{
	const char *id = json_get_str(o, "id"), *user = json_get_str(o, "user"),
		   *app = json_get_str(o, "app");
	struct json_object *members = json_get_array(o, "members"), *messages = json_get_array(o, "messages");
	int64_t kind = json_get_int(o, "kind", -1);
	struct slk_user *u = user ? slk_find_user(w, user) : NULL;
	struct slk_app *a = app ? slk_app_find(w, app) : NULL;
	struct slk_conv *c;

	if (!slk_is_id(id, "CDG") || kind < SLK_IM || kind > SLK_PUBLIC || !members || !messages)
		return -1;
	c = slk_conv_new(w, id, (enum slk_kind)kind, json_get_str(o, "name"));
	c->created = json_get_int(o, "created", c->created);
	load_parts(c, o);
	if (kind == SLK_IM && (!u || !a))
		return -1;
	if (kind == SLK_IM)
		slk_conv_set_pair(c, a, u);
	json_each(members, item)
		slk_conv_add(c, json_object_get_string(item));
	json_each(messages, one)
		if (load_message(c, one) != 0)
			return -1;
	return 0;
}

static int load_each(struct slk_world *w, struct json_object *state, const char *name,
    int (*load)(struct slk_world *w, struct json_object *o), struct error *err)
{
	struct json_object *array = json_get_array(state, name);

	json_each(array, item)
		if (load(w, item) != 0)
			return error_set(err, ERROR_OURS, "the state of slack is damaged: %s", name);
	return 0;
}

int slk_persist_load(void *self, struct json_object *state, struct error *err)
{
	struct slk_world *w = self;

	if (json_get_int(state, "version", 0) != STATE_VERSION)
		return error_set(err, ERROR_OURS, "the state of slack is of another version");
	w->loaded_apps = 0;
	w->last_ts = json_get_int(state, "last_ts", 0);
	if (load_each(w, state, "users", load_user, err) != 0 ||
	    load_each(w, state, "apps", load_app, err) != 0 ||
	    load_each(w, state, "files", load_file, err) != 0 ||
	    load_each(w, state, "convs", load_conv, err) != 0 ||
	    load_each(w, state, "views", slk_view_load, err) != 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		*kept_of(w, i) =
		    json_get(state, kept[i].name) ? slk_copy(json_get(state, kept[i].name)) : NULL;
	return load_each(w, state, "scheduled", slk_scheduled_load, err);
}
