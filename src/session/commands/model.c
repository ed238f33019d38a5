#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "llm/llm.h"
#include "llm/providers.h"
#include "session/chat_settings.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/chats.h"

enum { NAME };

static void name_model(struct buf *out, const struct llm_provider *p)
{
	buf_addf(out, "%s (%s)", p->name, p->settings.model ? p->settings.model : "");
}

static void show(struct task *t, const struct command_call *call, struct buf *out)
{
	const struct agent *agent = call->all->options.agent;
	const struct llm_provider *chosen = NULL;
	struct error err = {0};
	char *name = NULL;

	if (store_chat_model(t, agent->store, &call->asked->from, &name, &err) < 0) {
		buf_addstr(out, err.text);
		return;
	}
	bool own = name;
	name = chat_model(call->all, &call->asked->from, name);
	if (name && !(chosen = llm_find(agent->llm, name)))
		buf_addf(out, "%s was chosen for this chat, and is not configured any more. ", name);
	if (!chosen && !llm_default(agent->llm)) {
		buf_addstr(out, "No model is configured.");
	} else {
		buf_addstr(out, "This chat uses ");
		name_model(out, chosen ? chosen : llm_default(agent->llm));
		buf_addstr(out,
		    !chosen ? ", the default." :
			own ? ", chosen for it." :
			      ", as the configuration says.");
	}
	free(name);
}

struct choice {
	struct store *store;
	const struct address *where;
	const char *name; /* NULL: the default */
};

static int commit(
    struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count, struct error *err)
{
	const struct choice *c = arg;

	return store_chat_set_model(t, c->store, c->where, c->name, inbound, rows, count, err);
}

static void change(struct task *t, struct command_call *call, const char *name, struct buf *out)
{
	const struct llm *llm = call->all->options.agent->llm;
	const struct llm_provider *p = llm_find(llm, name);
	struct error err = {0};

	if (!p && strcmp(name, "default") != 0) {
		buf_addf(out, "There is no model \"%.64s\". /models lists them.", name);
		return;
	}
	buf_addstr(out, "From the next message on this chat uses ");
	if (p)
		name_model(out, p);
	buf_addstr(out, p ? "." : "the default model.");
	struct buf answer = BUF_INIT;
	escape_markdown(&answer, out->data);
	struct choice choice = {call->all->options.agent->store, &call->asked->from, p ? p->name : NULL};
	if (command_commit(t, call, answer.data, &(struct command_change){commit, &choice}, &err) < 0) {
		buf_reset(out);
		buf_addf(out, "Nothing was changed: %s", err.text);
	}
	buf_clear(&answer);
}

static void run(struct task *t, struct command_call *call)
{
	const char *name = call->values[NAME];
	struct buf text = BUF_INIT;

	if (!name)
		show(t, call, &text);
	else if (call->role < ACCESS_ADMIN)
		buf_addstr(&text, "Which model a chat uses is for admins to choose. Ask one of them.");
	else
		change(t, call, name, &text);
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

static const struct channel_argument takes[] = {
    {.name = "name", .help = "for admins: the model that this chat is to use, or default"},
    {.name = NULL},
};

const struct command command_model = {
    .name = "model",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "show or choose the model of this chat",
    .run = run,
};
