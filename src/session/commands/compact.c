#include <stdlib.h>
#include <string.h>

#include "agent/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "session/chat_settings.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/chats.h"
#include "store/turn/summaries.h"

/* Bytes shown of the summary. */
#define SHOWN_MAX 1500

struct made {
	struct store *store;
	struct store_summary summary;
};

static int commit(
    struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count, struct error *err)
{
	const struct made *m = arg;

	return store_summary_add(t, m->store, &m->summary, inbound, rows, count, err);
}

static char *describe(const struct agent_summary *s)
{
	struct buf text = BUF_INIT;
	char *shown = xstrndup(s->text, utf8_cut(s->text, strlen(s->text), SHOWN_MAX, UTF8_BYTES));

	buf_addf(&text, "I go on with a summary in place of %zu messages:\n\n", s->messages);
	escape_markdown(&text, shown);
	buf_addstr(&text, s->text[strlen(shown)] ? " …" : "");
	free(shown);
	return buf_take(&text);
}

static int summarise(struct task *t, struct command_call *call, struct error *err)
{
	const struct agent *a = call->all->options.agent;
	struct store_usage spent = {0};
	struct budget_spender who = command_spender(call, &spent);
	struct agent_summary s = {0};
	char *model = NULL, *text = NULL;
	int64_t session;
	int rc = store_session(t, a->store, &call->asked->from, &session, err);

	if (rc == 0)
		rc = store_chat_model(t, a->store, &call->asked->from, &model, err);
	model = chat_model(call->all, &call->asked->from, model);
	if (rc == 0)
		rc = agent_summarise(t, &who, session, model, &s, err);
	if (rc > 0) {
		struct made m = {
		    a->store, {.session = session, .upto = s.upto, .text = s.text, .spent = &spent}};
		text = describe(&s);
		rc = command_commit(t, call, text, &(struct command_change){commit, &m}, err) < 0 ? -1 : 1;
	}
	/* A failed summary costs all the same. */
	task_shield(t);
	if (rc < 0 && spent.requests > 0)
		store_usage_add(t, a->store, session, &spent, NULL);
	task_unshield(t);
	free(text);
	free(model);
	free(s.text);
	return rc;
}

static void run(struct task *t, struct command_call *call)
{
	struct error err = {0};
	int rc = summarise(t, call, &err);

	if (rc == 0)
		buf_addstr(call->reply,
		    "There is nothing to summarise yet: only the newest exchange is in this conversation.");
	if (rc < 0 && call->asked) {
		buf_addstr(call->reply, "The conversation stays as it is: ");
		escape_markdown(call->reply, err.text);
	}
}

const struct command command_compact = {
    .name = "compact",
    .role = ACCESS_USER,
    .help = "summarize the conversation, to make room",
    .run = run,
};
