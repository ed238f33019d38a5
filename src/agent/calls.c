#include "agent/calls.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/tools.h"

/* Calls of one reply that run at once, when none of them writes. */
#define CALLS_AT_ONCE 4
/* The same call again: this many times gets a note, this many is refused. */
#define CALLS_SAME_NOTE 3
#define CALLS_SAME_MOST 5

struct running {
	const struct llm_call *call;
	struct tool_call context;
	char *result;		/* NULL until it has answered */
	bool is_error;
};

static const struct llm_message *result_of(const struct llm_history *h, size_t from, const char *call_id)
{
	for (size_t i = from; i < h->count; i++)
		if (h->messages[i]->role == LLM_TOOL && strcmp(h->messages[i]->call_id, call_id) == 0)
			return h->messages[i];
	return NULL;
}

static size_t newest_assistant(const struct llm_history *h)
{
	size_t i = h->count;

	while (i > 0 && h->messages[i - 1]->role == LLM_TOOL)
		i--;
	return i > 0 && h->messages[i - 1]->role == LLM_ASSISTANT ? i - 1 : SIZE_MAX;
}

const struct llm_message *calls_open(const struct llm_history *h)
{
	size_t at = newest_assistant(h);

	if (at == SIZE_MAX)
		return NULL;
	const struct llm_message *m = h->messages[at];
	for (size_t i = 0; i < m->call_count; i++)
		if (!result_of(h, at + 1, m->calls[i].id))
			return m;
	return NULL;
}

static bool was_started(const struct turn *turn, const char *call_id)
{
	for (char **id = turn->row.unfinished; id && *id; id++)
		if (strcmp(*id, call_id) == 0)
			return true;
	return false;
}

/* How often this turn has asked for the very same thing, this call included. */
static unsigned count_same(const struct llm_history *h, const struct turn *turn, const struct llm_call *call)
{
	unsigned n = 0;

	for (size_t i = 0; i < h->count; i++) {
		const struct llm_message *m = h->messages[i];
		for (size_t k = 0; m->turn == turn->row.id && k < m->call_count; k++) {
			n += strcmp(m->calls[k].name, call->name) == 0 && strcmp(m->calls[k].arguments, call->arguments) == 0;
			if (&m->calls[k] == call)
				return n;
		}
	}
	return n;
}

static void call_task(struct task *t, void *arg)
{
	struct running *r = arg;

	r->result = tools_run(t, &r->context, r->call->name, r->call->arguments, &r->is_error);
}

static int append_result(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h,
    const char *call_id, const char *text, bool is_error, struct error *err)
{
	struct llm_message *m = llm_message_new(LLM_TOOL, text);

	m->turn = turn->row.id;
	m->call_id = xstrdup(call_id);
	m->is_error = is_error;
	m->created_ms = clock_wall();
	task_shield(t);
	int rc = store_turn_append(t, a->store, &turn->row, &m, 1, err);
	task_unshield(t);
	if (rc < 0)
		llm_message_free(m);
	else
		llm_history_add(h, m);
	return rc;
}

static int append_failure(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h,
    const struct llm_call *call, const char *code, const char *cause, const char *text, struct error *err)
{
	char *json = tool_failure_text(call->name, code, cause, "%s", text);
	int rc = append_result(t, a, turn, h, call->id, json, true, err);

	free(json);
	return rc;
}

struct refusal {
	const char *code, *cause, *text;
};

/* Why a call is answered without running: interrupted by a crash, stopped, or asked for too often. NULL: it runs. */
static const struct refusal *refusal_of(struct task *t, const struct turn *turn, const struct llm_history *h,
    const struct llm_call *call)
{
	static const struct refusal unknown = {"INTERRUPTED", "UNKNOWN_OUTCOME",
	    "The process ended while this ran; its outcome is unknown. Check before doing it again."};
	static const struct refusal stopped = {"INTERRUPTED", "NOT_RUN", "The turn was stopped before this began."};
	static const struct refusal loop = {"LIMIT_REACHED", "LOOP",
	    "The same call was made five times in this turn. Do something else, or answer with what is known."};

	if (was_started(turn, call->id))
		return &unknown;
	if (task_is_cancelled(t) && turn->stopped)
		return &stopped;
	return count_same(h, turn, call) >= CALLS_SAME_MOST ? &loop : NULL;
}

