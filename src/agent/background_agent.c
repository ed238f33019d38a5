#include "agent/background_agent.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/turn_state.h"
#include "agent/subagent.h"
#include "base/buf.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "net/backoff.h"
#include "store/background_jobs.h"
#include "tools/background.h"
#include "tools/subagent_tools.h"
#include "tools/services.h"
#include "tools/tools.h"

#define SHOWN_CHARS 100
/* Delays between retries when the store fails. */
#define RETRY_FIRST_MS 1000
#define RETRY_LAST_MS  30000

/* Owns all that it needs: the turn that started it may have ended. */
struct background_agent {
	struct agent agent;
	struct epoch *epoch;
	struct turn turn;
	struct turn_state starter;
	struct tool_call call;
	char *call_id, *person, *prompt;
	int64_t work;
};

static void background_agent_free(void *arg)
{
	struct background_agent *b = arg;

	message_free(b->turn.row.asked);
	free(b->turn.row.model);
	free(b->turn.row.person);
	free(b->call_id);
	free(b->person);
	free(b->prompt);
	tools_unpin(b->agent.tools);
	epoch_leave(b->epoch);
	free(b);
}

/* Appends the beginning of the prompt, on one line. */
static void add_what(struct buf *out, const char *prompt)
{
	size_t len = strlen(prompt), cut = utf8_cut(prompt, len, SHOWN_CHARS, UTF8_CHARS);

	for (size_t i = 0; i < cut; i++)
		buf_addch(out, prompt[i] == '\n' ? ' ' : prompt[i]);
	buf_addstr(out, cut < len ? " …" : "");
}

/* Commits the end with a notice to the chat: how is a sentence, result may be NULL. */
static int finish(struct task *t, const struct agent *a, const struct store_background_job *w,
    const struct store_usage *spent, const char *how, const char *result, struct error *err)
{
	char *key = xasprintf("work:%lld", (long long)w->id);
	struct buf text = BUF_INIT, what = BUF_INIT;
	size_t count = 0;

	buf_addf(&what, "The background task \"%s\" %s", w->what, how);
	escape_markdown(&text, what.data);
	if (result)
		buf_addf(&text, "\n\n%s", result);
	struct outbound **rows =
	    bus_rows(a->bus, &w->where, OUTBOUND_REPLY, text.data, NULL, key, w->turn, &count, err);
	const struct store_background_job_end end = {
	    .id = w->id, .spent = *spent, .note = text.data, .rows = rows, .row_count = count};
	int rc = store_background_job_finish(t, a->store, &end, err);
	if (rc == 0 && count > 0)
		bus_wake(a->bus, &w->where);
	bus_rows_free(rows, count);
	buf_clear(&what);
	buf_clear(&text);
	free(key);
	return rc;
}

/* Retries while the store fails; if the process stops first, the next start reports the job as
 * interrupted. */
static void finish_surely(
    struct task *t, const struct background_agent *b, const struct tool_agent_result *out)
{
	struct backoff wait = {.base_ms = RETRY_FIRST_MS, .max_ms = RETRY_LAST_MS};
	struct buf what = BUF_INIT;
	struct error err = {0};

