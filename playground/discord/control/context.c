#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/discord/control/control.h"

#define ARCHIVE_DEFAULT 1440

const char *cord_context_kind(const struct cord_channel *c)
{
	const struct cord_channel *place = c->parent ? c->parent : c;

	return c->user ? "private" : place->kind[0] != '\0' ? place->kind : "group";
}

/* The id of a named channel, derived from the guild and the name. */
static uint64_t channel_id(const struct cord_guild *g, const char *chat)
{
	char place[160];
	uint64_t id;

	if (cord_snowflake_read(chat, &id))
		return id;
	snprintf(place, sizeof(place), "%" PRIu64 " %s", g->id, chat);
	return cord_snowflake_of_name("channel", place);
}

/* A bot that is already in the guild gets the channel; one that joins gets both. */
static struct cord_channel *new_channel(struct cord_guild *g, const char *chat, const char *kind)
{
	bool news = kind && strcmp(kind, "news") == 0;
	struct cord_channel *c =
	    cord_channel_new(g->world, news ? CORD_NEWS : CORD_TEXT, channel_id(g, chat), chat);

	cord_show_channel(c);

	str_copy(c->kind, sizeof(c->kind), kind ? kind : "group");
	c->guild = g;
	cord_event_channel(c, "CHANNEL_CREATE");
	return c;
}

static int guild_channel(struct cord_world *w, struct json_object *in, const char *chat, bool create,
    struct cord_context *s, struct error *err)
{
	struct cord_guild *g = cord_guild_get(w, members_string(in, "guild"));

	s->channel = cord_channel_find(w, channel_id(g, chat));
	if (!s->channel && !create)
		return error_set(err, ERROR_OURS, "there is no channel %.64s in %.64s", chat, g->name);
	if (!s->channel)
		s->channel = new_channel(g, chat, json_get_str(in, "kind"));
	g = s->channel->guild;
	if (!g)
		return error_set(err, ERROR_OURS, "%.24s is a direct message", chat);
	if (s->channel->gone && create)
		return error_set(err, ERROR_OURS, "the channel %.64s was deleted", chat);
	if (create && (g->bot_count == 0 || json_get(in, "bot")))
		cord_guild_join(g, s->bot);
	return 0;
}

/* chat is the person, or the id of a channel that is opened with the user. */
static int direct_message(struct cord_world *w, const char *chat, const char *user, bool create,
    struct cord_context *s, struct error *err)
{
	struct cord_user *u = cord_user_by_name(w, chat);
	struct cord_channel *known;
	uint64_t id = 0;

	if (!u && create && user && strcmp(user, chat) != 0 && cord_snowflake_read(chat, &id)) {
		u = cord_user_by_name(w, user);
		chat = user;
	}
	if (!u && !create)
		return error_set(err, ERROR_OURS, "nobody goes by %.64s", chat);
	if (!u && cord_user_get(w, chat, &u, err) != 0)
		return -1;
	known = map_get(&s->bot->dms, (int64_t)u->id, 0);
	if (!known && !create)
		return error_set(err, ERROR_OURS, "there is no direct message with %.64s", u->label);
	s->channel = cord_channel_dm(s->bot, u, id);
	s->user = u;
	if (user && cord_user_by_name(w, user) != u)
		return error_set(err, ERROR_OURS, "a direct message is with %.64s alone", u->label);
	return 0;
}

/* The chat is the others, and the user; without a user, all of them. */
static int people(struct cord_world *w, const char *chat, const char *user, bool create,
    struct cord_context *s, struct error *err)
{
	char *names = xasprintf("%s,%s", user ? user : "", chat), *rest = names, *name;
	struct cord_ids ids = {NULL, 0};
	int ret = -1;

	while ((name = strsep(&rest, ","))) {
		struct cord_user *u;

		name += strspn(name, " ");
		if (name[0] == '\0')
			continue;
		if (!create && !cord_user_by_name(w, name)) {
			error_set(err, ERROR_OURS, "nobody goes by %.64s", name);
			goto done;
		}
		if (cord_user_get(w, name, &u, err) != 0)
			goto done;
		cord_ids_add(&ids, u->id);
	}
	if (ids.count < 2) {
		error_set(err, ERROR_OURS, "say who is in the \"chat\" besides the user");
		goto done;
	}
	s->channel = cord_channel_people(w, &ids, create);
	ret = s->channel ? 0 : error_set(err, ERROR_OURS, "there is no chat of these people alone");
done:
	free(ids.list);
	free(names);
	return ret;
}

static bool is_kind(const char *kind)
{
	static const char *const kinds[] = {"private", "people", "group", "channel", "news"};

	for (size_t i = 0; kind && i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i], kind) == 0)
			return true;
	return !kind;
}

/* A list of names is as good as one text. */
static void join_names(struct json_object *in)
{
	struct json_object *list = json_get_array(in, "chat");
	struct buf names = BUF_INIT;

	json_each(list, name)
		buf_addf(&names, ",%s", json_object_get_string(name));
	if (list)
		json_set_str(in, "chat", names.data);
	buf_clear(&names);
}

/* Finds a channel by its id or name, else the direct message with a person of that name. */
static int read_channel(
    struct cord_world *w, struct json_object *in, bool create, struct cord_context *s, struct error *err)
{
	const char *chat = members_string(in, "chat"), *user = members_string(in, "user"),
		   *kind = json_get_str(in, "kind");
	uint64_t id;

