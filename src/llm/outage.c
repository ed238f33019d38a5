#include "llm/llm_internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/providers.h"

/* Time for a called task to start its test; then the next task is called. */
#define CALLED_MS 10000
/* A provider that asks for a longer wait is tried anyway: limits are lifted early, and one request an hour
 * does no harm. */
#define ASKED_MAX_MS (3600 * 1000)
#define JITTER_MS    1000
/* Interval between turns that resume after an outage: 20 per second. */
#define GO_EVERY_MS 50

#define KEPT " I keep your message and answer it as soon as I can. /stop drops it."

/* Failures that end by themselves or when somebody pays: the request is kept and retried after waits that
 * double from base_ms. For other failures waiting does not help. */
static const struct passing {
	uint64_t base_ms, max_ms;
	const char *notice;
} passing[LLM_ERROR_CANCELLED + 1] = {
    [LLM_ERROR_TRANSIENT] = {5000, 120000, "I cannot reach my language model at the moment." KEPT},
    [LLM_ERROR_OVERLOADED] = {5000, 120000, "My language model is overloaded at the moment." KEPT},
    [LLM_ERROR_RATE_LIMIT] = {10000, 300000, "My language model asks me to slow down." KEPT},
    [LLM_ERROR_BILLING] = {60000, 900000,
	"My account at the language model's provider has no credit left; the operator has to top it "
	"up." KEPT},
};

/* On the stack of a task in llm_await. */
struct waiter {
	struct list link;
	struct task *task;
	bool go;
};

bool llm_error_is_temporary(enum llm_error_class class)
{
	return passing[class].notice;
}

const char *llm_error_notice(enum llm_error_class class)
{
	return passing[class].notice;
}

void outage_init(struct llm_outage *o)
{
	*o = (struct llm_outage){.class = LLM_ERROR_NONE};
	list_init(&o->waiting);
}

void outage_clear(struct llm_outage *o)
{
	clock_timer_stop(&o->next_go);
}

bool outage_is_on(const struct llm_outage *o)
{
	return o->class != LLM_ERROR_NONE;
}

static void wake_first(struct llm_outage *o)
{
	struct list *first = list_first(&o->waiting);

	if (first)
		task_wake(list_entry(first, struct waiter, link)->task);
}

int outage_admit(struct llm_outage *o, struct task *t, enum llm_error_class *class, struct error *err)
{
	if (!outage_is_on(o))
		return 0;
	if (!o->trying && clock_now() >= o->next_try) {
		o->trying = t;
		return 0;
	}
	*class = o->class;
	return error_set(err, ERROR_NETWORK, "no model answers for now: %s", o->reason);
}

static void on_next_go(struct clock_timer *timer, void *arg)
{
	struct llm_outage *o = arg;
	struct list *first = list_first(&o->waiting);

	if (!first || outage_is_on(o))
		return;
	struct waiter *w = list_entry(first, struct waiter, link);
	w->go = true;
	list_remove(first);
	task_wake(w->task);
	clock_timer_start(timer, GO_EVERY_MS, on_next_go, o);
}

static void outage_end(struct llm_outage *o)
{
	if (!outage_is_on(o))
		return;
	log_warn("llm", "a model answers again: down_s=%llu waiting=%zu",
	    (unsigned long long)(clock_now() - o->since) / 1000, o->waiting_count);
	o->class = LLM_ERROR_NONE;
	backoff_reset(&o->wait);
	clock_timer_start(&o->next_go, 0, on_next_go, o);
}

static void outage_begin(struct llm_outage *o, enum llm_error_class class, const char *reason)
{
	o->since = o->next_try = clock_now();
	o->called_until = 0;
	o->wait = (struct backoff){.base_ms = passing[class].base_ms};
	o->class = class;
	str_copy(o->reason, sizeof(o->reason), reason);
	clock_timer_stop(&o->next_go);
}

