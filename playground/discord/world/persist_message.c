#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"

struct json_object *cord_ids_json(const struct cord_ids *ids)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < ids->count; i++)
		json_object_array_add(array, cord_id_json(ids->list[i]));
	return array;
}

static struct json_object *save_files(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->file_count; i++)
		json_object_array_add(array, cord_id_json(m->files[i]->id));
	return array;
}

static struct json_object *save_reactions(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->reaction_count; i++)
		json_object_array_add(array,
		    json_newf("{emoji: %s, users: %p}", m->reactions[i].emoji,
			cord_ids_json(&m->reactions[i].users)));
	return array;
}

/* The JSON members of a message: their names and fields. */
static const struct {
	const char *name;
	size_t at;
} trees[] = {
    {"author", offsetof(struct cord_message, author)},
    {"components", offsetof(struct cord_message, components)},
    {"embeds", offsetof(struct cord_message, embeds)},
    {"extra", offsetof(struct cord_message, extra)},
    {"interaction", offsetof(struct cord_message, interaction)},
    {"poll", offsetof(struct cord_message, poll)},
    {"votes", offsetof(struct cord_message, votes)},
    {"nonce", offsetof(struct cord_message, nonce)},
};

struct json_object *cord_persist_save_message(const struct cord_message *m)
{
	struct json_object *o = json_newf("{id: %p, user: %p, bot: %jd, type: %d, content: %s, edited_ms: "
					  "%jd, flags: %jd, reply_to: %p, reply_channel: %p, webhook_id: %p}",
	    cord_id_or_null(m->id), cord_id_or_null(m->user ? m->user->id : 0), m->bot ? m->bot->number : 0,
	    m->type, m->content, m->edited_ms, m->flags, cord_id_or_null(m->reply_to),
	    cord_id_or_null(m->reply_channel), cord_id_or_null(m->webhook_id));

	json_setf(o,
	    "visible_to: %p, mention_everyone: %i, edits: %d, pinned_ms: %jd, deleted: %i, mentions: %p, "
	    "mention_roles: %p, files: %p, reactions: %p",
	    cord_id_or_null(m->visible_to), m->mention_everyone, m->edits, m->pinned_ms, m->deleted,
	    cord_ids_json(&m->mentions), cord_ids_json(&m->mention_roles), save_files(m), save_reactions(m));
	for (size_t i = 0; i < ARRAY_LEN(trees); i++) {
		struct json_object *tree = *(struct json_object *const *)((const char *)m + trees[i].at);

		if (tree)
			json_set(o, trees[i].name, json_object_get(tree));
	}
	return o;
}

void cord_ids_load(struct cord_ids *ids, struct json_object *array)
{
	uint64_t id;

	json_each(array, item)
		if (cord_snowflake_read(json_object_get_string(item), &id))
			cord_ids_add(ids, id);
}

static void load_files(struct cord_message *m, struct json_object *array)
{
	struct cord_ids ids = {NULL, 0};

	cord_ids_load(&ids, array);
	for (size_t i = 0; i < ids.count; i++) {
		struct cord_file *f = cord_file_find(m->channel->world, ids.list[i]);

		if (f)
			cord_message_add_file(m, f);
	}
	free(ids.list);
}

/* Stored directly, because no client needs an event for it. */
static void load_reactions(struct cord_message *m, struct json_object *array)
{
	m->reaction_count = json_count(array);
	m->reactions = xcalloc(m->reaction_count + 1, sizeof(*m->reactions));
	for (size_t i = 0; i < m->reaction_count; i++) {
		struct json_object *o = json_at(array, i);
		const char *emoji = json_get_str(o, "emoji");

		m->reactions[i].emoji = xstrdup(emoji ? emoji : "");
		cord_ids_load(&m->reactions[i].users, json_get_array(o, "users"));
	}
}

static void load_members(struct cord_message *m, struct json_object *o)
{
	m->type = (enum cord_message_type)json_get_int(o, "type", 0);
	m->edited_ms = json_get_int(o, "edited_ms", 0);
	m->flags = json_get_int(o, "flags", 0);
	m->reply_to = cord_get_id(o, "reply_to");
	m->reply_channel = cord_get_id(o, "reply_channel");
	m->webhook_id = cord_get_id(o, "webhook_id");
	m->visible_to = cord_get_id(o, "visible_to");
	m->mention_everyone = json_get_bool(o, "mention_everyone", false);
	m->edits = (int)json_get_int(o, "edits", 0);
	m->pinned_ms = json_get_int(o, "pinned_ms", 0);
	m->deleted = json_get_bool(o, "deleted", false);
	cord_ids_load(&m->mentions, json_get_array(o, "mentions"));
	cord_ids_load(&m->mention_roles, json_get_array(o, "mention_roles"));
	load_files(m, json_get_array(o, "files"));
	load_reactions(m, json_get_array(o, "reactions"));
	for (size_t i = 0; i < ARRAY_LEN(trees); i++)
		*(struct json_object **)((char *)m + trees[i].at) =
		    json_object_get(json_get(o, trees[i].name));
}

int cord_persist_load_message(struct cord_channel *c, struct json_object *o, struct error *err)
{
	const char *content = json_get_str(o, "content");
	struct cord_message *m = cord_message_new(c);

	m->user = cord_user_find(c->world, cord_get_id(o, "user"));
	m->bot = cord_bot_by_number(c->world, json_get_int(o, "bot", 0));
	m->id = cord_get_id(o, "id");
	if (m->id == 0 || !content || (!m->user) == (!m->bot)) {
		cord_message_free(m);
		return error_set(err, ERROR_OURS, "a message is damaged");
	}
	cord_message_set_content(m, content, strlen(content));
	load_members(m, o);
	cord_channel_add(c, m);
	return 0;
}