	add_what(&what, b->prompt);
	const struct store_background_job w = {
	    .id = b->work, .where = b->turn.chat, .turn = b->turn.row.id, .what = what.data};
	while (finish(t, &b->agent, &w, &b->turn.row.spent, out->failed ? "failed." : "is done.", out->text,
		   &err) < 0 &&
	    err.kind != ERROR_REFUSED && task_check(t, NULL) == 0) {
		log_error("agent", "cannot record the end of a background task, trying again: %s", err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	buf_clear(&what);
}

/* Ends without a notice: a person or the model cancelled it, and knows. */
static void forget(struct task *t, const struct background_agent *b)
{
	const struct store_background_job_end end = {.id = b->work, .spent = b->turn.row.spent};
	struct error err = {0};

	task_shield(t);
	if (store_background_job_finish(t, b->agent.store, &end, &err) < 0)
		log_error("agent", "cannot record that a background task was ended: %s", err.text);
	task_unshield(t);
}

static void run(struct task *t, struct background_job *job, void *arg)
{
	struct background_agent *b = arg;
	struct tool_agent_result out = {0};
	struct error err = {0};

	if (subagent_run(t, &b->starter, &b->call, b->prompt, &out, &err) == 0) {
		const struct background_end end = {
		    .state = out.failed ? BACKGROUND_FAILED : BACKGROUND_COMPLETED, .exit_code = out.failed};
		background_write(
		    job, out.failed ? BACKGROUND_STDERR : BACKGROUND_STDOUT, out.text, strlen(out.text));
		finish_surely(t, b, &out);
		background_finish(job, &end);
	} else if (background_was_killed(job)) {
		forget(t, b);
	}
	free(out.text);
}

static struct background_agent *background_agent_new(
    const struct turn_state *d, const struct tool_call *call, const char *prompt)
{
	struct background_agent *b = xcalloc(1, sizeof(*b));
	const struct turn *turn = d->turn;

	b->agent = *d->agent;
	b->agent.tools = tools_pin(d->agent->tools);
	b->epoch = epoch_enter();
	b->turn = (struct turn){.chat = turn->chat,
	    .chat_kind = turn->chat_kind,
	    .admin = turn->admin,
	    .admin_here = turn->admin_here,
	    .guest = turn->guest,
	    .rights = turn->rights,
	    .approve_arg = turn->approve_arg};
	b->turn.row = (struct store_turn){.id = turn->row.id,
	    .session = turn->row.session,
	    .asked = message_copy(turn->row.asked),
	    .model = xstrdup(turn->row.model),
	    .person = xstrdup(turn->row.person)};
	b->starter = (struct turn_state){.agent = &b->agent, .turn = &b->turn};
	b->call = *call;
	b->call.tools = b->agent.tools;
	b->call.chat = &b->turn.chat;
	b->call.asked = b->turn.row.asked;
	b->call.call_id = b->call_id = xstrdup(call->call_id);
	b->call.person = b->person = xstrdup(call->person);
	b->call.approved = NULL;
	b->call.services = NULL;
	b->prompt = xstrdup(prompt);
	return b;
}

static int put(struct task *t, struct background_agent *b, struct error *err)
{
	struct buf what = BUF_INIT;

	add_what(&what, b->prompt);
	const struct store_background_job w = {
	    .where = b->turn.chat, .session = b->turn.row.session, .turn = b->turn.row.id, .what = what.data};
	int rc = store_background_job_begin(t, b->agent.store, &w, &b->work, err);
	buf_clear(&what);
	return rc;
}

int background_agent_start(struct task *t, void *agent, const struct tool_call *call, const char *prompt,
    char **id, struct error *err)
{
	struct background_agent *b = background_agent_new(agent, call, prompt);
	const struct background_work work = {
	    .run = run, .free = background_agent_free, .arg = b, .what = "a sub-agent", .person = b->person};
	struct background_limits limits = tools_task_limits(b->agent.tools);
	struct store_background_job_end end = {0};

	task_shield(t);
	int rc = put(t, b, err);
	task_unshield(t);
	if (rc < 0) {
		background_agent_free(b);
		return -1;
	}
	end.id = b->work;
	struct background_job *job = background_start(call->background, &b->turn.chat, &limits, &work);
	if (job) {
		*id = xstrdup(background_id(job));
		return 0;
	}
	store_background_job_finish(t, call->store, &end, NULL);
	return 1;
}

int background_agent_report_lost(
    struct task *t, const struct agent *a, const char *channel, struct error *err)
{
	static const struct store_usage nothing;
	struct store_background_job *works;
	int count = store_background_jobs(t, a->store, &works, err), rc = 0;

	for (int i = 0; i < count; i++) {
		const struct address *its = &works[i].where;

		rc = rc < 0 ? -1 : bus_locate(t, a->bus, its, err);
		bool wanted = channel ? strcmp(channel, bus_unit(a->bus, its)) == 0 : bus_serves(a->bus, its);

		if (rc == 0 && wanted &&
		    finish(t, a, &works[i], &nothing,
			"was interrupted when I stopped. It is not begun again: what it had done until then "
			"stays.",
			NULL, err) < 0 &&
		    err->kind != ERROR_REFUSED)
			rc = -1;
		store_background_job_clear(&works[i]);
	}
	free(works);
	return count < 0 ? -1 : rc;
}
