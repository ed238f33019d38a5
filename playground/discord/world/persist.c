#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "playground/discord/world/world_internal.h"

#define STATE_VERSION 1

static struct json_object *save_bot(const struct cord_bot *b)
{
	struct json_object *o = json_object_new_object(), *commands = json_object_new_array();

	list_each_entry(&b->commands.list, struct cord_command, c, link)
		json_object_array_add(commands,
		    json_newf("{id: %p, guild: %p, json: %p}", cord_id_or_null(c->id),
			cord_id_or_null(c->guild_id), json_object_get(c->json)));
	json_setf(o, "id: %p, username: %s, commands: %p", cord_id_or_null(b->id), b->username, commands);
	return o;
}

static struct json_object *save_users(const struct cord_world *w)
{
	struct json_object *array = json_object_new_array();
	size_t count;
	void **users = map_values(&w->users, &count);

	for (size_t i = 0; i < count; i++) {
		const struct cord_user *u = users[i];

		json_object_array_add(array,
		    json_newf("{id: %p, label: %s, bot: %i}", cord_id_or_null(u->id), u->label, u->bot));
	}
	free(users);
	return array;
}

static struct json_object *save_guild(const struct cord_guild *g)
{
	struct json_object *o = json_object_new_object(), *bots = json_object_new_array();

	for (size_t i = 0; i < g->bot_count; i++)
		json_object_array_add(bots,
		    json_newf("{bot: %jd, role: %p, joined_ms: %jd, in: %i}", g->bots[i].bot->number,
			cord_id_or_null(g->bots[i].role), g->bots[i].joined_ms, g->bots[i].in));
	json_setf(o, "id: %p, owner: %p, name: %s, bots: %p", cord_id_or_null(g->id),
	    cord_id_or_null(g->owner_id), g->name, bots);
	return o;
}

static struct json_object *save_file(const struct cord_file *f)
{
	struct json_object *o = json_object_new_object();
	struct buf data = BUF_INIT;

	json_setf(o, "id: %p, channel: %p, name: %s, type: %s, description: %s, waveform: %s, duration: %p",
	    cord_id_or_null(f->id), cord_id_or_null(f->channel_id), f->name, f->type, f->description,
	    f->waveform, json_object_new_double(f->duration));
	if (f->data) {
		base64_encode(&data, f->data, f->len);
		json_set_str(o, "base64", data.data);
	}
	json_set_int(o, "len", (int64_t)f->len);
	buf_clear(&data);
	return o;
}

static struct json_object *save_channel(const struct cord_channel *c)
{
	struct json_object *o = json_object_new_object(), *messages = json_object_new_array();

	json_setf(o,
	    "id: %p, type: %d, name: %s, kind: %s, guild: %p, parent: %p, user: %p, bot: %jd, owner: %p, "
	    "blocked: %i",
	    cord_id_or_null(c->id), c->type, c->name, c->kind, cord_id_or_null(c->guild ? c->guild->id : 0),
	    cord_id_or_null(c->parent ? c->parent->id : 0), cord_id_or_null(c->user ? c->user->id : 0),
	    c->bot ? c->bot->number : 0, cord_id_or_null(c->owner_id), c->blocked);
	json_setf(o,
	    "gone: %i, archived: %i, locked: %i, auto_archive: %jd, archive_ms: %jd, slowmode_s: %jd, "
	    "category: %p, invitable: %i, members: %p, overwrites: %p",
	    c->gone, c->archived, c->locked, c->auto_archive, c->archive_ms, c->slowmode_s,
	    cord_id_or_null(c->category_id), c->invitable, cord_ids_json(&c->members),
	    json_object_get(c->overwrites));
	json_set(o, "more", json_object_get(c->more));
	for (size_t i = 0; i < c->count; i++)
		json_object_array_add(messages, cord_persist_save_message(c->messages[i]));
	json_set(o, "messages", messages);
	return o;
}

struct json_object *cord_persist_save(void *self)
{
	struct cord_world *w = self;
	struct json_object *o = json_object_new_object(), *bots = json_object_new_array(),
			   *guilds = json_object_new_array(), *files = json_object_new_array(),
			   *channels = json_object_new_array();

