#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/llm_internal.h"
#include "llm/local_server.h"
#include "llm/usage_stats.h"
#include "llm/tokens.h"
#include "llm/provider_alerts.h"
#include "llm/image_input.h"
#include "net/backoff.h"

/* Limits that all attempts of one completion share. */
#define BUDGET_MS (5 * 60 * 1000)
#define TRIES_MAX 6
/* If a provider asks for a longer wait, we do not wait for it. */
#define WAIT_MAX_MS 20000
/* Added to the wait that a provider asks for, so that requests do not all return at once. */
#define JITTER_MS 1000
/* Below every provider's limit on the size of a request (Anthropic: 32 MB). */
#define REQUEST_MAX (30 * 1024 * 1024)

/* If another provider can be tried, the same one is retried only while switching would still be quick. */
#define SWITCH_MS           3000
#define WITH_FALLBACK_MS    1500
#define WITH_FALLBACK_TRIES 2

/* Tries for a provider that says itself that a retry helps. */
#define RETRY_AFTER_TRIES  3
#define RETRY_AFTER_MS     500
#define RETRY_AFTER_MAX_MS 8000

#define AGAIN_TEXT "My language model has not answered yet. I am trying again."
#define TURN_TEXT  "I may not ask my language model again just yet. I go on as soon as I may."

/* One completion with all its tries. */
struct completion {
	struct llm_request req;
	struct llm_tool *tools; /* those of req without the refused ones */
	struct llm *llm;
	struct llm_fallback fallback;
	struct llm_progress_notice notice;
	struct llm_answer *answer;
	struct llm_bill bill;
	struct error *err;
	unsigned tries;
	bool tested; /* the provider had a cooldown: this request tests it */
	bool paced;  /* the last provider was not asked, because the rate limit's wait was too long */
	uint64_t until;
	bool silent;                  /* an answer was empty and was requested again */
	enum llm_error_class passing; /* the first temporary failure; NONE for none */
};

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	    c == '-';
}

/* Returns where text quotes name; NULL for nowhere. */
static const char *quoted(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at++)
		if (at > text && strchr("'\"`", at[-1]) && !is_name_char(at[len]))
			return at;
	return NULL;
}

/* Leaves out the first tool that a refusal names; false when it names none. */
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
	log_error("llm", "the provider refuses the tool %s, it is left out: %s", c->tools[found].name,
	    c->err->text);
	c->req.tool_count--;
	c->req.prompt_tokens = 0;
	memmove(&c->tools[found], &c->tools[found + 1], (c->req.tool_count - found) * sizeof(*c->tools));
	return true;
}

/* The policy of the class, unless the provider said itself whether a retry helps. */
static struct llm_retry_policy policy_now(const struct llm_answer *answer)
{
	struct llm_retry_policy policy = *llm_retry_policy(answer->error_class);

	if (answer->retry_helps < 0)
		policy.tries = 1;
	if (answer->retry_helps <= 0)
		return policy;
	if (policy.tries < RETRY_AFTER_TRIES)
		policy.tries = RETRY_AFTER_TRIES;
	if (policy.base_ms == 0) {
		policy.base_ms = RETRY_AFTER_MS;
		policy.max_ms = RETRY_AFTER_MAX_MS;
	}
	return policy;
}

/* Returns whether this request tests a provider that failed before. */
static bool is_known_to_fail(const struct completion *c)
{
	const struct llm_outage *o = &c->llm->outage;

	return outage_is_on(o) || suspects_find(&o->suspects, c->fallback.who) ||
	    (c->req.has_fallback && c->tested);
}

/* Decides whether to ask the same provider, first asked at `began`, again, and after what wait; false when
 * it does not help or is too late. */
static bool may_retry(struct completion *c, unsigned tries, uint64_t began, uint64_t *wait_ms)
{
	struct llm_retry_policy policy = policy_now(c->answer);
	bool hurried = c->req.has_fallback && policy.next;
	struct backoff backoff = {.base_ms = policy.base_ms,
	    .max_ms = hurried ? WITH_FALLBACK_MS : policy.max_ms,
	    .tries = tries - 1};
	uint64_t asked_ms = c->err->retry_ms;

	if (tries >= policy.tries || (hurried && tries >= WITH_FALLBACK_TRIES) || c->tries >= TRIES_MAX ||
	    asked_ms > WAIT_MAX_MS)
		return false;
	if (llm_error_is_temporary(c->answer->error_class) && is_known_to_fail(c))
		return false;
	if (c->answer->error_class == LLM_ERROR_BAD_TOOLS && !drop_tool(c) && c->answer->retry_helps <= 0)
		return false;
	*wait_ms = asked_ms > 0 ? asked_ms + clock_random_below(JITTER_MS) : backoff_next(&backoff);
	if (hurried && clock_now() + *wait_ms > began + SWITCH_MS)
		return false;
	return clock_now() + *wait_ms <= c->until;
}

