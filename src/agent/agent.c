#include "agent/agent.h"

#include <stdlib.h>
#include <string.h>

#include "agent/calls.h"
#include "agent/prompt.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "llm/llm.h"
#include "tools/tools.h"

/* History given to the model, in bytes of stored text: about 60,000 tokens. */
#define AGENT_HISTORY_BYTES (200 * 1024)

#define ROUNDS_TEXT "(I reached the limit of %d rounds of tool calls and stopped there.)"

/* Commits the end of the turn: last words of the transcript, what goes to the chat, the state. */
static int turn_end(struct task *t, const struct agent *a, struct turn *turn, enum store_turn_state state,
    struct llm_message *last, const char *reply, struct error *err)
{
	size_t count = 0;
	struct outbound **rows = NULL;

	if (reply && *reply) {
		char *key = xasprintf("turn:%lld", (long long)turn->row.id);
		rows = bus_rows(a->bus, &turn->chat, OUTBOUND_REPLY, reply, turn->reply_to, key, turn->row.id, &count, err);
		free(key);
		if (!rows)
			log_error("agent", "an answer cannot be addressed: %s turn=%lld", err->text, (long long)turn->row.id);
	}
	if (last) {
		last->turn = turn->row.id;
		last->created_ms = clock_wall();
	}
	task_shield(t);
	int rc = store_turn_end(t, a->store, &turn->row, state, &last, last ? 1 : 0, rows, count, err);
	task_unshield(t);
	if (rc == 0 && count > 0)
		bus_wake(a->bus, &turn->chat);
	bus_rows_free(rows, count);
	llm_message_free(last);
	log_info("agent", "turn ended: %s turn=%lld rounds=%u", rc < 0 ? err->text :
	    state == STORE_TURN_DONE ? "answered" : state == STORE_TURN_STOPPED ? "stopped" : "failed",
	    (long long)turn->row.id, turn->row.rounds);
	return rc;
}

int agent_give_up(struct task *t, const struct agent *a, struct turn *turn, const char *text, struct error *err)
{
	return turn_end(t, a, turn, STORE_TURN_DEAD, llm_message_new(LLM_ASSISTANT, text), text, err);
}

/* A person stopped it: every open call gets its answer, so that the transcript stays valid. */
static int turn_stop(struct task *t, const struct agent *a, struct turn *turn, struct llm_history *h, struct error *err)
{
	task_shield(t);
	int rc = calls_refuse(t, a, turn, h, "INTERRUPTED", "NOT_RUN", "The turn was stopped before this began.", err);
	task_unshield(t);
	if (rc < 0)
		return -1;
	return turn_end(t, a, turn, STORE_TURN_STOPPED, llm_message_new(LLM_ASSISTANT, "(stopped by the person)"), NULL, err);
}

/* Journals a reply that calls tools, before any of them runs. */
static int take_calls(struct task *t, const struct agent *a, struct turn *turn, struct llm_history *h,
    struct llm_answer *answer, struct error *err)
{
	struct llm_message *m = answer->message;

	turn->row.rounds++;
	m->turn = turn->row.id;
	m->created_ms = clock_wall();
	if (store_turn_append(t, a->store, &turn->row, &m, 1, err) < 0)
		return -1;
	answer->message = NULL;
	llm_history_add(h, m);
	if (answer->finish == LLM_FINISH_LENGTH)
		return calls_refuse(t, a, turn, h, "INTERRUPTED", "NOT_RUN",
		    "Your message was cut off by the length limit, so nothing of it was run. Call again with less.", err);
	return 0;
}

static int ask_model(struct task *t, const struct agent *a, struct turn *turn, struct llm_history *h, bool forbid_tools,
    struct llm_answer *answer, struct error *err)
{
	struct buf system = BUF_INIT;
	struct tool_call context = {.tools = a->tools, .chat = &turn->chat, .admin = turn->admin, .bus = a->bus,
	    .store = a->store};
	struct llm_request req = {.history = h, .forbid_tools = forbid_tools};
	char session_key[32];

