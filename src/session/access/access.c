#include "session/access/access.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "session/access/grants.h"

static const char *const group_names[] = {"mention", "all", "off", NULL};
static const char *const uncertain_names[] = {"default", "repeat", "hold", NULL};

static const struct config_key access_keys[] = {
    {.name = "type",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct access_settings, type),
	.help = "The platform: console, discord, slack or telegram."},
    {.name = "allow",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_settings, allow),
	.help = "Ids of the people who may talk to the agent. Empty or absent: nobody. \"*\": everybody."},
    {.name = "admins",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_settings, admins),
	.help = "Ids of the people who may also give admin commands; they need not be in allow."},
    {.name = "guests",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_settings, guests),
	.help = "Ids of people who may talk to the agent, which then does not use tools that write or send. "
		"\"*\": everybody else."},
    {.name = "owners",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_settings, owners),
	.help = "Ids of the people who are admins here and may also let people in and out on every other "
		"channel. No command changes this list."},
    {.name = "pairing",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct access_settings, pairing),
	.fallback = "true",
	.help = "Whether a stranger who writes to the agent in private gets a code, at most once an hour, "
		"with which an admin can let them in (/pair). Without an admin, strangers get no answer, "
		"unless the operator waits for them in `myna init`."},
    {.name = "chats",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_settings, chats),
	.help = "Ids of the groups and channels where the agent may be used. Absent: everywhere that an "
		"allowed person addresses it."},
    {.name = "group",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct access_settings, group),
	.fallback = "mention",
	.choices = group_names,
	.help = "In groups: answer when mentioned or replied to (mention), every message of allowed people "
		"(all), never (off)."},
    {.name = "ack_reaction",
	.type = CONFIG_STRING,
	.offset = offsetof(struct access_settings, ack_reaction),
	.fallback = "👀",
	.help = "An emoji that marks a message while the agent works on it: in groups, and on Slack, which "
		"shows no typing there, in direct messages. Empty: none."},
    {.name = "stop_reaction",
	.type = CONFIG_STRING,
	.offset = offsetof(struct access_settings, stop_reaction),
	.help = "An emoji that stops the agent, as /stop does, when a person reacts with it to their message "
		"or to the unfinished answer. Absent: 🛑; on Telegram, which has no such reaction, 👎. "
		"Empty: none."},
    {.name = "home",
	.type = CONFIG_STRING,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct access_settings, home),
	.help =
	    "The name of the only node of a cluster that serves this channel, because it needs what is on "
	    "that machine. No other one takes over. Absent: any node."},
    {.name = "quiet_hours",
	.type = CONFIG_STRING,
	.offset = offsetof(struct access_settings, quiet_hours),
	.help = "The hours in which notifications (the message tool, myna send, broadcasts) to this channel "
		"wait, such as \"22:00-07:00\" in local time. Answers do not wait."},
    {.name = "uncertain",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct access_settings, uncertain),
	.fallback = "default",
	.choices = uncertain_names,
	.help = "What to do after a send that was cut off and may have arrived: send it once more with a "
		"mark (repeat), do not send it again but report it (hold), or repeat replies and hold "
		"notifications (default)."},
};

const struct config_section access_section = {
    .path = "channels.*",
    .keys = access_keys,
    .key_count = ARRAY_LEN(access_keys),
    .help = "A channel: one account on one platform. You choose the name; addresses contain it.",
};

static const char *const group_choices[] = {"channel", "mention", "all", "off", NULL};

static const struct config_key group_keys[] = {
    {.name = "chat",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct access_group_settings, chat),
	.help = "The id of the group or channel. It counts as listed in chats, if that is set."},
    {.name = "group",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct access_group_settings, group),
	.fallback = "channel",
	.choices = group_choices,
	.help = "The same as group of the channel, for this chat only; channel: use the channel's value."},
    {.name = "allow",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_group_settings, allow),
	.help = "Ids of more people who may talk to the agent in this chat."},
    {.name = "admins",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct access_group_settings, admins),
	.help = "Ids of people who are admins in this chat only. They cannot let people in or out, nor give "
		"commands that reach beyond the chat."},
    {.name = "quiet_hours",
	.type = CONFIG_STRING,
	.offset = offsetof(struct access_group_settings, quiet_hours),
	.help = "The same as quiet_hours of the channel, for this chat only."},
};

const struct config_section access_group_section = {
    .path = "channels.*.groups.*",
    .keys = group_keys,
    .key_count = ARRAY_LEN(group_keys),
    .help = "Settings of one group: `groups: { ops: { chat = \"-1001234\"; group = \"all\"; }; };` within a "
	    "channel. You choose the name.",
};

