#include "base/buf.h"
#include "playground/telegram/methods/compose.h"

static struct chat *open_chat(struct call *call)
{
	struct chat *c = call_chat(call);

	if (!c || c->kind == CHAT_PRIVATE || bot_may(c, chat_find_member(c, call->bot), "can_pin_messages"))
		return c;
	call_fail(call, 400, "Bad Request: not enough rights to manage pinned messages in the chat");
	return NULL;
}

void pin_add(struct chat *c, struct author by, struct message *m)
{
	struct buf text = BUF_INIT;

	if (m->pinned)
		return;
	m->pinned = true;
	buf_addstr(&text, "\"pinned_message\":");
	message_write(m, c, &text);
	service_add(c, by, m->topic ? topics_find(&c->topics, m->thread) : NULL, buf_take(&text));
}

int method_pin_chat_message(struct call *call)
{
	struct chat *c = open_chat(call);
	struct message *m = c ? call_message(call, c, "to pin") : NULL;

	if (!m)
		return -1;
	if (m->service)
		return call_fail(call, 400, "Bad Request: message can't be pinned");
	pin_add(c, (struct author){.bot = call->bot}, m);
	return call_true(call);
}

/* The newest pinned message, as getChat shows it, unless the call names one. */
int method_unpin_chat_message(struct call *call)
{
	struct chat *c = open_chat(call);
	struct message *m = NULL;

	if (!c)
		return -1;
	if (json_get(call->params, "message_id"))
		m = call_message(call, c, "to unpin");
	else if (!(m = chat_pinned(c)))
		call_fail(call, 400, "Bad Request: message to unpin not found");
	if (!m)
		return -1;
	m->pinned = false;
	return call_true(call);
}

/* thread: of these messages alone; -1: of all. */
static int unpin_all(struct call *call, struct chat *c, int64_t thread)
{
	for (size_t i = 0; i < c->count; i++)
		if (thread < 0 || c->messages[i]->thread == thread)
			c->messages[i]->pinned = false;
	return call_true(call);
}

int method_unpin_all_chat_messages(struct call *call)
{
	struct chat *c = open_chat(call);

	return c ? unpin_all(call, c, -1) : -1;
}

int method_unpin_topic(struct call *call)
{
	bool general = call_is(call, "unpinAllGeneralForumTopicMessages");
	struct chat *c = open_chat(call);
	int64_t thread = 0;

	if (!c)
		return -1;
	if (!c->forum)
		return call_fail(call, 400, "Bad Request: the chat is not a forum");
	return !general && call_thread(call, c, &thread) != 0 ? -1 : unpin_all(call, c, thread);
}
