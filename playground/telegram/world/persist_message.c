#include <stdlib.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

static struct json_object *save_entities(const struct message *m, const struct chat *c)
{
	struct json_object *array;
	struct buf text = BUF_INIT;

	formatted_write_entities(&m->text, &text, world_write_user, c->world);
	array = json_parse(text.data, text.len, NULL);
	buf_clear(&text);
	return array;
}

static struct json_object *save_reactions(const struct message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->reaction_count; i++)
		json_object_array_add(array,
		    json_newf("{user: %jd, bot: %jd, emoji: %s}",
			m->reactions[i].user ? m->reactions[i].user->id : 0,
			m->reactions[i].bot ? m->reactions[i].bot->id : 0, m->reactions[i].emoji));
	return array;
}

struct json_object *persist_message_save(const struct message *m, const struct chat *c)
{
	struct json_object *o = json_newf("{id: %d, date: %jd, edit_date: %jd, user: %jd, bot: %jd, thread: "
					  "%d, topic: %i, reply_to: %d, text: %s, entities: %p}",
	    m->id, m->date, m->edit_date, m->user ? m->user->id : 0, m->bot ? m->bot->id : 0, m->thread,
	    m->topic, m->reply_to, m->text.text.data, save_entities(m, c));

	json_setf(
	    o, "markup: %s, rich: %s, preview: %s, service: %s", m->markup, m->rich, m->preview, m->service);
	if (m->extra)
		json_set(o, "extra", json_object_get(m->extra));
	json_set_int(o, "sender_chat", m->sender_chat);
	if (m->file)
		json_set(o, "file", media_save(m->file));
	json_setf(o, "album: %jd, edits: %d, deleted: %i, protected: %i, pinned: %i, reactions: %p", m->album,
	    m->edits, m->deleted, m->protected, m->pinned, save_reactions(m));
	return o;
}

static int load_text(struct message *m, struct json_object *o, struct error *err)
{
	struct json_object *entities = json_get_array(o, "entities");

	buf_addstr(&m->text.text, json_get_str(o, "text") ? json_get_str(o, "text") : "");
	if (entities && formatted_read_entities(&m->text, entities, err) != 0)
		return -1;
	formatted_finish(&m->text);
	return 0;
}

static void load_reactions(struct world *w, struct message *m, struct json_object *array)
{
	json_each(array, o) {
		const struct user *user = world_find_user(w, json_get_int(o, "user", 0));
		const struct bot *bot = map_get(&w->bots, json_get_int(o, "bot", 0), 0);

		if (user || bot)
			message_react(m, user, bot, json_get_str(o, "emoji"));
	}
}

static int load_author(
    struct world *w, const struct chat *c, struct message *m, struct json_object *o, struct error *err)
{
	m->user = world_find_user(w, json_get_int(o, "user", 0));
	m->bot = map_get(&w->bots, json_get_int(o, "bot", 0), 0);
	if (!m->user && !m->bot && ((m->sender_chat == 0 && c->kind != CHAT_CHANNEL) || !c->title))
		return error_set(err, ERROR_OURS, "a message has no author");
	return 0;
}

/* Adds m with its old id: chat_add_message would give it a new one. */
static int add_as(struct chat *c, struct message *m, int64_t id, struct error *err)
{
	int32_t *last = c->kind == CHAT_PRIVATE ? &c->members[0].bot->last_message_id : &c->last_id,
		kept = *last;

	if (id < 1 || id > kept || (c->count > 0 && c->messages[c->count - 1]->id >= id))
		return error_set(err, ERROR_OURS, "the ids of messages are out of order");
	*last = (int32_t)id - 1;
	chat_add_message(c, m);
	*last = kept;
	return 0;
}

int persist_message_load(struct world *w, struct chat *c, struct json_object *o, struct error *err)
{
	struct json_object *file = json_get_object(o, "file");
	struct message *m = telegram_message_new();

	m->date = json_get_int(o, "date", 0);
	m->edit_date = json_get_int(o, "edit_date", 0);
	m->thread = (int32_t)json_get_int(o, "thread", 0);
	m->topic = json_get_bool(o, "topic", false);
	m->reply_to = (int32_t)json_get_int(o, "reply_to", 0);
	m->markup = xstrdup(json_get_str(o, "markup"));
	m->rich = xstrdup(json_get_str(o, "rich"));
	m->preview = xstrdup(json_get_str(o, "preview"));
	m->service = xstrdup(json_get_str(o, "service"));
	m->extra = json_object_get(json_get_object(o, "extra"));
	m->sender_chat = json_get_int(o, "sender_chat", 0);
	m->album = json_get_int(o, "album", 0);
	m->edits = (int)json_get_int(o, "edits", 0);
	m->protected = json_get_bool(o, "protected", false);
	m->pinned = json_get_bool(o, "pinned", false);
	if (load_text(m, o, err) != 0 || load_author(w, c, m, o, err) != 0 ||
	    (file && !(m->file = media_load(w, file, err))) ||
	    add_as(c, m, json_get_int(o, "id", 0), err) != 0) {
		telegram_message_free(m);
		return -1;
	}
	load_reactions(w, m, json_get_array(o, "reactions"));
	vote_watch(c, m);
	if (json_get_bool(o, "deleted", false))
		chat_delete_message(c, m);
	return 0;
}