	json_setf(
	    o, "version: %d, last_id: %p, secret: %s", STATE_VERSION, cord_id_or_null(w->last_id), w->secret);
	list_each_entry(&w->bot_list, struct cord_bot, b, link)
		json_object_array_add(bots, save_bot(b));
	list_each_entry(&w->guild_list, struct cord_guild, g, link)
		json_object_array_add(guilds, save_guild(g));
	list_each_entry(&w->file_list, struct cord_file, f, link)
		json_object_array_add(files, save_file(f));
	list_each_entry(&w->channel_list, struct cord_channel, c, link)
		json_object_array_add(channels, save_channel(c));
	json_setf(o, "bots: %p, users: %p, guilds: %p, files: %p, channels: %p, records: %p", bots,
	    save_users(w), guilds, files, channels, cord_records_save(w));
	return o;
}

static int damaged(struct error *err, const char *what)
{
	return error_set(err, ERROR_OURS, "%s is damaged", what);
}

/* A bot that is there already takes the place of that in the state, and keeps what it has set of itself. */
static int load_bot(struct cord_world *w, struct json_object *o, struct error *err)
{
	struct cord_bot *b = cord_bot_by_number(w, (int64_t)++w->loaded_bots);
	struct json_object *commands = json_get_array(o, "commands");

	if (b)
		return 0;
	b = cord_bot_new(w, cord_get_id(o, "id"));
	if (json_get_str(o, "username"))
		str_copy(b->username, sizeof(b->username), json_get_str(o, "username"));
	json_each(commands, row) {
		struct json_object *json = json_get_object(row, "json");

		if (!json_get_str(json, "name"))
			return damaged(err, "a command");
		cord_command_add(
		    &b->commands, cord_get_id(row, "guild"), cord_get_id(row, "id"), json_object_get(json));
	}
	return 0;
}

static int load_user(struct cord_world *w, struct json_object *o, struct error *err)
{
	uint64_t id = cord_get_id(o, "id");
	const char *label = json_get_str(o, "label");

	if (id == 0 || !label || cord_user_find(w, id))
		return damaged(err, "a person");
	cord_user_new(w, id, label)->bot = json_get_bool(o, "bot", false);
	return 0;
}

static int load_guild(struct cord_world *w, struct json_object *o, struct error *err)
{
	struct json_object *bots = json_get_array(o, "bots");
	uint64_t id = cord_get_id(o, "id");
	struct cord_guild *g;

	if (id == 0 || !json_get_str(o, "name") || cord_guild_find(w, id))
		return damaged(err, "a guild");
	g = cord_guild_new(w, id, json_get_str(o, "name"));
	if (cord_get_id(o, "owner") != 0)
		g->owner_id = cord_get_id(o, "owner");
	g->bots = xcalloc((json_count(bots)) + 1, sizeof(*g->bots));
	for (size_t i = 0; i < json_count(bots); i++) {
		struct json_object *row = json_at(bots, i);
		struct cord_bot *b = cord_bot_by_number(w, json_get_int(row, "bot", 0));

		if (!b)
			return damaged(err, "a guild's bot");
		g->bots[g->bot_count++] = (struct cord_guild_bot){
		    .bot = b,
		    .role = cord_get_id(row, "role"),
		    .joined_ms = json_get_int(row, "joined_ms", 0),
		    .in = json_get_bool(row, "in", false),
		};
		if (g->bots[i].in) /* where the state has no roles yet */
			cord_guild_make_role(g, &g->bots[i], json_get_bool(row, "admin", false));
	}
	return 0;
}

static int load_file(struct cord_world *w, struct json_object *o, struct error *err)
{
	const char *name = json_get_str(o, "name"), *text = json_get_str(o, "base64");
	struct buf data = BUF_INIT;
	struct cord_file *f;
	int64_t len = json_get_int(o, "len", -1);

	if (!name || len < 0 || (text && base64_decode(&data, text, strlen(text)) != 0) ||
	    (text && (int64_t)data.len != len)) {
		buf_clear(&data);
		return damaged(err, "a file");
	}
	f = cord_file_new(w, cord_get_id(o, "id"), cord_get_id(o, "channel"), name, json_get_str(o, "type"),
	    text ? buf_take(&data) : NULL, (size_t)len);
	f->description = xstrdup(json_get_str(o, "description"));
	f->waveform = xstrdup(json_get_str(o, "waveform"));
	f->duration = json_get_double(o, "duration", 0);
	return 0;
}

