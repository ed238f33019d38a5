#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"
#include "playground/discord/methods/methods.h"

static const struct {
	const char *action;
	uint64_t bits; /* permissions that are denied or given back; 0: those of "permission" */
	bool deny;
} denials[] = {
    {"allow", 0, false},
    {"deny", 0, true},
    {"hide", CORD_MAY_VIEW, true},
    {"mute", CORD_MAY_SEND | CORD_MAY_SEND_IN_THREADS, true},
    {"show", CORD_MAY_VIEW, false},
    {"unmute", CORD_MAY_SEND | CORD_MAY_SEND_IN_THREADS, false},
};

static int change_denial(
    const struct cord_context *s, struct json_object *in, const char *action, struct error *err)
{
	struct cord_channel *c = s->channel->parent ? s->channel->parent : s->channel;

	for (size_t i = 0; i < ARRAY_LEN(denials); i++) {
		uint64_t bits = denials[i].bits;

		if (strcmp(denials[i].action, action) != 0)
			continue;
		if (bits == 0)
			bits = cord_permission_find(json_get_str(in, "permission"));
		if (bits == 0)
			return error_set(err, ERROR_OURS, "\"permission\" is one such as SEND_MESSAGES");
		cord_channel_deny(c, s->bot, bits, denials[i].deny);
		cord_event_channel(c, "CHANNEL_UPDATE");
		return 0;
	}
	return error_set(err, ERROR_OURS,
	    "action is add, remove, promote, demote, grant, revoke, mute, unmute, hide, show, deny, allow or "
	    "timeout of the bot; join, leave, ban, unban, timeout, nick, give, take or own of a \"user\"");
}

static int join(struct cord_guild *g, const struct cord_user *u, struct error *err)
{
	if (cord_record_find(g->world, CORD_BAN, g->id, u->id))
		return error_set(err, ERROR_OURS, "%.64s is banned from %.64s", u->label, g->name);
	if (!cord_is_member(g, u->id))
		cord_member_join(g, u->id);
	return 0;
}

static int change_role(
    struct cord_guild *g, const struct cord_user *u, const char *name, bool give, struct error *err)
{
	const struct cord_record *role = cord_role_named(g, name);
	struct json_object *roles;

	if (!role)
		return error_set(err, ERROR_OURS, "\"role\": there is no role %.64s in %.64s",
		    name ? name : "(none)", g->name);
	roles = cord_member_roles(g, u->id);
	if (give)
		cord_array_add(roles, role->id);
	else
		cord_array_remove(roles, role->id);
	cord_member_event(g, u->id, "GUILD_MEMBER_UPDATE");
	return 0;
}

static int change_ban(struct cord_guild *g, const struct cord_user *u, bool banned, struct error *err)
{
	bool was = cord_record_find(g->world, CORD_BAN, g->id, u->id);

	if (was == banned)
		return error_set(err, ERROR_OURS, "%.64s is %s banned", u->label, was ? "already" : "not");
	if (banned)
		cord_ban(g, u->id, NULL);
	else
		cord_unban(g, u->id);
	return 0;
}

/* A time-out of so many seconds (0 ends it), or another nickname (none: NULL). */
static int change_state(
    struct cord_guild *g, uint64_t id, struct json_object *in, bool nick, struct error *err)
{
	int64_t seconds = json_get_int(in, "seconds", -1);
	struct json_object *state;

	if (!cord_is_member(g, id) || (!nick && seconds < 0))
		return error_set(err, ERROR_OURS,
		    "say which member gets a \"nick\", or is timed out for how many \"seconds\"");
	state = cord_member_state(g, id);
	if (nick && json_get_str(in, "nick"))
		json_set_str(state, "nick", json_get_str(in, "nick"));
	else if (nick)
		json_object_object_del(state, "nick");
	else
		cord_set_time(state, "communication_disabled_until", clock_wall() + seconds * 1000);
	cord_member_event(g, id, "GUILD_MEMBER_UPDATE");
	return 0;
}