	size_t fixed = llm_history_repair(h);
	if (fixed > 0)
		log_warn("agent", "mended the history in %zu places turn=%lld", fixed, (long long)turn->row.id);
	snprintf(session_key, sizeof(session_key), "session-%lld", (long long)turn->row.session);
	prompt_system(&system, a, turn);
	req.system = system.data;
	req.session_key = session_key;
	struct llm_tool *offer = tools_offer(a->tools, &context, &req.tool_count);
	req.tools = offer;
	int rc = llm_complete(t, a->llm, &req, turn->sink, answer, err);
	free(offer);
	buf_clear(&system);
	return rc;
}

/* The model gave no answer that can be used: the person is told, and the message is done with. */
static int turn_fail(struct task *t, const struct agent *a, struct turn *turn, const struct llm_answer *answer,
    struct error *err)
{
	const char *advice = llm_error_advice(answer->error_class);

	log_warn("agent", "no answer: class=%s %s turn=%lld", llm_error_class_name(answer->error_class), err->text,
	    (long long)turn->row.id);
	return turn_end(t, a, turn, STORE_TURN_FAILED, llm_message_new(LLM_ASSISTANT, advice), advice, err);
}

/* The model called although it was told not to: what it said counts, the calls do not. */
static void drop_calls(struct llm_message *m)
{
	if (m->call_count == 0)
		return;
	for (size_t i = 0; i < m->call_count; i++) {
		free(m->calls[i].id);
		free(m->calls[i].name);
		free(m->calls[i].arguments);
	}
	free(m->calls);
	free(m->raw);
	m->calls = NULL;
	m->raw = NULL;
	m->call_count = 0;
}

static int turn_answer(struct task *t, const struct agent *a, struct turn *turn, struct llm_answer *answer, bool limit,
    struct error *err)
{
	struct buf text = BUF_INIT;
	struct llm_message *m = answer->message;

	answer->message = NULL;
	drop_calls(m);
	buf_addstr(&text, m->text);
	if (answer->finish == LLM_FINISH_LENGTH)
		buf_addstr(&text, "\n\n(The answer was cut off by the model's length limit.)");
	if (limit) {
		buf_addstr(&text, text.len ? "\n\n" : "");
		buf_addf(&text, ROUNDS_TEXT, tools_rounds(a->tools));
	}
	if (text.len == 0)
		buf_addstr(&text, "(The model gave an empty answer. Ask again, or say it differently.)");
	if (*m->text == '\0') {
		free(m->text);
		m->text = xstrdup(text.data);
	}
	int rc = turn_end(t, a, turn, STORE_TURN_DONE, m, text.data, err);
	buf_clear(&text);
	return rc;
}

/* One step: 1 when the turn goes on, 0 when it has ended, -1 when it was cancelled or the store failed. */
static int turn_step(struct task *t, const struct agent *a, struct turn *turn, struct llm_history *h, struct error *err)
{
	struct llm_answer answer = {0};

	if (calls_open(h))
		return calls_run(t, a, turn, h, err) < 0 ? -1 : 1;
	bool limit = turn->row.rounds >= (unsigned)tools_rounds(a->tools);
	int rc = ask_model(t, a, turn, h, limit, &answer, err);
	if (rc < 0)
		rc = task_is_cancelled(t) ? -1 : turn_fail(t, a, turn, &answer, err);
	else if (answer.message->call_count > 0 && !limit)
		rc = take_calls(t, a, turn, h, &answer, err) < 0 ? -1 : 1;
	else
		rc = turn_answer(t, a, turn, &answer, limit, err);
	llm_answer_clear(&answer);
	return rc;
}

int agent_run(struct task *t, const struct agent *a, struct turn *turn, struct error *err)
{
	struct llm_history h;
	int rc;

	llm_history_init(&h);
	bus_typing_start(a->bus, &turn->chat);
	rc = store_history(t, a->store, turn->row.session, AGENT_HISTORY_BYTES, &h, err);
	while (rc == 0 && (rc = turn_step(t, a, turn, &h, err)) > 0)
		rc = 0;
	if (rc < 0 && task_is_cancelled(t) && turn->stopped)
		rc = turn_stop(t, a, turn, &h, err);
	bus_typing_stop(a->bus, &turn->chat);
	llm_history_clear(&h);
	return rc;
}
