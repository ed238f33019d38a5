#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/methods/compose.h"

int telegram_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct message *m;
	struct actor s;

	(void)out;
	if (actor_on(self, in, &s, &m, err) != 0)
		return -1;
	if (s.chat->business)
		business_delete(s.chat, m, true);
	else
		chat_delete_message(s.chat, m);
	return 0;
}

static void write_reaction(struct buf *out, const char *emoji)
{
	buf_addch(out, '[');
	if (emoji)
		buf_addf(out, "{\"type\":\"emoji\",\"emoji\":\"%s\"}", emoji);
	buf_addch(out, ']');
}

static void tell_reaction(const struct actor *s, struct message *m, const char *emoji)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"chat\":");
	chat_write(s->chat, &out);
	buf_addf(&out, ",\"message_id\":%" PRId32 ",\"user\":", m->id);
	user_write(s->user, &out);
	buf_addf(&out, ",\"date\":%" PRId64 ",\"old_reaction\":", clock_wall() / 1000);
	write_reaction(&out, message_reaction_of(m, s->user, NULL));
	buf_addstr(&out, ",\"new_reaction\":");
	write_reaction(&out, emoji);
	buf_addch(&out, '}');
	/* Bot API, Update.message_reaction: in groups only administrators get it. */
	for (size_t i = 0; i < s->chat->member_count; i++)
		if (s->chat->kind == CHAT_PRIVATE || s->chat->members[i].admin)
			bot_update(s->chat->members[i].bot, UPDATE_MESSAGE_REACTION, &out);
	buf_clear(&out);
}

/* An absent or empty emoji removes the reaction. */
int telegram_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *emoji = members_string(in, "emoji");
	struct message *m;
	struct actor s;

	(void)out;
	if (actor_read(self, in, false, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" reacts");
	if (emoji && !reaction_is_known(emoji))
		return error_set(err, ERROR_OURS, "the platform has no such reaction");
	m = actor_message(&s, in, "message_id", err);
	if (!m)
		return -1;
	tell_reaction(&s, m, emoji);
	message_react(m, s.user, NULL, emoji);
	show_message(s.chat, m, "reaction");
	return 0;
}

/* {"photo":{"name","base64"}}: a person gets another profile photo. */
int telegram_control_profile(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct json_object *photo = json_get_object(in, "photo");
	struct message holder = {0};
	struct user *u;

	(void)out;
	if (world_get_user(self, members_string(in, "user"), &u, err) != 0)
		return -1;
	if (!photo)
		return error_set(err, ERROR_OURS, "photo is {\"name\":…,\"base64\":…}");
	json_set_str(photo, "kind", "photo");
	if (say_read_file(self, photo, &holder, err) != 0)
		return -1;
	holder.file->replaced = u->photo;
	u->photo = holder.file;
	return 0;
}

static struct message *newest_poll(const struct actor *s)
{
	for (size_t i = s->chat->count; i > 0; i--)
		if (!s->chat->messages[i - 1]->deleted && vote_poll(s->chat->messages[i - 1]))
			return s->chat->messages[i - 1];
	return NULL;
}

/* {"message_id"?,"answer"}: chooses; "remove" takes the vote back, and "end" stops the poll of its author. */
int telegram_control_vote(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct json_object *chosen;
	struct message *m;
	struct actor s;
	int ret;

	(void)out;
	if (actor_read(self, in, false, &s, err) != 0)
		return -1;
	m = json_get(in, "message_id") ? actor_message(&s, in, "message_id", err) : newest_poll(&s);
	if (!m && json_get(in, "message_id"))
		return -1;
	if (!s.user || !m || !vote_poll(m))
		return error_set(err, ERROR_OURS, "say which \"user\" votes in which poll");
	if (json_get_bool(in, "end", false)) {
		if (m->user != s.user || vote_is_closed(m))
			return error_set(
			    err, ERROR_OURS, "%.64s stops the poll while it is open", message_author(m));
		vote_close(s.chat, m, true);
		return 0;
	}
	chosen = json_get_bool(in, "remove", false) ?
	    json_object_new_array() :
	    given_answers(in, json_get_array(vote_poll(m), "options"), err);
	ret = chosen ? vote_cast(s.chat, m, s.user, chosen, err) : -1;
	json_object_put(chosen);
	return ret;
}

