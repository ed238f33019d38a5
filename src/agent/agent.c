#include "agent/agent.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "agent/ask_model.h"
#include "agent/budget.h"
#include "agent/tool_calls.h"
#include "agent/compact.h"
#include "agent/turn_state.h"
#include "agent/images.h"
#include "agent/prompt.h"
#include "base/buf.h"
#include "base/format.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "base/trace.h"
#include "base/wrong.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "llm/llm.h"
#include "llm/tokens.h"
#include "store/turn/turns.h"
#include "tools/tools.h"

/* Tries of one turn whose history the provider refuses as too long. */
#define REFUSALS_MAX 2

#define CUT_OFF_TEXT "(The answer was cut off by the model's length limit.)"
#define UNSEEN_TEXT  "(My language model did not take the image, so it has not seen it.)"
#define EMPTY_TEXT   "(The model gave an empty answer. Ask again, or say it differently.)"
#define ROUNDS_TEXT  "(I reached the limit of %d rounds of tool calls and stopped there.)"
#define TOO_LONG_TEXT                                                                                     \
	"This message alone is too long for my language model, with all that comes with it. Please send " \
	"less text or fewer images at once."
#define STOPPED_TEXT     "(stopped)"
#define INTERRUPTED_TEXT "(interrupted by the next message)"
#define LEFT_TEXT                                                                                   \
	"I am sorry: my language model could not be reached for so long that I leave your message " \
	"unanswered, "                                                                              \
	"and what you wrote after it. Please write again later."

#define REMINDED_TEXT "My language model cannot be reached, so here is the text as it was given to me."

/* The outcome of a step of a turn; the first two are what agent_run returns. */
enum { TURN_ENDED, TURN_WAITS, TURN_GOES_ON };

/* Ends the turn with a text of the gateway. */
static int end_with(struct task *t, struct turn_state *d, enum store_turn_state state, const char *words,
    const char *reply, struct error *err)
{
	struct llm_history last;

	llm_history_init(&last);
	llm_history_add(&last, llm_message_new(LLM_ASSISTANT, words));
	return turn_state_end(t, d, state, &last, reply, err);
}

/* The same with a text that names commands. */
static int end_with_advice(struct task *t, struct turn_state *d, const char *advice, struct error *err)
{
	char *text = bus_own_text(d->agent->bus, &d->turn->chat, advice);
	int rc = end_with(t, d, STORE_TURN_FAILED, text, text, err);

	free(text);
	return rc;
}

__attribute__((format(printf, 2, 3))) static void add_paragraph(struct buf *out, const char *fmt, ...)
{
	va_list ap;

	buf_addstr(out, out->len > 0 ? "\n\n" : "");
	va_start(ap, fmt);
	buf_vaddf(out, fmt, ap);
	va_end(ap);
}

/* Ends a turn that a person stopped: every open call gets a result, so that the transcript stays valid. */
static int turn_stop(struct task *t, struct turn_state *d, struct error *err)
{
	const struct llm_message *m = tool_calls_open(&d->history);
	struct buf text = BUF_INIT;
	struct llm_history last;

	buf_addstr(&text, d->live ? bus_live_so_far(d->live) : "");
	turn_state_hide_progress(t, d);
	/* The text shown so far stays, with a note about its end. */
	bool silent = d->turn->without_notice, shown = d->preview || (text.len > 0 && !silent);
	add_paragraph(&text, silent ? INTERRUPTED_TEXT : STOPPED_TEXT);
	llm_history_init(&last);
	if (m)
		tool_calls_refuse(d, m, TOOL_CALLS_STOPPED, &last);
	llm_history_add(&last, llm_message_new(LLM_ASSISTANT, text.data));
	int rc = turn_state_end(t, d, STORE_TURN_STOPPED, &last, shown ? text.data : NULL, err);
	buf_clear(&text);
	return rc;
}

static void repair_history(struct turn_state *d)
{
	turn_state_prune(d);
	size_t fixed = llm_history_repair(&d->history);
	if (fixed > 0)
		log_warn(
		    "agent", "mended the history in %zu places turn=%lld", fixed, (long long)d->turn->row.id);
}

