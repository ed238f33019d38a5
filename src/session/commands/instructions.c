#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "session/chat_settings.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/chats.h"

/* Length of the text, in characters. */
#define TEXT_MAX 8000

enum { TEXT };

static void show(struct task *t, const struct command_call *call)
{
	const struct address *where = &call->asked->from;
	const char *fixed = chat_instructions(call->all, where);
	struct error err = {0};
	char *own = NULL;

	if (store_chat_instructions(t, call->all->options.agent->store, where, &own, &err) < 0) {
		escape_markdown(call->reply, err.text);
		return;
	}
	if (fixed) {
		buf_addstr(call->reply, "The configuration says for this chat:\n\n");
		escape_markdown(call->reply, fixed);
		buf_addstr(call->reply, "\n\n");
	}
	if (own) {
		buf_addstr(call->reply,
		    "I follow these instructions in this chat (/instructions clear takes them away):\n\n");
		escape_markdown(call->reply, own);
	} else {
		buf_addstr(call->reply, "This chat has no instructions. /instructions TEXT sets them.");
	}
	free(own);
}

struct change {
	struct store *store;
	const struct address *where;
	const char *text; /* NULL: removed */
};

static int commit(
    struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count, struct error *err)
{
	const struct change *c = arg;

	return store_chat_set_instructions(t, c->store, c->where, c->text, inbound, rows, count, err);
}

static void change(struct task *t, struct command_call *call, const char *text)
{
	struct change c = {call->all->options.agent->store, &call->asked->from, text};
	struct buf answer = BUF_INIT;
	struct error err = {0};

	if (text) {
		buf_addstr(
		    &answer, "From the next message on I follow this in this chat and its threads:\n\n");
		escape_markdown(&answer, text);
	} else {
		buf_addstr(&answer, "The instructions of this chat are deleted.");
	}
	if (command_commit(t, call, answer.data, &(struct command_change){commit, &c}, &err) < 0) {
		buf_addstr(call->reply, "Nothing was changed: ");
		escape_markdown(call->reply, err.text);
	}
	buf_clear(&answer);
}

static void run(struct task *t, struct command_call *call)
{
	const char *text = call->values[TEXT];

	if (!text)
		show(t, call);
	else if (utf8_count(text, strlen(text), UTF8_CHARS) > TEXT_MAX)
		buf_addf(call->reply, "That is longer than %d characters. Nothing was changed.", TEXT_MAX);
	else
		change(t, call, strcmp(text, "clear") == 0 ? NULL : text);
}

static const struct channel_argument takes[] = {
    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .help = "what I am to follow in this chat, or clear"},
    {.name = NULL},
};

const struct command command_instructions = {
    .name = "instructions",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "show or set what I follow in this chat alone",
    .run = run,
};