/* {"message_id"}: pins it; "remove" unpins it, which nobody is told. */
int telegram_control_pin(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct message *m;
	struct actor s;

	(void)out;
	if (actor_on(self, in, &s, &m, err) != 0)
		return -1;
	if (!s.user || m->service)
		return error_set(err, ERROR_OURS, "say which \"user\" pins which message");
	if (json_get_bool(in, "remove", false))
		m->pinned = false;
	else
		pin_add(s.chat, (struct author){.user = s.user}, m);
	show_message(s.chat, m, "edited");
	return 0;
}

/* Bot API: migrate_to_chat_id in the old group, migrate_from_chat_id in the new one. */
static int migrate(struct world *w, const struct actor *s, struct json_object *out, struct error *err)
{
	struct chat *old = s->chat, *fresh;
	int64_t id = -1000000000000 + old->id; /* negative: below the base */
	char text[24];

	if (old->kind != CHAT_GROUP || old->migrated_to != 0)
		return error_set(err, ERROR_OURS,
		    "only a basic group (id above -1000000000000) becomes a supergroup, once");
	if (!s->user)
		return error_set(err, ERROR_OURS, "say which \"user\" upgrades the group");
	fresh = chat_new(w, CHAT_SUPERGROUP, id, old->title);
	service_add(
	    old, (struct author){.user = s->user}, NULL, xasprintf("\"migrate_to_chat_id\":%" PRId64, id));
	for (size_t i = 0; i < old->member_count; i++)
		chat_add_member(fresh, old->members[i].bot);
	service_add(fresh, (struct author){.user = s->user}, NULL,
	    xasprintf("\"migrate_from_chat_id\":%" PRId64, old->id));
	old->migrated_to = id;
	snprintf(text, sizeof(text), "%" PRId64, id);
	json_set_str(out, "migrated_to", text);
	return 0;
}

static const struct {
	const char *name;
	enum chat_gone gone;
	bool sends_update; /* the bot gets an update */
} gones[] = {
    {"no", GONE_NOT, true},
    {"blocked", GONE_BLOCKED, true},
    {"deactivated", GONE_DEACTIVATED, false},
    {"deleted", GONE_DELETED, false},
    {"left", GONE_LEFT, true},
};

static int set_gone(const struct actor *s, const char *name, struct error *err)
{
	struct member *m = chat_find_member(s->chat, s->bot);
	const char *was = chat_member_status(s->chat, m);
	size_t i = 0;

	while (i < ARRAY_LEN(gones) && strcmp(gones[i].name, name) != 0)
		i++;
	if (i == ARRAY_LEN(gones))
		return error_set(err, ERROR_OURS, "gone is no, blocked, deactivated, deleted or left");
	if (!m || m->gone == gones[i].gone)
		return 0;
	m->gone = gones[i].gone;
	if (gones[i].sends_update)
		bot_update_member(
		    s->bot, s->chat, s->user ? s->user->id : s->bot->id, was, chat_member_status(s->chat, m));
	return 0;
}

/* Creates a chat without a message, or changes it: title, forum, gone (why the bot can no longer write;
 * blocked is short for that), migrate. */
int telegram_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *title = json_get_str(in, "title"), *gone = json_get_str(in, "gone");
	size_t known = ((struct world *)self)->groups.count;
	char text[24];
	struct actor s;

	if (actor_read(self, in, true, &s, err) != 0)
		return -1;
	if (title && s.chat->title && strcmp(title, s.chat->title) != 0)
		chat_rename(s.chat, (struct author){.user = s.user}, title,
		    s.user && ((struct world *)self)->groups.count == known);
	if (s.chat->kind == CHAT_SUPERGROUP)
		s.chat->forum = json_get_bool(in, "forum", s.chat->forum);
	if (json_get(in, "blocked"))
		gone = json_get_bool(in, "blocked", false) ? "blocked" : "no";
	if (gone && set_gone(&s, gone, err) != 0)
		return -1;
	snprintf(text, sizeof(text), "%" PRId64, s.chat->id);
	json_set_str(out, "chat_id", text);
	return json_get_bool(in, "migrate", false) ? migrate(self, &s, out, err) : 0;
}
