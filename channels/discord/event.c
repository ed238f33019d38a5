#include "channels/discord/event.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/format.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "bus/reaction.h"
#include "channels/discord/cache.h"
#include "channels/discord/text.h"

/* Message types (API v10) written by people; all others are system messages. */
#define TYPE_DEFAULT 0
#define TYPE_REPLY   19
/* message_reference.type */
#define REFERENCE_FORWARD 1
/* Interaction types. */
#define INTERACTION_COMMAND   2
#define INTERACTION_COMPONENT 3
/* Message flags. */
#define FLAG_VOICE (1 << 13)
/* Discord takes ten in one message. */
#define FILES_MAX 10

int64_t discord_time_parse(const char *text)
{
	struct tm tm = {0};
	const char *at = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	int64_t ms = 0, scale = 100, offset = 0;

	if (!at)
		return 0;
	for (at += *at == '.'; *at >= '0' && *at <= '9'; at++, scale /= 10)
		ms += (*at - '0') * scale;
	if ((*at == '+' || *at == '-') && strlen(at) >= 6)
		offset = (at[1] - '0') * 600 + (at[2] - '0') * 60 + (at[4] - '0') * 10 + (at[5] - '0');
	return (timegm(&tm) - (*at == '-' ? -offset : offset) * 60) * 1000 + ms;
}

/* For %.*s: returns the number of bytes to take, in complete characters. */
static int shown(const char *text, size_t most)
{
	return (int)utf8_cut(text, strlen(text), most, UTF8_BYTES);
}

/* Cuts the text to DISCORD_TEXT_MAX, with a note. */
static char *text_take(struct buf *text)
{
	struct buf clean = BUF_INIT;

	utf8_sanitize(&clean, text->data, text->len);
	if (clean.len > DISCORD_TEXT_MAX) {
		size_t whole = clean.len;

		buf_truncate(&clean, utf8_cut(clean.data, clean.len, DISCORD_TEXT_MAX, UTF8_BYTES));
		buf_addf(&clean, "\n[cut here: %zu bytes more]", whole - clean.len);
	}
	buf_clear(text);
	return buf_take(&clean);
}

static void set_text(struct message *m, struct buf *text)
{
	free(m->text);
	m->text = text_take(text);
}

/* A thread's messages belong to its channel, whose id is what a configuration lists; the thread is the
 * session. */
static bool read_chat(struct message *m, const struct discord_event_context *s)
{
	const struct discord_channel *c = s->channel;
	char chat[24], thread[24] = "";

	if (!c)
		return false;
	str_format(chat, sizeof(chat), "%" PRIu64, c->parent != 0 ? c->parent : c->id);
	if (c->parent != 0)
		str_format(thread, sizeof(thread), "%" PRIu64, c->id);
	m->chat_kind = c->type == DISCORD_DM || (c->guild == 0 && c->type != DISCORD_GROUP_DM) ?
	    CHAT_PRIVATE :
	    CHAT_GROUP;
	if (m->chat_kind == CHAT_GROUP)
		m->chat_title =
		    s->guild ? xasprintf("#%s (%s)", c->name, s->guild->name) : xasprintf("#%s", c->name);
	m->unit_key = c->guild >> 22;
	return address_set(&m->from, s->self->channel, chat, thread, NULL) == 0;
}

static bool read_sender(struct message *m, struct json_object *user, struct json_object *member)
{
	const char *name = json_get_str(member, "nick"), *id = json_get_str(user, "id");
	char clean[128];

	if (discord_id_parse(id) == 0)
		return false;
	name = name ? name : json_get_str(user, "global_name");
	discord_name_copy(clean, sizeof(clean), name ? name : json_get_str(user, "username"));
	m->sender_id = xstrdup(id);
	m->sender_name = xstrdup(clean[0] != '\0' ? clean : id);
	m->sender_is_bot = json_get_bool(user, "bot", false);
	return true;
}

/* Builds the text of a message with notes on its other content; files: also those not passed on as
 * attachments. */
static unsigned read_content(
    struct buf *out, struct json_object *o, const struct discord_event_context *s, bool files)
{
	unsigned flags =
	    discord_text_read(out, o, s->self, s->cache, s->menu, s->guild ? s->guild->our_role : 0);

	discord_text_describe(out, o, files);
	return flags;
}

