#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "session/access.h"
#include "session/command.h"
#include "session/session_private.h"

/* A message that is handled without a turn, by a task of its own. */
struct aside {
	struct sessions *all;
	struct message *m;
	enum access_role role;
	const char *why;	/* what the ledger keeps; NULL: it is a command */
};

/* Commits the end of a message together with its answer. */
static int finish(struct task *t, struct aside *a, const char *why, const char *reply, struct error *err)
{
	const struct agent *agent = a->all->options.agent;
	const struct journal *j = bus_journal(agent->bus);
	size_t count = 0;
	struct outbound **rows = NULL;

	if (reply && *reply) {
		char *key = xasprintf("inbound:%lld", (long long)a->m->id);
		rows = bus_rows(agent->bus, &a->m->from, OUTBOUND_REPLY, reply, a->m->message_id, key, 0, &count, err);
		free(key);
	}
	int rc = j->ops->finish_inbound(t, j->self, &a->m->id, 1, why, rows, count, err);
	if (rc == 0 && count > 0)
		bus_wake(agent->bus, &a->m->from);
	bus_rows_free(rows, count);
	return rc;
}

static void aside_run(struct task *t, void *arg)
{
	struct aside *a = arg;
	struct buf reply = BUF_INIT;
	struct error err = {0};
	struct command_call call = {.all = a->all, .asked = a->m, .role = a->role, .reply = &reply};

	if (!a->why)
		command_dispatch(t, &call);
	/* A failure leaves the message pending: it is sorted again at the next start. */
	if (!call.committed && finish(t, a, a->why ? a->why : "command", reply.data, &err) < 0 && !task_is_cancelled(t))
		log_error("session", "cannot record that a message was handled: %s inbound=%lld", err.text,
		    (long long)a->m->id);
	buf_clear(&reply);
	message_free(a->m);
	free(a);
}

static void set_aside(struct sessions *all, struct message *m, enum access_role role, const char *why)
{
	struct aside *a = xcalloc(1, sizeof(*a));

	a->all = all;
	a->m = m;
	a->role = role;
	a->why = why;
	task_start(&all->tasks, why ? "aside" : "command", aside_run, a);
}

static void log_refusal(const struct message *m, enum access_verdict verdict)
{
	char from[ADDRESS_TEXT_MAX];
	enum log_level level = m->addressed ? LOG_LEVEL_INFO : LOG_LEVEL_DEBUG;

	if (verdict == ACCESS_NOT_ADDRESSED)
		level = LOG_LEVEL_DEBUG;
	log_write(level, "access", "not answered: %s id=\"%s\" name=\"%s\" chat=%s", access_verdict_text(verdict),
	    m->sender_id ? m->sender_id : "", m->sender_name ? m->sender_name : "", address_format(&m->from, from));
}

/* Is there something to answer at all? NULL, or why there is not. */
static const char *aside_reason(const struct message *m)
{
	if (m->kind == MESSAGE_PRESS)
		return "no such button";
	if (m->text[strspn(m->text, " \t\r\n")] == '\0')
		return "empty";
	return NULL;
}

void receive_sort(struct sessions *all, struct message *m)
{
	const struct access_settings *access = all->options.access(all->options.arg, m->from.channel);
	enum access_role role;

	if (!access) {
		set_aside(all, m, ACCESS_NONE, "channel not configured");
		return;
	}
	enum access_verdict verdict = access_check(access, m, &role);
	if (verdict != ACCESS_ADMITTED) {
		log_refusal(m, verdict);
		set_aside(all, m, role, access_verdict_text(verdict));
		return;
	}
	const char *why = aside_reason(m);
	if (why) {
		set_aside(all, m, role, why);
	} else if (m->kind == MESSAGE_EDIT) {
		struct session *s = session_find(all, &m->from);
		if (!s || !session_merge_edit(s, m))
			set_aside(all, m, role, "edit of a message that was answered");
	} else if (command_is(m->text) && m->addressed) {
		set_aside(all, m, role, NULL);
	} else {
		session_queue(session_wake(all, &m->from), m);
	}
}

void sessions_received(void *arg, struct message *m)
{
	struct sessions *all = arg;

	if (all->first_live_id == 0)
		all->first_live_id = m->id;
	if (all->stopping)
		message_free(m);	/* stays pending in the journal */
	else
		receive_sort(all, m);
}
