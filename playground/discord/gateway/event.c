#include <string.h>

#include "playground/discord/gateway/event.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"

static const struct {
	uint64_t guild, dm;
} kinds[] = {
    [CORD_EVENT_CHANNEL] = {CORD_INTENT_GUILDS, CORD_INTENT_ALWAYS},
    [CORD_EVENT_MESSAGES] = {CORD_INTENT_GUILD_MESSAGES, CORD_INTENT_DM_MESSAGES},
    [CORD_EVENT_POLLS] = {CORD_INTENT_GUILD_POLLS, CORD_INTENT_DM_POLLS},
    [CORD_EVENT_REACTIONS] = {CORD_INTENT_GUILD_REACTIONS, CORD_INTENT_DM_REACTIONS},
    [CORD_EVENT_TYPING] = {CORD_INTENT_GUILD_TYPING, CORD_INTENT_DM_TYPING},
};

static uint64_t intent_of(enum cord_event_kind kind, const struct cord_channel *c)
{
	return c->guild ? kinds[kind].guild : kinds[kind].dm;
}

/* The intent may also be one of several. */
static void tell_sessions(struct cord_bot *b, const char *name, uint64_t intent, struct json_object *d)
{
	bool of_guild = strncmp(name, "GUILD_", 6) == 0 && !json_get(d, "guild_id");
	uint64_t guild = cord_get_id(d, of_guild ? "id" : "guild_id");

	list_each_entry(&b->sessions, struct cord_session, s, link)
		if ((intent == CORD_INTENT_ALWAYS || (s->intents & intent) != 0) &&
		    cord_session_serves(s, guild))
			cord_session_dispatch(s, name, d);
}

void cord_event_to_bot(struct cord_bot *b, const char *name, uint64_t intent, struct json_object *d)
{
	tell_sessions(b, name, intent, d);
	json_object_put(d);
}

void cord_event_in_channel(
    const struct cord_channel *c, const char *name, enum cord_event_kind kind, struct json_object *d)
{
	list_each_entry(&c->world->bot_list, struct cord_bot, b, link)
		if (cord_channel_sees(c, b->id))
			tell_sessions(b, name, intent_of(kind, c), d);
	json_object_put(d);
}

void cord_event_in_guild(const struct cord_guild *g, const char *name, uint64_t intent, uint64_t permissions,
    struct json_object *d)
{
	list_each_entry(&g->world->bot_list, struct cord_bot, b, link)
		if (cord_guild_has(g, b) && (cord_guild_may(g, b->id) & permissions) == permissions)
			tell_sessions(b, name, intent, d);
	json_object_put(d);
}

void cord_event_channel(const struct cord_channel *c, const char *name)
{
	list_each_entry(&c->world->bot_list, struct cord_bot, b, link)
		if (c->guild && cord_channel_sees(c, b->id))
			cord_event_to_bot(b, name, CORD_INTENT_GUILDS, cord_channel_json(c, b->id));
}

/* Discord: events/gateway, Message Content Intent. */
static void blank_content(struct json_object *d)
{
	json_setf(d, "content: '', embeds: %p, attachments: %p, components: %p", json_object_new_array(),
	    json_object_new_array(), json_object_new_array());
	json_object_object_del(d, "poll");
	json_object_object_del(d, "message_snapshots");
}

static bool may_read(const struct cord_message *m, const struct cord_bot *b, const struct cord_session *s)
{
	return (s->intents & CORD_INTENT_CONTENT) != 0 || (m->bot == b && !m->author) || !m->channel->guild ||
	    cord_message_mentions(m, b->id);
}

static void add_place(struct json_object *d, const struct cord_message *m)
{
	const struct cord_guild *g = m->channel->guild;

	json_set_int(d, "channel_type", m->channel->type);
	if (!g)
		return;
	cord_set_id(d, "guild_id", g->id);
	if (m->webhook_id != 0)
		return;
	json_set(d, "member",
	    m->user ? cord_member_json(g, m->user, false) : cord_member_bot_json(g, m->bot, false));
}

static struct json_object *event_json(const struct cord_message *m, bool readable)
{
	struct json_object *d = cord_message_json(m), *to;

	add_place(d, m);
	if (!readable) {
		blank_content(d);
		to = json_get_object(d, "referenced_message");
		if (to)
			blank_content(to);
	}
	return d;
}

void cord_event_message(const struct cord_message *m, const char *name)
{
	struct json_object *whole = event_json(m, true), *blank = event_json(m, false);
	uint64_t intent = intent_of(CORD_EVENT_MESSAGES, m->channel),
		 guild = m->channel->guild ? m->channel->guild->id : 0;

	list_each_entry(&m->channel->world->bot_list, struct cord_bot, b, link) {
		if (m->visible_to != 0 || !cord_channel_sees(m->channel, b->id))
			continue;
		list_each_entry(&b->sessions, struct cord_session, s, link)
			if ((s->intents & intent) && cord_session_serves(s, guild))
				cord_session_dispatch(s, name, may_read(m, b, s) ? whole : blank);
	}
	json_object_put(whole);
	json_object_put(blank);
}

void cord_event_reaction(const struct cord_message *m, const char *name, const char *emoji, uint64_t user_id)
{
	const struct cord_channel *c = m->channel;
	const struct cord_user *u = cord_user_find(c->world, user_id);
	bool added = strcmp(name, "MESSAGE_REACTION_ADD") == 0;
	struct json_object *d = json_newf("{user_id: %p, channel_id: %p, message_id: %p}",
	    cord_id_or_null(user_id), cord_id_or_null(c->id), cord_id_or_null(m->id));

	if (added)
		cord_set_id(d, "message_author_id", cord_message_writer(m));
	json_setf(d, "emoji: %p, burst: false, type: 0", cord_emoji_json(emoji));
	if (c->guild) {
		cord_set_id(d, "guild_id", c->guild->id);
		if (u && added)
			json_set(d, "member", cord_member_json(c->guild, u, true));
	}
	cord_event_in_channel(c, name, CORD_EVENT_REACTIONS, d);
}
