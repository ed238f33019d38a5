#include <stdlib.h>

#include "playground/telegram/world/world_internal.h"

#define STATE_VERSION 3
#define STATE_OLDEST  2 /* a bot has "webhook_url" alone */

static struct json_object *save_commands(const struct bot *b)
{
	struct json_object *o = json_object_new_object();

	list_each_entry(&b->commands.lists, struct command_list, l, link)
		json_set_str(o, l->scope, l->json);
	return o;
}

static struct json_object *save_bot(const struct bot *b)
{
	struct json_object *o = json_newf("{id: %jd, last_message_id: %d, allowed: %jd, webhook: %p, "
					  "updates: %p, commands: %p, profile: %p}",
	    b->id, b->last_message_id, (int64_t)b->allowed, webhook_save(&b->webhook),
	    update_queue_save(&b->updates), save_commands(b), json_object_get(b->profile));

	if (b->photo)
		json_set(o, "photo", media_save(b->photo));
	return o;
}

static struct json_object *save_members(const struct chat *c)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < c->member_count; i++) {
		struct json_object *o = json_newf("{bot: %jd, gone: %d, admin: %i, muted: %i}",
		    c->members[i].bot->number, c->members[i].gone, c->members[i].admin, c->members[i].muted);

		if (c->members[i].rights)
			json_set(o, "rights", json_object_get(c->members[i].rights));
		json_object_array_add(array, o);
	}
	return array;
}

static struct json_object *save_chat(const struct chat *c)
{
	struct json_object *o = json_object_new_object(), *messages = json_object_new_array();

	json_setf(o, "id: %jd, kind: %d, title: %s, business: %s, forum: %i, migrated_to: %jd, last_id: %d",
	    c->id, c->kind, c->title, c->business, c->forum, c->migrated_to, c->last_id);
	for (size_t i = 0; i < c->count; i++)
		json_object_array_add(messages, persist_message_save(c->messages[i], c));
	json_setf(o, "topics: %p, settings: %p, members: %p, messages: %p", topics_save(&c->topics),
	    json_object_get(c->settings), save_members(c), messages);
	return o;
}

static struct json_object *save_users(const struct world *w)
{
	struct json_object *array = json_object_new_array();
	size_t count;
	void **users = map_values(&w->users, &count);

	for (size_t i = 0; i < count; i++) {
		const struct user *u = users[i];
		struct json_object *o = json_newf("{id: %jd, label: %s}", u->id, u->label);

		if (u->photo)
			json_set(o, "photo", media_save(u->photo));
		json_object_array_add(array, o);
	}
	free(users);
	return array;
}

struct json_object *persist_save(void *self)
{
	struct world *w = self;
	struct json_object *o = json_object_new_object(), *bots = json_object_new_array(),
			   *chats = json_object_new_array();

	json_setf(o, "version: %d, last_callback: %jd, last_file: %jd, last_album: %jd", STATE_VERSION,
	    w->last_callback, w->last_file, w->last_album);
	list_each_entry(&w->bot_list, struct bot, b, link)
		json_object_array_add(bots, save_bot(b));
	list_each(&w->chat_list, chat, next)
		json_object_array_add(chats, save_chat(list_entry(chat, struct chat, link)));
	json_set(o, "sets", json_object_get(w->sets));
	if (w->kept)
		json_set(o, "kept", media_save(w->kept));
	json_setf(o, "bots: %p, users: %p, chats: %p", bots, save_users(w), chats);
	return o;
}

static struct bot *bot_by_number(const struct world *w, int64_t number)
{
	list_each_entry(&w->bot_list, struct bot, b, link)
		if (b->number == number)
			return b;
	return NULL;
}

/* A bot that is there already takes the place of that in the state, and keeps what it has set of itself. */
static int load_bot(struct world *w, struct json_object *o, struct error *err)
{
	struct bot *there = bot_by_number(w, (int64_t)++w->loaded_bots),
		   *b = there ? there : bot_new(w, json_get_int(o, "id", 0));
	struct json_object *commands = json_get_object(o, "commands"),
			   *connections = json_get_object(json_get_object(o, "profile"), "connections");

	b->last_message_id = (int32_t)json_get_int(o, "last_message_id", 0);
	if (there) {
		if (connections) /* those are the people's */
			json_set(b->profile, "connections", json_object_get(connections));
		return 0;
	}
	b->allowed = (uint64_t)json_get_int(o, "allowed", (int64_t)UPDATES_DEFAULT);
	if (commands) {
		json_object_object_foreach(commands, scope, json) {
			command_lists_set(&b->commands, scope, json_object_get_string(json));
		}
	}
	if (json_get_object(o, "profile")) {
		json_object_put(b->profile);
		b->profile = json_object_get(json_get_object(o, "profile"));
	}
	if (json_get_object(o, "photo") && !(b->photo = media_load(w, json_get_object(o, "photo"), err)))
		return -1;
	if (update_queue_load(&b->updates, json_get_object(o, "updates"), err) != 0)
		return -1;
	webhook_load(b, json_get_object(o, "webhook"));
	if (json_get_str(o, "webhook_url"))
		webhook_set(b, json_get_str(o, "webhook_url"), NULL, 1);
	return 0;
}

