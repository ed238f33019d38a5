#include <stdlib.h>

#include "playground/telegram/methods/compose.h"

int method_send_message(struct call *call)
{
	struct message *m = telegram_message_new();

	if (compose_text(call, &m->text, "message is too long", false) == 0 &&
	    compose_preview(call, &m->preview) == 0)
		return post_send(call, "text messages", m);
	telegram_message_free(m);
	return -1;
}

int method_send_rich_message(struct call *call)
{
	struct message *m = telegram_message_new();

	if (compose_rich(call, json_get(call->params, "rich_message"), false, &m->rich) == 0)
		return post_send(call, "text messages", m);
	telegram_message_free(m);
	return -1;
}
