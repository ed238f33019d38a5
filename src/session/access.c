#include "session/access.h"

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
	return listed(&s->chats, m->from.chat) || (former && listed(&s->chats, former));
}

bool access_admits_group(const struct access_settings *s, const struct message *m, const char *former)
{
	if (m->chat_kind == CHAT_PRIVATE || s->group == ACCESS_GROUP_OFF)
		return false;
	return s->chats.count > 0 ? lists_chat(s, m, former) : access_role(s, m) != ACCESS_NONE;
}

enum access_verdict access_check(const struct access_settings *s, const struct message *m, const char *former,
    enum access_role *role)
{
	*role = access_role(s, m);
	if (m->chat_kind != CHAT_PRIVATE) {
		if (s->group == ACCESS_GROUP_OFF || (s->chats.count > 0 && !lists_chat(s, m, former)))
			return ACCESS_WRONG_CHAT;
	}
	if (*role == ACCESS_NONE)
		return ACCESS_STRANGER;
	if (!m->addressed && (m->to_another || s->group != ACCESS_GROUP_ALL))
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