static void list_admins(struct access_settings *s)
{
	const struct config_strings *lists[] = {&s->owners, &s->admins};

	s->admin_id_count = 0;
	s->admin_ids = xcalloc(s->owners.count + s->admins.count + 1, sizeof(*s->admin_ids));
	for (size_t k = 0; k < ARRAY_LEN(lists); k++)
		for (size_t i = 0; i < lists[k]->count; i++)
			s->admin_ids[s->admin_id_count++] = lists[k]->items[i];
}

void access_groups_read(struct access_settings *s, struct config *cfg, const char *path)
{
	const char **names = NULL;
	char *groups = xasprintf("%s.groups", path);
	struct error err = {0};

	s->group_count = config_names(cfg, groups, &names);
	s->groups = xcalloc(s->group_count + 1, sizeof(*s->groups));
	for (size_t i = 0; i < s->group_count; i++) {
		struct access_group_settings *p = &s->groups[i];
		char *at = xasprintf("%s.%s", groups, names[i]);
		config_read(cfg, at, &access_group_section, p);
		if (quiet_hours_parse(p->quiet_hours, &p->quiet, &err) < 0) {
			char *hours = xasprintf("%s.quiet_hours", at);
			config_error(cfg, hours, "quiet_hours: %s.", err.text);
			free(hours);
		}
		if (p->chat && access_group_settings(s, p->chat, NULL) != p)
			config_error(cfg, at, "The chat \"%s\" has two groups. Keep one of them.", p->chat);
		free(at);
	}
	free(groups);
	free(names);
	list_admins(s);
}

void access_groups_clear(struct access_settings *s)
{
	for (size_t i = 0; i < s->group_count; i++)
		config_settings_clear(group_keys, ARRAY_LEN(group_keys), &s->groups[i]);
	free(s->groups);
	free(s->admin_ids);
	s->admin_ids = NULL;
	s->groups = NULL;
	s->group_count = 0;
}

const struct access_group_settings *access_group_settings(
    const struct access_settings *s, const char *chat, const char *former)
{
	for (size_t i = 0; i < s->group_count; i++) {
		const char *has = s->groups[i].chat;
		if (has && (strcmp(has, chat) == 0 || (former && strcmp(has, former) == 0)))
			return &s->groups[i];
	}
	return NULL;
}

enum access_group access_group(const struct access_settings *s, const char *chat, const char *former)
{
	const struct access_group_settings *p = access_group_settings(s, chat, former);

	return (enum access_group)(p && p->group > 0 ? p->group - 1 : s->group);
}

static bool listed(const struct config_strings *ids, const char *id)
{
	return config_strings_have(ids, "*") || config_strings_have(ids, id);
}

/* "*" is never an id. */
static bool named(const struct config_strings *ids, const char *id)
{
	return strcmp(id, "*") != 0 && config_strings_have(ids, id);
}

static const char *const role_names[] = {[ACCESS_NONE] = "nobody",
    [ACCESS_GUEST] = "guest",
    [ACCESS_USER] = "user",
    [ACCESS_ADMIN] = "admin",
    [ACCESS_OWNER] = "owner"};

const char *access_role_name(enum access_role role)
{
	return role_names[role];
}

const char *const access_roles[] = {"guest", "user", "admin", NULL};

int access_role_parse(const char *name, enum access_role *role)
{
	for (*role = ACCESS_GUEST; *role <= ACCESS_ADMIN; (*role)++)
		if (strcmp(role_names[*role], name) == 0)
			return 0;
	return -1;
}

enum access_role access_role_configured(const struct access_settings *s, const char *id)
{
	const struct config_strings *lists[] = {&s->owners, &s->admins, &s->allow, &s->guests};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		if (named(lists[i], id))
			return (enum access_role)(ACCESS_OWNER - i);
	return ACCESS_NONE;
}

/* Other bots are not people, and anyone in a chat may write as the chat itself. */
static bool is_person(const struct message *m)
{
	return !m->sender_is_bot && !m->sender_is_chat && m->sender_id && *m->sender_id;
}

static enum access_role role_on_channel(
    const struct access_settings *s, const struct grants *g, const struct message *m)
{
	enum access_role role = s->operator? ACCESS_OWNER : access_role_configured(s, m->sender_id);

	if (role != ACCESS_NONE ||
	    grants_role(g, m->from.channel, m->sender_id, m->chat_kind == CHAT_PRIVATE, &role))
		return role;
	if (config_strings_have(&s->allow, "*"))
		return ACCESS_USER;
	return config_strings_have(&s->guests, "*") ? ACCESS_GUEST : ACCESS_NONE;
}