	if (!chat)
		chat = user;
	if (!chat)
		return error_set(err, ERROR_OURS, "say which \"chat\" is meant: an id or a name");
	if (!is_kind(kind))
		return error_set(err, ERROR_OURS, "kind is private, people, group, channel or news");
	s->channel = cord_snowflake_read(chat, &id) ? cord_channel_find(w, id) : NULL;
	if (s->channel && cord_channel_is_people(s->channel))
		return 0;
	if (!s->channel && (kind ? strcmp(kind, "people") == 0 : strchr(chat, ',') != NULL))
		return people(w, chat, user, create, s, err);
	if (s->channel && !s->channel->guild) {
		s->bot = s->channel->bot;
		s->user = s->channel->user;
		return 0;
	}
	if (!s->channel && (!kind || strcmp(kind, "private") == 0) &&
	    !cord_channel_find(w, channel_id(cord_guild_get(w, members_string(in, "guild")), chat)))
		return direct_message(w, chat, user, create, s, err);
	return guild_channel(w, in, chat, create, s, err);
}

/* "thread": an id, or the name of one of the channel's threads. */
static int read_thread(
    struct cord_world *w, struct json_object *in, bool create, struct cord_context *s, struct error *err)
{
	const char *thread = members_string(in, "thread");
	struct cord_channel *t;
	uint64_t id;

	if (!thread || strcmp(thread, "general") == 0)
		return 0;
	if (!s->channel->guild || cord_channel_is_thread(s->channel))
		return error_set(err, ERROR_OURS, "only channels of guilds have threads");
	if (!cord_snowflake_read(thread, &id)) {
		char place[160];

		snprintf(place, sizeof(place), "%" PRIu64 " %.100s", s->channel->id, thread);
		id = cord_snowflake_of_name("thread", place);
	}
	t = cord_channel_find(w, id);
	if (!t && !create)
		return error_set(err, ERROR_OURS, "there is no thread %.64s", thread);
	if (!t)
		t = cord_channel_thread(s->channel,
		    s->channel->type == CORD_NEWS ? CORD_NEWS_THREAD : CORD_PUBLIC_THREAD, id, thread,
		    s->user ? s->user->id : s->bot->id, ARCHIVE_DEFAULT);
	if (t->parent != s->channel)
		return error_set(err, ERROR_OURS, "%.24s is a thread of another channel", thread);
	s->channel = t;
	return 0;
}

int cord_context_read(
    struct cord_world *w, struct json_object *in, bool create, struct cord_context *s, struct error *err)
{
	const char *bot = members_string(in, "bot"), *user = members_string(in, "user");

	join_names(in);
	*s = (struct cord_context){.bot = cord_bot_choose(w, bot)};
	if (!s->bot)
		return error_set(err, ERROR_OURS, "no bot with id %.24s has appeared", bot);
	if (read_channel(w, in, create, s, err) != 0)
		return -1;
	if (!s->user && user && cord_user_get(w, user, &s->user, err) != 0)
		return -1;
	if (s->user && cord_channel_is_people(s->channel) &&
	    !cord_ids_have(&s->channel->members, s->user->id))
		return error_set(err, ERROR_OURS, "%.64s is not in that chat", s->user->label);
	return read_thread(w, in, create, s, err);
}

/* Finds a message in the channel or in one of its threads. */
static struct cord_message *find_message(const struct cord_channel *c, uint64_t id)
{
	struct cord_message *m = cord_channel_message(c, id);

	list_each_entry(&c->world->channel_list, const struct cord_channel, t, link)
		if (!m && t->parent == c)
			m = cord_channel_message(t, id);
	return m;
}

struct cord_message *cord_context_message(
    const struct cord_context *s, struct json_object *in, const char *key, struct error *err)
{
	const char *text = members_string(in, key);
	struct cord_message *m;
	uint64_t id;

	m = cord_snowflake_read(text, &id) ? find_message(s->channel, id) : NULL;
	for (size_t i = s->channel->count; given_is_newest(text) && !m && i > 0; i--)
		if (!s->channel->messages[i - 1]->deleted &&
		    cord_message_is_ordinary(s->channel->messages[i - 1]))
			m = s->channel->messages[i - 1];
	if (!m)
		given_no_message(key, text, err);
	return m;
}

void cord_context_answer(const struct cord_context *s, struct json_object *out, uint64_t message_id)
{
	const struct cord_channel *c = s->channel;

	if (message_id != 0)
		cord_set_id(out, "message_id", message_id);
	cord_set_id(out, "chat_id", c->parent ? c->parent->id : c->id);
	if (c->parent)
		cord_set_id(out, "thread_id", c->id);
	if (c->guild)
		cord_set_id(out, "guild_id", c->guild->id);
	if (s->user)
		cord_set_id(out, "user_id", s->user->id);
}

int cord_context_on(struct cord_world *w, struct json_object *in, struct cord_context *s,
    struct cord_message **m, struct error *err)
{
	if (cord_context_read(w, in, false, s, err) != 0)
		return -1;
	*m = cord_context_message(s, in, "message_id", err);
	return *m ? 0 : -1;
}
