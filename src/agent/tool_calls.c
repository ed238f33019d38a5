#include "agent/tool_calls.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/ask_model.h"
#include "agent/background_agent.h"
#include "agent/turn_state.h"
#include "agent/images.h"
#include "agent/subagent.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/fnv.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/trace.h"
#include "base/wrong.h"
#include "bus/message.h"
#include "store/turn/turns.h"
#include "tools/approval.h"
#include "tools/services.h"
#include "tools/tools.h"

/* The maximum of tools_calls_at_once(). */
#define TOOL_CALLS_PARALLEL_MAX 16
/* A repeated identical call: the third gets a note, the fifth is refused. */
#define TOOL_CALLS_REPEATED_NOTE 3
#define TOOL_CALLS_REPEATED_MAX  5
/* Longer arguments are compared byte by byte. */
#define TOOL_CALLS_COMPARED_MAX  4096
#define TOOL_CALLS_REPEATED_TEXT "This is the third identical call; a fifth will be refused."

static const struct {
	const char *code, *cause, *text;
} refusals[] = {
    [TOOL_CALLS_CUT_OFF] = {"INTERRUPTED", "NOT_RUN",
	"Your message was cut off by the length limit, so nothing of it was run. Call again with less."},
    [TOOL_CALLS_INTERRUPTED] = {"INTERRUPTED", "UNKNOWN_OUTCOME",
	"The process ended while this ran; its outcome is unknown. Check before doing it again."},
    [TOOL_CALLS_LOOP] = {"LIMIT_REACHED", "LOOP",
	"The same call was made five times in this turn. Do something else, or answer with what is known."},
    [TOOL_CALLS_STOPPED] = {"INTERRUPTED", "NOT_RUN", "The turn was stopped before this began."},
};

/* A running call with its context. */
struct running {
	const struct llm_call *call;
	struct tool_call context;
	struct tool_services services; /* context.services points here */
	struct llm_image *images;      /* shown to the model with the result */
	size_t image_count;
	char *result; /* NULL until it has finished */
	bool is_error;
};

static size_t place_of(const struct llm_history *h, const struct llm_message *m)
{
	size_t i = h->count;

	while (i > 0 && h->messages[i - 1] != m)
		i--;
	return i;
}

/* Returns whether the history has a result for this call of the message; false when the message is not in the
 * history. */
static bool has_result(const struct llm_history *h, const struct llm_message *m, const struct llm_call *call)
{
	size_t i = place_of(h, m);

	for (; i > 0 && i < h->count && h->messages[i]->role == LLM_TOOL; i++)
		if (strcmp(h->messages[i]->call_id, call->id) == 0)
			return true;
	return false;
}

const struct llm_message *tool_calls_open(const struct llm_history *h)
{
	size_t i = h->count;

	while (i > 0 && h->messages[i - 1]->role == LLM_TOOL)
		i--;
	if (i == 0 || h->messages[i - 1]->role != LLM_ASSISTANT)
		return NULL;
	const struct llm_message *m = h->messages[i - 1];
	for (size_t k = 0; k < m->call_count; k++)
		if (!has_result(h, m, &m->calls[k]))
			return m;
	return NULL;
}

static bool is_id_used(const struct llm_history *h, const char *id)
{
	for (size_t i = 0; i < h->count; i++)
		for (size_t k = 0; k < h->messages[i]->call_count; k++)
			if (strcmp(h->messages[i]->calls[k].id, id) == 0)
				return true;
	return false;
}

void tool_calls_rename_used(const struct llm_history *h, struct llm_message *reply)
{
	for (size_t k = 0; k < reply->call_count; k++) {
		char **id = &reply->calls[k].id;
		uint64_t n;
		if (**id && !is_id_used(h, *id))
			continue;
		clock_random(&n, sizeof(n));
		free(*id);
		*id = xasprintf("call_%016llx", (unsigned long long)n);
		/* The provider's raw message contains the old id. */
		llm_message_set_raw(reply, NULL);
	}
}

/* Returns whether the call had started when the process ended. */
static bool was_started(const struct turn *turn, const struct llm_call *call)
{
	for (char **id = turn->row.unfinished; id && *id; id++)
		if (strcmp(*id, call->id) == 0)
			return true;
	return false;
}

/* Returns whether the tool may run again after a crash, as it detects by itself what it has done. */
static bool runs_again(const struct turn_state *d, const struct llm_call *call)
{
	const struct tool *tool = tools_find(d->agent->tools, call->name);

	return tool && (tool->flags & TOOL_RESUMABLE);
}

