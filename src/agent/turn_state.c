#include "agent/turn_state.h"

#include <stdlib.h>

#include "agent/agent.h"
#include "agent/compact.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "base/trace.h"
#include "base/wrong.h"
#include "bus/bus.h"
#include "store/turn/summaries.h"
#include "store/turn/turns.h"

#define SUMMARISED_TEXT "(To make room I go on with a summary of what we said before: %zu messages of it.)"

static const char *const ends[] = {
    [STORE_TURN_DONE] = "answered",
    [STORE_TURN_STOPPED] = "stopped",
    [STORE_TURN_FAILED] = "failed",
    [STORE_TURN_DEAD] = "given up",
};

struct counter agent_turns = {.name = "myna_turns_total",
    .label = "end",
    .help = "Turns that ended, by how.",
    .outcomes = {"answered", "stopped", "failed", "given_up"}};

void turn_state_init(struct turn_state *d, const struct agent *agent, struct turn *turn)
{
	d->agent = agent;
	d->turn = turn;
	llm_history_init(&d->history);
	d->files = (struct prompt_files){0};
	d->live = NULL;
	d->room = 0;
	d->refusals = 0;
	d->image_refused = false;
	d->preview = xstrdup(turn->row.preview);
}

void turn_state_clear(struct task *t, struct turn_state *d)
{
	turn_state_hide_progress(t, d);
	free(d->preview);
	prompt_files_clear(&d->files);
	llm_history_clear(&d->history);
}

void turn_state_record_preview(
    struct task *t, struct store *store, struct store_turn *row, const char *message_id)
{
	struct error err = {0};

	free(row->preview);
	row->preview = xstrdup(message_id);
	task_shield(t);
	if (store_turn_preview(t, store, row, message_id, &err) < 0)
		log_warn("agent", "a preview is not recorded: %s turn=%lld", err.text, (long long)row->id);
	task_unshield(t);
}

static void on_shown(struct task *t, void *arg, const char *message_id)
{
	const struct turn_state *d = arg;

	turn_state_record_preview(t, d->agent->store, &d->turn->row, message_id);
}

void turn_state_show_progress(struct turn_state *d)
{
	const struct turn *turn = d->turn;
	const struct channel *ch = bus_channel(d->agent->bus, turn->chat.channel);
	struct live_options options = {.where = turn->chat,
	    .turn = turn->row.id,
	    .message_id = turn->reply_to,
	    .preview_id = d->preview,
	    .buttons = turn->buttons,
	    .ack = turn->row.asked->chat_kind == CHAT_GROUP || (ch && (ch->ops->caps & CHANNEL_ACK_PRIVATE)),
	    .resumed = turn->resumed,
	    .shown = on_shown,
	    .arg = d};

	d->live = bus_live_start(d->agent->bus, &options);
}

void turn_state_hide_progress(struct task *t, struct turn_state *d)
{
	if (!d->live)
		return;
	free(d->preview);
	d->preview = bus_live_end(t, d->live);
	d->live = NULL;
}

static size_t history_max(const struct turn_state *d)
{
	return compact_history_max(d->agent, d->turn->row.model);
}

/* Shielded, as a stopped turn needs its history, too: its calls must get results. */
static int read_history(struct task *t, struct turn_state *d, struct error *err)
{
	task_shield(t);
	int rc = store_history(t, d->agent->store, d->turn->row.session, history_max(d), &d->history, err);
	task_unshield(t);
	return rc;
}

int turn_state_load(struct task *t, struct turn_state *d, struct error *err)
{
	struct llm_history *had = d->turn->row.history;
	int rc = 0;

	if (had) {
		d->history = *had;
		free(had);
		d->turn->row.history = NULL;
	} else {
		rc = read_history(t, d, err);
	}
	if (rc == 0)
		rc = prompt_files_read(t, d->agent->tools, &d->files, err);
	return rc;
}

static void stamp(const struct turn_state *d, struct llm_history *messages)
{
	for (size_t i = 0; i < messages->count; i++) {
		messages->messages[i]->turn = d->turn->row.id;
		messages->messages[i]->created_ms = clock_wall();
	}
}

int turn_state_append(struct task *t, struct turn_state *d, struct llm_history *add, struct error *err)
{
	stamp(d, add);
	task_shield(t);
	int rc = 0;
	if (!(WRONG("result-after-use") && add->count > 0 && add->messages[0]->role == LLM_TOOL))
		rc = store_turn_append(t, d->agent->store, &d->turn->row, add->messages, add->count, err);
	task_unshield(t);
	if (rc == 0)
		d->turn->row.spent = (struct store_usage){0};
	for (size_t i = 0; i < add->count && rc == 0; i++) {
		llm_history_add(&d->history, add->messages[i]);
		add->messages[i] = NULL;
	}
	llm_history_clear(add);
	return rc;
}

