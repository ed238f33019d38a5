#include "agent/compact.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/budget.h"
#include "agent/turn_state.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "llm/tokens.h"
#include "store/store.h"
#include "store/turn/summaries.h"

/* Bytes of history that are read: for each token of the window, and at most. */
#define BYTES_A_TOKEN 6
#define HISTORY_MAX   ((size_t)16 * 1024 * 1024)
/* Shorter tool results are kept. */
#define RESULT_MIN 400
/* After a provider refused a history that was estimated to fit: percent of the estimate to aim at. */
#define REFUSED_SHARE 70
/* A summary must shrink the history at least to this percentage. */
#define SHRINKS_TO 90

size_t compact_history_max(const struct agent *a, const char *model)
{
	size_t bytes = llm_window(a->llm, model) * BYTES_A_TOKEN;

	return bytes < HISTORY_MAX ? bytes : HISTORY_MAX;
}

static size_t tokens_from(const struct llm_history *h, size_t at)
{
	size_t tokens = 0;

	for (; at < h->count; at++)
		tokens += llm_message_tokens(h->messages[at]);
	return tokens;
}

/* Returns where the kept part begins: at a turn, as many of the newest as fit into so many tokens, at least
 * the newest one. Never between a call and its result. */
static size_t find_cut(const struct llm_history *h, size_t keep)
{
	size_t tokens = 0, cut = h->count;

	for (size_t i = h->count; i-- > 0;) {
		struct llm_message *m = h->messages[i];
		tokens += llm_message_tokens(m);
		if (m->role != LLM_USER || m->summary || (i > 0 && h->messages[i - 1]->turn == m->turn))
			continue;
		if (tokens > keep && cut < h->count)
			break;
		cut = i;
	}
	return cut;
}

static int64_t newest_row(const struct llm_history *h, size_t count)
{
	int64_t newest = 0;

	for (size_t i = 0; i < count; i++)
		if (!h->messages[i]->summary && h->messages[i]->id > newest)
			newest = h->messages[i]->id;
	return newest;
}

/* Replaces the first count messages with the summary. */
static void replace(struct llm_history *h, size_t count, struct llm_message *summary)
{
	for (size_t i = 0; i < count; i++)
		llm_message_free(h->messages[i]);
	h->messages[0] = summary;
	memmove(h->messages + 1, h->messages + count, (h->count - count) * sizeof(*h->messages));
	h->count -= count - 1;
}

/* -1: cancelled, or no model can be asked now, as the turn's own request will find too. */
static int make_summary(struct task *t, struct turn_state *d, size_t cut, char **text, struct error *err)
{
	const struct budget_spender who = budget_spender_of(d->agent, d->turn);
	const struct summary_request r = {
	    .who = &who, .model = d->turn->row.model, .history = &d->history, .count = cut};
	size_t before = tokens_from(&d->history, 0), kept = tokens_from(&d->history, cut);

	if (summary_make(t, &r, text, err) < 0) {
		if (err->kind != ERROR_REFUSED && err->kind != ERROR_OURS)
			return -1;
		log_warn("agent", "no summary: %s turn=%lld", err->text, (long long)d->turn->row.id);
	}
	if (*text && (llm_text_tokens(*text) + kept) * 100 <= before * SHRINKS_TO)
		return 0;
	free(*text);
	*text = summary_without(&d->history, cut);
	return 0;
}

