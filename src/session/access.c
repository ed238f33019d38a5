#include "session/access.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"

static const char *const group_names[] = {"mention", "all", "off", NULL};
static const char *const uncertain_names[] = {"default", "repeat", "hold", NULL};

static const struct config_key access_keys[] = {
    {.name = "type", .type = CONFIG_STRING, .flags = CONFIG_REQUIRED, .offset = offsetof(struct access_settings, type),
        .help = "The platform: console, discord, slack or telegram."},
    {.name = "allow", .type = CONFIG_STRINGS, .offset = offsetof(struct access_settings, allow),
        .help = "Ids of the people who may talk to the agent. Empty or absent: nobody. \"*\": everybody."},
    {.name = "admins", .type = CONFIG_STRINGS, .offset = offsetof(struct access_settings, admins),
        .help = "Ids of the people who may also give admin commands; they need not stand in allow."},
    {.name = "chats", .type = CONFIG_STRINGS, .offset = offsetof(struct access_settings, chats),
        .help = "Ids of the groups and channels where the agent may be used. Absent: wherever an allowed person addresses it."},
    {.name = "group", .type = CONFIG_ENUM, .offset = offsetof(struct access_settings, group), .fallback = "mention",
        .choices = group_names,
        .help = "In groups: answer when mentioned or replied to (mention), every message of allowed people (all), never (off)."},
    {.name = "ack_reaction", .type = CONFIG_STRING, .offset = offsetof(struct access_settings, ack_reaction),
        .fallback = "👀", .help = "An emoji that is put on a group's message while it is worked on. Empty: none."},
    {.name = "quiet_hours", .type = CONFIG_STRING, .offset = offsetof(struct access_settings, quiet_hours),
        .help = "When notifications (the message tool, myna send, broadcasts) to this channel wait, as \"22:00-07:00\" in local time. Answers do not wait."},
    {.name = "uncertain", .type = CONFIG_ENUM, .offset = offsetof(struct access_settings, uncertain),
        .fallback = "default", .choices = uncertain_names,
        .help = "After a send that was cut off and may have arrived: send once more with a mark (repeat), leave it and report it (hold), "
                "or repeat replies and hold notifications (default)."},
};

const struct config_section access_section = {
    .path = "channels.*",
    .keys = access_keys,
    .key_count = ARRAY_LEN(access_keys),
    .help = "A channel: one account on one platform. The name is yours to choose and stands in addresses.",
};

static const char *const place_groups[] = {"channel", "mention", "all", "off", NULL};

static const struct config_key place_keys[] = {
    {.name = "chat", .type = CONFIG_STRING, .flags = CONFIG_REQUIRED, .offset = offsetof(struct access_place, chat),
        .help = "The id of the group or channel that this is about. Where chats is set, it is listed there by this."},
    {.name = "group", .type = CONFIG_ENUM, .offset = offsetof(struct access_place, group), .fallback = "channel",
        .choices = place_groups, .help = "As group of the channel, for this chat alone; channel: as there."},
    {.name = "allow", .type = CONFIG_STRINGS, .offset = offsetof(struct access_place, allow),
        .help = "Ids of further people who may talk to the agent in this chat."},
    {.name = "quiet_hours", .type = CONFIG_STRING, .offset = offsetof(struct access_place, quiet_hours),
        .help = "As quiet_hours of the channel, for this chat alone."},
};

const struct config_section access_place_section = {
    .path = "channels.*.groups.*",
    .keys = place_keys,
    .key_count = ARRAY_LEN(place_keys),
    .help = "What is different in one group: `groups: { ops: { chat = \"-1001234\"; group = \"all\"; }; };` within a channel. The name is "
            "yours to choose.",
};

