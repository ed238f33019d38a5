#include "session/direct_reply.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/trace.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "store/store.h"

/* Delay before the introduction. */
#define GREETING_DELAY_MS 1000

struct direct_reply {
	struct sessions *all;
	struct pending *p;
	enum access_role role;
	const char *why;   /* the reason stored with the message's end */
	const char *reply; /* unless it is a command; "": no answer */
};

struct outbound **direct_reply_outbound(
    const struct sessions *all, const struct message *m, const char *reply, size_t *count, struct error *err)
{
	struct bus *bus = all->options.agent->bus;
	char *key = xasprintf("inbound:%lld", (long long)m->id), *text = bus_own_text(bus, &m->from, reply);
	struct outbound **rows =
	    bus_rows(bus, &m->from, OUTBOUND_REPLY, text, m->message_id, key, 0, count, err);

	free(text);
	free(key);
	return rows;
}

/* Commits the end of the message, together with its answer, if any. */
static int finish(struct task *t, const struct direct_reply *a, const char *reply, struct error *err)
{
	struct bus *bus = a->all->options.agent->bus;
	const struct journal *j = bus_journal(bus);
	const struct message *m = a->p->m;
	struct outbound **rows = NULL;
	size_t count = 0, id_count;
	int64_t *ids = pending_ids(a->p, &id_count);

	if (*reply)
		rows = direct_reply_outbound(a->all, m, reply, &count, err);
	int rc = j->ops->finish_inbound(t, j->self, ids, id_count, a->why, rows, count, err);
	if (rc == 0)
		trace_step(.step = "done", .inbound = m->id, .channel = m->from.channel, .chat = m->from.chat,
		    .thread = m->from.thread, .reason = a->why);
	if (rc == 0 && count > 0)
		bus_wake(bus, &m->from);
	bus_rows_free(rows, count);
	free(ids);
	return rc;
}

static void finish_surely(struct task *t, const struct direct_reply *a, const char *reply)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct error err = {0};

	/* Refused: the message is not pending any more. */
	while (finish(t, a, reply, &err) < 0 && err.kind != ERROR_REFUSED) {
		if (task_check(t, NULL) < 0)
			return;
		log_error("session",
		    "cannot record that a message was handled, trying again: %s inbound=%lld", err.text,
		    (long long)a->p->m->id);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			return;
	}
}

static struct journal_move move_of(const struct message *m)
{
	struct journal_move move = {0};

	str_copy(move.channel, sizeof(move.channel), m->from.channel);
	str_copy(move.old_chat, sizeof(move.old_chat), m->from.chat);
	str_copy(move.new_chat, sizeof(move.new_chat), m->text);
	return move;
}

static void finish_task(struct task *t, void *arg)
{
	struct direct_reply *a = arg;

	finish_surely(t, a, a->reply);
	pending_free(a->p);
	free(a);
}

void direct_reply_now(
    struct task *t, struct sessions *all, struct message *m, const char *why, const char *reply)
{
	struct direct_reply a = {.all = all, .p = pending_new(m), .why = why};

	finish_surely(t, &a, reply);
	pending_free(a.p);
}

static void command_task(struct task *t, void *arg)
{
	struct direct_reply *a = arg;
	struct buf reply = BUF_INIT;
	struct command_call call = {.all = a->all, .asked = a->p->m, .role = a->role, .reply = &reply};

	struct epoch *epoch = epoch_enter();
	command_dispatch(t, &call);
	epoch_leave(epoch);
	if (call.asked)
		finish_surely(t, a, reply.data);
	else
		a->p->m = NULL;
	buf_clear(&reply);
	pending_free(a->p);
	free(a);
}

void direct_reply_welcome(const struct sessions *all, struct buf *out)
{
	buf_addf(out,
	    "Hello, I am %s, an AI agent. You may talk to me: write what you want, in your own words. For "
	    "example:\n\n"
	    "- What can you do?\n"
	    "- Remind me tomorrow at 9 to call Ann.\n"
	    "- Summarize https://example.org for me.\n\n"
	    "/help lists the commands, and /stop stops me.",
	    all->options.agent->name);
}

/* The rows of a welcome; none on platforms where people begin with /start. */
static struct outbound **welcome_rows(
    const struct sessions *all, const struct message *m, size_t *count, struct error *err)
{
	struct bus *bus = all->options.agent->bus;
	const struct channel *ch = bus_channel(bus, m->from.channel);
	struct buf text = BUF_INIT;

	if (!ch || !(ch->ops->caps & CHANNEL_WELCOME) || m->chat_kind != CHAT_PRIVATE)
		return NULL;
	direct_reply_welcome(all, &text);
	char *key = xasprintf("welcome:%lld", (long long)m->id),
	     *own = bus_own_text(bus, &m->from, text.data);
	struct outbound **rows = bus_rows(bus, &m->from, OUTBOUND_REPLY, own, NULL, key, 0, count, err);

	free(own);
	free(key);
	buf_clear(&text);
	return rows;
}