/* 1: summarised; 0: nothing old to summarise, or not worth it. */
static int summarise(struct task *t, struct turn_state *d, size_t keep, struct error *err)
{
	size_t cut = find_cut(&d->history, keep);
	int64_t upto = newest_row(&d->history, cut);
	char *text = NULL;

	if (cut == 0 || cut == d->history.count || upto == 0)
		return 0;
	/* No summary could be worth its price, which each round of the turn would pay again. */
	if (tokens_from(&d->history, cut) * 100 > tokens_from(&d->history, 0) * SHRINKS_TO)
		return 0;
	if (make_summary(t, d, cut, &text, err) < 0)
		return err->kind == ERROR_CANCELLED ? -1 : 0;
	struct llm_message *m = llm_message_new_summary(text, upto);
	int rc = 0;
	if ((llm_message_tokens(m) + tokens_from(&d->history, cut)) * 100 <=
	    tokens_from(&d->history, 0) * SHRINKS_TO)
		rc = turn_state_summarised(
			 t, d, &(struct store_summary){.upto = upto, .text = text}, cut, err) < 0 ?
		    -1 :
		    1;
	if (rc > 0)
		replace(&d->history, cut, m);
	else
		llm_message_free(m);
	free(text);
	return rc;
}

/* Shortens results of tools in the request, oldest first; the transcript keeps them. */
static int leave_results_out(struct turn_state *d, size_t limit)
{
	size_t tokens = tokens_from(&d->history, 0);
	int shrunk = 0;

	for (size_t i = 0; i < d->history.count && tokens > limit; i++) {
		struct llm_message *m = d->history.messages[i];
		size_t len = strlen(m->text), took = llm_message_tokens(m);
		if (m->role != LLM_TOOL || len < RESULT_MIN)
			continue;
		llm_message_set_text(m,
		    xasprintf(
			"[%zu bytes of this result were left out to make room. Call again for a part of it.]",
			len));
		tokens -= took - llm_message_tokens(m);
		shrunk = 1;
	}
	return shrunk;
}

/* Drops images from the request before that, oldest first; the newest message keeps its own. */
static int leave_images_out(struct turn_state *d, size_t limit)
{
	size_t tokens = tokens_from(&d->history, 0);
	int shrunk = 0;

	for (size_t i = 0; i + 1 < d->history.count && tokens > limit; i++) {
		struct llm_message *m = d->history.messages[i];
		size_t took = llm_message_tokens(m);
		for (size_t k = 0; k < m->image_count; k++)
			m->images[k].superseded = true;
		shrunk |= llm_message_tokens(m) < took;
		tokens -= took - llm_message_tokens(m);
	}
	return shrunk;
}

int compact_turn(struct task *t, struct turn_state *d, size_t other, bool refused, struct error *err)
{
	size_t window = llm_window(d->agent->llm, d->turn->row.model), limit = window / 4 * 3,
	       keep = window / 4;
	size_t tokens = tokens_from(&d->history, 0);

	if (refused) {
		d->room = tokens * REFUSED_SHARE / 100;
		keep = d->room / 3 < keep ? d->room / 3 : keep;
	}
	limit = limit > other ? limit - other : 0;
	if (d->room > 0 && d->room < limit)
		limit = d->room;
	if (tokens <= limit)
		return 1;
	int rc = summarise(t, d, keep, err);
	if (rc < 0)
		return -1;
	if (tokens_from(&d->history, 0) > limit && leave_images_out(d, limit))
		rc = 1;
	if (tokens_from(&d->history, 0) > limit && leave_results_out(d, limit))
		rc = 1;
	if (rc > 0)
		log_info("agent", "made room: tokens=%zu of=%zu turn=%lld", tokens_from(&d->history, 0),
		    tokens, (long long)d->turn->row.id);
	return rc;
}

int agent_summarise(struct task *t, const struct budget_spender *who, int64_t session, const char *model,
    struct agent_summary *out, struct error *err)
{
	const struct agent *a = who->agent;
	struct llm_history h;

	*out = (struct agent_summary){0};
	llm_history_init(&h);
	int rc = store_history(t, a->store, session, compact_history_max(a, model), &h, err);
	size_t cut = rc < 0 ? 0 : find_cut(&h, 0);
	out->upto = newest_row(&h, cut < h.count ? cut : 0);
	out->messages = cut;
	if (rc == 0 && out->upto > 0) {
		const struct summary_request r = {.who = who, .model = model, .history = &h, .count = cut};
		rc = summary_make(t, &r, &out->text, err) < 0 ? -1 : 1;
	}
	llm_history_clear(&h);
	return rc;
}