void access_places_read(struct access_settings *s, struct config *cfg, const char *path)
{
	const char **names = NULL;
	char *groups = xasprintf("%s.groups", path);
	struct error err = {0};

	s->place_count = config_names(cfg, groups, &names);
	s->places = xcalloc(s->place_count + 1, sizeof(*s->places));
	for (size_t i = 0; i < s->place_count; i++) {
		struct access_place *p = &s->places[i];
		char *at = xasprintf("%s.%s", groups, names[i]);
		config_read(cfg, at, &access_place_section, p);
		if (quiet_parse(p->quiet_hours, &p->quiet, &err) < 0)
			config_error(cfg, at, "quiet_hours: %s.", err.text);
		if (p->chat && access_place(s, p->chat, NULL) != p)
			config_error(cfg, at, "The chat \"%s\" has two groups. Keep one of them.", p->chat);
		free(at);
	}
	free(groups);
	free(names);
}

void access_places_clear(struct access_settings *s)
{
	for (size_t i = 0; i < s->place_count; i++)
		config_settings_clear(place_keys, ARRAY_LEN(place_keys), &s->places[i]);
	free(s->places);
	s->places = NULL;
	s->place_count = 0;
}

const struct access_place *access_place(const struct access_settings *s, const char *chat, const char *former)
{
	for (size_t i = 0; i < s->place_count; i++) {
		const char *has = s->places[i].chat;
		if (has && (strcmp(has, chat) == 0 || (former && strcmp(has, former) == 0)))
			return &s->places[i];
	}
	return NULL;
}

enum access_group access_group(const struct access_settings *s, const char *chat, const char *former)
{
	const struct access_place *p = access_place(s, chat, former);

	return (enum access_group)(p && p->group > 0 ? p->group - 1 : s->group);
}

static bool listed(const struct config_strings *ids, const char *id)
{
	return config_strings_have(ids, "*") || (id && config_strings_have(ids, id));
}

enum access_role access_role(const struct access_settings *s, const struct message *m)
{
	/* Other bots are never people; a chat's own voice could be anybody in it. */
	if (m->sender_is_bot || m->sender_is_chat || !m->sender_id)
		return ACCESS_NONE;
	if (s->operator || config_strings_have(&s->admins, m->sender_id))
		return ACCESS_ADMIN;
	return listed(&s->allow, m->sender_id) ? ACCESS_USER : ACCESS_NONE;
}

/* Under one of its ids. */
static bool lists_chat(const struct access_settings *s, const struct message *m, const char *former)
{
	return listed(&s->chats, m->from.chat) || (former && listed(&s->chats, former)) || access_place(s, m->from.chat, former);
}

/* One group may admit further people, as users. */
static enum access_role role_here(const struct access_settings *s, const struct message *m, const char *former)
{
	const struct access_place *p = access_place(s, m->from.chat, former);
	enum access_role role = access_role(s, m);

	if (role != ACCESS_NONE || !p || m->chat_kind == CHAT_PRIVATE || m->sender_is_bot || m->sender_is_chat || !m->sender_id)
		return role;
	return listed(&p->allow, m->sender_id) ? ACCESS_USER : ACCESS_NONE;
}

bool access_admits_group(const struct access_settings *s, const struct message *m, const char *former)
{
	if (m->chat_kind == CHAT_PRIVATE || access_group(s, m->from.chat, former) == ACCESS_GROUP_OFF)
		return false;
	return s->chats.count > 0 ? lists_chat(s, m, former) : role_here(s, m, former) != ACCESS_NONE;
}

enum access_verdict access_check(const struct access_settings *s, const struct message *m, const char *former,
    enum access_role *role)
{
	enum access_group group = access_group(s, m->from.chat, former);

	*role = role_here(s, m, former);
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
	    [ACCESS_STRANGER] = "the sender is not in allow or admins of this channel; add the quoted id to let them in",
	    [ACCESS_WRONG_CHAT] = "the chat is not in chats of this channel, or group is off",
	    [ACCESS_NOT_ADDRESSED] = "not addressed to the agent",
	};

	return texts[verdict];
}

const char *access_warning(const struct access_settings *s)
{
	if (s->operator)
		return NULL;
	if (s->allow.count == 0 && s->admins.count == 0)
		return "allow and admins are empty: nobody is answered; put quoted ids of people into allow";
	if (config_strings_have(&s->admins, "*"))
		return "\"*\" in admins makes nobody an admin; name each admin by id";
	if (config_strings_have(&s->allow, "*"))
		return "allow has \"*\": everybody who finds the bot can use it";
	return NULL;
}
