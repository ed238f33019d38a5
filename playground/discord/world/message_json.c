#include "playground/discord/world/world_internal.h"

static struct json_object *share(struct json_object *array)
{
	return array ? json_object_get(array) : json_object_new_array();
}

static struct json_object *mentions_json(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->mentions.count; i++) {
		struct json_object *o = cord_anyone_json(m->channel->world, m->mentions.list[i]);

		if (o)
			json_object_array_add(array, o);
	}
	return array;
}

static struct json_object *roles_json(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->mention_roles.count; i++)
		json_object_array_add(array, cord_id_json(m->mention_roles.list[i]));
	return array;
}

static struct json_object *files_json(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->file_count; i++)
		json_object_array_add(array, cord_file_json(m->channel->world, m->files[i]));
	return array;
}

static struct json_object *reactions_json(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->reaction_count; i++) {
		const struct cord_reaction *r = &m->reactions[i];
		struct json_object *o = json_object_new_object(), *details = json_object_new_object();

		json_setf(o, "emoji: %p, count: %jd", cord_emoji_json(r->emoji), (int64_t)r->users.count);
		json_set_int(details, "normal", (int64_t)r->users.count);
		json_set(o, "count_details", cord_fill("MessageReactionCountDetailsResponse", details));
		list_each_entry(&m->channel->world->bot_list, struct cord_bot, b, link)
			if (cord_ids_have(&r->users, b->id))
				json_set_bool(o, "me", true);
		json_object_array_add(array, cord_fill("MessageReactionResponse", o));
	}
	return array;
}

static struct json_object *author_json(const struct cord_message *m)
{
	return m->author ? json_object_get(m->author) :
	    m->user      ? cord_user_json(m->user) :
			   cord_bot_json(m->bot);
}

static struct json_object *write(const struct cord_message *m, bool deep);

/* Discord: Message.referenced_message is null when the message was deleted. */
static void add_reference(struct json_object *o, const struct cord_message *m, bool deep)
{
	struct cord_channel *c = cord_channel_find(m->channel->world, m->reply_channel);
	struct cord_message *to = c ? cord_channel_message(c, m->reply_to) : NULL;
	struct json_object *reference = json_newf("{type: 0, message_id: %p, channel_id: %p}",
	    cord_id_or_null(m->reply_to), cord_id_or_null(m->reply_channel));

	if (m->channel->guild)
		cord_set_id(reference, "guild_id", m->channel->guild->id);
	json_set(o, "message_reference", reference);
	if (deep)
		json_object_object_add(o, "referenced_message", to ? write(to, false) : NULL);
}

/* interaction is deprecated, but libraries find the handler of a button by it. Answers to buttons lack it. */
static void add_interaction(struct json_object *o, struct json_object *meta)
{
	json_set(o, "interaction_metadata", json_object_get(meta));
	if (json_get_int(meta, "type", 0) == CORD_INTERACTION_COMMAND)
		json_set(o, "interaction",
		    json_newf("{id: %p, type: %d, name: %s, user: %p}", json_object_get(json_get(meta, "id")),
			CORD_INTERACTION_COMMAND, json_get_str(meta, "name"),
			json_object_get(json_get(meta, "user"))));
}

static void add_rest(struct json_object *o, const struct cord_message *m, bool deep)
{
	struct json_object *extra = m->extra;

	/* A message in another one comes without (BasicMessageResponse). */
	if (m->reaction_count > 0 && deep)
		json_set(o, "reactions", reactions_json(m));
	if (m->nonce)
		json_set(o, "nonce", json_object_get(m->nonce));
	if (m->reply_to != 0)
		add_reference(o, m, deep);
	if (m->webhook_id != 0) {
		cord_set_id(o, "webhook_id", m->webhook_id);
		if (m->bot)
			cord_set_id(o, "application_id", m->bot->id);
	}
	if (m->poll)
		json_set(o, "poll", cord_poll_json(m));
	if (m->interaction)
		add_interaction(o, m->interaction);
	if (m->thread && deep)
		json_set(o, "thread", cord_channel_json(m->thread, 0));
	if (!extra)
		return;
	json_object_object_foreach(extra, key, value) {
		json_object_object_add(o, key, json_object_get(value));
	}
}

static struct json_object *write(const struct cord_message *m, bool deep)
{
	struct json_object *o =
	    json_newf("{id: %p, channel_id: %p, type: %d, content: %s, author: %p, mentions: %p, "
		      "mention_roles: %p, mention_everyone: %i, attachments: %p, embeds: %p}",
		cord_id_or_null(m->id), cord_id_or_null(m->channel->id), m->type, m->content, author_json(m),
		mentions_json(m), roles_json(m), m->mention_everyone, files_json(m), share(m->embeds));

	json_setf(o, "components: %p, tts: %i, pinned: %i, flags: %jd", share(m->components), m->tts,
	    m->pinned_ms != 0, m->flags);
	cord_set_time(o, "timestamp", cord_snowflake_ms(m->id));
	cord_set_time(o, "edited_timestamp", m->edited_ms);
	add_rest(o, m, deep);
	return cord_fill("MessageResponse", o);
}

struct json_object *cord_message_json(const struct cord_message *m)
{
	return write(m, true);
}

/* Discord: resources/message, Message Reference, forwards. */
void cord_message_forward(struct cord_message *m, const struct cord_message *from)
{
	struct json_object *list = json_object_new_array(), *snapshot = json_object_new_object(),
			   *own = json_object_new_object();
	const struct cord_channel *c = from->channel;

	json_set(snapshot, "message", cord_part("MinimalContentMessageResponse", cord_message_json(from)));
	json_object_array_add(list, snapshot);
	json_setf(
	    own, "type: 1, channel_id: %p, message_id: %p", cord_id_json(c->id), cord_id_json(from->id));
	if (c->guild)
		json_set(own, "guild_id", cord_id_json(c->guild->id));
	m->extra = json_newf("{message_reference: %p, message_snapshots: %p}", own, list);
}