/* {"a":1} becomes {"a":1,"note":"…"}. */
static char *with_note(char *json, const char *note)
{
	size_t len = strlen(json);

	if (len < 3 || json[len - 1] != '}')
		return json;
	json[len - 1] = '\0';
	char *out = xasprintf("%s,\"note\":\"%s\"}", json, note);
	free(json);
	return out;
}

static bool runs_alone(const struct agent *a, const struct llm_call *call)
{
	const struct tool *tool = tools_find(a->tools, call->name);

	return tool && (tool->flags & (TOOL_WRITES | TOOL_ASKS));
}

static void running_init(struct running *r, const struct agent *a, const struct turn *turn, const struct llm_call *call)
{
	*r = (struct running){
	    .call = call,
	    .context = {
	        .tools = a->tools,
	        .chat = &turn->chat,
	        .turn = turn->row.id,
	        .call_id = call->id,
	        .admin = turn->admin,
	        .bus = a->bus,
	        .store = a->store,
	    },
	};
}

/* Runs a group of calls together and journals their results in order. */
static int run_group(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h,
    const struct llm_call *const *calls, size_t count, struct error *err)
{
	struct running running[CALLS_AT_ONCE];
	const char *ids[CALLS_AT_ONCE];
	struct task_group group;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		ids[i] = calls[i]->id;
	if (store_calls_start(t, a->store, &turn->row, ids, count, err) < 0)
		return -1;
	task_group_init(&group);
	for (size_t i = 0; i < count; i++) {
		running_init(&running[i], a, turn, calls[i]);
		task_start(&group, "tool", call_task, &running[i]);
	}
	if (task_group_wait(t, &group, err) < 0)
		task_group_finish(t, &group);
	for (size_t i = 0; i < count; i++) {
		struct running *r = &running[i];
		if (count_same(h, turn, r->call) == CALLS_SAME_NOTE)
			r->result = with_note(r->result, "This is the third identical call; a fifth will be refused.");
		if (rc == 0)
			rc = append_result(t, a, turn, h, r->call->id, r->result, r->is_error, err);
		free(r->result);
	}
	return rc;
}

/* Collects the next calls that may run together, from *at on: none when the first of them is refused. */
static size_t next_group(struct task *t, const struct agent *a, const struct turn *turn, const struct llm_history *h,
    const struct llm_message *m, size_t results, size_t *at, const struct llm_call **group)
{
	size_t n = 0;

	for (; *at < m->call_count && n < CALLS_AT_ONCE; ++*at) {
		const struct llm_call *call = &m->calls[*at];
		if (result_of(h, results, call->id))
			continue;
		bool alone = runs_alone(a, call);
		if (refusal_of(t, turn, h, call) || (alone && n > 0))
			break;
		group[n++] = call;
		if (alone) {
			++*at;
			break;
		}
	}
	return n;
}

int calls_run(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h, struct error *err)
{
	const struct llm_message *m = calls_open(h);
	size_t results = newest_assistant(h) + 1, at = 0;

	while (m && at < m->call_count) {
		const struct llm_call *group[CALLS_AT_ONCE];
		if (task_is_cancelled(t) && !turn->stopped)
			return error_cancelled(err);	/* the next start goes on from here */
		size_t n = next_group(t, a, turn, h, m, results, &at, group);
		if (n > 0) {
			if (run_group(t, a, turn, h, group, n, err) < 0)
				return -1;
		} else if (at < m->call_count) {
			const struct refusal *r = refusal_of(t, turn, h, &m->calls[at]);
			if (r && append_failure(t, a, turn, h, &m->calls[at], r->code, r->cause, r->text, err) < 0)
				return -1;
			at++;
		}
	}
	return task_is_cancelled(t) ? error_cancelled(err) : 0;
}

int calls_refuse(struct task *t, const struct agent *a, const struct turn *turn, struct llm_history *h,
    const char *code, const char *cause, const char *text, struct error *err)
{
	const struct llm_message *m;

	while ((m = calls_open(h)) != NULL) {
		size_t at = newest_assistant(h) + 1, i = 0;
		while (result_of(h, at, m->calls[i].id))
			i++;
		if (append_failure(t, a, turn, h, &m->calls[i], code, cause, text, err) < 0)
			return -1;
	}
	return 0;
}
