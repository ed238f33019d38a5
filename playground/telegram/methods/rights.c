#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/spec/spec.h"
#include "playground/telegram/methods/compose.h"

#define BAN_MIN_S 30 /* Bot API, until_date: what is shorter or longer is forever */
#define BAN_MAX_S (366 * 86400)
#define TITLE_MAX 16

struct chat *rights_chat(struct call *call, const char *right, const char *of_private, const char *without)
{
	struct chat *c = call_chat(call);

	if (!c)
		return NULL;
	if (c->kind != CHAT_PRIVATE && bot_may(c, chat_find_member(c, call->bot), right))
		return c;
	call_fail(call, 400, "Bad Request: %s", c->kind == CHAT_PRIVATE ? of_private : without);
	return NULL;
}

static int64_t read_until(struct call *call)
{
	int64_t until = json_get_int(call->params, "until_date", 0), now = clock_wall() / 1000;

	return until < now + BAN_MIN_S || until > now + BAN_MAX_S ? 0 : until;
}

/* The person whom the call is about. Returns -1 after call_fail. */
static int read_person(struct call *call, const struct chat *c, const char *self, int64_t *id)
{
	*id = json_get_int(call->params, "user_id", 0);
	if (*id == call->bot->id)
		return call_fail(call, 400, "Bad Request: %s", self);
	if (map_get(&call->world->bots, *id, 0))
		return call_refuse(
		    call, "%s for another bot is not simulated by the playground", call->spec->name);
	if (!world_find_user(call->world, *id))
		return call_fail(call, 400, "Bad Request: PARTICIPANT_ID_INVALID");
	if (strcmp(people_status(c, *id), "creator") == 0)
		return call_fail(call, 400, "Bad Request: can't remove chat owner");
	return 0;
}

/* Replaces the person's record by record, which it takes. */
static int set_person(struct call *call, struct chat *c, int64_t id, struct json_object *record)
{
	people_set(c, (struct author){.bot = call->bot}, id, record, NULL);
	return call_true(call);
}

static void revoke_messages(struct chat *c, int64_t id)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->messages[i]->user && c->messages[i]->user->id == id && !c->messages[i]->deleted)
			chat_delete_message(c, c->messages[i]);
}

static const char no_restricting[] = "not enough rights to restrict/unrestrict chat member";

int method_ban_chat_member(struct call *call)
{
	struct chat *c =
	    rights_chat(call, "can_restrict_members", "can't ban members in private chats", no_restricting);
	struct author by = {.bot = call->bot};
	struct json_object *record;
	bool was_in;
	int64_t id;

	if (!c || read_person(call, c, "can't restrict self", &id) != 0)
		return -1;
	if (strcmp(people_status(c, id), "administrator") == 0)
		return call_fail(call, 400, "Bad Request: user is an administrator of the chat");
	was_in = people_is_in(c, id);
	record = people_record("kicked");
	json_set_int(record, "until_date", read_until(call));
	people_set(c, by, id, record, NULL);
	if (json_get_bool(call->params, "revoke_messages", c->kind != CHAT_GROUP))
		revoke_messages(c, id);
	if (was_in && c->kind != CHAT_CHANNEL)
		service_member(c, by, (struct author){.user = world_find_user(call->world, id)}, false);
	return call_true(call);
}

static int fail_kind(struct call *call, const char *says)
{
	return call_fail(call, 400, "Bad Request: method is available %s", says);
}

int method_unban_chat_member(struct call *call)
{
	struct chat *c = call_chat(call);
	int64_t id;

	if (!c)
		return -1;
	if (c->kind != CHAT_SUPERGROUP && c->kind != CHAT_CHANNEL)
		return fail_kind(call, "for supergroup and channel chats only");
	if (!rights_chat(call, "can_restrict_members", "", no_restricting) ||
	    read_person(call, c, "can't unrestrict self", &id) != 0)
		return -1;
	/* Bot API: without only_if_banned, a member is removed from the chat. */
	if (strcmp(people_status(c, id), "kicked") != 0 &&
	    (json_get_bool(call->params, "only_if_banned", false) || !people_is_in(c, id)))
		return call_true(call);
	return set_person(call, c, id, people_record("left"));
}