/* Loads the owner: a guild, a person and a bot, or people. */
static int load_place(struct cord_channel *c, struct json_object *o, struct error *err)
{
	struct cord_world *w = c->world;

	c->guild = cord_guild_find(w, cord_get_id(o, "guild"));
	c->parent = cord_channel_find(w, cord_get_id(o, "parent"));
	if (c->guild)
		return c->name && (!c->parent) == (cord_get_id(o, "parent") == 0) ? 0 :
										    damaged(err, "a channel");
	if (strcmp(c->kind, "people") == 0) {
		for (size_t i = 0; i < c->members.count; i++)
			if (!cord_user_find(w, c->members.list[i]))
				return damaged(err, "a group DM");
		return c->name ? 0 : damaged(err, "a group DM");
	}
	c->user = cord_user_find(w, cord_get_id(o, "user"));
	c->bot = cord_bot_by_number(w, json_get_int(o, "bot", 0));
	if (!c->user || !c->bot)
		return damaged(err, "a direct message");
	map_put(&c->bot->dms, (int64_t)c->user->id, 0, c);
	return 0;
}

static int load_channel(struct cord_world *w, struct json_object *o, struct error *err)
{
	struct json_object *messages = json_get_array(o, "messages");
	uint64_t id = cord_get_id(o, "id");
	struct cord_channel *c;

	if (id == 0 || cord_channel_find(w, id))
		return damaged(err, "a channel");
	c = cord_channel_new(
	    w, (enum cord_channel_type)json_get_int(o, "type", 0), id, json_get_str(o, "name"));
	str_copy(c->kind, sizeof(c->kind), json_get_str(o, "kind") ? json_get_str(o, "kind") : "");
	cord_ids_load(&c->members, json_get_array(o, "members"));
	if (load_place(c, o, err) != 0)
		return -1;
	if (json_get_array(o, "overwrites") && json_get_object(o, "more")) {
		json_object_put(c->overwrites);
		json_object_put(c->more);
		c->overwrites = json_object_get(json_get(o, "overwrites"));
		c->more = json_object_get(json_get(o, "more"));
	}
	c->category_id = cord_get_id(o, "category");
	json_each(messages, item)
		if (cord_persist_load_message(c, item, err) != 0)
			return -1;
	c->owner_id = cord_get_id(o, "owner");
	c->blocked = json_get_bool(o, "blocked", false);
	c->gone = json_get_bool(o, "gone", false);
	c->archived = json_get_bool(o, "archived", false);
	c->locked = json_get_bool(o, "locked", false);
	c->invitable = json_get_bool(o, "invitable", false);
	c->auto_archive = json_get_int(o, "auto_archive", 0);
	c->archive_ms = json_get_int(o, "archive_ms", 0);
	c->slowmode_s = json_get_int(o, "slowmode_s", 0);
	return 0;
}

static int load_all(struct cord_world *w, struct json_object *state, const char *key,
    int (*load)(struct cord_world *w, struct json_object *o, struct error *err), struct error *err)
{
	struct json_object *array = json_get_array(state, key);

	if (!array)
		return error_set(err, ERROR_OURS, "\"%s\" is missing", key);
	json_each(array, item)
		if (load(w, item, err) != 0)
			return -1;
	return 0;
}

/* Messages name the threads that they started, which are loaded after them. */
static void join_threads(struct cord_world *w)
{
	list_each_entry(&w->channel_list, struct cord_channel, t, link) {
		struct cord_message *m = t->parent ? cord_channel_message(t->parent, t->id) : NULL;

		if (m)
			m->thread = t;
	}
}

int cord_persist_load(void *self, struct json_object *state, struct error *err)
{
	struct cord_world *w = self;

	if (json_get_int(state, "version", 0) != STATE_VERSION)
		return error_set(
		    err, ERROR_OURS, "written by another version; remove the file to start afresh");
	w->loaded_bots = 0;
	if (json_get_str(state, "secret"))
		str_copy(w->secret, sizeof(w->secret), json_get_str(state, "secret"));
	if (load_all(w, state, "bots", load_bot, err) != 0 ||
	    load_all(w, state, "users", load_user, err) != 0 ||
	    load_all(w, state, "guilds", load_guild, err) != 0 ||
	    load_all(w, state, "files", load_file, err) != 0 ||
	    load_all(w, state, "channels", load_channel, err) != 0 ||
	    cord_records_load(w, json_get_array(state, "records"), err) != 0)
		return -1;
	join_threads(w);
	w->last_id = cord_get_id(state, "last_id"); /* messages took some before they got their own again */
	cord_guilds_announce(w, true);
	return 0;
}