static void on_text(void *arg, const char *piece, size_t len)
{
	bus_live_text(arg, piece, len);
}

static void on_restart(void *arg)
{
	bus_live_restart(arg);
}

static void on_progress_notice(void *arg, const char *line)
{
	bus_live_note(arg, line);
}

struct histogram agent_first_request_delay = {.name = "myna_first_request_delay_seconds",
    .help = "Time from the arrival of a message to its first model request."};
struct histogram agent_model_time = {
    .name = "myna_model_seconds", .help = "How long a model took for a whole reply, with retries."};

static void note_first_request(const struct turn *turn)
{
	const struct store_turn *row = &turn->row;

	/* Waits for a model and restarts do not count as delay. */
	if (row->rounds == 0 && row->attempts == 1 && row->waiting_since_ms == 0 &&
	    row->asked->received_ms > 0)
		histogram_observe(
		    &agent_first_request_delay, (clock_wall() - row->asked->received_ms) * 1000);
}

/* A model request and all that it owns while it runs. */
struct question {
	struct llm_request req;
	struct buf system;
	struct llm_tool *offer;
	struct llm_image_loader image_loader;
	char session_key[AGENT_SESSION_KEY_MAX];
};

void agent_session_key(char key[AGENT_SESSION_KEY_MAX], int64_t session)
{
	str_format(key, AGENT_SESSION_KEY_MAX, "session-%" PRId64, session);
}

static void request_make(struct question *q, struct turn_state *d, bool forbid_tools)
{
	const struct agent *a = d->agent;
	const struct turn *turn = d->turn;
	struct tool_call context = {.tools = a->tools,
	    .chat = &turn->chat,
	    .admin = turn->admin,
	    .guest = turn->guest,
	    .bus = a->bus,
	    .store = a->store};

	*q = (struct question){.system = BUF_INIT, .image_loader = {.load = images_load, .arg = (void *)a}};
	prompt_system(&q->system, a, turn, &d->files);
	agent_session_key(q->session_key, turn->row.session);
	q->req = (struct llm_request){.system = q->system.data,
	    .history = &d->history,
	    .forbid_tools = forbid_tools,
	    .session_key = q->session_key,
	    .provider = turn->row.model,
	    .image_loader = &q->image_loader};
	q->req.tools = q->offer = tools_offer(a->tools, &context, &q->req.tool_count);
	q->req.prompt_tokens = llm_prompt_tokens(&q->req);
}

static void request_clear(struct question *q)
{
	free(q->offer);
	buf_clear(&q->system);
}

/* Asks the model; if the history does not fit, retries with a smaller one. Returns as ask_model_complete. */
static int ask_fitting(
    struct task *t, struct turn_state *d, struct question *q, struct llm_answer *answer, struct error *err)
{
	const struct budget_spender who = budget_spender_of(d->agent, d->turn);
	const struct llm_sink sink = {
	    .text = on_text, .restart = on_restart, .progress = on_progress_notice, .arg = d->live};
	bool refused = false;
	int rc = images_prepare(t, d, err);

	if (rc < 0)
		return BUDGET_FAILED;
	do {
		int room = compact_turn(t, d, q->req.prompt_tokens, refused, err);
		if (room < 0)
			return BUDGET_FAILED;
		if (refused && room == 0)
			break;
		repair_history(d);
		rc = ask_model_complete(t, &who, &q->req, &sink, answer, err);
		images_remember(t, d);
		refused = rc < 0 && answer->error_class == LLM_ERROR_OVERFLOW;
	} while (refused && d->refusals++ < REFUSALS_MAX);
	return rc;
}

static void tell_answered(
    const struct turn_state *d, int rc, const struct llm_answer *answer, uint64_t ms, const struct error *err)
{
	const struct llm_message *m = answer->message;

	if (rc == 0 && m)
		trace_step(.step = "model answered", .turn = d->turn->row.id, .name = m->provider,
		    .model = m->model, .ms = ms, .state = m->call_count > 0 ? "calls" : "text");
	else if (rc < 0)
		trace_step(.step = "model failed", .turn = d->turn->row.id, .ms = ms, .reason = err->text,
		    .state = llm_error_class_name(answer->error_class));
}

