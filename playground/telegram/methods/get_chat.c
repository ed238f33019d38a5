#include "playground/telegram/world/chat.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/world/world.h"

/* Bot API, ChatFullInfo: members of every chat, and permissions for groups. */
int method_get_chat(struct task *t, struct call *call)
{
	static const char common[] =
	    ",\"accent_color_id\":0,\"max_reaction_count\":11,\"accepted_gift_types\":{\"unlimited_gifts\":"
	    "false,\"limited_gifts\":false,\"unique_gifts\":false,\"premium_subscription\":false,\"gifts_"
	    "from_channels\":false}";
	static const char permissions[] =
	    ",\"permissions\":{\"can_send_messages\":true,\"can_send_polls\":true,\"can_send_other_"
	    "messages\":true,\"can_add_web_page_previews\":true}";
	struct chat *c = call_chat(call);

	(void)t;
	if (!c)
		return -1;
	chat_write(c, &call->result);
	buf_truncate(&call->result, call->result.len - 1); /* removes the closing brace */
	buf_addstr(&call->result, common);
	if (c->user && c->user->username)
		buf_addf(&call->result, ",\"active_usernames\":[\"%s\"]", c->user->username);
	if (c->kind == CHAT_GROUP || c->kind == CHAT_SUPERGROUP)
		buf_addstr(&call->result, permissions);
	buf_addch(&call->result, '}');
	return 0;
}
