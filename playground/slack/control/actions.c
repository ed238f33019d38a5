#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

#define SNOOZE_S 3600

int slk_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct slk_message *m;
	struct slk_context s;

	(void)out;
	if (slk_context_on(self, in, &s, &m, err) != 0)
		return -1;
	slk_message_delete(s.conv, m);
	return 0;
}

/* Without an emoji all reactions of the person are removed. */
static int take_back(const struct slk_context *s, struct slk_message *m, struct error *err)
{
	struct json_object *all = json_get_array(m->o, "reactions");
	size_t count = json_count(all), gone = 0;

	for (size_t i = count; i-- > 0;) {
		char *name = xstrdup(json_get_str(json_at(all, i), "name"));

		gone += !slk_reaction_remove(s->conv, m, s->user->id, name);
		free(name);
		all = json_get_array(m->o, "reactions");
	}
	return gone > 0 ? 0 : error_set(err, ERROR_OURS, "%.64s has no reaction there", s->user->name);
}

int slk_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *emoji = members_string(in, "emoji"), *problem;
	struct slk_message *m;
	struct slk_context s;

	(void)out;
	if (slk_context_on(self, in, &s, &m, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" reacts");
	if (!emoji)
		return take_back(&s, m, err);
	if (!slk_reaction_is_name(emoji))
		return error_set(err, ERROR_OURS, "an emoji is a name without colons, such as thumbsup");
	problem = json_get_bool(in, "remove", false) ? slk_reaction_remove(s.conv, m, s.user->id, emoji) :
						       slk_reaction_add(s.conv, m, s.user->id, emoji);
	return problem ? error_set(err, ERROR_OURS, "%s", problem) : 0;
}

static const struct {
	const char *name, *refusal;
} gones[] = {
    {"archived", "is_archived"}, {"deleted", "channel_not_found"},
    {"left", NULL}, /* the bot is removed: not_in_channel */
    {"messages_tab_disabled", "messages_tab_disabled"}, {"no", NULL}, {"restricted", "restricted_action"},
    {"uninstalled", NULL}, /* the app, from the workspace */
};

static int set_gone(const struct slk_context *s, const char *name, struct error *err)
{
	size_t i = 0;

	while (i < ARRAY_LEN(gones) && strcmp(gones[i].name, name) != 0)
		i++;
	if (i == ARRAY_LEN(gones))
		return error_set(err, ERROR_OURS,
		    "gone is no, archived, deleted, left, messages_tab_disabled, restricted or uninstalled");
	if (strcmp(name, "archived") == 0 || (strcmp(name, "no") == 0 && slk_conv_is_archived(s->conv))) {
		slk_conv_archive(s->conv, name[0] == 'a', s->user ? s->user->id : "USLACKBOT");
		return 0;
	}
	if (strcmp(name, "uninstalled") == 0) {
		slk_app_uninstall(s->app);
		return 0;
	}
	s->app->revoked = false;
	s->conv->refusal = gones[i].refusal;
	if (strcmp(name, "deleted") == 0 || strcmp(name, "left") == 0)
		slk_event_channel(s->conv, name, s->user ? s->user->id : "USLACKBOT");
	if (strcmp(name, "left") == 0)
		slk_conv_remove(s->conv, s->app->user_id);
	else if (strcmp(name, "no") == 0)
		slk_conv_add(s->conv, s->app->user_id);
	return 0;
}

/* Creates a chat without a message, or changes it. */
int slk_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const notes[] = {"topic", "purpose"};
	const char *title = json_get_str(in, "title"), *gone = json_get_str(in, "gone");
	struct slk_context s;

	if (slk_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (title && s.conv->name && strcmp(title, s.conv->name) != 0)
		slk_conv_rename(s.conv, title, s.user, NULL);
	for (size_t i = 0; i < ARRAY_LEN(notes); i++) {
		const char *value = json_get_str(in, notes[i]);

		if (value && (!s.conv->name || !s.user))
			return error_set(
			    err, ERROR_OURS, "say which \"user\" sets the %s of which channel", notes[i]);
		if (value)
			slk_conv_set_note(s.conv, notes[i], value, s.user, NULL);
	}
	if (gone && set_gone(&s, gone, err) != 0)
		return -1;
	json_setf(out, "chat_id: %s, bot_id: %s", s.conv->id, s.app->user_id);
	return 0;
}

static void tell_user(struct slk_world *w, const struct slk_user *u, const char *type)
{
	slk_event_send_all(
	    w, json_newf("{type: %s, user: %p, cache_ts: %jd}", type, slk_user_json(u), clock_wall() / 1000));
}

/* The person gets an account of the workspace. */
static int join(struct slk_world *w, const char *who, struct json_object *out, struct error *err)
{
	struct slk_user *u = slk_find_user(w, who);

	if (u)
		return error_set(err, ERROR_OURS, "%.64s is in the workspace already", u->name);
	u = slk_get_user(w, who, err);
	if (!u)
		return -1;
	json_set_str(out, "user_id", u->id);
	tell_user(w, u, "team_join");
	return 0;
}

static int rename_user(struct slk_world *w, struct slk_user *u, const char *name, struct error *err)
{
	if (!name || slk_find_user(w, name))
		return error_set(err, ERROR_OURS, "say a new \"name\" that nobody has");
	slk_rename_user(w, u, name);
	tell_user(w, u, "user_change");
	return 0;
}

/* add and remove: the bot, or the person that "who" names; join: the person comes to the workspace; rename:
 * gets another "name"; disable: deactivates the person's account; away and active: the person's presence;
 * snooze and wake: Do Not Disturb, for an hour. */
int slk_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *action = json_get_str(in, "action"), *who = members_string(in, "who"), *id;
	struct slk_user *u = NULL;
	struct slk_context s;

	if (slk_context_read(self, in, false, &s, err) != 0)
		return -1;
	if (action && strcmp(action, "join") == 0 && who)
		return join(self, who, out, err);
	if (who && !(u = slk_get_user(self, who, err)))
		return -1;
	id = u ? u->id : s.app->user_id;
	json_set_str(out, "user_id", id);
	if (action && strcmp(action, "disable") == 0 && u) {
		u->disabled = true;
		tell_user(self, u, "user_change");
		return 0;
	}
	if (action && strcmp(action, "rename") == 0 && u)
		return rename_user(self, u, members_string(in, "name"), err);
	if (action && (strcmp(action, "away") == 0 || strcmp(action, "active") == 0) && u) {
		u->away = action[1] == 'w';
		return 0;
	}
	if (action && (strcmp(action, "snooze") == 0 || strcmp(action, "wake") == 0) && u) {
		u->snooze_until = action[0] == 's' ? clock_wall() / 1000 + SNOOZE_S : 0;
		slk_event_send_all(self,
		    json_newf("{type: 'dnd_updated_user', user: %s, dnd_status: %p}", id, slk_dnd_json(u)));
		return 0;
	}
	if (s.conv->kind == SLK_IM || !action ||
	    (strcmp(action, "add") != 0 && strcmp(action, "remove") != 0))
		return error_set(err, ERROR_OURS,
		    "action is add or remove, in a channel, or join, rename, disable, away, active, snooze "
		    "or wake with \"who\"");
	if (strcmp(action, "add") == 0)
		slk_conv_enter(s.conv, u, s.app, NULL);
	else
		slk_conv_leave(s.conv, u, s.app);
	return 0;
}