static int ask_model(
    struct task *t, struct turn_state *d, bool forbid_tools, struct llm_answer *answer, struct error *err)
{
	struct question q;

	bus_live_restart(d->live);
	request_make(&q, d, forbid_tools);
	note_first_request(d->turn);
	int64_t began_ms = clock_wall();
	uint64_t began_us = clock_measure_us();
	trace_step(.step = "model asked", .turn = d->turn->row.id, .model = q.req.provider);
	int rc = ask_fitting(t, d, &q, answer, err);
	if (answer->message)
		answer->message->began_ms = began_ms;
	if (rc == 0)
		histogram_observe(&agent_model_time, (int64_t)(clock_measure_us() - began_us));
	d->image_refused |= rc == 0 && answer->image_refused;
	tell_answered(d, rc, answer, (clock_measure_us() - began_us) / 1000, err);
	request_clear(&q);
	return rc;
}

/* Journals a reply that calls tools, before any of them runs. The same commit refuses the calls of a
 * truncated reply, so that none of them runs after a crash either. */
static int take_calls(struct task *t, struct turn_state *d, struct llm_answer *answer, struct error *err)
{
	struct llm_message *reply = answer->message;
	struct llm_history add;

	answer->message = NULL;
	tool_calls_rename_used(&d->history, reply);
	llm_history_init(&add);
	llm_history_add(&add, reply);
	if (answer->finish == LLM_FINISH_LENGTH)
		tool_calls_refuse(d, reply, TOOL_CALLS_CUT_OFF, &add);
	d->turn->row.rounds++;
	return turn_state_append(t, d, &add, err);
}

/* Appends the text of a reminder that no model answered. */
static void add_reminder(struct buf *out, const struct turn *turn)
{
	const struct message *asked = turn->row.asked;

	buf_addf(out, "Reminder: %s", asked->text);
	if (asked->reply_text)
		add_paragraph(out, "(%s)", asked->reply_text);
}

static bool is_reminder(const struct turn *turn)
{
	return turn->row.asked->kind == MESSAGE_SCHEDULE;
}

/* Delivers a reminder without a model's answer: later it might be worthless. */
static int turn_remind(
    struct task *t, struct turn_state *d, const char *why, enum store_turn_state state, struct error *err)
{
	struct buf text = BUF_INIT;

	add_reminder(&text, d->turn);
	add_paragraph(&text, "(%s)", why);
	int rc = end_with(t, d, state, text.data, text.data, err);
	buf_clear(&text);
	return rc;
}

/* Does the history hold nothing but one message? Then a new conversation would not help. */
static bool is_one_message(const struct llm_history *h)
{
	size_t questions = 0;

	for (size_t i = 0; i < h->count; i++)
		questions += h->messages[i]->role == LLM_USER;
	return questions <= 1;
}

/* Ends a turn without a usable answer: the person gets an error text. */
static int turn_fail(struct task *t, struct turn_state *d, enum llm_error_class class, struct error *err)
{
	const char *advice = llm_error_advice(class != LLM_ERROR_NONE ? class : LLM_ERROR_FATAL);

	if (class == LLM_ERROR_OVERFLOW && is_one_message(&d->history))
		advice = TOO_LONG_TEXT;
	log_warn("agent", "no answer: class=%s %s turn=%lld", llm_error_class_name(class), err->text,
	    (long long)d->turn->row.id);
	return end_with_advice(t, d, advice, err);
}

/* Leaves the turn open while no model answers; the first time the chat gets a notice. */
static int turn_wait(struct task *t, struct turn_state *d, enum llm_error_class class, struct error *err)
{
	struct buf text = BUF_INIT;
	char *notice = NULL;

	log_info("agent", "the turn waits: class=%s %s turn=%lld", llm_error_class_name(class), err->text,
	    (long long)d->turn->row.id);
	if (d->turn->row.waiting_since_ms == 0) {
		llm_outage_notice(d->agent->llm, class, &text);
		notice = bus_own_text(d->agent->bus, &d->turn->chat, text.data);
	}
	int rc = turn_state_wait(t, d, notice, err);
	free(notice);
	buf_clear(&text);
	return rc < 0 ? -1 : TURN_WAITS;
}

