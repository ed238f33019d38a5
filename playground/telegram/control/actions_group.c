#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "playground/telegram/control/control.h"

/* What can happen to the bot in a group: its new status, and what people see. */
static const struct member_action {
	const char *name;
	enum chat_gone gone;
	bool admin, muted, service, joined;
} member_actions[] = {
    {"add", GONE_NOT, false, false, true, true},
    {"demote", GONE_NOT, false, false, false, false},
    {"mute", GONE_NOT, false, true, false, false},
    {"promote", GONE_NOT, true, false, false, false},
    {"remove", GONE_BLOCKED, false, false, true, false},
};

static const struct member_action *find_action(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(member_actions); i++)
		if (strcmp(member_actions[i].name, name) == 0)
			return &member_actions[i];
	return NULL;
}

/* A channel has no messages about its members. */
static bool tells(const struct actor *s, const struct member_action *a)
{
	return a->service && s->chat->kind != CHAT_CHANNEL;
}

/* The bot does not see the message about its removal; it gets my_chat_member instead. */
/* Takes the rights; NULL: the usual ones. */
static void change_bot(const struct actor *s, const struct member_action *a, struct json_object *rights)
{
	struct member *m = chat_find_member(s->chat, s->bot);
	const char *was = chat_member_status(s->chat, m), *is;

	if (!m) {
		chat_add_member(s->chat, s->bot);
		m = chat_find_member(s->chat, s->bot);
		was = chat_member_status(s->chat, m);
	}
	m->gone = a->gone;
	m->admin = a->admin;
	m->muted = a->muted;
	json_object_put(m->rights);
	m->rights = rights;
	if (a->admin && !rights) /* which the bot suggests */
		m->rights =
		    json_object_get(json_get_object(json_get_object(s->bot->profile, "rights"), "groups"));
	is = chat_member_status(s->chat, m);
	if (strcmp(was, is) != 0)
		bot_update_member(s->bot, s->chat, s->user->id, was, is);
	if (tells(s, a))
		service_member(
		    s->chat, (struct author){.user = s->user}, (struct author){.bot = s->bot}, a->joined);
}

/* The rights of an administrator, by name: all that "rights" lists. */
static struct json_object *read_rights(struct json_object *list)
{
	struct json_object *named = json_object_new_object(), *rights = json_object_new_object();

	json_set_bool(named, "can_manage_chat", true);
	json_each(list, item)
		if (item)
			json_set_bool(named, json_object_get_string(item), true);
	rights_read("ChatAdministratorRights", named, rights);
	json_object_put(named);
	return rights;
}

static void change_person(
    const struct actor *s, const struct member_action *a, struct user *who, struct json_object *rights)
{
	struct author by = {.user = s->user};
	const char *status = a->admin ? "administrator" :
	    a->muted                  ? "restricted" :
	    a->joined || !a->service  ? "member" :
	    who == s->user            ? "left" :
					"kicked";
	struct json_object *record = people_record(status);

	if (a->admin) {
		json_set_bool(record, "can_be_edited", false);
		rights_read("ChatAdministratorRights", rights, record);
	} else if (a->muted) {
		json_set_bool(record, "is_member", true);
		rights_read("ChatPermissions", NULL, record);
	}
	if (a->muted || strcmp(status, "kicked") == 0)
		json_set_int(record, "until_date", 0);
	people_set(s->chat, by, who->id, record, NULL);
	if (tells(s, a))
		service_member(s->chat, by, (struct author){.user = who}, a->joined);
}

/* {"action":"add|demote|mute|promote|remove","who"?,"rights"?}: changes the bot, unless who names a person;
 * user does it. */