/* URLs are signed for one day: store where to fetch a new one. */
static void read_files(struct message *m, struct json_object *o)
{
	struct json_object *list = json_get_array(o, "attachments");
	bool voice = (json_get_int(o, "flags", 0) & FLAG_VOICE) != 0;

	for (size_t i = 0; list && i < json_object_array_length(list) && i < FILES_MAX; i++) {
		struct json_object *file = json_object_array_get_idx(list, i);
		const char *mime = json_get_str(file, "content_type"), *id = json_get_str(file, "id");
		struct attachment *a;

		if (discord_id_parse(id) == 0)
			continue;
		a = attachments_add(&m->attachments, &m->attachment_count,
		    voice    ? ATTACHMENT_VOICE :
			mime ? attachment_kind_of(mime) :
			       ATTACHMENT_FILE);
		a->name = xstrdup(json_get_str(file, "filename"));
		a->mime = xstrdup(mime);
		a->size = json_get_int(file, "size", -1);
		a->seconds = (int64_t)json_get_double(file, "duration_secs", -1);
		a->ref = xasprintf("%s/%s/%s", json_get_str(o, "channel_id"), m->message_id, id);
	}
}

/* The text of a forward stands in a snapshot, without its author. */
static void read_forward(struct buf *out, struct json_object *o, const struct discord_event_context *s)
{
	struct json_object *list = json_get_array(o, "message_snapshots");
	struct json_object *first = list ? json_object_array_get_idx(list, 0) : NULL;
	struct buf text = BUF_INIT;

	if (json_get_int(json_get_object(o, "message_reference"), "type", 0) != REFERENCE_FORWARD || !first)
		return;
	read_content(&text, json_get_object(first, "message"), s, true);
	buf_addstr(out, "[forwarded: what follows is not the sender's own text]\n");
	if (text.len > 0)
		quote_text(out, NULL, text.data, text.len);
	buf_clear(&text);
}

/* False for our own messages, and for those of bots and webhooks: two bots that answer each other never stop.
 */
static bool is_of_a_person(struct json_object *o, const struct discord_self *self)
{
	struct json_object *author = json_get_object(o, "author");
	int64_t type = json_get_int(o, "type", -1);

	return (type == TYPE_DEFAULT || type == TYPE_REPLY) && !json_get(o, "webhook_id") &&
	    !json_get_bool(author, "bot", false) && !json_get_bool(author, "system", false) &&
	    discord_id_get(author, "id") != self->user;
}

static void read_reply_sender(struct message *m, struct json_object *to, const struct discord_self *self)
{
	struct json_object *author = json_get_object(to, "author");
	const char *name = json_get_str(author, "global_name");
	char clean[128];

	if (!is_of_a_person(to, self))
		return;
	discord_name_copy(clean, sizeof(clean), name ? name : json_get_str(author, "username"));
	m->reply_sender_id = xstrdup(json_get_str(author, "id"));
	m->reply_sender_name = xstrdup(clean);
}

/* Sets the message that it answers. Returns true when that is one of the bot's. */
static bool read_reply(struct message *m, struct json_object *o, const struct discord_event_context *s)
{
	struct json_object *reference = json_get_object(o, "message_reference"),
			   *to = json_get_object(o, "referenced_message");
	const char *id = json_get_str(reference, "message_id");
	struct buf text = BUF_INIT;

	if (json_get_int(o, "type", 0) != TYPE_REPLY || !id || discord_id_parse(id) == 0)
		return false;
	m->reply_to = xstrdup(id);
	if (to) {
		read_content(&text, to, s, true);
		if (text.len > 0)
			m->reply_text = text_take(&text);
		read_reply_sender(m, to, s->self);
	}
	buf_clear(&text);
	return discord_id_get(json_get_object(to, "author"), "id") == s->self->user;
}

static enum discord_event read_message(
    struct message *m, struct json_object *o, const struct discord_event_context *s)
{
	const char *id = json_get_str(o, "id");
	struct buf text = BUF_INIT;
	bool to_us, empty;
	unsigned flags;

