#include "channels/telegram/update.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/format.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "bus/message.h"
#include "bus/reaction.h"
#include "channels/telegram/update_internal.h"

/* The General topic has this id where it has one, and must be left out when sending (Client.cpp:8276). */
#define GENERAL_TOPIC 1
/* A client cuts a longer text into messages of at most 4,096 units, at a blank where there is one: what is
 * this long is likely to go on. */
#define CUT_UNITS (4096 - 100)
/* Ids have at most 52 bits (Bot API: User, Chat). */
#define ID_MAX (INT64_C(1) << 52)

char *telegram_update_id_text(int64_t id)
{
	return xasprintf("%" PRId64, id);
}

/* Seconds since 1970 to milliseconds; 0 when absent or absurd. */
static int64_t time_ms(struct json_object *o, const char *key)
{
	int64_t s = json_get_int(o, key, 0);

	return s > 0 && s <= UINT32_MAX ? s * 1000 : 0;
}

/* Cuts the text to TELEGRAM_TEXT_MAX, with a note. */
static char *text_take(struct buf *text)
{
	struct buf clean = BUF_INIT;
	size_t cut;

	utf8_sanitize(&clean, text->data, text->len);
	buf_clear(text);
	if (clean.len > TELEGRAM_TEXT_MAX) {
		cut = utf8_cut(clean.data, clean.len, TELEGRAM_TEXT_MAX, UTF8_BYTES);
		*text = clean;
		buf_init(&clean);
		buf_add(&clean, text->data, cut);
		buf_addf(&clean, "\n[cut here: %zu bytes more]", text->len - cut);
		buf_clear(text);
	}
	return buf_take(&clean);
}

/* Reads the text of a message: a text or caption, else a rich message. */
struct wording {
	const char *text;
	struct json_object *entities;
	struct telegram_rich rich;
};

/* out gets the files of a rich message; NULL: they are only named. */
static void wording_read(struct wording *w, struct message *out, struct json_object *m)
{
	*w = (struct wording){.text = json_get_str(m, "text"),
	    .entities = json_get_array(m, "entities"),
	    .rich = {.text = BUF_INIT}};
	if (!w->text) {
		w->text = json_get_str(m, "caption");
		w->entities = json_get_array(m, "caption_entities");
	}
	if (!w->text)
		telegram_rich_read(&w->rich, out, json_get_object(m, "rich_message"));
}

static void add_media(struct buf *text, struct json_object *m)
{
	struct buf media = BUF_INIT;

	/* A text message has no media: nothing is looked for in most messages. */
	if (!m || json_get(m, "text"))
		return;
	telegram_describe_media(&media, m);
	if (media.len != 0 && text->len != 0 && text->data[text->len - 1] != '\n')
		buf_addch(text, '\n');
	buf_add(text, media.data, media.len);
	buf_clear(&media);
}

/* In a forum, a message that answers nothing still names the topic's first message as answered. */
static struct json_object *replied_message(struct json_object *m)
{
	struct json_object *r = json_get_object(m, "reply_to_message");
	int64_t id = json_get_int(r, "message_id", 0);

	if (id <= 0 || json_get(r, "forum_topic_created"))
		return NULL;
	if (json_get_bool(m, "is_topic_message", false) && id == json_get_int(m, "message_thread_id", 0))
		return NULL;
	return r;
}

static void set_reply_sender(struct message *out, struct json_object *user)
{
	int64_t id = json_get_int(user, "id", 0);
	struct buf name = BUF_INIT;

	if (id <= 0 || id > ID_MAX || json_get_bool(user, "is_bot", false))
		return;
	telegram_describe_name(&name, user);
	out->reply_sender_id = telegram_update_id_text(id);
	out->reply_sender_name = buf_take(&name);
}

/* Who wrote what it replies to: of a message in another chat, and of one that the writer forwarded, its
 * origin. */
static void read_reply_sender(
    struct message *out, struct json_object *m, struct json_object *replied, struct json_object *external)
{
	struct json_object *from = json_get_object(replied, "from");
	struct json_object *origin =
	    json_get_object(replied ? replied : external, replied ? "forward_origin" : "origin");
	bool own = json_get_int(from, "id", 0) == json_get_int(json_get_object(m, "from"), "id", -1);

	if (origin && (own || !replied))
		set_reply_sender(out, json_get_object(origin, "sender_user"));
	else if (replied && !json_get(replied, "sender_chat"))
		set_reply_sender(out, from);
}

