#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"
#include "playground/discord/methods/methods.h"

int cord_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct cord_message *m;
	struct cord_context s;

	(void)out;
	if (cord_context_on(self, in, &s, &m, err) != 0)
		return -1;
	cord_message_delete(m);
	return 0;
}

static void take_back(struct cord_message *m, uint64_t user_id)
{
	for (size_t i = m->reaction_count; i > 0; i--) {
		char *emoji = xstrdup(m->reactions[i - 1].emoji);

		cord_message_unreact(m, emoji, user_id);
		free(emoji);
	}
}

/* An absent or empty emoji removes all of the person's reactions. */
int cord_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *emoji = members_string(in, "emoji");
	struct cord_message *m;
	struct cord_context s;

	(void)out;
	if (cord_context_read(self, in, false, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" reacts");
	if (emoji && !cord_emoji_is_good(emoji))
		return error_set(err, ERROR_OURS, "the platform has no such reaction");
	m = cord_context_message(&s, in, "message_id", err);
	if (!m)
		return -1;
	if (!emoji)
		take_back(m, s.user->id);
	else if (json_get_bool(in, "remove", false))
		cord_message_unreact(m, emoji, s.user->id);
	else
		cord_message_react(m, emoji, s.user->id);
	return 0;
}

static int set_gone(const struct cord_context *s, const char *gone, struct error *err)
{
	bool direct = s->channel->user, of_guild = s->channel->guild;

	if (direct && (strcmp(gone, "blocked") == 0 || strcmp(gone, "no") == 0))
		s->channel->blocked = gone[0] == 'b';
	else if (of_guild && strcmp(gone, "deleted") == 0)
		cord_channel_delete(s->channel);
	else if (of_guild && strcmp(gone, "left") == 0)
		cord_guild_leave(s->channel->guild, s->bot);
	else if (of_guild && strcmp(gone, "no") == 0)
		cord_guild_join(s->channel->guild, s->bot);
	else
		return error_set(err, ERROR_OURS,
		    "gone is \"blocked\" or \"no\" of a direct message, \"deleted\", \"left\" or \"no\" of a "
		    "guild's channel");
	return 0;
}

int cord_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *gone = json_get_str(in, "gone"), *title = json_get_str(in, "title"),
		   *topic = json_get_str(in, "topic");
	struct cord_context s;

	if (cord_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (title && (s.channel->guild || s.channel->type == CORD_GROUP_DM))
		cord_channel_rename(s.channel, title);
	if (title && s.channel->type == CORD_GROUP_DM)
		json_set_str(s.channel->more, "name", title);
	if (topic && s.channel->guild)
		json_set_str(s.channel->more, "topic", topic);
	if (title || topic)
		cord_channel_changed(s.channel);
	s.channel->slowmode_s = json_get_int(in, "slowmode", s.channel->slowmode_s);
	cord_context_answer(&s, out, 0);
	return gone ? set_gone(&s, gone, err) : 0;
}

/* Threads: "create" creates the one that "thread" names. */
int cord_control_topic(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *action = json_get_str(in, "action"), *name = json_get_str(in, "name");
	bool create = action && strcmp(action, "create") == 0;
	struct cord_context s;

	if (create && !members_string(in, "thread"))
		json_set_str(in, "thread", name);
	if (cord_context_read(self, in, create, &s, err) != 0)
		return -1;
	if (!cord_channel_is_thread(s.channel) || !action)
		return error_set(err, ERROR_OURS, "say which \"action\" on which \"thread\"");
	if (strcmp(action, "archive") == 0 || strcmp(action, "unarchive") == 0)
		s.channel->archived = action[0] == 'a';
	else if (strcmp(action, "lock") == 0 || strcmp(action, "unlock") == 0)
		s.channel->locked = action[0] == 'l';
	else if (strcmp(action, "delete") == 0)
		return cord_channel_delete(s.channel), 0;
	else if (strcmp(action, "rename") == 0 && name)
		cord_channel_rename(s.channel, name);
	else if (!create)
		return error_set(
		    err, ERROR_OURS, "action is create, rename, archive, unarchive, lock, unlock or delete");
	s.channel->archive_ms = clock_wall();
	if (!create)
		cord_event_channel(s.channel, "THREAD_UPDATE");
	cord_set_id(out, "thread", s.channel->id);
	cord_context_answer(&s, out, 0);
	return 0;
}

int cord_control_typing(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct json_object *d;
	struct cord_context s;

	(void)out;
	if (cord_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" types");
	d = json_newf("{channel_id: %p, user_id: %p, timestamp: %jd}", cord_id_or_null(s.channel->id),
	    cord_id_or_null(s.user->id), clock_wall() / 1000);
	if (s.channel->guild) {
		cord_set_id(d, "guild_id", s.channel->guild->id);
		json_set(d, "member", cord_member_json(s.channel->guild, s.user, true));
	}
	cord_event_in_channel(s.channel, "TYPING_START", CORD_EVENT_TYPING, d);
	return 0;
}

static struct cord_message *newest_poll(const struct cord_context *s)
{
	for (size_t i = s->channel->count; i > 0; i--)
		if (!s->channel->messages[i - 1]->deleted && s->channel->messages[i - 1]->poll)
			return s->channel->messages[i - 1];
	return NULL;
}

/* {"message_id"?,"answer"}: chooses; "remove" takes the vote back, and "end" ends the poll of its author. */
int cord_control_vote(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	bool remove = json_get_bool(in, "remove", false);
	struct json_object *chosen;
	struct cord_message *m;
	struct cord_context s;

	(void)out;
	if (cord_context_read(self, in, false, &s, err) != 0)
		return -1;
	m = json_get(in, "message_id") ? cord_context_message(&s, in, "message_id", err) : newest_poll(&s);
	if (!m && json_get(in, "message_id"))
		return -1;
	cord_polls_finish(self);
	if (!s.user || !m || !m->poll)
		return error_set(err, ERROR_OURS, "say which \"user\" votes in which poll");
	if (cord_poll_is_over(m))
		return error_set(err, ERROR_OURS, "that poll is over");
	if (json_get_bool(in, "end", false)) {
		if (m->user != s.user)
			return error_set(err, ERROR_OURS, "%.64s has not made that poll", s.user->label);
		cord_poll_finish(m);
		return 0;
	}
	if (!json_get_bool(m->poll, "allow_multiselect", false) &&
	    json_count(json_get_array(in, "answer")) > 1)
		return error_set(err, ERROR_OURS, "only one answer can be chosen in this poll");
	chosen = given_answers(in, json_get_array(m->poll, "answers"), err);
	json_each(chosen, item)
		cord_poll_vote(m, json_object_get_int64(item) + 1, s.user->id, remove);
	json_object_put(chosen);
	return chosen ? 0 : -1;
}

/* {"message_id"}: pins it; "remove" unpins it. */
int cord_control_pin(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	bool remove = json_get_bool(in, "remove", false);
	struct cord_message *m, *notice;
	struct cord_context s;

	(void)out;
	if (cord_context_on(self, in, &s, &m, err) != 0)
		return -1;
	if (!s.user || !cord_message_is_ordinary(m) || (m->pinned_ms != 0) != remove)
		return error_set(err, ERROR_OURS, "say which \"user\" pins or unpins which message");
	cord_pin_set(m, !remove);
	if (remove)
		return 0;
	notice = cord_pin_notice(m);
	notice->user = s.user;
	cord_channel_add(m->channel, notice);
	cord_event_message(notice, "MESSAGE_CREATE");
	return 0;
}
