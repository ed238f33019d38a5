#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/world/world_internal.h"

#define NAME_LENGTH 80

static const struct {
	const char *type, *control;
} kinds[] = {
    [SLK_IM] = {"im", "private"},
    [SLK_MPIM] = {"mpim", "mpim"},
    [SLK_PRIVATE] = {"group", "group"},
    [SLK_PUBLIC] = {"channel", "channel"},
};

const char *slk_conv_type(const struct slk_conv *c)
{
	return kinds[c->kind].type;
}

const char *slk_conv_control_kind(const struct slk_conv *c)
{
	return kinds[c->kind].control;
}

struct slk_conv *slk_conv_find(const struct slk_world *w, const char *id)
{
	return slk_is_id(id, "CDG") ? map_get(&w->by_id, (int64_t)slk_hash(id), 0) : NULL;
}

struct slk_conv *slk_conv_new(struct slk_world *w, const char *id, enum slk_kind kind, const char *name)
{
	struct slk_conv *c = xcalloc(1, sizeof(*c));

	c->world = w;
	str_copy(c->id, sizeof(c->id), id);
	c->kind = kind;
	c->name = xstrdup(name);
	c->created = clock_wall() / 1000;
	list_init(&c->statuses);
	list_append(&w->convs, &c->link);
	map_put(&w->by_id, (int64_t)slk_hash(c->id), 0, c);
	slk_show_conv(c);
	return c;
}

static void free_status(struct slk_status *s)
{
	list_remove(&s->link);
	free(s->text);
	free(s);
}

void slk_conv_free(struct slk_conv *c)
{
	list_remove(&c->link);
	for (size_t i = 0; i < c->count; i++)
		slk_message_free(c->messages[i]);
	list_each_entry(&c->statuses, struct slk_status, entry, link)
		free_status(entry);
	json_object_put(c->topic);
	json_object_put(c->purpose);
	json_object_put(c->previous_names);
	json_object_put(c->pins);
	json_object_put(c->bookmarks);
	json_object_put(c->assistants);
	free(c->messages);
	free(c->members);
	free(c->name);
	free(c);
}

static struct slk_conv *find_im(const struct slk_app *a, const struct slk_user *u)
{
	return map_get(&a->world->by_id, (int64_t)slk_hash(a->user_id), (int64_t)slk_hash(u->id));
}

void slk_conv_set_pair(struct slk_conv *c, struct slk_app *a, struct slk_user *u)
{
	c->app = a;
	c->user = u;
	map_put(&c->world->by_id, (int64_t)slk_hash(a->user_id), (int64_t)slk_hash(u->id), c);
}

struct slk_conv *slk_conv_im(struct slk_app *a, struct slk_user *u, const char *id, bool *created)
{
	char seed[2 * SLK_ID_SIZE + 1], made[SLK_ID_SIZE];
	struct slk_conv *c = find_im(a, u);

	if (created)
		*created = !c;
	if (c)
		return c;
	snprintf(seed, sizeof(seed), "%s %s", a->user_id, u->id);
	slk_make_id(made, 'D', seed);
	c = slk_conv_new(a->world, id ? id : made, SLK_IM, NULL);
	slk_conv_set_pair(c, a, u);
	slk_conv_add(c, a->user_id);
	slk_conv_add(c, u->id);
	return c;
}

struct slk_conv *slk_conv_named(const struct slk_world *w, const char *name)
{
	for (const struct list *it = w->convs.next; it != &w->convs; it = it->next) {
		struct slk_conv *c = list_entry(it, struct slk_conv, link);

		if (c->name && strcmp(c->name, name) == 0)
			return c;
	}
	return NULL;
}

static bool kind_of(const char *name, enum slk_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].control, name) == 0) {
			*kind = (enum slk_kind)i;
			return true;
		}
	}
	return false;
}

static struct slk_conv *make_channel(struct slk_world *w, const char *name, enum slk_kind kind)
{
	char id[SLK_ID_SIZE];

	if (slk_is_id(name, "CG"))
		return slk_conv_new(w, name, kind, name);
	slk_make_id(id, 'C', name);
	return !slk_conv_find(w, id) ? slk_conv_new(w, id, kind, name) : slk_conv_find(w, id);
}

/* A person's name without a kind means the direct message with that person. */
static struct slk_conv *reach(
    struct slk_world *w, const struct slk_conv_query *query, bool make, bool *created, struct error *err)
{
	const char *chat = query->chat ? query->chat : query->user, *name, *id = NULL;
	enum slk_kind kind = SLK_IM;
	struct slk_conv *c;
	struct slk_user *u;