	if (discord_id_parse(id) == 0 || !json_get_object(o, "author"))
		return DISCORD_EVENT_BAD;
	if (!is_of_a_person(o, s->self))
		return DISCORD_EVENT_IGNORED;
	if (!read_chat(m, s) || !read_sender(m, json_get_object(o, "author"), json_get_object(o, "member")))
		return DISCORD_EVENT_BAD;
	m->message_id = xstrdup(id);
	m->sent_ms = discord_id_time(discord_id_parse(id));
	to_us = read_reply(m, o, s);
	read_forward(&text, o, s);
	flags = read_content(&text, o, s, false);
	if (text.len > 0 && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	read_files(m, o);
	to_us |= (flags & DISCORD_TEXT_TO_US) != 0;
	m->addressed = m->chat_kind == CHAT_PRIVATE || to_us;
	m->to_another = !m->addressed && (flags & DISCORD_TEXT_TO_ANOTHER) != 0;
	if (text.len == 0 && (flags & DISCORD_TEXT_TO_US) != 0 && m->attachment_count == 0)
		buf_addstr(&text, MESSAGE_MENTION_ONLY);
	empty = text.len == 0 && !to_us && m->attachment_count == 0;
	set_text(m, &text);
	return empty ? DISCORD_EVENT_EMPTY : DISCORD_EVENT_MESSAGE;
}

static enum discord_event finish(
    struct message *m, enum discord_event result, const struct discord_event_context *s, struct message **out)
{
	*out = NULL;
	if (result != DISCORD_EVENT_MESSAGE) {
		message_free(m);
		return result;
	}
	m->account = xstrdup(s->self->account);
	*out = m;
	return result;
}

enum discord_event discord_event_message(
    struct json_object *message, const struct discord_event_context *context, struct message **out)
{
	struct message *m = message_new();
	enum discord_event result = read_message(m, message, context);

	m->event_id = xstrdup(m->message_id);
	return finish(m, result, context, out);
}

enum discord_event discord_event_edit(
    struct json_object *message, const struct discord_event_context *context, struct message **out)
{
	const char *edited = json_get_str(message, "edited_timestamp");
	struct message *m = message_new();
	enum discord_event result = DISCORD_EVENT_IGNORED;

	/* An unfolding link updates a message too, though nobody edited it. */
	if (edited && json_get_str(message, "content"))
		result = read_message(m, message, context);
	if (result == DISCORD_EVENT_MESSAGE) {
		message_edited(m, discord_time_parse(edited));
		m->event_id = xasprintf("%s:e:%.*s", m->message_id, shown(edited, 40), edited);
	}
	return finish(m, result, context, out);
}

static struct json_object *find_option(struct json_object *options, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(options); i++) {
		struct json_object *o = json_object_array_get_idx(options, i);
		const char *of = json_get_str(o, "name");

		if (of && strcmp(of, name) == 0)
			return json_get(o, "value");
	}
	return NULL;
}

static void add_option(struct buf *out, const struct channel_argument *a, struct json_object *value)
{
	if (!value)
		return;
	if (a->kind != CHANNEL_ARGUMENT_FLAG)
		buf_addf(out, " %s", json_object_get_string(value));
	else if (json_object_get_boolean(value))
		buf_addf(out, " --%s", a->name);
}

static const struct channel_argument *arguments_of(const struct channel_command *menu, const char *name)
{
	while (menu && menu->name && strcmp(menu->name, name) != 0)
		menu++;
	return menu && menu->name ? menu->arguments : NULL;
}

/* Writes "/name value value" as if typed, with the values in the order of the declared arguments. */
static void add_command(struct buf *out, struct json_object *data, const struct channel_command *menu)
{
	struct json_object *options = json_get_array(data, "options");
	const char *name = json_get_str(data, "name");
	const struct channel_argument *a = arguments_of(menu, name);

	buf_addf(out, "/%.*s", shown(name, 64), name);
	for (; options && a && a->name; a++)
		add_option(out, a, find_option(options, a->name));
	if (!options || arguments_of(menu, name))
		return;
	for (size_t i = 0; i < json_object_array_length(options); i++) {
		const char *value = json_get_str(json_object_array_get_idx(options, i), "value");
		if (value)
			buf_addf(out, " %s", value);
	}
}

static enum discord_event read_interaction(
    struct message *m, struct json_object *o, const struct discord_event_context *s)
{
	struct json_object *member = json_get_object(o, "member"), *data = json_get_object(o, "data");
	struct json_object *user = member ? json_get_object(member, "user") : json_get_object(o, "user");
	int64_t type = json_get_int(o, "type", 0);
	const char *id = json_get_str(o, "id"), *button = json_get_str(data, "custom_id");
	struct buf text = BUF_INIT;

