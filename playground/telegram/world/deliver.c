#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "playground/telegram/world/world_internal.h"

/* Returns the text of an entity. */
static const char *entity_text(const struct formatted *f, const struct entity *e, size_t *len)
{
	size_t from = utf8_cut(f->text.data, f->text.len, (size_t)e->offset, UTF8_UTF16);

	*len = utf8_cut(f->text.data + from, f->text.len - from, (size_t)e->length, UTF8_UTF16);
	return f->text.data + from;
}

static bool names_bot(const char *s, size_t len, const struct bot *b)
{
	return len == strlen(b->username) && strncasecmp(s, b->username, len) == 0;
}

/* A general command, a command with this bot's name, or a mention of its account. */
static bool entity_means(const struct formatted *f, const struct entity *e, const struct bot *b)
{
	const char *text, *at;
	size_t len;

	text = entity_text(f, e, &len);
	switch (e->type) {
	case ENTITY_BOT_COMMAND:
		at = memchr(text, '@', len);
		return !at || names_bot(at + 1, (size_t)(text + len - at - 1), b);
	case ENTITY_MENTION:
		return names_bot(text + 1, len - 1, b);
	case ENTITY_TEXT_MENTION:
		return e->number == b->id;
	default:
		return false;
	}
}

static bool rich_means(const char *rich, const struct bot *b)
{
	char name[64];

	snprintf(name, sizeof(name), "\"@%s\"", b->username);
	return strstr(rich, "\"bot_command\"") || strcasestr(rich, name);
}

/* Bots FAQ, privacy mode: in groups only what is meant for the bot, unless it is an administrator. */
static bool is_visible(const struct chat *c, const struct message *m, const struct bot *b)
{
	const struct message *to = m->reply_to != 0 ? chat_message(c, m->reply_to) : NULL;
	const struct member *own = chat_find_member(c, b);

	if (m->bot) /* bots see neither their own messages nor those of others */
		return false;
	if (c->kind == CHAT_PRIVATE || c->kind == CHAT_CHANNEL || !c->world->settings.privacy || own->admin ||
	    m->service)
		return true;
	if (to && to->bot == b)
		return true;
	if (m->rich && rich_means(m->rich, b))
		return true;
	for (size_t i = 0; i < m->text.count; i++)
		if (entity_means(&m->text, &m->text.entities[i], b))
			return true;
	return false;
}

void deliver_message(struct chat *c, const struct message *m, bool edited)
{
	enum update_kind kind = edited ? UPDATE_EDITED_MESSAGE : UPDATE_MESSAGE;
	struct buf out = BUF_INIT;

	if (c->kind == CHAT_CHANNEL)
		kind = edited ? UPDATE_EDITED_CHANNEL_POST : UPDATE_CHANNEL_POST;
	if (c->business)
		kind = edited ? UPDATE_EDITED_BUSINESS_MESSAGE : UPDATE_BUSINESS_MESSAGE;
	message_write(m, c, &out);
	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].gone == GONE_NOT && is_visible(c, m, c->members[i].bot))
			bot_update(c->members[i].bot, kind, &out);
	buf_clear(&out);
}
