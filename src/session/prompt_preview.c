#include "session/prompt_preview.h"

#include <stdlib.h>

#include "agent/agent.h"
#include "agent/prompt.h"
#include "base/error.h"
#include "bus/message.h"
#include "session/session_internal.h"
#include "session/turn/turn.h"
#include "store/chats.h"
#include "store/journal/context.h"
#include "tools/tools.h"

int prompt_preview_message(
    struct task *t, struct sessions *all, const struct message *asked, struct buf *out, struct error *err)
{
	struct agent agent = *all->options.agent;
	struct turn turn = {.chat = asked->from};
	int rc = store_chat_instructions(t, agent.store, &asked->from, &turn.row.instructions, err);

	session_turn_context(all, asked, &turn);
	turn.row.person = asked->sender_id;
	struct tools *tools = session_tools_pin(all, &asked->from, asked->sender_id);
	agent.tools = tools;
	if (rc == 0)
		rc = prompt_show(t, &agent, &turn, out, err);
	tools_unpin(tools);
	free(turn.row.instructions);
	return rc;
}

int prompt_preview_chat(
    struct task *t, struct sessions *all, const struct address *where, struct buf *out, struct error *err)
{
	struct message *newest = NULL;
	int rc = store_newest_message(t, all->options.agent->store, where, &newest, err);

	if (rc == 0 && !newest)
		rc = error_set(err, ERROR_REFUSED, "There is no message of this chat.");
	if (rc == 0)
		rc = prompt_preview_message(t, all, newest, out, err);
	message_free(newest);
	return rc;
}
