#include <stdlib.h>

#include "playground/telegram/methods/compose.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/methods/post.h"

int method_send_message(struct task *t, struct call *call)
{
	struct formatted text = FORMATTED_INIT;
	char *preview = NULL;
	struct message *m;
	struct post post;
	int ret = -1;

	(void)t;
	if (compose_text(call, &text, "message is too long", false) != 0 ||
	    compose_preview(call, &preview) != 0 || post_open(call, &post, 1, "text messages") != 0)
		goto out;
	m = telegram_message_new();
	formatted_move(&m->text, &text);
	m->preview = preview;
	preview = NULL;
	posting_add(call, &post, m);
	message_write(m, post.chat, &call->result);
	post_close(call, &post);
	ret = 0;
out:
	formatted_clear(&text);
	free(preview);
	return ret;
}