/* Returns the same hash for equal JSON, whatever the order of members. */
static uint64_t hash_json(struct json_object *o)
{
	enum json_type type = json_object_get_type(o);
	uint64_t hash = fnv_add(FNV_START, &type, sizeof(type)), part;

	if (type == json_type_object) {
		json_object_object_foreach(o, name, member) {
			part = hash_json(member);
			hash += fnv_add(fnv_text(name), &part, sizeof(part));
		}
	} else if (type == json_type_array) {
		for (size_t i = 0; i < json_object_array_length(o); i++) {
			part = hash_json(json_at(o, i));
			hash = fnv_add(hash, &part, sizeof(part));
		}
	} else if (type == json_type_double) {
		/* -0.0 equals 0.0. */
		double number = json_object_get_double(o) + 0.0;
		hash = fnv_add(hash, &number, sizeof(number));
	} else if (o) {
		/* Texts may have a NUL. */
		const char *text = json_object_get_string(o);
		hash = fnv_add(hash, text,
		    type == json_type_string ? (size_t)json_object_get_string_len(o) : strlen(text));
	}
	return hash;
}

/* Returns a hash of the arguments, so that are_equal() need not parse most that differ. */
static uint64_t hash_of(struct llm_call *call)
{
	size_t len = strlen(call->arguments);
	struct json_object *o;

	if (call->hash == 0) {
		o = len > TOOL_CALLS_COMPARED_MAX ? NULL : json_parse(call->arguments, len, NULL);
		call->hash = (o ? hash_json(o) : fnv_add(FNV_START, call->arguments, len)) | 1;
		json_object_put(o);
	}
	return call->hash;
}

/* Returns whether both are the same JSON, whatever the order of members and the blanks. */
static bool are_equal(const char *a, const char *b)
{
	struct json_object *x, *y;
	bool equal = strcmp(a, b) == 0;

	if (equal || strlen(a) > TOOL_CALLS_COMPARED_MAX || strlen(b) > TOOL_CALLS_COMPARED_MAX)
		return equal;
	x = json_parse(a, strlen(a), NULL);
	y = json_parse(b, strlen(b), NULL);
	equal = x && y && json_object_equal(x, y);
	json_object_put(x);
	json_object_put(y);
	return equal;
}

/* Returns whether both call the same tool, under any of its names, with the same arguments. */
static bool is_same(const struct turn_state *d, struct llm_call *a, struct llm_call *b)
{
	if (hash_of(a) != hash_of(b))
		return false;
	if (strcmp(a->name, b->name) != 0) {
		const struct tool *tool = tools_find(d->agent->tools, a->name);
		if (!tool || tool != tools_find(d->agent->tools, b->name))
			return false;
	}
	return are_equal(a->arguments, b->arguments);
}

/* Returns how often this turn has made this call of its history, the current one included, and at most
 * TOOL_CALLS_REPEATED_MAX. */
static unsigned count_same(const struct turn_state *d, const struct llm_call *call)
{
	const struct llm_history *h = &d->history;
	struct llm_call *current = NULL;
	unsigned n = 0;

	for (size_t i = h->count; i > 0; i--) {
		const struct llm_message *m = h->messages[i - 1];
		if (m->turn != d->turn->row.id)
			continue;
		for (size_t k = m->call_count; k > 0 && n < TOOL_CALLS_REPEATED_MAX; k--) {
			current = &m->calls[k - 1] == call ? &m->calls[k - 1] : current;
			n += current && is_same(d, current, &m->calls[k - 1]);
		}
	}
	return n;
}

static enum tool_calls_refusal refusal_of(const struct turn_state *d, const struct llm_call *call)
{
	if (was_started(d->turn, call) && !runs_again(d, call))
		return TOOL_CALLS_INTERRUPTED;
	return count_same(d, call) >= TOOL_CALLS_REPEATED_MAX ? TOOL_CALLS_LOOP : TOOL_CALLS_NOT_REFUSED;
}

static struct llm_message *result_new(const struct llm_call *call, const char *json, bool is_error)
{
	struct llm_message *m = llm_message_new(LLM_TOOL, json);

	m->call_id = xstrdup(call->id);
	m->is_error = is_error;
	return m;
}

static struct llm_message *refusal_new(const struct llm_call *call, enum tool_calls_refusal why)
{
	char *json =
	    tool_failure_text(call->name, refusals[why].code, refusals[why].cause, "%s", refusals[why].text);
	struct llm_message *m = result_new(call, json, true);

	free(json);
	return m;
}