/* A provider's requested wait is the minimum; the result of a late request changes nothing else. */
static void outage_go_on(
    struct llm_outage *o, bool tried, enum llm_error_class class, const struct error *why)
{
	uint64_t asked_ms = why->retry_ms < ASKED_MAX_MS ? why->retry_ms : ASKED_MAX_MS, next;

	o->class = class;
	str_copy(o->reason, sizeof(o->reason), why->text);
	o->wait.max_ms = passing[class].max_ms;
	next = clock_now() + (tried ? backoff_next(&o->wait) : 0);
	if (asked_ms > 0 && clock_now() + asked_ms > next)
		next = clock_now() + asked_ms + clock_random_below(JITTER_MS);
	if (next > o->next_try)
		o->next_try = next;
}

void outage_note(struct llm_outage *o, struct task *t, enum llm_error_class class, const struct error *why)
{
	bool tried = o->trying == t;

	if (tried) {
		o->trying = NULL;
		o->called_until = 0;
	}
	if (llm_error_is_temporary(class)) {
		bool begins = !outage_is_on(o);
		if (begins) {
			outage_begin(o, class, why->text);
			log_error("llm", "no model answers, messages wait: class=%s %s",
			    llm_error_class_name(class), why->text);
		}
		outage_go_on(o, tried || begins, class, why);
	} else if (class != LLM_ERROR_CANCELLED) {
		/* Whatever it answered, it is reachable. */
		outage_end(o);
	}
	o->asked |= class != LLM_ERROR_CANCELLED;
	wake_first(o);
}

/* The first task in the list proceeds by itself when it is time to try. */
static bool may_go(struct llm_outage *o, struct waiter *w, uint64_t *due)
{
	uint64_t at = o->called_until > o->next_try ? o->called_until : o->next_try;

	if (w->go)
		return true;
	if (o->waiting.next != &w->link || o->trying || !outage_is_on(o))
		return false;
	if (clock_now() < at) {
		*due = at < *due ? at : *due;
		return false;
	}
	o->called_until = clock_now() + CALLED_MS;
	return true;
}

static int await_others(
    struct task *t, struct llm_outage *o, uint64_t until, const bool *enough, struct error *err)
{
	struct waiter w = {.task = t};
	uint64_t due = until;
	int rc = 0;

	list_append(&o->waiting, &w.link);
	o->waiting_count++;
	while (rc >= 0 && !*enough && clock_now() < until && !may_go(o, &w, &due)) {
		rc = task_wait_until(t, due, err);
		due = until;
	}
	list_remove(&w.link);
	o->waiting_count--;
	wake_first(o);
	return rc < 0 ? -1 : 0;
}

int llm_await(
    struct task *t, struct llm *l, uint64_t not_before, uint64_t until, const bool *enough, struct error *err)
{
	struct llm_outage *o = &l->outage;
	int rc = 0;

	while (rc >= 0 && !*enough && clock_now() < not_before)
		rc = task_wait_until(t, not_before, err);
	if (rc < 0)
		return -1;
	if (!outage_is_on(o) && list_is_empty(&o->waiting))
		return 0;
	return await_others(t, o, until, enough, err);
}

void llm_expect_outage(struct llm *l)
{
	struct llm_outage *o = &l->outage;

	if (o->asked || outage_is_on(o))
		return;
	outage_begin(o, LLM_ERROR_TRANSIENT, "no model answered before the last stop");
}

void llm_retire(struct llm *l)
{
	struct llm_outage *o = &l->outage;

	o->class = LLM_ERROR_NONE;
	clock_timer_start(&o->next_go, 0, on_next_go, o);
}

void llm_health(const struct llm *l, struct llm_health *out)
{
	const struct llm_outage *o = &l->outage;
	uint64_t now = clock_now();

	*out = (struct llm_health){.down = outage_is_on(o), .waiting = o->waiting_count};
	if (!out->down)
		return;
	out->class = o->class;
	out->reason = o->reason;
	out->for_ms = now - o->since;
	out->next_try_ms = o->next_try > now ? o->next_try - now : 0;
}

uint64_t llm_patience(const struct llm *l)
{
	return l->patience_ms;
}