enum access_role access_role_on_channel(
    const struct access_settings *s, const struct grants *g, const struct message *m)
{
	return is_person(m) ? role_on_channel(s, g, m) : ACCESS_NONE;
}

/* The role that the settings of the group give the sender. */
static enum access_role role_in_group(
    const struct access_group_settings *p, const struct grants *g, const struct message *m)
{
	enum access_role denied;

	if (named(&p->admins, m->sender_id))
		return ACCESS_ADMIN;
	if (named(&p->allow, m->sender_id))
		return ACCESS_USER;
	if (!config_strings_have(&p->allow, "*"))
		return ACCESS_NONE;
	return grants_role(g, m->from.channel, m->sender_id, false, &denied) && denied == ACCESS_NONE ?
	    ACCESS_NONE :
	    ACCESS_USER;
}

enum access_role access_role(
    const struct access_settings *s, const struct grants *g, const struct message *m, const char *former)
{
	const struct access_group_settings *p =
	    m->chat_kind == CHAT_PRIVATE ? NULL : access_group_settings(s, m->from.chat, former);

	if (!is_person(m))
		return ACCESS_NONE;
	enum access_role wide = role_on_channel(s, g, m), here = p ? role_in_group(p, g, m) : ACCESS_NONE;
	return here > wide ? here : wide;
}

/* By its present or its former id. */
static bool lists_chat(const struct access_settings *s, const struct message *m, const char *former)
{
	return listed(&s->chats, m->from.chat) || (former && listed(&s->chats, former)) ||
	    access_group_settings(s, m->from.chat, former);
}

bool access_admits_group(
    const struct access_settings *s, const struct grants *g, const struct message *m, const char *former)
{
	if (m->chat_kind == CHAT_PRIVATE || access_group(s, m->from.chat, former) == ACCESS_GROUP_OFF)
		return false;
	return s->chats.count > 0 ? lists_chat(s, m, former) : access_role(s, g, m, former) != ACCESS_NONE;
}

enum access_verdict access_check(const struct access_settings *s, const struct grants *g,
    const struct message *m, const char *former, enum access_role *role)
{
	enum access_group group = access_group(s, m->from.chat, former);

	*role = access_role(s, g, m, former);
	if (m->chat_kind != CHAT_PRIVATE) {
		if (group == ACCESS_GROUP_OFF || (s->chats.count > 0 && !lists_chat(s, m, former)))
			return ACCESS_WRONG_CHAT;
	}
	if (*role == ACCESS_NONE)
		return ACCESS_STRANGER;
	if (!m->addressed && (m->to_another || group != ACCESS_GROUP_ALL))
		return ACCESS_NOT_ADDRESSED;
	return ACCESS_ADMITTED;
}

const char *access_verdict_text(enum access_verdict verdict)
{
	static const char *const texts[] = {
	    [ACCESS_ADMITTED] = "admitted",
	    [ACCESS_STRANGER] =
		"the sender is not in allow or admins of this channel; add the quoted id to let them in",
	    [ACCESS_WRONG_CHAT] = "the chat is not in chats of this channel, or group is off",
	    [ACCESS_NOT_ADDRESSED] = "not addressed to the agent",
	};

	return texts[verdict];
}

static bool has_id(const struct config_strings *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		if (*ids->items[i] && strcmp(ids->items[i], "*") != 0)
			return true;
	return false;
}

bool access_has_admin(const struct access_settings *s)
{
	return has_id(&s->admins) || has_id(&s->owners);
}

/* Account names change owners; only ids are compared. */
static bool has_name(const struct access_settings *s)
{
	const struct config_strings *lists[] = {&s->allow, &s->admins, &s->owners, &s->guests};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (size_t k = 0; k < lists[i]->count; k++)
			if (*lists[i]->items[k] == '@')
				return true;
	return false;
}

const char *access_warning(const struct access_settings *s)
{
	if (s->operator)
		return NULL;
	if (s->allow.count + s->admins.count + s->owners.count + s->guests.count == 0)
		return "allow and admins are empty: only people who were let in by a command get answers; "
		       "let others in by their quoted ids in allow";
	if (has_name(s))
		return "an @name matches nobody: put ids; the log shows the id of each person who was not "
		       "let in";
	if (config_strings_have(&s->owners, "*"))
		return "\"*\" in owners makes nobody an owner; name each owner by id";
	if (config_strings_have(&s->admins, "*"))
		return "\"*\" in admins makes nobody an admin; name each admin by id";
	if (config_strings_have(&s->allow, "*"))
		return "allow has \"*\": everybody who finds the bot can use it";
	if (config_strings_have(&s->guests, "*"))
		return "guests has \"*\": everybody who finds the bot can talk to it";
	return NULL;
}