int turn_state_join(struct task *t, struct turn_state *d, struct error *err)
{
	struct turn *turn = d->turn;
	struct llm_history joined;

	if (!turn->join)
		return 0;
	llm_history_init(&joined);
	int rc = turn->join(t, turn, &joined, err);
	/* Also when only a part was committed. */
	for (size_t i = 0; i < joined.count; i++) {
		llm_history_add(&d->history, joined.messages[i]);
		joined.messages[i] = NULL;
	}
	llm_history_clear(&joined);
	return rc;
}

/* Returns the deliveries of a reply; NULL when its channel is no longer configured. of: part of the key,
 * distinguishes it from other replies of the turn. */
static struct outbound **reply_rows(
    const struct turn_state *d, const char *reply, const char *of, size_t *count)
{
	const struct turn *turn = d->turn;
	struct error err = {0};
	char *key = xasprintf("turn:%lld%s", (long long)turn->row.id, of);
	struct outbound **rows = bus_rows(d->agent->bus, &turn->chat, OUTBOUND_REPLY, reply, turn->reply_to,
	    key, turn->row.id, count, &err);

	free(key);
	if (!rows)
		log_error("agent", "an answer cannot be addressed: %s turn=%lld", err.text,
		    (long long)turn->row.id);
	return rows;
}

/* Nothing of the turn needs its history any more. */
static void keep_history(struct turn_state *d, struct llm_history *last)
{
	for (size_t i = 0; i < last->count; i++)
		llm_history_add(&d->history, last->messages[i]);
	last->count = 0;
	store_turn_keep_history(d->agent->store, &d->turn->row, &d->turn->chat, &d->history);
}

int turn_state_end(struct task *t, struct turn_state *d, enum store_turn_state state,
    struct llm_history *last, const char *reply, struct error *err)
{
	const struct agent *a = d->agent;
	const struct turn *turn = d->turn;
	size_t count = 0;

	turn_state_hide_progress(t, d);
	struct outbound **rows =
	    reply ? reply_rows(d, reply, state >= STORE_TURN_FAILED ? ":failed" : "", &count) : NULL;
	if (count > 0)
		rows[0]->edit_of = xstrdup(d->preview);
	stamp(d, last);
	bool late = WRONG("answer-after-end");
	size_t with = late ? 0 : count;
	task_shield(t);
	bus_prepare(a->bus, rows, with);
	int rc = store_turn_end(t, a->store, &turn->row, state, last->messages, last->count, rows, with, err);
	bus_committed(a->bus, rows, with, rc == 0);
	if (late && rc == 0 && count > 0)
		rc = bus_send(t, a->bus, rows, count, err);
	task_unshield(t);
	if (rc == 0)
		counter_add(&agent_turns, state - STORE_TURN_DONE, 1);
	if (rc == 0)
		trace_step(.step = "turn ended", .turn = turn->row.id, .state = ends[state]);
	if (rc == 0)
		log_info("agent", "turn ended: %s turn=%lld rounds=%u", ends[state], (long long)turn->row.id,
		    turn->row.rounds);
	bus_rows_free(rows, count);
	if (rc == 0 && state != STORE_TURN_DEAD)
		keep_history(d, last);
	llm_history_clear(last);
	return rc;
}

int turn_state_wait(struct task *t, struct turn_state *d, const char *notice, struct error *err)
{
	const struct agent *a = d->agent;
	struct turn *turn = d->turn;
	size_t count = 0;
	struct outbound **rows = notice ? reply_rows(d, notice, ":waits", &count) : NULL;

	task_shield(t);
	int rc = store_turn_wait(t, a->store, &turn->row, rows, count, err);
	task_unshield(t);
	if (rc == 0)
		trace_step(.step = "turn waits", .turn = turn->row.id);
	if (rc == 0 && count > 0)
		bus_wake(a->bus, &turn->chat);
	bus_rows_free(rows, count);
	return rc;
}

int turn_state_summarised(struct task *t, struct turn_state *d, const struct store_summary *summary,
    size_t count, struct error *err)
{
	const struct agent *a = d->agent;
	const struct turn *turn = d->turn;
	struct store_summary made = {
	    .session = turn->row.session, .upto = summary->upto, .text = summary->text};
	char *notice = xasprintf(SUMMARISED_TEXT, count),
	     *of = xasprintf(":summary:%lld", (long long)summary->upto);
	size_t row_count = 0;
	struct outbound **rows = reply_rows(d, notice, of, &row_count);

	task_shield(t);
	int rc = store_summary_add(t, a->store, &made, 0, rows, row_count, err);
	task_unshield(t);
	if (rc == 0 && row_count > 0)
		bus_wake(a->bus, &turn->chat);
	bus_rows_free(rows, row_count);
	free(notice);
	free(of);
	return rc;
}

void turn_state_prune(struct turn_state *d)
{
	size_t dropped = llm_history_prune(&d->history, history_max(d));

	if (dropped > 0)
		log_info("agent", "left %zu old messages out turn=%lld", dropped, (long long)d->turn->row.id);
}
