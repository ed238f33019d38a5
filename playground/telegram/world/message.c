#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

/* Undocumented: the ids that updates have. */
#define GROUP_ANONYMOUS_BOT 1087968824
#define CHANNEL_BOT         136817688

struct message *telegram_message_new(void)
{
	struct message *m = xcalloc(1, sizeof(*m));

	m->text = (struct formatted)FORMATTED_INIT;
	m->date = clock_wall() / 1000;
	return m;
}

void telegram_message_free(struct message *m)
{
	formatted_clear(&m->text);
	media_free(m->file);
	free(m->markup);
	free(m->rich);
	free(m->preview);
	free(m->service);
	json_object_put(m->extra);
	free(m->reactions);
	free(m);
}

/* The user in "from" of messages in the name of a chat (Bot API: a fake user, for old clients). */
static void write_stand_in(bool own, struct buf *out)
{
	buf_addf(out, "{\"id\":%d,\"is_bot\":true,\"first_name\":\"%s\",\"username\":\"%s\"}",
	    own ? GROUP_ANONYMOUS_BOT : CHANNEL_BOT, own ? "Group" : "Channel",
	    own ? "GroupAnonymousBot" : "Channel_Bot");
}

static void write_author(const struct message *m, const struct chat *c, struct buf *out)
{
	const struct chat *sender =
	    m->sender_chat != 0 ? map_get(&c->world->groups, m->sender_chat, 0) : NULL;

	if (c->kind == CHAT_CHANNEL) { /* posts belong to the channel */
		buf_addstr(out, ",\"sender_chat\":");
		chat_write(c, out);
	} else if (sender) {
		buf_addstr(out, ",\"from\":");
		write_stand_in(sender == c, out);
		buf_addstr(out, ",\"sender_chat\":");
		chat_write(sender, out);
	} else if (c->business && m->bot) { /* in the name of the account's owner */
		buf_addstr(out, ",\"from\":");
		user_write(business_owner(m->bot, c->business), out);
		buf_addstr(out, ",\"sender_business_bot\":");
		bot_write(m->bot, out);
	} else {
		buf_addstr(out, ",\"from\":");
		if (m->bot)
			bot_write(m->bot, out);
		else
			user_write(m->user, out);
	}
}

static void write_text(const struct message *m, const struct chat *c, struct buf *out)
{
	const char *prefix = m->file ? "caption" : "text";

	if (m->file) {
		struct buf file = BUF_INIT;

		media_write(m->file, &file);
		/* In a service message it is the chat's. */
		buf_addf(out, ",%s%s", m->service ? "\"new_chat_" : "", file.data + (m->service != NULL));
		buf_clear(&file);
	}
	if (m->rich)
		buf_addf(out, ",\"rich_message\":%s", m->rich);
	if (m->text.text.len == 0)
		return;
	buf_addf(out, ",\"%s\":", prefix);
	json_quote(out, m->text.text.data, m->text.text.len);
	if (m->text.count == 0)
		return;
	buf_addf(out, ",\"%s\":", m->file ? "caption_entities" : "entities");
	formatted_write_entities(&m->text, out, world_write_user, c->world);
}

static void write_one(const struct message *m, const struct chat *c, bool with_reply, struct buf *out)
{
	const struct message *reply;

	buf_addf(out, "{\"message_id\":%" PRId32, message_is_ephemeral(m) ? 0 : m->id);
	write_author(m, c, out);
	if (c->business)
		buf_addf(out, ",\"business_connection_id\":\"%s\"", c->business);
	buf_addstr(out, ",\"chat\":");
	chat_write(c, out);
	buf_addf(out, ",\"date\":%" PRId64, m->date);
	if (m->edit_date != 0)
		buf_addf(out, ",\"edit_date\":%" PRId64, m->edit_date);
	if (m->thread != 0)
		buf_addf(out, ",\"message_thread_id\":%" PRId32 "%s", m->thread,
		    m->topic ? ",\"is_topic_message\":true" : "");
	reply = with_reply && m->reply_to != 0 ? chat_message(c, m->reply_to) : NULL;
	if (reply) {
		buf_addstr(out, ",\"reply_to_message\":");
		write_one(reply, c, false, out);
	}
	if (m->album != 0)
		buf_addf(out, ",\"media_group_id\":\"%" PRId64 "\"", m->album);
	if (m->protected)
		buf_addstr(out, ",\"has_protected_content\":true");
	write_text(m, c, out);
	if (m->preview)
		buf_addf(out, ",\"link_preview_options\":%s", m->preview);
	if (m->markup)
		buf_addf(out, ",\"reply_markup\":%s", m->markup);
	buf_addch(out, ',');
	if (!message_write_extra(m, vote_answer_is_known(m, c), out))
		buf_truncate(out, out->len - 1);
	if (m->service && m->service[0] != '\0')
		buf_addf(out, ",%s", m->service);
	buf_addch(out, '}');
}

