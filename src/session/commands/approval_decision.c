/* /approve ID and /reject ID [reason]. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "session/approval/approval.h"
#include "session/approval/question.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/questions.h"

#define UNKNOWN "No call with this id waits for approval here."
/* Bytes of the reason, which the model reads. */
#define REASON_MAX 500

/* Normalises an id as typed; malloc'd. */
static char *read_id(const char *typed)
{
	char *id = xstrdup(typed);
	size_t n = 0;

	for (; *typed; typed++) {
		char c = (char)toupper((unsigned char)*typed);
		if (c != '-' && c != '`')
			id[n++] = c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
	}
	id[n] = '\0';
	return id;
}

static bool is_here(const struct command_call *call, const struct store_question *p)
{
	struct address where = p->where;

	bus_follow_move(call->all->options.agent->bus, &where);
	return strcmp(where.channel, call->asked->from.channel) == 0 &&
	    strcmp(where.chat, call->asked->from.chat) == 0;
}

/* Returns why the command does nothing; NULL: it counts. */
static const char *refusal(const struct command_call *call, const struct store_question *p)
{
	if (!p || strcmp(p->action, question_approval.name) != 0 || !is_here(call, p))
		return UNKNOWN;
	const char *why = approval_refuse(call->all, p, call->asked, call->role);
	if (why)
		return why;
	if (p->state == STORE_QUESTION_PRESSED)
		return "This is decided already.";
	return p->state == STORE_QUESTION_EXPIRED || p->expires_ms <= clock_wall() ?
	    "It is too late to answer this." :
	    NULL;
}

static void note_decision(struct store_question *p, const struct command_call *call,
    const struct question_choice *choice, const char *reason)
{
	p->state = STORE_QUESTION_PRESSED;
	p->press = call->asked->id;
	p->choice = xstrdup(choice->name);
	p->decider = xstrdup(call->asked->sender_id);
	p->ended_by = xstrdup("command");
	p->reason =
	    *reason ? xstrndup(reason, utf8_cut(reason, strlen(reason), REASON_MAX, UTF8_BYTES)) : NULL;
}

/* Removes the buttons and answers the command. NULL when the chat cannot be addressed. */
static struct outbound **write_rows(struct task *t, const struct command_call *call,
    const struct store_question *p, const struct question_choice *choice, size_t *count, struct error *err)
{
	struct bus *bus = call->all->options.agent->bus;
	const struct journal *j = bus_journal(bus);
	const struct message *m = call->asked;
	char *key = xasprintf("inbound:%lld", (long long)m->id);
	const char *answer = choice == &approval_choices[0] ? "Allowed." : "Rejected.";
	struct outbound **rows =
	    bus_rows(bus, &m->from, OUTBOUND_REPLY, answer, m->message_id, key, 0, count, err);
	struct outbound *shown = rows ? j->ops->get_outbound(t, j->self, p->outbox, NULL) : NULL;

	free(key);
	if (shown && shown->state == OUTBOUND_SENT && shown->platform_id) {
		rows = xrealloc(rows, (*count + 1) * sizeof(*rows));
		rows[(*count)++] = question_chosen_outbound(shown, shown->platform_id, choice, m);
	}
	outbound_free(shown);
	return rows;
}

/* Commits the decision, its display and the end of the command at once. */
static int decide(struct task *t, struct command_call *call, struct store_question *p,
    const struct question_choice *choice, const char *reason, struct error *err)
{
	const struct agent *agent = call->all->options.agent;
	size_t count = 0;
	struct outbound **rows = write_rows(t, call, p, choice, &count, err);

	if (!rows)
		return -1;
	note_decision(p, call, choice, reason);
	int rc = store_question_end(t, agent->store, p, call->asked->id, rows, count, err);
	if (rc == 0) {
		for (size_t i = 0; i < count; i++)
			bus_wake(agent->bus, &rows[i]->to);
		log_info("approval", "decided question=%lld choice=%s by=\"%s\" inbound=%lld",
		    (long long)p->id, p->choice, p->decider, (long long)p->press);
		approval_ended(call->all, p->turn);
	}
	bus_rows_free(rows, count);
	return rc;
}

void approval_decision_run(struct task *t, struct command_call *call, const struct question_choice *choice)
{
	struct store_question *p = NULL;
	struct error err = {0};
	const char *reason = call->values[1] ? call->values[1] : "";
	char *id = read_id(call->values[0]);
	int rc = store_question_find(t, call->all->options.agent->store, id, &p, &err);
	const char *why = rc < 0 ? err.text : refusal(call, p);

	if (!why && decide(t, call, p, choice, reason, &err) < 0)
		why = err.kind == ERROR_REFUSED ? "This is decided already." : err.text;
	if (why) {
		escape_markdown(call->reply, why);
	} else {
		message_free(call->asked);
		call->asked = NULL;
	}
	store_question_free(p);
	free(id);
}
