#include <stdlib.h>
#include <string.h>

#include "agent/prompt.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/turn/undo.h"

/* Characters shown of the withdrawn message. */
#define SHOWN_MAX 80

static int commit(
    struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count, struct error *err)
{
	const struct command_call *call = ((void **)arg)[0];

	return store_exchange_undo(
	    t, call->all->options.agent->store, ((void **)arg)[1], inbound, rows, count, err);
}

static bool is_own(const struct message *asked, const struct store_exchange *x)
{
	return asked->chat_kind == CHAT_PRIVATE ||
	    (x->person && asked->sender_id && strcmp(x->person, asked->sender_id) == 0);
}

static char *describe(const struct store_exchange *x, bool own)
{
	struct buf text = BUF_INIT, shown = BUF_INIT;
	const char *words = prompt_user_text(x->user_text);
	size_t len = strcspn(words, "\n"), cut = utf8_cut(words, len, SHOWN_MAX, UTF8_BYTES);

	buf_addf(&text, "\"%.*s%s\"", (int)cut, words, words[cut] ? "…" : "");
	escape_markdown(&shown, text.data);
	buf_reset(&text);
	buf_addf(&text,
	    "I no longer see %s last message in this conversation, %s, nor my answer to it. What I did "
	    "then stays done.",
	    own ? "your" : "the", shown.data);
	buf_clear(&shown);
	return buf_take(&text);
}

static void undo(struct task *t, struct command_call *call, struct store_exchange *x, struct error *err)
{
	char *text = describe(x, is_own(call->asked, x));
	void *both[] = {call, x};

	command_commit(t, call, text, &(struct command_change){commit, both}, err);
	free(text);
}

static void run(struct task *t, struct command_call *call)
{
	struct store_exchange x = {0};
	struct error err = {0};
	int found = store_exchange_last(t, call->all->options.agent->store, &call->asked->from, &x, &err);

	/* In a group each takes back their own; admins, what anybody said. */
	bool may = found > 0 && (call->role >= ACCESS_ADMIN || is_own(call->asked, &x));

	if (may)
		undo(t, call, &x, &err);
	if (found > 0 && !may)
		buf_addstr(
		    call->reply, "The last message here is not yours alone. An admin can take it back.");
	else if (found == 0)
		buf_addstr(call->reply,
		    "There is nothing to take back: nothing was said since the conversation began, or since "
		    "its summary.");
	else if (call->asked && err.kind == ERROR_REFUSED)
		buf_addstr(call->reply, "I am working on an answer here. Wait for it, or send /stop first.");
	else if (call->asked)
		escape_markdown(call->reply, err.text);
	store_exchange_clear(&x);
}

const struct command command_undo = {
    .name = "undo",
    .role = ACCESS_USER,
    .help = "take back your last message and my answer",
    .run = run,
};
