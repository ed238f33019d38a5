#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/world/world_internal.h"

/* Ids of supergroups and channels begin here and decrease. */
#define SUPERGROUP_BASE (-1000000000000)

static const char *const kind_names[] = {
    [CHAT_PRIVATE] = "private",
    [CHAT_GROUP] = "group",
    [CHAT_SUPERGROUP] = "supergroup",
    [CHAT_CHANNEL] = "channel",
};

const char *telegram_chat_type(enum chat_kind kind)
{
	return kind_names[kind];
}

struct chat *chat_new(struct world *w, enum chat_kind kind, int64_t id, const char *title)
{
	struct chat *c = xcalloc(1, sizeof(*c));

	c->world = w;
	c->kind = kind;
	c->id = id;
	c->title = xstrdup(title);
	c->settings = json_object_new_object();
	list_append(&w->chat_list, &c->link);
	if (kind != CHAT_PRIVATE) {
		map_put(&w->groups, id, 0, c);
		show_chat(c);
	}
	return c;
}

void chat_clear_messages(struct chat *c)
{
	for (size_t i = 0; i < c->count; i++)
		telegram_message_free(c->messages[i]);
	free(c->messages);
	c->messages = NULL;
	c->count = c->cap = c->shown = c->shown_bot = 0;
	drafts_clear(&c->drafts);
}

void chat_free(struct chat *c)
{
	list_remove(&c->link);
	chat_clear_messages(c);
	free(c->title);
	free(c->business);
	for (size_t i = 0; i < c->member_count; i++)
		json_object_put(c->members[i].rights);
	free(c->members);
	json_object_put(c->settings);
	topics_clear(&c->topics);
	free(c);
}

int64_t chat_business_key(const char *connection)
{
	return -world_name_number(connection);
}

int64_t chat_key(const struct chat *c)
{
	return c->business ? chat_business_key(c->business) : c->members[0].bot->number;
}

struct json_object *chat_part(struct chat *c, const char *name)
{
	struct json_object *o = json_get_object(c->settings, name);

	if (!o) {
		o = json_object_new_object();
		json_set(c->settings, name, o);
	}
	return o;
}

/* The resolved chat: kind and id. */
struct place {
	enum chat_kind kind;
	int64_t id;
	bool named; /* the chat was given by name */
};

static int read_kind(const char *kind, const struct place *p, enum chat_kind *out, struct error *err)
{
	if (strcmp(kind, "private") == 0)
		*out = CHAT_PRIVATE;
	else if (strcmp(kind, "channel") == 0)
		*out = CHAT_CHANNEL;
	else if (strcmp(kind, "group") == 0)
		*out = p->named || p->id <= SUPERGROUP_BASE ? CHAT_SUPERGROUP : CHAT_GROUP;
	else
		return error_set(err, ERROR_OURS, "kind is private, group or channel");
	return 0;
}

static int check_place(const struct place *p, struct error *err)
{
	if (p->kind == CHAT_PRIVATE && p->id <= 0)
		return error_set(err, ERROR_OURS, "the id of a private chat is that of its user: positive");
	if (p->kind != CHAT_PRIVATE && p->id >= 0)
		return error_set(err, ERROR_OURS,
		    "the id of a group or channel is negative (-100… for supergroups and channels)");
	if (p->kind == CHAT_CHANNEL && p->id > SUPERGROUP_BASE)
		return error_set(err, ERROR_OURS, "the id of a channel is at most -1000000000000");
	return 0;
}

static int read_place(struct world *w, const struct chat_query *query, struct place *p, struct error *err)
{
	struct chat *known;

	if (!query->chat || query->chat[0] == '\0')
		return error_set(err, ERROR_OURS, "say which \"chat\" is meant: an id or a name");
	p->named = !world_read_id(query->chat, &p->id);
	if (p->named)
		p->id = world_name_number(query->chat);
	known = p->named ? map_get(&w->groups, SUPERGROUP_BASE - p->id, 0) : NULL;
	if (query->kind) {
		if (read_kind(query->kind, p, &p->kind, err) != 0)
			return -1;
	} else if (known) {
		p->kind = known->kind;
	} else {
		p->kind = p->named || p->id > 0 ? CHAT_PRIVATE :
		    p->id <= SUPERGROUP_BASE    ? CHAT_SUPERGROUP :
						  CHAT_GROUP;
	}
	if (p->named && p->kind != CHAT_PRIVATE)
		p->id = SUPERGROUP_BASE - p->id;
	else if (p->named && world_find_person(w, query->chat))
		p->id = world_find_person(w, query->chat)->id;
	return check_place(p, err);
}