void message_write(const struct message *m, const struct chat *c, struct buf *out)
{
	write_one(m, c, true, out);
}

static struct reaction *find_reaction(const struct message *m, const struct user *user, const struct bot *bot)
{
	for (size_t i = 0; i < m->reaction_count; i++)
		if (m->reactions[i].user == user && m->reactions[i].bot == bot)
			return &m->reactions[i];
	return NULL;
}

const char *message_reaction_of(const struct message *m, const struct user *user, const struct bot *bot)
{
	const struct reaction *r = find_reaction(m, user, bot);

	return r ? r->emoji : NULL;
}

void message_react(struct message *m, const struct user *user, const struct bot *bot, const char *emoji)
{
	struct reaction *r = find_reaction(m, user, bot);

	if (!emoji) {
		if (r)
			*r = m->reactions[--m->reaction_count];
		return;
	}
	if (!r) {
		m->reactions = xrealloc(m->reactions, (m->reaction_count + 1) * sizeof(*m->reactions));
		r = &m->reactions[m->reaction_count++];
	}
	*r = (struct reaction){.user = user, .bot = bot};
	str_copy(r->emoji, sizeof(r->emoji), emoji);
}

void message_add_extra(struct message *m, const char *name, const char *value)
{
	message_set_extra(m, name, json_parse(value, strlen(value), NULL));
}

void message_set_extra(struct message *m, const char *name, struct json_object *value)
{
	if (!m->extra)
		m->extra = json_object_new_object();
	if (value)
		json_set(m->extra, name, value);
	else
		json_object_object_del(m->extra, name);
}

bool message_is_service(const struct message *m, const char *name)
{
	return m->service && m->service[0] == '"' && strncmp(m->service + 1, name, strlen(name)) == 0;
}

bool message_is_ephemeral(const struct message *m)
{
	return json_get(m->extra, "ephemeral_message_id") != NULL;
}

static void write_poll_without_answer(struct json_object *poll, struct buf *out)
{
	struct json_object *copy = NULL;

	json_object_deep_copy(poll, &copy, NULL);
	json_object_object_del(copy, "correct_option_ids");
	json_write(out, copy);
	json_object_put(copy);
}

bool message_write_extra(const struct message *m, bool answer, struct buf *out)
{
	const char *comma = "";

	if (!m->extra)
		return false;
	json_object_object_foreach(m->extra, name, value) {
		if (name[0] == '.')
			continue;
		buf_addf(out, "%s\"%s\":", comma, name);
		if (!answer && strcmp(name, "poll") == 0)
			write_poll_without_answer(value, out);
		else
			json_write(out, value);
		comma = ",";
	}
	return comma[0] != '\0';
}

void message_copy_content(struct message *copy, const struct message *m, struct world *w)
{
	static const char *const left[] = {
	    "quote", "forward_origin", "via_bot", ".votes", "ephemeral_message_id", "receiver_user"};

	formatted_copy(&copy->text, &m->text);
	copy->rich = xstrdup(m->rich);
	copy->preview = xstrdup(m->preview);
	copy->file = m->file ? media_copy(w, m->file) : NULL;
	if (m->extra)
		json_object_deep_copy(m->extra, &copy->extra, NULL);
	for (size_t i = 0; i < ARRAY_LEN(left); i++)
		message_set_extra(copy, left[i], NULL);
}

struct message *message_duplicate(const struct message *m, struct world *w)
{
	struct message *copy = telegram_message_new();

	message_copy_content(copy, m, w);
	return copy;
}

const char *message_author(const struct message *m)
{
	if (m->bot)
		return m->bot->username;
	return m->user ? m->user->label : "the channel";
}

void message_follow(struct message *m, const struct chat *c, const struct message *to)
{
	if (c->forum) {
		m->thread = to->thread;
		m->topic = to->topic;
	} else if (c->kind == CHAT_SUPERGROUP) {
		m->thread = to->thread != 0 ? to->thread : to->id;
	}
}