static int turn_give_up_waiting(
    struct task *t, struct turn_state *d, enum llm_error_class class, struct error *err)
{
	log_warn("agent", "no answer for too long: class=%s %s turn=%lld", llm_error_class_name(class),
	    err->text, (long long)d->turn->row.id);
	if (end_with_advice(t, d, LEFT_TEXT, err) < 0)
		return -1;
	d->turn->abandons_queue = true;
	return TURN_ENDED;
}

static int turn_no_answer(struct task *t, struct turn_state *d, enum llm_error_class class, struct error *err)
{
	if (is_reminder(d->turn)) {
		log_warn("agent", "no answer for a reminder: class=%s %s turn=%lld",
		    llm_error_class_name(class), err->text, (long long)d->turn->row.id);
		return turn_remind(t, d, REMINDED_TEXT, STORE_TURN_FAILED, err);
	}
	if (!llm_error_is_temporary(class) || llm_patience(d->agent->llm) == 0)
		return turn_fail(t, d, class, err);
	return d->turn->overdue ? turn_give_up_waiting(t, d, class, err) : turn_wait(t, d, class, err);
}

/* Answers that a budget is used up. */
static int turn_over_budget(struct task *t, struct turn_state *d, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc;

	if (is_reminder(d->turn)) {
		buf_addstr(&text, err->text);
		rc = turn_remind(t, d, text.data, STORE_TURN_FAILED, err);
	} else {
		buf_addstr(&text, d->turn->row.rounds > 0 ? "I stop here, before I am done. " : "");
		escape_markdown(&text, err->text);
		rc = end_with_advice(t, d, text.data, err);
	}
	buf_clear(&text);
	return rc;
}

/* The text for the person: the model's, and notes about it. */
static void answer_text(
    struct buf *out, const struct turn_state *d, const struct llm_answer *answer, bool limit)
{
	const char *text = answer->message->text;

	if (!str_is_blank(text))
		buf_addstr(out, text);
	if (answer->finish == LLM_FINISH_LENGTH)
		add_paragraph(out, CUT_OFF_TEXT);
	if (d->image_refused)
		add_paragraph(out, UNSEEN_TEXT);
	if (limit)
		add_paragraph(out, ROUNDS_TEXT, tools_rounds(d->agent->tools));
	if (out->len == 0 && is_reminder(d->turn))
		add_reminder(out, d->turn);
	if (out->len == 0)
		buf_addstr(out,
		    answer->finish == LLM_FINISH_REFUSED ? llm_error_advice(LLM_ERROR_REFUSAL) : EMPTY_TEXT);
}

/* Returns the last message of the turn. If the model said nothing, or made calls although it was told not to,
 * a text of the gateway replaces its own message: providers refuse empty texts and calls without results. */
static struct llm_message *last_message(struct llm_answer *answer, const char *default_text)
{
	struct llm_message *m = answer->message;

	if (str_is_blank(m->text) || m->call_count > 0)
		return llm_message_new(LLM_ASSISTANT, str_is_blank(m->text) ? default_text : m->text);
	answer->message = NULL;
	return m;
}

static int turn_answer(
    struct task *t, struct turn_state *d, struct llm_answer *answer, bool limit, struct error *err)
{
	struct buf text = BUF_INIT;
	struct llm_history last;

	answer_text(&text, d, answer, limit);
	llm_history_init(&last);
	llm_history_add(&last, last_message(answer, text.data));
	int rc = turn_state_end(t, d, STORE_TURN_DONE, &last, text.data, err);
	buf_clear(&text);
	return rc;
}