/* Bot API: unless permissions are independent, some of them include others. */
static void read_permissions(struct call *call, struct json_object *out)
{
	static const char *const messages[] = {"can_send_messages", "can_send_audios", "can_send_documents",
	    "can_send_photos", "can_send_videos", "can_send_video_notes", "can_send_voice_notes"};
	struct json_object *in = json_get_object(call->params, "permissions");

	rights_read("ChatPermissions", in, out);
	if (json_get_bool(call->params, "use_independent_chat_permissions", false))
		return;
	if (json_get_bool(out, "can_send_polls", false))
		json_set_bool(out, messages[0], true);
	for (size_t i = 0; i < ARRAY_LEN(messages); i++)
		if (json_get_bool(out, "can_send_other_messages", false) ||
		    json_get_bool(out, "can_add_web_page_previews", false))
			json_set_bool(out, messages[i], true);
}

int method_restrict_chat_member(struct call *call)
{
	struct chat *c = call_chat(call);
	struct json_object *record;
	int64_t id;

	if (!c)
		return -1;
	if (c->kind != CHAT_SUPERGROUP)
		return fail_kind(call, "only for supergroups");
	if (!rights_chat(call, "can_restrict_members", "", no_restricting) ||
	    read_person(call, c, "can't restrict self", &id) != 0)
		return -1;
	if (strcmp(people_status(c, id), "administrator") == 0)
		return call_fail(call, 400, "Bad Request: user is an administrator of the chat");
	record = people_record("restricted");
	json_set_bool(record, "is_member", people_is_in(c, id));
	read_permissions(call, record);
	json_set_int(record, "until_date", read_until(call));
	return set_person(call, c, id, record);
}

int method_set_chat_permissions(struct call *call)
{
	struct chat *c = rights_chat(call, "can_restrict_members", "can't change private chat permissions",
	    "not enough rights to change chat permissions");
	struct json_object *o, *was;

	if (!c)
		return -1;
	if (c->kind == CHAT_CHANNEL)
		return call_fail(call, 400, "Bad Request: can't change channel chat permissions");
	o = json_object_new_object();
	was = people_permissions(c);
	read_permissions(call, o);
	if (json_object_equal(o, was))
		call_fail(call, 400, "Bad Request: CHAT_NOT_MODIFIED");
	json_object_put(was);
	json_set(c->settings, "permissions", o);
	return call->error_code != 0 ? -1 : call_true(call);
}

static bool has_any(struct json_object *rights)
{
	json_object_object_foreach(rights, name, value) {
		(void)name;
		if (json_object_get_boolean(value))
			return true;
	}
	return false;
}

/* Without any right it demotes an administrator to an ordinary member. */
int method_promote_chat_member(struct call *call)
{
	struct chat *c = call_chat(call);
	struct json_object *record, *rights;
	const struct member *own;
	int64_t id;

	if (!c)
		return -1;
	own = chat_find_member(c, call->bot);
	if (c->kind != CHAT_SUPERGROUP && c->kind != CHAT_CHANNEL)
		return fail_kind(call, "for supergroup and channel chats only");
	if (json_get_int(call->params, "user_id", 0) != call->bot->id &&
	    !bot_may(c, own, "can_promote_members"))
		return call_fail(call, 400, "Bad Request: not enough rights");
	if (read_person(call, c, "can't promote self", &id) != 0)
		return -1;
	if (!people_is_in(c, id))
		return call_fail(call, 400, "Bad Request: USER_NOT_PARTICIPANT");
	rights = json_object_new_object();
	rights_read("ChatAdministratorRights", call->params, rights);
	json_object_object_foreach(rights, name, value) {
		if (json_object_get_boolean(value) && !bot_may(c, own, name) && !call->error_code)
			call_fail(call, 400, "Bad Request: RIGHT_FORBIDDEN");
	}
	record = people_record(has_any(rights) ? "administrator" : "member");
	if (has_any(rights)) {
		json_set_bool(rights, "can_manage_chat", true);
		json_set_bool(record, "can_be_edited", true);
		rights_read("ChatAdministratorRights", rights, record);
	}
	json_object_put(rights);
	if (call->error_code == 0)
		return set_person(call, c, id, record);
	json_object_put(record);
	return -1;
}

