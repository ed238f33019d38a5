#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "session/commands/command.h"
#include "session/prompt_preview.h"

/* Bytes shown; `myna prompt` shows all. */
#define SHOWN_MAX 6000

static void run(struct task *t, struct command_call *call)
{
	struct buf text = BUF_INIT;
	struct error err = {0};

	if (prompt_preview_message(t, call->all, call->asked, &text, &err) < 0) {
		escape_markdown(call->reply, err.text);
	} else {
		size_t cut = utf8_cut(text.data, text.len, SHOWN_MAX, UTF8_BYTES), all = text.len;
		buf_truncate(&text, cut);
		escape_markdown(call->reply, text.data);
		if (cut < all)
			buf_addf(
			    call->reply, "\n\n(%zu of %zu bytes. `myna prompt` prints all of it.)", cut, all);
	}
	buf_clear(&text);
}

const struct command command_prompt = {
    .name = "prompt",
    .role = ACCESS_ADMIN,
    .help = "show the system prompt of this conversation",
    .run = run,
};
