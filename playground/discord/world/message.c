#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"

struct cord_message *cord_message_new(struct cord_channel *c)
{
	struct cord_message *m = xcalloc(1, sizeof(*m));

	m->id = cord_new_id(c->world);
	m->channel = c;
	m->content = xstrdup("");
	return m;
}

void cord_message_free(struct cord_message *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->reaction_count; i++) {
		free(m->reactions[i].emoji);
		free(m->reactions[i].users.list);
	}
	json_object_put(m->nonce);
	json_object_put(m->embeds);
	json_object_put(m->components);
	json_object_put(m->author);
	json_object_put(m->poll);
	json_object_put(m->votes);
	json_object_put(m->interaction);
	json_object_put(m->extra);
	free(m->mentions.list);
	free(m->mention_roles.list);
	free(m->reactions);
	free(m->files);
	free(m->content);
	free(m);
}

void cord_ids_add(struct cord_ids *ids, uint64_t id)
{
	if (cord_ids_have(ids, id))
		return;
	ids->list = xrealloc(ids->list, (ids->count + 1) * sizeof(*ids->list));
	ids->list[ids->count++] = id;
}

bool cord_ids_remove(struct cord_ids *ids, uint64_t id)
{
	for (size_t i = 0; i < ids->count; i++) {
		if (ids->list[i] != id)
			continue;
		memmove(&ids->list[i], &ids->list[i + 1], (--ids->count - i) * sizeof(*ids->list));
		return true;
	}
	return false;
}

bool cord_ids_have(const struct cord_ids *ids, uint64_t id)
{
	for (size_t i = 0; i < ids->count; i++)
		if (ids->list[i] == id)
			return true;
	return false;
}

static int by_id(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void cord_ids_sort(struct cord_ids *ids)
{
	if (ids->count > 1)
		qsort(ids->list, ids->count, sizeof(*ids->list), by_id);
}

bool cord_message_mentions(const struct cord_message *m, uint64_t id)
{
	return cord_ids_have(&m->mentions, id);
}

void cord_message_set_content(struct cord_message *m, const char *text, size_t len)
{
	char *content = xstrndup(text, len);

	free(m->content);
	m->content = content;
}

void cord_message_add_file(struct cord_message *m, struct cord_file *f)
{
	m->files = xrealloc(m->files, (m->file_count + 1) * sizeof(struct cord_file *));
	m->files[m->file_count++] = f;
}

/* Until the bot connects, its mention is <@0>. */
void cord_message_claim(struct cord_message *m, uint64_t bot_id)
{
	struct buf text = BUF_INIT;
	const char *at = m->content, *hit;

	if (cord_ids_remove(&m->mentions, 0))
		cord_ids_add(&m->mentions, bot_id);
	while ((hit = strstr(at, "<@0>"))) {
		buf_add(&text, at, (size_t)(hit - at));
		buf_addf(&text, "<@%" PRIu64 ">", bot_id);
		at = hit + 4;
	}
	buf_addstr(&text, at);
	cord_message_set_content(m, text.data, text.len);
	buf_clear(&text);
}

uint64_t cord_message_writer(const struct cord_message *m)
{
	return m->user ? m->user->id : m->bot->id;
}

bool cord_message_is_ordinary(const struct cord_message *m)
{
	return m->type == CORD_MESSAGE_DEFAULT || m->type == CORD_MESSAGE_REPLY ||
	    m->type == CORD_MESSAGE_COMMAND || m->type == CORD_MESSAGE_CONTEXT_COMMAND;
}

void cord_message_delete(struct cord_message *m)
{
	struct json_object *d = json_object_new_object();

	m->deleted = true;
	cord_show_message(m, "deleted");
	json_setf(d, "id: %p, channel_id: %p", cord_id_or_null(m->id), cord_id_or_null(m->channel->id));
	if (m->channel->guild)
		cord_set_id(d, "guild_id", m->channel->guild->id);
	if (m->visible_to != 0)
		json_object_put(d);
	else
		cord_event_in_channel(m->channel, "MESSAGE_DELETE", CORD_EVENT_MESSAGES, d);
}

struct cord_reaction *cord_message_reaction(const struct cord_message *m, const char *emoji)
{
	for (size_t i = 0; i < m->reaction_count; i++)
		if (strcmp(m->reactions[i].emoji, emoji) == 0)
			return &m->reactions[i];
	return NULL;
}

bool cord_message_react(struct cord_message *m, const char *emoji, uint64_t user_id)
{
	struct cord_reaction *r = cord_message_reaction(m, emoji);

	if (!r) {
		m->reactions = xrealloc(m->reactions, (m->reaction_count + 1) * sizeof(*m->reactions));
		r = &m->reactions[m->reaction_count++];
		*r = (struct cord_reaction){.emoji = xstrdup(emoji)};
	}
	if (cord_ids_have(&r->users, user_id))
		return false;
	cord_ids_add(&r->users, user_id);
	cord_show_message(m, "reaction");
	cord_event_reaction(m, "MESSAGE_REACTION_ADD", emoji, user_id);
	return true;
}

void cord_message_forget_reaction(struct cord_message *m, struct cord_reaction *r)
{
	free(r->emoji);
	free(r->users.list);
	memmove(r, r + 1, (size_t)(&m->reactions[--m->reaction_count] - r) * sizeof(*r));
}

bool cord_message_unreact(struct cord_message *m, const char *emoji, uint64_t user_id)
{
	struct cord_reaction *r = cord_message_reaction(m, emoji);

	if (!r || !cord_ids_remove(&r->users, user_id))
		return false;
	cord_show_message(m, "reaction");
	cord_event_reaction(m, "MESSAGE_REACTION_REMOVE", emoji, user_id);
	if (r->users.count == 0)
		cord_message_forget_reaction(m, r);
	return true;
}