static struct chat *look_up(struct world *w, const struct place *p, const struct bot *b)
{
	return p->kind == CHAT_PRIVATE ? map_get(&w->privates, b->number, p->id) :
					 map_get(&w->groups, p->id, 0);
}

struct chat *chat_find(struct world *w, const struct chat_query *query, struct error *err)
{
	struct chat *c;
	struct place p;

	if (read_place(w, query, &p, err) != 0)
		return NULL;
	c = look_up(w, &p, query->bot);
	if (!c)
		error_set(err, ERROR_OURS, "there is no %s chat %.64s", kind_names[p.kind], query->chat);
	return c;
}

struct chat *chat_get(struct world *w, const struct chat_query *query, struct error *err)
{
	int64_t number;
	struct chat *c;
	struct user *u;
	struct place p;

	if (read_place(w, query, &p, err) != 0)
		return NULL;
	c = look_up(w, &p, query->bot);
	if (c)
		return c;
	if (p.kind != CHAT_PRIVATE)
		return chat_new(w, p.kind, p.id, query->chat);
	u = world_find_user(w, p.id);
	if (!u && query->user && !world_read_id(query->user, &number) && !world_find_person(w, query->user))
		u = world_new_user(w, p.id, query->user);
	if (!u && world_get_user(w, query->chat, &u, err) != 0)
		return NULL;
	c = chat_new(w, CHAT_PRIVATE, u->id, NULL);
	c->user = u;
	map_put(&w->privates, query->bot->number, u->id, c);
	chat_add_member(c, query->bot);
	show_chat(c);
	return c;
}

struct chat *chat_of_bot(struct bot *b, int64_t id)
{
	struct chat *c =
	    id > 0 ? map_get(&b->world->privates, b->number, id) : map_get(&b->world->groups, id, 0);

	return c && chat_find_member(c, b) ? c : NULL;
}

struct member *chat_find_member(const struct chat *c, const struct bot *b)
{
	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].bot == b)
			return &c->members[i];
	return NULL;
}

void chat_add_member(struct chat *c, struct bot *b)
{
	if (chat_find_member(c, b))
		return;
	c->members = xrealloc(c->members, (c->member_count + 1) * sizeof(*c->members));
	c->members[c->member_count++] = (struct member){.bot = b};
	if (c->kind != CHAT_PRIVATE && b->id != 0)
		bot_update_member(b, c, b->id, "left", c->kind == CHAT_CHANNEL ? "administrator" : "member");
}

const char *chat_member_status(const struct chat *c, const struct member *m)
{
	if (!m || m->gone == GONE_LEFT || m->gone == GONE_DELETED)
		return "left";
	if (m->gone != GONE_NOT)
		return "kicked";
	return m->admin || c->kind == CHAT_CHANNEL ? "administrator" : "member";
}

void chat_write(const struct chat *c, struct buf *out)
{
	const char *name = c->user ? c->user->label : c->title;

	buf_addf(out, "{\"id\":%" PRId64 ",\"%s\":", c->id, c->user ? "first_name" : "title");
	json_quote(out, name, strlen(name));
	if (c->user && c->user->username)
		buf_addf(out, ",\"username\":\"%s\"", c->user->username);
	buf_addf(out, ",\"type\":\"%s\"%s}", kind_names[c->kind], c->forum ? ",\"is_forum\":true" : "");
}

struct message *chat_message_ever(const struct chat *c, int64_t id)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->messages[mid]->id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < c->count && c->messages[low]->id == id ? c->messages[low] : NULL;
}

struct message *chat_message(const struct chat *c, int64_t id)
{
	struct message *m = chat_message_ever(c, id);

	return m && !m->deleted ? m : NULL;
}

struct message *chat_pinned(const struct chat *c)
{
	for (size_t i = c->count; i > 0; i--)
		if (c->messages[i - 1]->pinned && !c->messages[i - 1]->deleted)
			return c->messages[i - 1];
	return NULL;
}

void chat_add_message(struct chat *c, struct message *m)
{
	int32_t *last = c->kind == CHAT_PRIVATE ? &c->members[0].bot->last_message_id : &c->last_id;

	m->id = ++*last;
	if (c->count == c->cap) {
		c->cap = c->cap != 0 ? c->cap * 2 : 16;
		c->messages = xrealloc(c->messages, c->cap * sizeof(struct message *));
	}
	c->messages[c->count++] = m;
	c->shown++;
	c->shown_bot += m->bot != NULL;
	show_message(c, m, "new");
}

void chat_delete_message(struct chat *c, struct message *m)
{
	m->deleted = true;
	c->shown--;
	c->shown_bot -= m->bot != NULL;
	show_message(c, m, "deleted");
}

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

/* Bots FAQ, privacy mode: in groups a bot sees only what is meant for it, unless it is an administrator. */
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