/* The second half of the deliberate defect: stores the results that turn_state_append held back. */
static void store_late(struct task *t, struct turn_state *d)
{
	for (size_t i = 0; i < d->history.count; i++) {
		struct llm_message *m = d->history.messages[i];
		if (m->role == LLM_TOOL && m->id == 0 && m->turn == d->turn->row.id)
			store_turn_append(t, d->agent->store, &d->turn->row, &m, 1, NULL);
	}
}

/* Asks the model and handles its reply; after tool calls the turn continues. */
static int turn_ask(struct task *t, struct turn_state *d, struct error *err)
{
	struct llm_answer answer = {0};
	bool limit = d->turn->row.rounds >= (unsigned)tools_rounds(d->agent->tools);
	int rc = ask_model(t, d, limit, &answer, err);

	if (WRONG("result-after-use"))
		store_late(t, d);
	/* A complete answer is kept when the process stops, but not when the person stopped the turn. */
	if (d->turn->stopped || (rc < 0 && task_is_cancelled(t)))
		rc = error_cancelled(err);
	else if (rc == BUDGET_FAILED)
		rc = -1;
	else if (rc == BUDGET_REFUSED)
		rc = turn_over_budget(t, d, err);
	else if (rc < 0)
		rc = turn_no_answer(t, d, answer.error_class, err);
	else if (answer.message->call_count > 0 && answer.finish != LLM_FINISH_REFUSED && !limit)
		rc = take_calls(t, d, &answer, err) < 0 ? -1 : TURN_GOES_ON;
	else
		rc = turn_answer(t, d, &answer, limit, err);
	llm_answer_clear(&answer);
	return rc;
}

/* -1: cancelled, or the store failed. */
static int turn_go_on(struct task *t, struct turn_state *d, struct error *err)
{
	int rc = TURN_GOES_ON;

	while (rc == TURN_GOES_ON) {
		if (task_check(t, err) < 0 || tool_calls_run(t, d, err) < 0 || turn_state_join(t, d, err) < 0)
			return -1;
		rc = turn_ask(t, d, err);
	}
	return rc;
}

/* Stores the spending of a turn that stays open, as the turn is read from the store again before it
 * continues. */
static void keep_spent(struct task *t, const struct agent *a, struct turn *turn)
{
	struct error err = {0};

	if (turn->row.spent.requests == 0)
		return;
	/* It counts as a turn when it continues. */
	turn->row.spent.turns = 0;
	turn->counted = false;
	task_shield(t);
	if (store_usage_add(t, a->store, turn->row.session, &turn->row.spent, &err) == 0)
		turn->row.spent = (struct store_usage){0};
	else
		log_warn("agent", "what a turn spent is not stored: %s turn=%lld", err.text,
		    (long long)turn->row.id);
	task_unshield(t);
}

int agent_run(struct task *t, const struct agent *a, struct turn *turn, struct error *err)
{
	struct turn_state d;

	/* A resumed turn has already asked a model. */
	turn->counted |= turn->row.rounds > 0;
	turn_state_init(&d, a, turn);
	turn_state_show_progress(&d);
	int rc = turn_state_load(t, &d, err);
	if (rc == 0)
		rc = turn_go_on(t, &d, err);
	/* Only when cancelled: after a store failure the turn is read again before it is stopped. */
	if (rc < 0 && err->kind == ERROR_CANCELLED && turn->stopped)
		rc = turn_stop(t, &d, err);
	turn_state_clear(t, &d);
	if (rc != 0)
		keep_spent(t, a, turn);
	if (rc == 0) {
		const struct budget_spender who = budget_spender_of(a, turn);
		budget_warn(t, &who);
	}
	return rc;
}

int agent_give_up(
    struct task *t, const struct agent *a, struct turn *turn, const char *text, struct error *err)
{
	struct turn_state d;

	turn_state_init(&d, a, turn);
	turn_state_show_progress(&d);
	int rc = is_reminder(turn) ? turn_remind(t, &d, text, STORE_TURN_DEAD, err) :
				     end_with(t, &d, STORE_TURN_DEAD, text, text, err);
	turn_state_clear(t, &d);
	return rc;
}