static int cancelled(struct completion *c)
{
	c->answer->error_class = LLM_ERROR_CANCELLED;
	return -1;
}

/* Waits until the provider may be asked; a wait that is too long counts as a rate limit of the provider. */
static int await_turn(struct task *t, struct completion *c, const struct llm_provider *p)
{
	struct llm_request_rate *request_rate = p->learned ? &p->learned->request_rate : NULL;
	uint64_t wait_ms = request_rate ? llm_request_rate_wait(request_rate) : 0;

	c->paced = wait_ms > 0 && (c->req.has_fallback || clock_now() + wait_ms > c->until);
	if (c->paced) {
		c->answer->error_class = LLM_ERROR_RATE_LIMIT;
		error_set(c->err, ERROR_LIMITED, "%s: no more requests for %llu s, as its limits say",
		    p->name, (unsigned long long)(wait_ms + 999) / 1000);
		c->err->retry_ms = wait_ms;
		return -1;
	}
	if (request_rate)
		llm_request_rate_take(request_rate);
	if (wait_ms == 0)
		return 0;
	progress_notice_reason(&c->notice, TURN_TEXT);
	return task_sleep(t, wait_ms, c->err) == 0 ? 0 : cancelled(c);
}

/* Asks with the images that the model may get, and again with fewer if the provider refuses them. */
static int ask(struct task *t, struct completion *c, const struct llm_provider *p)
{
	struct llm_image_input view = {.llm = c->llm, .provider = p, .req = &c->req};
	size_t tool_count = c->req.tool_count;
	bool again;
	int rc;

	/* Otherwise Ollama refuses the whole request. */
	if (p->learned && p->learned->no_tools)
		c->req.tool_count = 0;
	c->req.view = &view;
	do {
		llm_answer_clear(c->answer);
		error_clear(c->err);
		rc = llm_image_input_open(t, &view, c->err);
		if (rc == 0)
			rc = p->ops->complete(t, p, &c->req, &c->notice.sink, c->answer, c->err);
		else
			c->answer->error_class = LLM_ERROR_CANCELLED;
		again = rc < 0 && llm_image_input_blame(&view, c->answer->error_class, c->err);
		llm_image_input_close(&view);
	} while (again);
	c->req.view = NULL;
	c->req.tool_count = tool_count;
	c->answer->image_refused = llm_image_input_settle(&view, rc == 0);
	return rc;
}

/* Estimates the usage that the provider did not report: the whole request, and the text of the answer. */
static void fill_in(const struct completion *c, struct llm_usage *u)
{
	struct llm_message *m = c->answer->message;

	if (u->input_tokens > 0)
		return;
	u->estimated = true;
	u->input_tokens = (int64_t)llm_request_tokens(&c->req);
	if (u->output_tokens == 0 && m)
		u->output_tokens = (int64_t)llm_message_tokens(m);
}

static void charge(struct completion *c, const struct llm_provider *p)
{
	struct llm_usage *u = &c->answer->usage;

	fill_in(c, u);
	llm_price_apply(&p->price, u);
	llm_usage_stats_add(p->name, u);
	llm_bill_add(&c->bill, u);
}

static int try_once(struct task *t, struct completion *c, const struct llm_provider *p)
{
	llm_answer_clear(c->answer);
	error_clear(c->err);
	if (await_turn(t, c, p) != 0)
		return -1;
	llm_local_server_learn(t, p);
	c->tries++;
	int rc = ask(t, c, p);
	if (rc == 0 || c->answer->begun)
		charge(c, p);
	if (rc == 0)
		return 0;
	/* A person stopped the answer, but its text had already been generated. */
	if (c->answer->error_class != LLM_ERROR_CANCELLED)
		progress_notice_restart(&c->notice);
	return -1;
}

/* Did the answer end normally, without text or calls? */
static bool is_silent(const struct llm_answer *a)
{
	return a->finish == LLM_FINISH_STOP && a->message->call_count == 0 && str_is_blank(a->message->text);
}