/* Of a person. Returns 1 for another action. */
static int change_person(struct cord_guild *g, const struct cord_user *u, const char *action,
    struct json_object *in, struct error *err)
{
	if (strcmp(action, "ban") == 0 || strcmp(action, "unban") == 0)
		return change_ban(g, u, action[0] == 'b', err);
	if (strcmp(action, "nick") == 0 || strcmp(action, "timeout") == 0)
		return change_state(g, u->id, in, action[0] == 'n', err);
	if (strcmp(action, "join") == 0)
		return join(g, u, err);
	if (strcmp(action, "give") == 0 || strcmp(action, "take") == 0)
		return change_role(g, u, json_get_str(in, "role"), action[0] == 'g', err);
	if (strcmp(action, "leave") == 0) {
		if (cord_is_member(g, u->id))
			cord_member_leave(g, u->id);
		return 0;
	}
	if (strcmp(action, "own") != 0)
		return 1;
	g->owner_id = u->id;
	cord_guild_changed(g);
	return 0;
}

int cord_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *action = json_get_str(in, "action"), *permission = json_get_str(in, "permission");
	struct cord_context s;
	struct cord_guild *g;
	int ret = 1;

	(void)out;
	if (cord_context_read(self, in, true, &s, err) != 0)
		return -1;
	g = s.channel->guild;
	if (!g || !action)
		return error_set(err, ERROR_OURS, "say which \"action\" in which channel of a guild");
	if (s.user)
		ret = change_person(g, s.user, action, in, err);
	if (ret <= 0)
		return ret;
	if (strcmp(action, "add") == 0) {
		cord_guild_join(g, s.bot);
		return 0;
	}
	if (!cord_guild_has(g, s.bot))
		return error_set(err, ERROR_OURS, "the bot is not in that guild");
	if (strcmp(action, "timeout") == 0)
		return change_state(g, s.bot->id, in, false, err);
	if (strcmp(action, "remove") == 0)
		cord_guild_leave(g, s.bot);
	else if (strcmp(action, "promote") == 0 || strcmp(action, "demote") == 0)
		cord_guild_grant(g, s.bot, CORD_MAY_ADMINISTER, action[0] == 'p');
	else if ((strcmp(action, "grant") == 0 || strcmp(action, "revoke") == 0) &&
	    cord_permission_find(permission) != 0)
		cord_guild_grant(g, s.bot, cord_permission_find(permission), action[0] == 'g');
	else
		return change_denial(&s, in, action, err);
	return 0;
}

/* A person enters the voice channel, or leaves all. */
int cord_control_voice(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	bool leave = json_get_bool(in, "leave", false);
	struct cord_context s;

	(void)out;
	if (cord_context_read(self, in, false, &s, err) != 0)
		return -1;
	if (!s.user || !s.channel->guild ||
	    (!leave && s.channel->type != CORD_VOICE && s.channel->type != CORD_STAGE_VOICE))
		return error_set(err, ERROR_OURS, "say which \"user\" enters which voice channel");
	cord_voice_set(s.channel->guild, s.user->id, leave ? NULL : s.channel, in);
	return 0;
}

/* A person is interested in a scheduled event, or no longer. */
int cord_control_attend(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const struct cord_record *event = NULL;
	struct cord_context s;
	uint64_t id;

	(void)out;
	if (cord_context_read(self, in, false, &s, err) != 0)
		return -1;
	if (s.channel->guild && cord_snowflake_read(members_string(in, "event"), &id))
		event = cord_record_find(self, CORD_SCHEDULED, s.channel->guild->id, id);
	if (!event || !s.user)
		return error_set(err, ERROR_OURS,
		    "say which \"user\" is interested in which \"event\" of that guild: its id");
	cord_scheduled_attend(s.channel->guild, event, s.user->id, json_get_bool(in, "remove", false));
	return 0;
}
