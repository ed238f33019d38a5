#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/llm_private.h"
#include "llm/spent.h"
#include "net/backoff.h"

/* What all tries of one completion share. */
#define BUDGET_MS  (5 * 60 * 1000)
#define TRIES_MOST 6
/* A provider that asks for a longer wait is not waited for. */
#define WAIT_MOST_MS 20000
/* Added to what a provider asks for, so that not all come back at once. */
#define JITTER_MS 1000
/* Below every provider's limit on the size of a request (Anthropic: 32 MB). */
#define REQUEST_MOST (30 * 1024 * 1024)

#define HALF_A_MINUTE (30 * 1000)
#define AN_HOUR	      (60 * 60 * 1000)

/* What helps against a failure: the same provider again, after a wait that doubles from base_ms; or the next one,
 * with this one left alone for cool_ms. What one provider refuses for good another may accept; a history that is too
 * long or broken is so for all. */
static const struct policy {
	unsigned tries; /* of one provider, the first included */
	uint64_t base_ms, max_ms;
	bool next;
	uint64_t cool_ms;
} policies[] = {
	[LLM_ERROR_TRANSIENT] = { 3, 500, 8000, true, HALF_A_MINUTE },
	[LLM_ERROR_OVERLOADED] = { 3, 4000, 8000, true, HALF_A_MINUTE },
	[LLM_ERROR_RATE_LIMIT] = { 3, 4000, 8000, true, HALF_A_MINUTE },
	[LLM_ERROR_BILLING] = { 1, 0, 0, true, AN_HOUR },
	[LLM_ERROR_AUTH] = { 1, 0, 0, true, AN_HOUR },
	[LLM_ERROR_OVERFLOW] = { 1, 0, 0, false, 0 },
	[LLM_ERROR_BAD_HISTORY] = { 1, 0, 0, false, 0 },
	[LLM_ERROR_BAD_TOOLS] = { 3, 0, 0, false, 0 },
	[LLM_ERROR_MODEL_OUTPUT] = { 2, 0, 0, true, 0 },
	[LLM_ERROR_REFUSAL] = { 1, 0, 0, false, 0 },
	[LLM_ERROR_FATAL] = { 1, 0, 0, true, 0 },
	[LLM_ERROR_CANCELLED] = { 1, 0, 0, false, 0 },
	[LLM_ERROR_NO_MODEL] = { 1, 0, 0, false, 0 },
};

/* One completion, with all its tries. */
struct completion {
	struct llm_request req;
	struct llm_tool *tools; /* those of req, less the refused ones */
	struct llm_candidate **chain; /* who is asked, in order */
	size_t chain_count;
	const struct llm_sink *sink;
	struct llm_answer *answer;
	struct error *err;
	unsigned tries;
	uint64_t until;
	const struct llm_outage *outage;
	enum llm_error_class passing; /* the first failure that passes, NONE if there was none */
};

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Where text quotes name, NULL if nowhere. */
static const char *quoted(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		if (at > text && strchr("'\"`", at[-1]) && !is_name_char(at[len]))
			return at;
	return NULL;
}

/* Leaves out the tool that a refusal names first; false when it names none. */
static bool drop_tool(struct completion *c)
{
	const char *first = NULL, *at;
	size_t found = 0;

	for (size_t i = 0; i < c->req.tool_count; i++) {
		at = quoted(c->err->text, c->tools[i].name);
		if (at && (!first || at < first)) {
			first = at;
			found = i;
		}
	}
	if (!first)
		return false;
	log_error("llm", "the provider refuses the tool %s, it is left out: %s", c->tools[found].name, c->err->text);
	c->req.tool_count--;
	memmove(&c->tools[found], &c->tools[found + 1], (c->req.tool_count - found) * sizeof(*c->tools));
	return true;
}

/* How long to wait before the same provider is asked again; false when that does not help, or is too late. */
static bool may_retry(struct completion *c, const struct policy *policy, unsigned tries, uint64_t *wait_ms)
{
	struct backoff backoff = { .base_ms = policy->base_ms, .max_ms = policy->max_ms, .tries = tries - 1 };
	uint64_t asked_ms = c->err->retry_ms;

	if (tries >= policy->tries || c->tries >= TRIES_MOST || asked_ms > WAIT_MOST_MS)
		return false;
	/* Who tries for all tries once; others found out meanwhile what this one would find. */
	if (outage_is_on(c->outage) && llm_error_passes(c->answer->error_class))
		return false;
	if (c->answer->error_class == LLM_ERROR_BAD_TOOLS && !drop_tool(c))
		return false;
	*wait_ms = asked_ms > 0 ? asked_ms + clock_random_below(JITTER_MS) : backoff_next(&backoff);
	return clock_now() + *wait_ms <= c->until;
}