static int load_user(struct world *w, struct json_object *o, struct error *err)
{
	int64_t id = json_get_int(o, "id", 0);
	const char *label = json_get_str(o, "label");

	if (id <= 0 || !label || world_find_user(w, id))
		return error_set(err, ERROR_OURS, "a person is damaged");
	world_new_user(w, id, label);
	if (json_get_object(o, "photo"))
		world_find_user(w, id)->photo = media_load(w, json_get_object(o, "photo"), err);
	return json_get_object(o, "photo") && !world_find_user(w, id)->photo ? -1 : 0;
}

/* Members are stored directly, because no client needs an update for it. */
static int load_members(struct world *w, struct chat *c, struct json_object *array, struct error *err)
{
	c->member_count = json_count(array);
	c->members = xcalloc(c->member_count + 1, sizeof(*c->members));
	for (size_t i = 0; i < c->member_count; i++) {
		struct json_object *o = json_at(array, i);

		c->members[i] = (struct member){
		    .bot = bot_by_number(w, json_get_int(o, "bot", 0)),
		    .gone = (enum chat_gone)json_get_int(o, "gone", GONE_NOT),
		    .admin = json_get_bool(o, "admin", false),
		    .muted = json_get_bool(o, "muted", false),
		    .rights = json_object_get(json_get_object(o, "rights")),
		};
		if (!c->members[i].bot)
			return error_set(err, ERROR_OURS, "a chat has a member that is not there");
	}
	if (c->kind != CHAT_PRIVATE)
		return 0;
	c->user = world_find_user(w, c->id);
	if (!c->user || c->member_count != 1)
		return error_set(err, ERROR_OURS, "a private chat is damaged");
	map_put(&w->privates, chat_key(c), c->id, c);
	return 0;
}

static int load_chat(struct world *w, struct json_object *o, struct error *err)
{
	int64_t kind = json_get_int(o, "kind", -1);
	struct json_object *messages = json_get_array(o, "messages");
	struct chat *c;

	if (kind < CHAT_PRIVATE || kind > CHAT_CHANNEL || (kind != CHAT_PRIVATE && !json_get_str(o, "title")))
		return error_set(err, ERROR_OURS, "a chat is damaged");
	c = chat_new(w, (enum chat_kind)kind, json_get_int(o, "id", 0), json_get_str(o, "title"));
	c->business = xstrdup(json_get_str(o, "business"));
	c->last_id = (int32_t)json_get_int(o, "last_id", 0);
	c->migrated_to = json_get_int(o, "migrated_to", 0);
	topics_load(&c->topics, json_get_array(o, "topics"));
	c->forum = json_get_bool(o, "forum", false);
	if (json_get_object(o, "settings")) {
		json_object_put(c->settings);
		c->settings = json_object_get(json_get_object(o, "settings"));
	}
	if (load_members(w, c, json_get_array(o, "members"), err) != 0)
		return -1;
	json_each(messages, item)
		if (persist_message_load(w, c, item, err) != 0)
			return -1;
	return 0;
}

static int load_all(struct world *w, struct json_object *state, const char *key,
    int (*load)(struct world *w, struct json_object *o, struct error *err), struct error *err)
{
	struct json_object *array = json_get_array(state, key);

	if (!array)
		return error_set(err, ERROR_OURS, "\"%s\" is missing", key);
	json_each(array, item)
		if (load(w, item, err) != 0)
			return -1;
	return 0;
}

int persist_load(void *self, struct json_object *state, struct error *err)
{
	struct world *w = self;

	int64_t version = json_get_int(state, "version", 0);

	if (version < STATE_OLDEST || version > STATE_VERSION)
		return error_set(
		    err, ERROR_OURS, "written by another version; remove the file to start afresh");
	w->loaded_bots = 0;
	w->last_callback = json_get_int(state, "last_callback", 0);
	w->last_file = json_get_int(state, "last_file", 0);
	w->last_album = json_get_int(state, "last_album", 0);
	if (json_get_object(state, "sets")) {
		json_object_put(w->sets);
		w->sets = json_object_get(json_get_object(state, "sets"));
	}
	if (json_get_object(state, "kept") && !(w->kept = media_load(w, json_get_object(state, "kept"), err)))
		return -1;
	if (load_all(w, state, "bots", load_bot, err) != 0 ||
	    load_all(w, state, "users", load_user, err) != 0)
		return -1;
	return load_all(w, state, "chats", load_chat, err);
}