/* Sets a text of the person's record; an empty one removes it. */
static int set_text(struct call *call, struct chat *c, int64_t id, const char *name, const char *text)
{
	struct json_object *record = NULL;

	if (text && utf8_count(text, strlen(text), UTF8_CHARS) > TITLE_MAX)
		return call_refuse(call, "%s_INVALID", strcmp(name, "tag") == 0 ? "TAG" : "CUSTOM_TITLE");
	json_object_deep_copy(people_get(c, id), &record, NULL);
	if (text && text[0] != '\0')
		json_set_str(record, name, text);
	else
		json_object_object_del(record, name);
	return set_person(call, c, id, record);
}

int method_set_chat_administrator_custom_title(struct call *call)
{
	struct chat *c = call_chat(call);
	int64_t id = json_get_int(call->params, "user_id", 0);

	if (!c)
		return -1;
	if (c->kind != CHAT_SUPERGROUP && c->kind != CHAT_GROUP)
		return fail_kind(call, "only for groups and supergroups");
	if (strcmp(people_status(c, id), "creator") == 0)
		return call_fail(call, 400, "Bad Request: only the owner can edit their custom title");
	if (strcmp(people_status(c, id), "administrator") != 0)
		return call_fail(call, 400, "Bad Request: user is not an administrator");
	if (!bot_may(c, chat_find_member(c, call->bot), "can_promote_members"))
		return call_fail(
		    call, 400, "Bad Request: not enough rights to change custom title of the user");
	return set_text(call, c, id, "custom_title", json_get_str(call->params, "custom_title"));
}

int method_set_chat_member_tag(struct call *call)
{
	struct chat *c = rights_chat(call, "can_manage_tags",
	    "chat member tag can't be changed in private chats", "not enough rights");
	int64_t id;

	if (!c || read_person(call, c, "PARTICIPANT_ID_INVALID", &id) != 0)
		return -1;
	if (!people_is_in(c, id) || strcmp(people_status(c, id), "administrator") == 0)
		return call_fail(call, 400, "Bad Request: USER_NOT_PARTICIPANT");
	return set_text(call, c, id, "tag", json_get_str(call->params, "tag"));
}

/* A channel that writes in the group. */
int method_ban_sender_chat(struct call *call)
{
	bool banned = call_is(call, "banChatSenderChat");
	struct chat *c =
	    rights_chat(call, "can_restrict_members", "can't ban members in private chats", no_restricting);
	int64_t id = json_get_int(call->params, "sender_chat_id", 0);
	char key[24];

	if (!c)
		return -1;
	if (c->kind == CHAT_GROUP)
		return call_fail(call, 400, "Bad Request: can't ban chats in basic groups");
	if (!map_get(&call->world->groups, id, 0))
		return call_fail(call, 400, "Bad Request: sender chat not found");
	snprintf(key, sizeof(key), "%" PRId64, id);
	json_set_bool(chat_part(c, "banned_chats"), key, banned);
	return call_true(call);
}

int method_get_chat_member_count(struct call *call)
{
	struct chat *c = call_chat(call);

	if (!c)
		return -1;
	buf_addf(&call->result, "%zu", c->kind == CHAT_PRIVATE ? 2 : people_count(c));
	return 0;
}