	if (!chat || strlen(chat) > NAME_LENGTH) {
		error_set(err, ERROR_OURS, "say which \"chat\" is meant: an id or a name");
		return NULL;
	}
	if (query->kind && !kind_of(query->kind, &kind)) {
		error_set(err, ERROR_OURS, "kind is private, mpim, group or channel");
		return NULL;
	}
	name = chat + (chat[0] == '#');
	c = slk_conv_find(w, chat);
	if (!c && (!query->kind || kind != SLK_IM))
		c = slk_conv_named(w, name);
	if (c && query->kind && c->kind != kind) {
		error_set(err, ERROR_OURS, "%.64s is of another kind", chat);
		return NULL;
	}
	if (c)
		return c;
	if (!query->kind && (chat[0] == '#' || slk_is_id(chat, "CG")))
		kind = SLK_PUBLIC;
	if (kind != SLK_IM) {
		*created = true;
		return make ? make_channel(w, name, kind) : NULL;
	}
	if (slk_is_id(chat, "D") && query->user) {
		id = chat;
		chat = query->user;
	}
	u = make ? slk_get_user(w, chat, err) : slk_find_user(w, chat);
	if (!u)
		return NULL;
	c = slk_conv_im(query->app, u, id, created);
	return c;
}

struct slk_conv *slk_conv_lookup(struct slk_world *w, const struct slk_conv_query *query, struct error *err)
{
	bool created = false;
	struct slk_conv *c = reach(w, query, false, &created, err);

	if (!c && (!err || err->kind == ERROR_NONE))
		error_set(err, ERROR_OURS, "there is no such chat as %.64s",
		    query->chat ? query->chat : query->user);
	return c;
}

struct slk_conv *slk_conv_get(
    struct slk_world *w, const struct slk_conv_query *query, bool *created, struct error *err)
{
	bool unused = false;

	if (!created)
		created = &unused;
	*created = false;
	return reach(w, query, true, created, err);
}

bool slk_conv_has(const struct slk_conv *c, const char *member)
{
	for (size_t i = 0; i < c->member_count; i++)
		if (strcmp(c->members[i], member) == 0)
			return true;
	return false;
}

void slk_conv_add(struct slk_conv *c, const char *member)
{
	if (slk_conv_has(c, member))
		return;
	c->members = xrealloc(c->members, (c->member_count + 1) * sizeof(*c->members));
	str_copy(c->members[c->member_count++], SLK_ID_SIZE, member);
}

void slk_conv_remove(struct slk_conv *c, const char *member)
{
	for (size_t i = 0; i < c->member_count; i++) {
		if (strcmp(c->members[i], member) != 0)
			continue;
		memmove(c->members[i], c->members[i + 1], (c->member_count - i - 1) * sizeof(*c->members));
		c->member_count--;
		return;
	}
}

bool slk_conv_sees(const struct slk_conv *c, const struct slk_app *a)
{
	return c->kind == SLK_PUBLIC || slk_conv_has(c, a->user_id);
}

bool slk_conv_is_archived(const struct slk_conv *c)
{
	return c->refusal && strcmp(c->refusal, "is_archived") == 0;
}

void slk_conv_enter(struct slk_conv *c, struct slk_user *u, struct slk_app *a, const char *inviter)
{
	slk_conv_add(c, u ? u->id : a->user_id);
	slk_event_member(c, u ? u->id : a->user_id, 1, inviter);
	if (u)
		slk_event_notice(c, u, NULL, "join", NULL, "has joined the channel");
	slk_show_conv(c);
}

/* An app that leaves gets an event of its own. */
void slk_conv_leave(struct slk_conv *c, struct slk_user *u, struct slk_app *a)
{
	slk_event_member(c, u ? u->id : a->user_id, 0, NULL);
	if (u)
		slk_event_notice(c, u, NULL, "leave", NULL, "has left the channel");
	else
		slk_event_channel(c, "left", a->user_id);
	slk_conv_remove(c, u ? u->id : a->user_id);
	slk_show_conv(c);
}

void slk_conv_archive(struct slk_conv *c, bool archive, const char *user)
{
	c->refusal = archive ? "is_archived" : NULL;
	slk_event_channel(c, archive ? "archive" : "unarchive", user);
	slk_show_conv(c);
}

void slk_conv_rename(struct slk_conv *c, const char *name, struct slk_user *u, struct slk_app *a)
{
	if (!c->previous_names)
		c->previous_names = json_object_new_array();
	json_object_array_put_idx(c->previous_names, 0, json_object_new_string(c->name));
	free(c->name);
	c->name = xstrdup(name);
	slk_event_renamed(c);
	if (u || a)
		slk_event_notice(c, u, a, "name", name, "has renamed the channel");
	slk_show_conv(c);
}