void tool_calls_refuse(const struct turn_state *d, const struct llm_message *m, enum tool_calls_refusal why,
    struct llm_history *out)
{
	for (size_t i = 0; i < m->call_count; i++) {
		const struct llm_call *call = &m->calls[i];
		if (!has_result(&d->history, m, call))
			llm_history_add(out,
			    refusal_new(call, was_started(d->turn, call) ? TOOL_CALLS_INTERRUPTED : why));
	}
}

/* {"a":1} becomes {"a":1,"note":"…"}. */
static char *with_note(char *json, const char *note)
{
	size_t len = strlen(json);

	if (len < 3 || json[len - 1] != '}')
		return json;
	char *out = xasprintf("%.*s,\"note\":\"%s\"}", (int)(len - 1), json, note);
	free(json);
	return out;
}

struct llm_message *tool_calls_refuse_loop(const struct turn_state *d, const struct llm_call *call)
{
	return count_same(d, call) >= TOOL_CALLS_REPEATED_MAX ? refusal_new(call, TOOL_CALLS_LOOP) : NULL;
}

char *tool_calls_note_loop(const struct turn_state *d, const struct llm_call *call, char *json)
{
	return count_same(d, call) == TOOL_CALLS_REPEATED_NOTE ? with_note(json, TOOL_CALLS_REPEATED_TEXT) :
								 json;
}

/* Implements tool_services.show_image for calls of this file. */
static int show_image(struct task *t, void *agent, const struct tool_call *call, const char *path,
    const struct buf *bytes, struct json_object **shown, struct error *err)
{
	struct running *r = (struct running *)((char *)call->services - offsetof(struct running, services));

	return images_show(t, agent, path, bytes, llm_images_add(&r->images, &r->image_count), shown, err);
}

static void running_init(
    struct running *r, struct turn_state *d, const struct llm_call *call, const char *approved)
{
	const struct agent *a = d->agent;
	const struct turn *turn = d->turn;
	const struct message *asked = turn->row.asked;

	turn_read_rights(d->turn);
	*r = (struct running){
	    .call = call,
	    .services =
		{
		    .turn_owner = turn->turn_owner,
		    .ask_person = turn->ask_person,
		    .show_plan = turn->show_plan,
		    .agent = d,
		    .ask_model = ask_model_about_text,
		    .run_agent = subagent_run,
		    .start_agent = background_agent_start,
		    .show_image = show_image,
		},
	    .context =
		{
		    .tools = a->tools,
		    .chat = &turn->chat,
		    .turn = turn->row.id,
		    .asked = asked,
		    .call_id = call->id,
		    .person = asked && !asked->sender_is_chat && !turn_is_of_several(turn) ?
			asked->sender_id :
			NULL,
		    .admin = turn->admin,
		    .admin_here = turn->admin_here,
		    .guest = turn->guest,
		    .bus = a->bus,
		    .store = a->store,
		    .background = a->background,
		    .approved = approved,
		    .services = &r->services,
		},
	};
}

static void call_task(struct task *t, void *arg)
{
	struct running *r = arg;

	const struct llm_call *call = r->call;
	uint64_t began = clock_now();

	trace_step(.step = "call begun", .turn = r->context.turn, .call = call->id, .name = call->name);
	r->result = tools_run(t, &r->context, call->name, call->arguments, &r->is_error);
	trace_step(.step = r->is_error ? "call failed" : "call ended", .turn = r->context.turn,
	    .call = call->id, .name = call->name, .ms = clock_now() - began);
}

/* Journals the start of these calls before they run; calls that may run again need no entry. */
static int journal_start(struct task *t, const struct turn_state *d, const struct llm_call *const *calls,
    size_t count, struct error *err)
{
	const char *ids[TOOL_CALLS_PARALLEL_MAX];
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (!was_started(d->turn, calls[i]))
			ids[n++] = calls[i]->id;
	if (n == 0 || WRONG("call-not-journalled"))
		return 0;
	task_shield(t);
	int rc = store_calls_start(t, d->agent->store, &d->turn->row, ids, n, err);
	task_unshield(t);
	return rc;
}

/* Runs calls concurrently until all have finished; cancelling t cancels them. */
static void run_together(struct task *t, struct turn_state *d, struct running *running,
    const struct llm_call *const *calls, size_t count, const char *approved)
{
	struct task_group group;

	task_group_init(&group);
	for (size_t i = 0; i < count; i++) {
		running_init(&running[i], d, calls[i], approved);
		task_start(&group, "call", call_task, &running[i]);
	}
	if (task_group_wait(t, &group, NULL) < 0)
		task_group_finish(t, &group);
}

/* Returns whether the call stays open because the process stops; the next start runs it again. */
static bool stays_open(struct task *t, const struct turn_state *d, const struct running *r)
{
	return r->is_error && task_is_cancelled(t) && !d->turn->stopped && runs_again(d, r->call);
}