static void read_reply(struct message *out, struct json_object *m, struct json_object *replied)
{
	const char *quote = json_get_str(json_get_object(m, "quote"), "text");
	struct json_object *external = json_get_object(m, "external_reply");
	struct buf text = BUF_INIT;
	struct wording w;

	wording_read(&w, NULL, replied ? replied : external);
	if (replied)
		out->reply_to = telegram_update_id_text(json_get_int(replied, "message_id", 0));
	if (quote)
		buf_addstr(&text, quote);
	else if (w.text)
		buf_addstr(&text, w.text);
	else
		buf_add(&text, w.rich.text.data, w.rich.text.len);
	if ((!quote || !replied) && w.rich.text.len == 0)
		add_media(&text, replied ? replied : external);
	if (text.len != 0)
		out->reply_text = text_take(&text);
	read_reply_sender(out, m, replied, external);
	telegram_rich_clear(&w.rich);
	buf_clear(&text);
}

bool telegram_update_chat(struct message *out, struct json_object *m, const struct telegram_self *self)
{
	static const char *const types[] = {[CHAT_PRIVATE] = "private", [CHAT_CHANNEL] = "channel"};
	struct json_object *chat = json_get_object(m, "chat");
	const char *type = json_get_str(chat, "type");
	int64_t id = json_get_int(chat, "id", 0), thread = json_get_int(m, "message_thread_id", 0);
	char chat_text[24], thread_text[24] = "";
	struct buf title = BUF_INIT;

	if (id == 0 || id > ID_MAX || id < -ID_MAX || !type)
		return false;
	/* Groups, supergroups, and whatever comes after them. */
	out->chat_kind = CHAT_GROUP;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (types[i] && strcmp(types[i], type) == 0)
			out->chat_kind = (enum chat_kind)i;
	}
	telegram_describe_name(&title, chat);
	out->chat_title = buf_take(&title);
	str_format(chat_text, sizeof(chat_text), "%" PRId64, id);
	/* Plain reply chains of a group have a thread id too; sent back, it is refused
	 * (tdlib/telegram-bot-api#447). */
	if (json_get_bool(m, "is_topic_message", false) && thread > GENERAL_TOPIC)
		str_format(thread_text, sizeof(thread_text), "%" PRId64, thread);
	return address_set(&out->from, self->channel, chat_text, thread_text, NULL) == 0;
}

/* The author. sender_chat goes first: `from` is then a placeholder shared by all such writers. */
static bool read_sender(struct message *out, struct json_object *m)
{
	struct json_object *from = json_get_object(m, "from"), *chat = json_get_object(m, "sender_chat");
	struct json_object *who = chat ? chat : from;
	struct buf name = BUF_INIT;
	int64_t id;

	if (!who && out->chat_kind != CHAT_PRIVATE)
		who = chat = json_get_object(m, "chat");
	id = json_get_int(who, "id", 0);
	if (id == 0 || id > ID_MAX || id < -ID_MAX)
		return false;
	out->sender_is_chat = chat;
	out->sender_is_bot = !chat && json_get_bool(from, "is_bot", false);
	out->sender_id = telegram_update_id_text(id);
	telegram_describe_name(&name, who);
	out->sender_name = buf_take(&name);
	return true;
}

static bool read_addressed(
    struct message *out, struct json_object *replied, unsigned flags, const struct telegram_self *self)
{
	if (out->chat_kind == CHAT_PRIVATE)
		return true;
	if ((flags & TELEGRAM_ENTITY_TO_ANOTHER) != 0)
		return false;
	return (flags & TELEGRAM_ENTITY_TO_US) != 0 ||
	    json_get_int(json_get_object(replied, "from"), "id", 0) == self->id;
}

/* Parts of a long text, the items of an album, and forwards come as updates of their own. */
static bool read_continues(struct json_object *m, const char *text)
{
	return json_get_str(m, "media_group_id") || json_get_object(m, "forward_origin") ||
	    (text && utf8_count(text, strlen(text), UTF8_UTF16) >= CUT_UNITS);
}

/* Who wrote it, if not the sender: it is forwarded, or a bot's result that the sender chose by its title
 * (inline mode). */
static void add_author(struct buf *out, struct json_object *m)
{
	struct json_object *origin = json_get_object(m, "forward_origin"),
			   *bot = json_get_object(m, "via_bot");

	if (origin)
		telegram_describe_origin(out, origin);
	else if (bot)
		telegram_describe_via(out, bot);
}

/* The complete text is another's. */
static void mark_foreign(struct buf *text, struct json_object *m)
{
	struct buf marked = BUF_INIT;

	add_author(&marked, m);
	if (marked.len == 0)
		return;
	if (text->len > 0) {
		quote_text(&marked, NULL, text->data, text->len);
		buf_truncate(&marked, marked.len - 1);
	}
	buf_clear(text);
	*text = marked;
}