/* Asks once more after an empty answer; a second empty answer counts. */
static int try_spoken(struct task *t, struct completion *c, const struct llm_provider *p)
{
	int rc = try_once(t, c, p);

	if (rc != 0 || c->silent || !is_silent(c->answer) || c->tries >= TRIES_MAX || clock_now() >= c->until)
		return rc;
	c->silent = true;
	log_info("llm", "trying again: %s gave an empty answer", p->name);
	llm_retry_policy_note(LLM_RETRIED, LLM_ERROR_MODEL_OUTPUT);
	progress_notice_restart(&c->notice);
	return try_once(t, c, p);
}

static int try_provider(struct task *t, struct completion *c, struct llm_candidate *candidate)
{
	const struct llm_provider *p = candidate->provider;
	uint64_t wait_ms, began = clock_now();

	for (unsigned tries = 1; try_spoken(t, c, p) != 0; tries++) {
		if (!may_retry(c, tries, began, &wait_ms))
			return -1;
		log_info("llm", "trying again: class=%s wait_ms=%llu %s",
		    llm_error_class_name(c->answer->error_class), (unsigned long long)wait_ms, c->err->text);
		llm_retry_policy_note(LLM_RETRIED, c->answer->error_class);
		progress_notice_reason(&c->notice, AGAIN_TEXT);
		if (task_sleep(t, wait_ms, c->err) != 0)
			return cancelled(c);
	}
	fallback_end_cooldown(candidate);
	llm_alert_clear(p);
	return 0;
}

/* After a cooldown nobody else asks the provider until this request has ended. */
static int test_provider(struct task *t, struct completion *c, size_t at)
{
	struct llm_candidate *candidate = c->fallback.items[at];
	int rc;

	c->req.has_fallback = fallback_ready(&c->fallback, at + 1) < c->fallback.count;
	c->tested = candidate->failures > 0 && !candidate->trying;
	if (c->tested)
		candidate->trying = c->fallback.who;
	rc = try_provider(t, c, candidate);
	if (c->tested)
		candidate->trying = 0;
	return rc;
}

/* Chooses the provider to ask after a failure; count when there is none. */
static size_t fail_over(struct completion *c, size_t at)
{
	enum llm_error_class class = c->answer->error_class;

	if (c->passing == LLM_ERROR_NONE && llm_error_is_temporary(class))
		c->passing = class;
	if (class == LLM_ERROR_AUTH || class == LLM_ERROR_BILLING)
		log_error(
		    "llm", "needs the operator: class=%s %s", llm_error_class_name(class), c->err->text);
	llm_alert_note(c->fallback.items[at]->provider, class, c->err);
	if (!llm_retry_policy(class)->next)
		return c->fallback.count;
	if (!c->paced)
		fallback_start_cooldown(c->llm, c->fallback.items[at], c->fallback.who, class, c->err);
	size_t next = fallback_ready(&c->fallback, at + 1);
	if (next == c->fallback.count || c->tries >= TRIES_MAX || clock_now() >= c->until)
		return c->fallback.count;
	log_warn("llm", "asking %s instead: class=%s %s", c->fallback.items[next]->provider->name,
	    llm_error_class_name(class), c->err->text);
	llm_retry_policy_note(LLM_FAILED_OVER, class);
	progress_notice_reason(&c->notice, AGAIN_TEXT);
	return next;
}

static int try_all(struct task *t, struct completion *c)
{
	size_t at = fallback_first(&c->fallback);

	while (test_provider(t, c, at) != 0) {
		at = fail_over(c, at);
		if (at == c->fallback.count)
			break;
	}
	if (at < c->fallback.count)
		return 0;
	/* If the next one refused for good, the first may still answer. */
	if (llm_retry_policy(c->answer->error_class)->next && c->passing != LLM_ERROR_NONE)
		c->answer->error_class = c->passing;
	return -1;
}

int llm_complete(struct task *t, struct llm *l, const struct llm_request *req, const struct llm_sink *sink,
    struct llm_answer *answer, struct error *err)
{
	struct error unwanted = {0};
	struct completion c = {
	    .req = *req,
	    .llm = l,
	    .answer = answer,
	    .err = err ? err : &unwanted,
	    .until = clock_now() + BUDGET_MS,
	};

	answer->bill = (struct llm_bill){0};
	if (llm_history_validate(req->history, REQUEST_MAX, c.err) != 0) {
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
	fallback_make(&c.fallback, l, req->provider, llm_requester(req->session_key));
	progress_notice_begin(&c.notice, sink);
	int rc = try_all(t, &c);
	progress_notice_end(&c.notice);
	answer->bill = c.bill;
	outage_note(&l->outage, t, c.fallback.who, rc == 0 ? LLM_ERROR_NONE : answer->error_class, c.err);
	free(c.tools);
	fallback_clear(&c.fallback);
	return rc;
}
