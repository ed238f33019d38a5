#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "playground/telegram/methods/compose.h"

/* The small size has the same bytes: see media_write. */
static void write_photo(const struct chat *c, struct buf *out)
{
	int64_t number = json_get_int(c->settings, "photo", 0);

	if (number != 0)
		buf_addf(out,
		    ",\"photo\":{\"small_file_id\":\"photo-%" PRId64
		    "-s\",\"small_file_unique_id\":\"unique-%" PRId64 "-s\",\"big_file_id\":\"photo-%" PRId64
		    "\",\"big_file_unique_id\":\"unique-%" PRId64 "\"}",
		    number, number, number, number);
}

static void write_text(struct buf *out, const char *name, const char *text)
{
	if (!text || text[0] == '\0')
		return;
	buf_addf(out, ",\"%s\":", name);
	json_quote(out, text, strlen(text));
}

static void write_group(struct call *call, const struct chat *c, struct buf *out)
{
	struct json_object *permissions = people_permissions(c);

	if (c->kind != CHAT_CHANNEL) {
		buf_addstr(out, ",\"permissions\":");
		json_write(out, permissions);
	}
	json_object_put(permissions);
	write_photo(c, out);
	write_text(out, "description", json_get_str(c->settings, "description"));
	write_text(out, "sticker_set_name", json_get_str(c->settings, "sticker_set_name"));
	if (bot_may(c, chat_find_member(c, call->bot), "can_invite_users"))
		write_text(out, "invite_link", json_get_str(invite_primary(c, call->bot), "invite_link"));
}

/* Bot API, ChatFullInfo: members of every chat, and those of groups and channels. */
int method_get_chat(struct call *call)
{
	static const char common[] =
	    ",\"accent_color_id\":0,\"max_reaction_count\":11,\"accepted_gift_types\":{\"unlimited_gifts\":"
	    "false,\"limited_gifts\":false,\"unique_gifts\":false,\"premium_subscription\":false,\"gifts_"
	    "from_channels\":false}";
	struct chat *c = call_chat(call);
	const struct message *pinned;

	if (!c)
		return -1;
	chat_write(c, &call->result);
	buf_truncate(&call->result, call->result.len - 1); /* removes the closing brace */
	buf_addstr(&call->result, common);
	if (c->user && c->user->username)
		buf_addf(&call->result, ",\"active_usernames\":[\"%s\"]", c->user->username);
	if (c->kind != CHAT_PRIVATE)
		write_group(call, c, &call->result);
	pinned = chat_pinned(c);
	if (pinned) {
		buf_addstr(&call->result, ",\"pinned_message\":");
		message_write(pinned, c, &call->result);
	}
	buf_addch(&call->result, '}');
	return 0;
}