/* A topic or purpose. */
void slk_conv_set_note(
    struct slk_conv *c, const char *key, const char *value, struct slk_user *u, struct slk_app *a)
{
	bool topic = strcmp(key, "topic") == 0;
	struct json_object **note = topic ? &c->topic : &c->purpose;
	char *text = xasprintf("set the channel %s: %s", topic ? "topic" : "description", value);

	json_object_put(*note);
	*note = json_object_new_object();
	json_set_str(*note, "value", value);
	json_set_str(*note, "creator", u ? u->id : a->user_id);
	json_set_int(*note, "last_set", clock_wall() / 1000);
	slk_event_notice(c, u, a, key, value, text);
	slk_show_conv(c);
	free(text);
}

static void set_note(struct json_object *o, const char *key, struct json_object *note)
{
	if (note) {
		json_set(o, key, json_object_get(note));
		return;
	}
	note = json_newf("{value: '', creator: '', last_set: 0}");
	json_set(o, key, note);
}

struct json_object *slk_conv_json(const struct slk_conv *c, const struct slk_app *a)
{
	struct json_object *o = json_object_new_object();
	char ts[SLK_ID_SIZE];

	json_setf(o,
	    "id: %s, created: %jd, is_im: %i, is_org_shared: false, is_archived: %i, context_team_id: %s",
	    c->id, c->created, c->kind == SLK_IM, slk_conv_is_archived(c), SLK_TEAM);
	if (c->kind == SLK_IM) {
		json_set_str(o, "user", c->user->id);
		json_set_bool(o, "is_user_deleted", c->user->disabled);
		return o;
	}
	json_setf(o,
	    "name: %s, name_normalized: %s, is_channel: %i, is_group: %i, is_mpim: %i, is_private: %i, "
	    "is_general: false, is_shared: false, is_ext_shared: false, is_member: %i",
	    c->name, c->name, c->kind == SLK_PUBLIC || c->kind == SLK_PRIVATE, c->kind == SLK_PRIVATE,
	    c->kind == SLK_MPIM, c->kind != SLK_PUBLIC, slk_conv_has(c, a->user_id));
	json_set_str(o, "creator", c->creator);
	set_note(o, "topic", c->topic);
	set_note(o, "purpose", c->purpose);
	json_set(o, "previous_names",
	    c->previous_names ? json_object_get(c->previous_names) : json_object_new_array());
	if (c->last_read != 0 && slk_conv_has(c, a->user_id)) {
		slk_write_ts(c->last_read, ts);
		json_set_str(o, "last_read", ts);
	}
	return o;
}

const char *slk_conv_status(struct slk_conv *c, int64_t thread)
{
	list_each_entry(&c->statuses, struct slk_status, s, link) {
		if (s->until_ms <= clock_now())
			free_status(s);
		else if (thread == 0 || s->thread == thread)
			return s->text;
	}
	return NULL;
}

struct json_object *slk_conv_assistant(struct slk_conv *c, int64_t thread, bool create)
{
	struct json_object *o;
	char ts[SLK_ID_SIZE];

	slk_write_ts(thread, ts);
	o = json_get_object(c->assistants, ts);
	if (o || !create)
		return o;
	if (!c->assistants)
		c->assistants = json_object_new_object();
	o = json_object_new_object();
	json_set(c->assistants, ts, o);
	return o;
}

void slk_conv_set_title(struct slk_conv *c, int64_t thread, const char *title)
{
	const struct slk_message *root = slk_message_find(c, thread);
	struct json_object *o = root ? json_get_object(root->o, "assistant_app_thread") : NULL;

	json_set_str(slk_conv_assistant(c, thread, true), "title", title);
	if (o)
		json_set_str(o, "title", title);
	slk_show_conv(c);
}

void slk_conv_set_status(struct slk_conv *c, int64_t thread, const char *text)
{
	struct slk_status *s;

	list_each_entry(&c->statuses, struct slk_status, entry, link) {
		if (entry->thread == thread) {
			free_status(entry);
			slk_show_status(c, thread);
		}
	}
	if (text[0] == '\0')
		return;
	s = xcalloc(1, sizeof(*s));
	s->thread = thread;
	s->text = xstrdup(text);
	s->until_ms = clock_now() + SLK_STATUS_MS;
	list_append(&c->statuses, &s->link);
	slk_show_status(c, thread);
}