int direct_reply_open_session(struct task *t, const struct sessions *all, const struct message *m,
    int64_t inbound, int64_t *session, struct error *err)
{
	const struct agent *agent = all->options.agent;
	size_t count = 0;
	struct outbound **rows = welcome_rows(all, m, &count, err);
	int rc = store_session_welcome(t, agent->store, &m->from, inbound, rows, count, session, err);

	if (rc == 0 && count > 0 && rows[0]->id > 0)
		bus_wake(agent->bus, &m->from);
	bus_rows_free(rows, count);
	return rc;
}

/* The bot also "joins" when a group becomes a supergroup. */
static bool is_known_group(struct task *t, const struct direct_reply *a)
{
	const struct bus *bus = a->all->options.agent->bus;

	return task_sleep(t, GREETING_DELAY_MS, NULL) < 0 || bus_former_chat_id(bus, &a->p->m->from);
}

static void greeting(struct buf *out, const struct direct_reply *a)
{
	const struct sessions_options *options = &a->all->options;
	const struct message *m = a->p->m;
	const struct access_settings *access = options->access(options->arg, m->from.channel);

	buf_addf(out, "Hello, I am %s, an assistant. ", options->agent->name);
	bool hears_all = access &&
	    access_group(access, m->from.chat, bus_former_chat_id(options->agent->bus, &m->from)) ==
		ACCESS_GROUP_ALL;

	if (hears_all)
		buf_addstr(out, "I answer what is written here by those who may use me.");
	else
		buf_addf(out, "Write `%s` and what you want, or answer one of my messages.", m->text);
	buf_addstr(out, " /help lists what else I understand.");
	if (hears_all && m->reply_text)
		buf_addf(out, "\n\n%s", m->reply_text);
}

static void greet_task(struct task *t, void *arg)
{
	struct direct_reply *a = arg;
	struct buf text = BUF_INIT;

	if (!is_known_group(t, a))
		greeting(&text, a);
	if (task_check(t, NULL) == 0)
		finish_surely(t, a, text.data);
	buf_clear(&text);
	pending_free(a->p);
	free(a);
}

static int open_private(struct task *t, const struct direct_reply *a, struct error *err)
{
	const struct message *m = a->p->m;
	int64_t session;
	int rc = direct_reply_open_session(t, a->all, m, m->id, &session, err);

	if (rc == 0)
		trace_step(.step = "done", .inbound = m->id, .channel = m->from.channel, .chat = m->from.chat,
		    .thread = m->from.thread, .reason = a->why);
	return rc;
}

static void open_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct direct_reply *a = arg;
	struct error err = {0};

	/* Refused: the message is not pending any more. */
	while (open_private(t, a, &err) < 0 && err.kind != ERROR_REFUSED && task_check(t, NULL) == 0) {
		log_error("session", "cannot record that a person was welcomed, trying again: %s", err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	pending_free(a->p);
	free(a);
}

static void move_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct direct_reply *a = arg;
	struct journal_move move = move_of(a->p->m);
	struct error err = {0};
	int rc;

	while ((rc = bus_move_chat(t, a->all->options.agent->bus, &move, &err)) < 0 &&
	    task_check(t, NULL) == 0) {
		log_error("session", "cannot record that a chat has another id, trying again: %s", err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	if (rc == 0)
		finish_surely(t, a, "");
	pending_free(a->p);
	free(a);
}

static void start(struct sessions *all, const struct direct_reply *with, const char *name, task_fn *fn)
{
	struct direct_reply *a = xmemdup(with, sizeof(*with));

	a->all = all;
	task_start(&all->tasks, name, fn, a);
}

void direct_reply_command(struct sessions *all, struct message *m, enum access_role role)
{
	start(all, &(struct direct_reply){.p = pending_new(m), .role = role, .why = "command"}, "command",
	    command_task);
}

void direct_reply_none(struct sessions *all, struct pending *p, const char *why)
{
	direct_reply_refusal(all, p, why, "");
}

void direct_reply_refusal(struct sessions *all, struct pending *p, const char *why, const char *reply)
{
	start(all, &(struct direct_reply){.p = p, .why = why, .reply = reply}, "direct reply", finish_task);
}

void direct_reply_greeting(struct sessions *all, struct message *m)
{
	if (m->chat_kind == CHAT_PRIVATE)
		start(
		    all, &(struct direct_reply){.p = pending_new(m), .why = "opened"}, "welcome", open_task);
	else
		start(all, &(struct direct_reply){.p = pending_new(m), .why = "joined"}, "greet", greet_task);
}

void direct_reply_chat_moved(struct sessions *all, struct message *m)
{
	struct journal_move move = move_of(m);

	bus_note_move(all->options.agent->bus, &move);
	start(all, &(struct direct_reply){.p = pending_new(m), .why = "the chat has another id"}, "move",
	    move_task);
}