int telegram_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const struct member_action *a = find_action(json_get_str(in, "action"));
	struct json_object *list = json_get_array(in, "rights"), *rights;
	const char *who = members_string(in, "who");
	struct user *person;
	struct actor s;

	(void)out;
	if (actor_read(self, in, true, &s, err) != 0)
		return -1;
	if (s.chat->kind == CHAT_PRIVATE)
		return error_set(err, ERROR_OURS, "only groups and channels have members");
	if (!s.user || !a)
		return error_set(err, ERROR_OURS,
		    "say which \"user\" does which \"action\": add, demote, mute, promote or remove");
	/* In a channel everybody only reads, and a bot is an administrator. */
	if (s.chat->kind == CHAT_CHANNEL && (a->muted || (!who && !a->service && !a->admin)))
		return error_set(err, ERROR_OURS, "that is for groups: in a channel, promote or remove %s",
		    who ? who : "the bot");
	if (who && world_get_user(self, who, &person, err) != 0)
		return -1;
	rights = list ? read_rights(list) : NULL;
	if (!who) {
		change_bot(&s, a, rights);
		return 0;
	}
	change_person(&s, a, person, rights);
	json_object_put(rights);
	return 0;
}

/* {"chat","user","invite_link"?}: a person follows a link; without one, asks to join. */
int telegram_control_join(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *link = json_get_str(in, "invite_link");
	struct chat_query query = {.chat = members_string(in, "chat"), .kind = json_get_str(in, "kind")};
	struct user *u;
	struct chat *c;
	bool asked;

	query.bot = world_choose_bot(self, members_string(in, "bot"), err);
	c = query.bot ? chat_find(self, &query, err) : NULL;
	if (!c || world_get_user(self, members_string(in, "user"), &u, err) != 0)
		return -1;
	if (c->kind == CHAT_PRIVATE)
		return error_set(err, ERROR_OURS, "a private chat has no links");
	if (invite_follow(c, u, link, &asked, err) != 0)
		return -1;
	json_set_bool(out, "asked", asked);
	return 0;
}

static int change_topic(
    const struct actor *s, struct topic *topic, const char *action, const char *name, struct error *err)
{
	struct author by = {.user = s->user};

	if (strcmp(action, "close") == 0)
		service_close_topic(s->chat, by, topic, true);
	else if (strcmp(action, "reopen") == 0)
		service_close_topic(s->chat, by, topic, false);
	else if (strcmp(action, "delete") == 0)
		service_delete_topic(s->chat, topic);
	else if (strcmp(action, "rename") == 0 && name)
		service_rename_topic(s->chat, by, topic, name);
	else
		return error_set(
		    err, ERROR_OURS, "action is create, close, reopen, delete, or rename with a \"name\"");
	return 0;
}

/* {"action":"create","name"} or {"action":"close|reopen|delete|rename","thread","name"?}; answers with the
 * thread. */
int telegram_control_topic(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *action = json_get_str(in, "action"), *name = json_get_str(in, "name"),
		   *thread = members_string(in, "thread");
	struct topic *topic;
	char text[24];
	struct actor s;
	int64_t id;

	if (actor_read(self, in, true, &s, err) != 0)
		return -1;
	if (s.chat->kind != CHAT_SUPERGROUP || !s.user || !action)
		return error_set(
		    err, ERROR_OURS, "say which \"user\" does which \"action\" in which supergroup");
	if (strcmp(action, "create") == 0) {
		if (!name || name[0] == '\0')
			return error_set(err, ERROR_OURS, "a new topic has a \"name\"");
		s.chat->forum = true;
		id = service_create_topic(s.chat, (struct author){.user = s.user}, name, TOPIC_COLOR)->id;
	} else {
		topic = world_read_id(thread, &id) ? topics_find(&s.chat->topics, id) : NULL;
		if (!topic)
			return error_set(err, ERROR_OURS, "there is no such \"thread\"");
		if (change_topic(&s, topic, action, name, err) != 0)
			return -1;
	}
	snprintf(text, sizeof(text), "%" PRId64, id);
	json_set_str(out, "thread", text);
	return 0;
}