static int try_once(struct task *t, struct completion *c, const struct llm_provider *p)
{
	llm_answer_clear(c->answer);
	error_clear(c->err);
	c->tries++;
	if (p->ops->complete(t, p, &c->req, c->sink, c->answer, c->err) == 0) {
		llm_price_apply(&p->price, &c->answer->usage);
		llm_spent_note(p->name, &c->answer->usage);
		return 0;
	}
	/* What a person stopped had been said. */
	if (c->sink && c->sink->restart && c->answer->error_class != LLM_ERROR_CANCELLED)
		c->sink->restart(c->sink->arg);
	return -1;
}

static int try_provider(struct task *t, struct completion *c, const struct llm_provider *p)
{
	uint64_t wait_ms;

	for (unsigned tries = 1; try_once(t, c, p) != 0; tries++) {
		if (!may_retry(c, &policies[c->answer->error_class], tries, &wait_ms))
			return -1;
		log_info("llm", "trying again: class=%s wait_ms=%llu %s", llm_error_class_name(c->answer->error_class),
		    (unsigned long long)wait_ms, c->err->text);
		if (task_sleep(t, wait_ms, c->err) != 0) {
			c->answer->error_class = LLM_ERROR_CANCELLED;
			return -1;
		}
	}
	return 0;
}

/* The first candidate from there on that is not cooling down; chain_count if none. */
static size_t next_ready(const struct completion *c, size_t from)
{
	while (from < c->chain_count && c->chain[from]->cool_until > clock_now())
		from++;
	return from;
}

/* Whom to ask after this one failed; chain_count when nobody else helps. */
static size_t fail_over(struct completion *c, size_t at)
{
	enum llm_error_class class = c->answer->error_class;
	const struct policy *policy = &policies[class];
	uint64_t cool_ms = policy->cool_ms > c->err->retry_ms ? policy->cool_ms : c->err->retry_ms;
	size_t next = next_ready(c, at + 1);

	if (c->passing == LLM_ERROR_NONE && llm_error_passes(class))
		c->passing = class;
	if (class == LLM_ERROR_AUTH || class == LLM_ERROR_BILLING)
		log_error("llm", "the operator has to look into it: class=%s %s", llm_error_class_name(class),
		    c->err->text);
	if (!policy->next)
		return c->chain_count;
	c->chain[at]->cool_until = clock_now() + cool_ms;
	if (next == c->chain_count || c->tries >= TRIES_MOST || clock_now() >= c->until)
		return c->chain_count;
	log_warn("llm", "asking %s instead: class=%s %s", c->chain[next]->provider->name, llm_error_class_name(class),
	    c->err->text);
	return next;
}

/* When all are cooling down, the first is asked all the same. */
static int try_all(struct task *t, struct completion *c)
{
	size_t at = next_ready(c, 0);

	if (at == c->chain_count)
		at = 0;
	while (try_provider(t, c, c->chain[at]->provider) != 0) {
		at = fail_over(c, at);
		if (at == c->chain_count)
			break;
	}
	if (at < c->chain_count)
		return 0;
	/* What the next one refused for good, the first may still answer. */
	if (policies[c->answer->error_class].next && c->passing != LLM_ERROR_NONE)
		c->answer->error_class = c->passing;
	return -1;
}

/* Who was chosen comes first; the others follow as they would without. */
static void make_chain(struct llm *l, struct completion *c)
{
	struct llm_candidate *chosen = NULL;

	c->chain = xcalloc(l->order_count + 1, sizeof(struct llm_candidate *));
	for (size_t i = 0; c->req.provider && i < l->count && !chosen; i++)
		if (strcmp(l->order[i].provider->name, c->req.provider) == 0)
			chosen = &l->order[i];
	if (chosen)
		c->chain[c->chain_count++] = chosen;
	for (size_t i = 0; i < l->order_count; i++)
		if (&l->order[i] != chosen)
			c->chain[c->chain_count++] = &l->order[i];
}

int llm_complete(struct task *t, struct llm *l, const struct llm_request *req, const struct llm_sink *sink,
    struct llm_answer *answer, struct error *err)
{
	struct error unwanted = { 0 };
	struct completion c = {
		.req = *req,
		.sink = sink,
		.answer = answer,
		.err = err ? err : &unwanted,
		.until = clock_now() + BUDGET_MS,
		.outage = &l->outage,
	};

	if (llm_history_validate(req->history, REQUEST_MOST, c.err) != 0) {
		answer->error_class = LLM_ERROR_BAD_HISTORY;
		return -1;
	}
	if (l->order_count == 0) {
		answer->error_class = LLM_ERROR_NO_MODEL;
		return error_set(c.err, ERROR_REFUSED, "no model is configured");
	}
	if (outage_admit(&l->outage, t, &answer->error_class, c.err) != 0)
		return -1;
	c.tools = xcalloc(req->tool_count + 1, sizeof(*c.tools));
	for (size_t i = 0; i < req->tool_count; i++)
		c.tools[i] = req->tools[i];
	c.req.tools = c.tools;
	make_chain(l, &c);
	int rc = try_all(t, &c);
	outage_note(&l->outage, t, rc == 0 ? LLM_ERROR_NONE : answer->error_class, c.err);
	free(c.tools);
	free(c.chain);
	return rc;
}