/* Reads the text, and whether it addresses the bot. Returns false for a service message, which has none. */
static bool read_text(struct message *out, struct json_object *m, const struct telegram_self *self)
{
	struct json_object *replied = replied_message(m);
	struct wording w;
	struct buf text = BUF_INIT;
	unsigned flags = 0;
	bool any, file;

	wording_read(&w, out, m);
	if (w.text)
		flags = telegram_entity_read(&text, w.text, w.entities, self);
	else if (w.rich.text.len > 0)
		flags = telegram_entity_read_rich(&text, &w.rich, self);
	/* A text message has no file: nothing is looked for in most messages. */
	file = !json_get(m, "text") && telegram_attachment_read(out, m);
	/* What a sticker says is its emoji, not its picture. */
	if ((!file || json_get(m, "sticker")) && w.rich.text.len == 0)
		add_media(&text, m);
	if (!file && text.len == 0 && (flags & TELEGRAM_ENTITY_TO_US) != 0)
		buf_addstr(&text, MESSAGE_MENTION_ONLY);
	any = file || text.len > 0;
	if (any) {
		mark_foreign(&text, m);
		free(out->text);
		out->text = text_take(&text);
		out->addressed = read_addressed(out, replied, flags, self);
		out->to_another = out->chat_kind != CHAT_PRIVATE && (flags & TELEGRAM_ENTITY_TO_ANOTHER) != 0;
		out->continues = read_continues(m, w.text);
		read_reply(out, m, replied);
	}
	telegram_rich_clear(&w.rich);
	buf_clear(&text);
	return any;
}

static enum telegram_update read_message(
    struct message *out, struct json_object *m, const struct telegram_self *self)
{
	int64_t id = json_get_int(m, "message_id", 0);

	if (id <= 0 || !telegram_update_chat(out, m, self) || !read_sender(out, m))
		return TELEGRAM_UPDATE_BAD;
	if (json_get_int(json_get_object(m, "from"), "id", 0) == self->id)
		return TELEGRAM_UPDATE_IGNORED;
	out->message_id = telegram_update_id_text(id);
	out->sent_ms = time_ms(m, "date");
	if (telegram_service_moved(out, m))
		return TELEGRAM_UPDATE_MESSAGE;
	return read_text(out, m, self) ? TELEGRAM_UPDATE_MESSAGE : TELEGRAM_UPDATE_IGNORED;
}

static enum telegram_update read_edit(
    struct message *out, struct json_object *m, const struct telegram_self *self)
{
	enum telegram_update kind = read_message(out, m, self);
	int64_t edited_ms = time_ms(m, "edit_date");

	message_edited(out, edited_ms);
	return kind;
}

/* Reads who pressed, and at which message. Returns false when they are malformed. */
static bool read_presser(struct message *out, struct json_object *place, struct json_object *user,
    const struct telegram_self *self)
{
	int64_t id = json_get_int(place, "message_id", 0), sender = json_get_int(user, "id", 0);
	struct buf name = BUF_INIT;

	if (id <= 0 || sender <= 0 || sender > ID_MAX || !telegram_update_chat(out, place, self))
		return false;
	out->kind = MESSAGE_PRESS;
	out->message_id = telegram_update_id_text(id);
	out->sender_id = telegram_update_id_text(sender);
	telegram_describe_name(&name, user);
	out->sender_name = buf_take(&name);
	out->sender_is_bot = json_get_bool(user, "is_bot", false);
	out->addressed = true;
	return true;
}

/* message may be inaccessible: then it has a chat, an id, and date 0. Inline results have none at all. */
static enum telegram_update read_press(
    struct message *out, struct json_object *q, const struct telegram_self *self)
{
	struct json_object *m = json_get_object(q, "message");
	const char *data = json_get_str(q, "data");
	struct buf text = BUF_INIT;

	if (!m || !data)
		return TELEGRAM_UPDATE_IGNORED;
	if (!read_presser(out, m, json_get_object(q, "from"), self))
		return TELEGRAM_UPDATE_BAD;
	out->press_id = xstrdup(json_get_str(q, "id"));
	buf_addstr(&text, data);
	free(out->text);
	out->text = text_take(&text);
	return TELEGRAM_UPDATE_MESSAGE;
}

static bool has_stop(struct json_object *reactions, const struct telegram_self *self)
{
	for (size_t i = 0; reactions && i < json_object_array_length(reactions); i++)
		if (reaction_is(
			json_get_str(json_object_array_get_idx(reactions, i), "emoji"), self->stop_reaction))
			return true;
	return false;
}