static struct llm_message *result_of(const struct running *r)
{
	struct llm_message *m = result_new(r->call, r->result, r->is_error);

	for (size_t i = 0; i < r->image_count; i++)
		if (r->images[i].path)
			llm_image_copy(llm_images_add(&m->images, &m->image_count), &r->images[i]);
	return m;
}

/* Frees the results. */
static void take_results(struct task *t, const struct turn_state *d, struct running *running, size_t count,
    struct llm_history *out)
{
	for (size_t i = 0; i < count; i++) {
		struct running *r = &running[i];
		if (!stays_open(t, d, r)) {
			r->result = tool_calls_note_loop(d, r->call, r->result);
			llm_history_add(out, result_of(r));
		}
		llm_images_free(r->images, r->image_count);
		free(r->result);
	}
}

/* approved: the hash of the action that a person approved, for a single call; NULL: none. */
static int run_group(struct task *t, struct turn_state *d, const struct llm_call *const *calls, size_t count,
    const char *approved, struct error *err)
{
	struct running running[TOOL_CALLS_PARALLEL_MAX];
	struct llm_history results;

	if (journal_start(t, d, calls, count, err) < 0)
		return -1;
	run_together(t, d, running, calls, count, approved);
	llm_history_init(&results);
	take_results(t, d, running, count, &results);
	return results.count > 0 ? turn_state_append(t, d, &results, err) : error_cancelled(err);
}

static int answer_refused(
    struct task *t, struct turn_state *d, const struct llm_call *call, struct error *err)
{
	struct llm_history results;

	llm_history_init(&results);
	llm_history_add(&results, refusal_new(call, refusal_of(d, call)));
	return turn_state_append(t, d, &results, err);
}

static bool needs_approval(
    struct task *t, struct turn_state *d, const struct llm_call *call, struct approval *a)
{
	struct running r;

	running_init(&r, d, call, NULL);
	return tools_approval(t, &r.context, call->name, call->arguments, a);
}

/* Runs a call that needs approval. It is not journalled as started during the wait, so that a crash changes
 * nothing. */
static int answer_asked(struct task *t, struct turn_state *d, const struct llm_call *call,
    const struct approval *a, struct error *err)
{
	struct llm_history results;
	char *failure = NULL;
	int rc = approve_call(t, d->turn, call->id, a, &failure, err);

	if (rc < 0)
		return -1;
	if (rc > 0)
		return run_group(t, d, &call, 1, a->hash, err);
	llm_history_init(&results);
	llm_history_add(&results, result_new(call, failure, true));
	free(failure);
	return turn_state_append(t, d, &results, err);
}

static bool runs_alone(const struct turn_state *d, const struct llm_call *call)
{
	const struct tool *tool = tools_find(d->agent->tools, call->name);

	return tool && (tool->flags & (TOOL_WRITES | TOOL_ASKS));
}

/* Runs the first open call, together with the following ones that may run concurrently. */
static int answer_next(struct task *t, struct turn_state *d, const struct llm_message *m, struct error *err)
{
	const struct llm_call *group[TOOL_CALLS_PARALLEL_MAX];
	struct approval a;
	size_t n = 0, i = 0;

	while (has_result(&d->history, m, &m->calls[i]))
		i++;
	if (refusal_of(d, &m->calls[i]) != TOOL_CALLS_NOT_REFUSED)
		return answer_refused(t, d, &m->calls[i], err);
	if (needs_approval(t, d, &m->calls[i], &a)) {
		int rc = task_check(t, err) < 0 ? -1 : answer_asked(t, d, &m->calls[i], &a, err);
		approval_clear(&a);
		return rc;
	}
	for (; i < m->call_count && n < tools_calls_at_once(d->agent->tools); i++) {
		const struct llm_call *call = &m->calls[i];
		bool alone = runs_alone(d, call) || (n > 0 && needs_approval(t, d, call, &a));
		approval_clear(&a);
		if (n > 0 &&
		    (alone || refusal_of(d, call) != TOOL_CALLS_NOT_REFUSED ||
			has_result(&d->history, m, call)))
			break;
		group[n++] = call;
		if (alone)
			break;
	}
	return run_group(t, d, group, n, NULL, err);
}

int tool_calls_run(struct task *t, struct turn_state *d, struct error *err)
{
	const struct llm_message *m;

	while ((m = tool_calls_open(&d->history)))
		if (task_check(t, err) < 0 || answer_next(t, d, m, err) < 0)
			return -1;
	return 0;
}
