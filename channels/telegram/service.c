#include "channels/telegram/update_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/message.h"

#define PRIVACY_TEXT                                                                                         \
	"So far I see only what mentions me, answers me, or is a command. For more, switch my privacy mode " \
	"off "                                                                                               \
	"(@BotFather, /setprivacy) and add me again, or make me an administrator."

static void set_text(struct message *out, char *text)
{
	free(out->text);
	out->text = text;
}

static void set_sender(struct message *out, struct json_object *who, int64_t id)
{
	struct buf name = BUF_INIT;

	telegram_describe_name(&name, who);
	free(out->sender_id);
	free(out->sender_name);
	out->sender_id = telegram_update_id_text(id);
	out->sender_name = buf_take(&name);
}

/* Groups have negative ids of at most 52 bits (Bot API: Chat). */
static bool is_group(int64_t id)
{
	return id < 0 && id >= -(INT64_C(1) << 52);
}

bool telegram_service_moved(struct message *out, struct json_object *m)
{
	int64_t to = json_get_int(m, "migrate_to_chat_id", 0),
		from = json_get_int(m, "migrate_from_chat_id", 0);
	char old[sizeof(out->from.chat)];

	if (out->chat_kind != CHAT_GROUP || !is_group(to != 0 ? to : from))
		return false;
	if (to != 0) {
		set_text(out, telegram_update_id_text(to));
	} else {
		snprintf(old, sizeof(old), "%" PRId64, from);
		set_text(out, xstrdup(out->from.chat));
		memcpy(out->from.chat, old, sizeof(old));
	}
	out->from.thread[0] = '\0';
	out->kind = MESSAGE_MOVED;
	free(out->message_id);
	out->message_id = NULL;
	return true;
}

/* Bot API: ChatMember. Who is restricted may be a member or not. */
static bool is_member(struct json_object *member)
{
	static const char *const inside[] = {"administrator", "creator", "member"};
	const char *status = json_get_str(member, "status");

	for (size_t i = 0; status && i < ARRAY_LEN(inside); i++)
		if (strcmp(status, inside[i]) == 0)
			return true;
	return status && strcmp(status, "restricted") == 0 && json_get_bool(member, "is_member", false);
}

enum telegram_update telegram_service_member(
    struct message *out, struct json_object *m, const struct telegram_self *self)
{
	struct json_object *by = json_get_object(m, "from"), *now = json_get_object(m, "new_chat_member");
	const char *status = json_get_str(now, "status");
	int64_t id = json_get_int(by, "id", 0), date = json_get_int(m, "date", 0);

	/* Promotions do not matter to members, and people do not talk in a channel. */
	if (!telegram_update_chat(out, m, self) || !status || out->chat_kind != CHAT_GROUP || id <= 0 ||
	    id > INT64_C(1) << 52 || !is_member(now) || is_member(json_get_object(m, "old_chat_member")))
		return TELEGRAM_UPDATE_IGNORED;
	out->kind = MESSAGE_JOINED;
	out->addressed = true;
	out->sender_is_bot = json_get_bool(by, "is_bot", false);
	out->sent_ms = date > 0 && date <= UINT32_MAX ? date * 1000 : 0;
	set_sender(out, by, id);
	set_text(out, self->username[0] != '\0' ? xasprintf("`@%s`", self->username) : xstrdup("to me"));
	/* Administrators receive all messages. */
	if (!self->receives_all && strcmp(status, "administrator") != 0)
		out->reply_text = xstrdup(PRIVACY_TEXT);
	return TELEGRAM_UPDATE_MESSAGE;
}

enum telegram_update telegram_service_stopped(
    struct message *out, struct json_object *m, const struct telegram_self *self)
{
	struct json_object *chat = json_get_object(m, "chat");
	int64_t thread = json_get_int(m, "message_thread_id", 0);

	if (!telegram_update_chat(out, m, self))
		return TELEGRAM_UPDATE_BAD;
	/* Drafts are shown in private chats, whose id is that of the person. */
	if (out->chat_kind != CHAT_PRIVATE || json_get_int(chat, "id", 0) <= 0)
		return TELEGRAM_UPDATE_IGNORED;
	if (thread > 1)
		snprintf(out->from.thread, sizeof(out->from.thread), "%" PRId64, thread);
	out->addressed = true;
	set_sender(out, chat, json_get_int(chat, "id", 0));
	set_text(out, xstrdup("/stop"));
	return TELEGRAM_UPDATE_MESSAGE;
}