	if (type != INTERACTION_COMMAND && type != INTERACTION_COMPONENT)
		return DISCORD_EVENT_IGNORED;
	if (discord_id_parse(id) == 0 || !read_chat(m, s) || !read_sender(m, user, member))
		return DISCORD_EVENT_BAD;
	m->event_id = xstrdup(id);
	m->sent_ms = discord_id_time(discord_id_parse(id));
	m->addressed = true;
	if (type == INTERACTION_COMMAND && json_get_str(data, "name")) {
		add_command(&text, data, s->menu);
		m->message_id = xasprintf(DISCORD_INTERACTION_MARK "%s", id);
	} else if (type == INTERACTION_COMPONENT && button) {
		const char *token = json_get_str(o, "token");

		m->kind = MESSAGE_PRESS;
		m->message_id = xstrdup(json_get_str(json_get_object(o, "message"), "id"));
		m->press_id = token ? xasprintf("%s:%s", id, token) : NULL;
		buf_addstr(&text, button);
	} else {
		return DISCORD_EVENT_BAD;
	}
	set_text(m, &text);
	return DISCORD_EVENT_MESSAGE;
}

enum discord_event discord_event_interaction(
    struct json_object *interaction, const struct discord_event_context *context, struct message **out)
{
	struct message *m = message_new();

	return finish(m, read_interaction(m, interaction, context), context, out);
}

/* Direct messages carry only the person's id. */
enum discord_event discord_event_reaction(
    struct json_object *reaction, const struct discord_event_context *context, struct message **out)
{
	struct json_object *member = json_get_object(reaction, "member"),
			   *user = json_get_object(member, "user");
	const char *id = json_get_str(reaction, "message_id"), *sender = json_get_str(reaction, "user_id");
	struct message *m = message_new();
	enum discord_event result = DISCORD_EVENT_BAD;

	if (discord_id_parse(sender) != 0 && discord_id_parse(sender) == context->self->user)
		result = DISCORD_EVENT_IGNORED;
	else if (discord_id_parse(id) != 0 && discord_id_parse(sender) != 0 && read_chat(m, context))
		result = DISCORD_EVENT_MESSAGE;
	if (result == DISCORD_EVENT_MESSAGE) {
		m->kind = MESSAGE_PRESS;
		m->addressed = true;
		m->message_id = xstrdup(id);
		if (!user || !read_sender(m, user, member))
			m->sender_id = xstrdup(sender);
		free(m->text);
		m->text = xstrdup(REACTION_STOP);
	}
	return finish(m, result, context, out);
}

/* Returns the first text channel, for a guild without a system channel. */
static const char *first_channel(struct json_object *guild)
{
	struct json_object *list = json_get_array(guild, "channels");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *c = json_object_array_get_idx(list, i);
		if (json_get_int(c, "type", -1) == DISCORD_TEXT && discord_id_get(c, "id") != 0)
			return json_get_str(c, "id");
	}
	return NULL;
}

enum discord_event discord_event_joined(
    struct json_object *guild, const struct discord_self *self, struct message **out)
{
	const char *chat = json_get_str(guild, "system_channel_id"), *id = json_get_str(guild, "id");
	const char *owner = json_get_str(guild, "owner_id"), *at = json_get_str(guild, "joined_at");
	struct message *m;
	char title[48];

	*out = NULL;
	chat = chat ? chat : first_channel(guild);
	if (discord_id_parse(chat) == 0 || discord_id_parse(id) == 0 || discord_id_parse(owner) == 0 ||
	    discord_time_parse(at) == 0)
		return DISCORD_EVENT_IGNORED;
	discord_name_copy(title, sizeof(title), json_get_str(guild, "name"));
	m = message_new();
	m->kind = MESSAGE_JOINED;
	m->chat_kind = CHAT_GROUP;
	m->unit_key = discord_id_parse(id) >> 22;
	m->addressed = true;
	m->account = xstrdup(self->account);
	m->event_id = xasprintf("joined:%s:%.*s", id, shown(at, 40), at);
	m->chat_title = xstrdup(title);
	/* Only the audit log says who invited the bot, and it asks for no permission to read that: the owner
	 * stands for the server. */
	m->sender_id = xstrdup(owner);
	m->sender_name = xstrdup("the owner");
	m->sent_ms = discord_time_parse(at);
	free(m->text);
	m->text = xasprintf("`@%s`", self->username);
	if (!self->receives_all)
		m->reply_text = xstrdup(
		    "So far I see only what mentions me or answers me. For more, switch on the Message "
		    "Content Intent (Developer Portal, Bot, Privileged Gateway Intents) and restart me.");
	if (address_set(&m->from, self->channel, chat, NULL, NULL) < 0) {
		message_free(m);
		return DISCORD_EVENT_BAD;
	}
	*out = m;
	return DISCORD_EVENT_MESSAGE;
}