/* MessageReactionUpdated names no topic. An anonymous administrator is an actor_chat, not a user. */
static enum telegram_update read_reaction(
    struct message *out, struct json_object *r, const struct telegram_self *self)
{
	struct json_object *user = json_get_object(r, "user");

	if (!user || !has_stop(json_get_array(r, "new_reaction"), self) ||
	    has_stop(json_get_array(r, "old_reaction"), self))
		return TELEGRAM_UPDATE_IGNORED;
	if (!read_presser(out, r, user, self))
		return TELEGRAM_UPDATE_BAD;
	out->sent_ms = time_ms(r, "date");
	free(out->text);
	out->text = xstrdup(REACTION_STOP);
	return TELEGRAM_UPDATE_MESSAGE;
}

static const struct {
	const char *key;
	enum telegram_update (*read)(
	    struct message *out, struct json_object *o, const struct telegram_self *self);
} kinds[] = {
    {"callback_query", read_press},
    {"edited_message", read_edit},
    {"message", read_message},
    {"message_reaction", read_reaction},
    {"my_chat_member", telegram_service_member},
    {"stopped_message_generation", telegram_service_stopped},
};

enum telegram_update telegram_update_parse(
    struct json_object *update, const struct telegram_self *self, struct message **out)
{
	int64_t id = telegram_update_id(update);
	enum telegram_update kind = TELEGRAM_UPDATE_UNKNOWN;
	struct message *m;

	*out = NULL;
	if (id == 0)
		return TELEGRAM_UPDATE_BAD;
	m = message_new();
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct json_object *o = json_get(update, kinds[i].key);

		if (!o)
			continue;
		if (!json_object_is_type(o, json_type_object))
			kind = TELEGRAM_UPDATE_BAD;
		else
			kind = kinds[i].read(m, o, self);
		break;
	}
	if (kind != TELEGRAM_UPDATE_MESSAGE) {
		message_free(m);
		return kind;
	}
	m->account = xstrdup(self->account);
	m->event_id = telegram_update_id_text(id);
	*out = m;
	return kind;
}

int64_t telegram_update_id(struct json_object *update)
{
	int64_t id = json_get_int(update, "update_id", 0);

	return id > 0 && id < ID_MAX ? id : 0;
}

int64_t telegram_update_scan_id(const char *text, size_t len)
{
	/* Inside a JSON string quotes are escaped, so nobody can forge this in a message. */
	static const char key[] = "\"update_id\":";
	const char *at = memmem(text, len, key, sizeof(key) - 1);
	int64_t id = 0;

	if (!at)
		return 0;
	at += sizeof(key) - 1;
	while (at < text + len && *at == ' ')
		at++;
	for (; at < text + len && *at >= '0' && *at <= '9' && id < ID_MAX; at++)
		id = id * 10 + (*at - '0');
	return id < ID_MAX ? id : 0;
}

/* Returns the length of the object at text in bytes; 0 when it has no end. */
static size_t object_end(const char *text, size_t len)
{
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += text[i] == '\\';
		else if (text[i] == '{' || text[i] == '[')
			depth++;
		else if ((text[i] == '}' || text[i] == ']') && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* Adds the objects up to the end of the list. Returns false when the list has no end, or holds something
 * else. */
static bool recover_list(struct json_object *list, const char *text, size_t len)
{
	for (size_t at = 0, n; (at += strspn(text + at, " \t\r\n,")) < len; at += n) {
		if (text[at] == ']')
			return true;
		n = text[at] == '{' ? object_end(text + at, len - at) : 0;
		if (n == 0)
			return false;
		struct json_object *update = json_parse_foreign(text + at, n, NULL);
		int64_t id = update ? 0 : telegram_update_scan_id(text + at, n);
		if (!update) {
			update = json_object_new_object();
			json_set_int(update, "update_id", id);
			json_set_bool(update, "message", false);
		}
		json_object_array_add(list, update);
	}
	return false;
}

struct json_object *telegram_update_recover(const char *text, size_t len)
{
	static const char key[] = "\"result\":";
	struct json_object *list = json_object_new_array();
	struct buf clean = BUF_INIT;
	char *at;
	bool whole = false;

	utf8_sanitize(&clean, text, len);
	at = strstr(clean.data, key);
	if (at)
		at += sizeof(key) - 1 + strspn(at + sizeof(key) - 1, " \t\r\n");
	if (at && *at == '[')
		whole = recover_list(list, at + 1, clean.len - (size_t)(at + 1 - clean.data));
	buf_clear(&clean);
	if (whole)
		return list;
	json_object_put(list);
	return NULL;
}
