#include "llm/llm_internal.h"

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/duration.h"
#include "llm/providers.h"

/* Time for a called task to start its test; then the next task is called. */
#define CALLED_MS 10000
/* A provider that asks for a longer wait is tried anyway: limits are lifted early, and one request an hour
 * does no harm. */
#define ASKED_MAX_MS (3600 * 1000)
#define JITTER_MS    1000
/* Interval between turns that resume after an outage: 20 per second. */
#define GO_EVERY_MS 50
/* The notice calls a shorter wait "a few seconds". */
#define SOON_MS 5000

/* Failures that end by themselves or when somebody pays: the request is kept and retried after waits that
 * double from base_ms. For other failures waiting does not help. */
static const struct passing {
	uint64_t base_ms, max_ms;
	const char *notice;
} passing[LLM_ERROR_CANCELLED + 1] = {
    [LLM_ERROR_TRANSIENT] = {5000, 120000, "I cannot reach my language model at the moment."},
    [LLM_ERROR_OVERLOADED] = {5000, 120000, "My language model is overloaded at the moment."},
    [LLM_ERROR_RATE_LIMIT] = {10000, 300000, "My language model asks me to slow down."},
    [LLM_ERROR_BILLING] = {60000, 900000,
	"My account at the language model's provider has no credit left; the operator has to top it up."},
};

/* On the stack of a task in llm_await. */
struct waiter {
	struct list link;
	struct task *task;
	uint64_t who, not_before;
	bool go;
};

bool llm_error_is_temporary(enum llm_error_class class)
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

/* Returns the waiting task that asks next: the first that has not failed yet, else the first; NULL for none.
 */
static struct waiter *next_waiter(struct llm_outage *o)
{
	struct waiter *next = NULL;

	list_each(&o->waiting, it, tmp) {
		struct waiter *w = list_entry(it, struct waiter, link);
		if (clock_now() < w->not_before)
			continue;
		if (!suspects_find(&o->suspects, w->who))
			return w;
		next = next ? next : w;
	}
	return next;
}

static void wake_next(struct llm_outage *o)
{
	struct waiter *next = next_waiter(o);

	if (next)
		task_wake(next->task);
}

static void wake_all(struct llm_outage *o)
{
	list_each(&o->waiting, it, tmp)
		task_wake(list_entry(it, struct waiter, link)->task);
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
	struct waiter *w = outage_is_on(o) ? NULL : next_waiter(o);

	o->draining = w;
	if (!w) {
		wake_all(o);
		return;
	}
	w->go = true;
	list_remove(&w->link);
	task_wake(w->task);
	clock_timer_start(timer, GO_EVERY_MS, on_next_go, o);
}

static void drain(struct llm_outage *o)
{
	o->draining = true;
	clock_timer_start(&o->next_go, 0, on_next_go, o);
}

/* Call it after an answer or a permanent refusal: the models are reachable. */
static void outage_end(struct llm_outage *o)
{
	o->suspects.count = 0;
	if (!outage_is_on(o))
		return;
	log_warn("llm", "a model answers again: down_s=%llu waiting=%zu",
	    (unsigned long long)(clock_now() - o->since) / 1000, o->waiting_count);
	o->class = LLM_ERROR_NONE;
	backoff_reset(&o->wait);
	drain(o);
}

static void outage_begin(struct llm_outage *o, enum llm_error_class class)
{
	o->next_try = clock_now();
	o->called_until = 0;
	o->draining = false;
	o->wait = (struct backoff){.base_ms = passing[class].base_ms};
	o->class = class;
	clock_timer_stop(&o->next_go);
}

/* A provider's requested wait is the minimum; the result of a late request changes nothing else. */
static void outage_go_on(
    struct llm_outage *o, bool tried, enum llm_error_class class, const struct error *why)
{
	uint64_t asked_ms = why->retry_ms < ASKED_MAX_MS ? why->retry_ms : ASKED_MAX_MS, next;

	o->class = class;
	o->wait.max_ms = passing[class].max_ms;
	next = clock_now() + (tried ? backoff_next(&o->wait) : 0);
	if (asked_ms > 0 && clock_now() + asked_ms > next)
		next = clock_now() + asked_ms + clock_random_below(JITTER_MS);
	if (next > o->next_try)
		o->next_try = next;
}

/* Records a failure. Returns whether it says that no model answers. */
static bool outage_suspect(
    struct llm_outage *o, uint64_t who, enum llm_error_class class, const struct error *why)
{
	if (!outage_is_on(o) && o->suspects.count == 0)
		o->since = clock_now();
	o->last = class;
	str_copy(o->reason, sizeof(o->reason), why->text);
	return suspects_add(&o->suspects, who, 0, class, why);
}

void outage_note(
    struct llm_outage *o, struct task *t, uint64_t who, enum llm_error_class class, const struct error *why)
{
	bool tried = o->trying == t;

	if (tried) {
		o->trying = NULL;
		o->called_until = 0;
	}
	if (llm_error_is_temporary(class)) {
		bool begins = outage_suspect(o, who, class, why) && !outage_is_on(o);
		if (begins) {
			outage_begin(o, class);
			log_error("llm", "no model answers, messages wait: class=%s %s",
			    llm_error_class_name(class), why->text);
		}
		if (outage_is_on(o))
			outage_go_on(o, tried || begins, class, why);
	} else if (class != LLM_ERROR_CANCELLED) {
		/* Any answer shows that the provider is reachable. */
		outage_end(o);
	}
	wake_next(o);
}

/* Decides whether a waiting task continues; if not, *due may become earlier. */
static bool may_go(struct llm_outage *o, struct waiter *w, uint64_t *due)
{
	uint64_t at = w->not_before;

	if (w->go)
		return true;
	if (outage_is_on(o) && at < o->next_try)
		at = o->next_try;
	if (outage_is_on(o) && at < o->called_until)
		at = o->called_until;
	if (clock_now() < at) {
		*due = at < *due ? at : *due;
		return false;
	}
	if (!outage_is_on(o))
		return !o->draining;
	if (o->trying)
		return false;
	if (next_waiter(o) != w) {
		wake_next(o);
		return false;
	}
	o->called_until = clock_now() + CALLED_MS;
	return true;
}

int llm_await(struct task *t, struct llm *l, const struct llm_wait *wait, struct error *err)
{
	struct llm_outage *o = &l->outage;
	struct waiter w = {
	    .task = t, .who = llm_requester(wait->session_key), .not_before = wait->not_before};
	uint64_t due = wait->until;
	int rc = 0;

	list_append(&o->waiting, &w.link);
	o->waiting_count++;
	while (rc >= 0 && !*wait->stop_waiting && clock_now() < wait->until && !may_go(o, &w, &due)) {
		rc = task_wait_until(t, due, err);
		due = wait->until;
	}
	list_remove(&w.link);
	o->waiting_count--;
	wake_next(o);
	return rc < 0 ? -1 : 0;
}

void llm_expect_outage(struct llm *l, const char *session_key)
{
	static const struct error unknown = {.text = "no model answered before the last stop"};
	struct llm_outage *o = &l->outage;

	if (outage_is_on(o))
		return;
	if (outage_suspect(o, llm_requester(session_key), LLM_ERROR_TRANSIENT, &unknown))
		outage_begin(o, LLM_ERROR_TRANSIENT);
}

size_t llm_retry_now(struct llm *l)
{
	struct llm_outage *o = &l->outage;

	for (size_t i = 0; i < l->count; i++) {
		l->order[i].cooldown_until = 0;
		l->order[i].suspects.count = 0;
	}
	list_each(&o->waiting, it, tmp)
		list_entry(it, struct waiter, link)->not_before = 0;
	o->next_try = o->called_until = 0;
	backoff_reset(&o->wait);
	if (outage_is_on(o))
		wake_next(o);
	else
		drain(o);
	return o->waiting_count;
}

void llm_retire(struct llm *l)
{
	l->outage.class = LLM_ERROR_NONE;
	llm_retry_now(l);
}

/* Returns when the next request is due; while only single chats fail, each has a time of its own. */
static uint64_t next_try(const struct llm_outage *o)
{
	uint64_t next = UINT64_MAX;

	if (outage_is_on(o))
		return o->next_try;
	for (const struct list *it = o->waiting.next; it != &o->waiting; it = it->next) {
		const struct waiter *w = list_entry(it, struct waiter, link);
		next = w->not_before < next ? w->not_before : next;
	}
	return next == UINT64_MAX ? 0 : next;
}

void llm_health(const struct llm *l, struct llm_health *out)
{
	const struct llm_outage *o = &l->outage;
	uint64_t now = clock_now(), next = next_try(o);

	*out = (struct llm_health){.down = outage_is_on(o) || o->suspects.count > 0,
	    .outage = outage_is_on(o),
	    .waiting = o->waiting_count};
	if (!out->down)
		return;
	out->class = out->outage ? o->class : o->last;
	out->reason = o->reason;
	out->for_ms = now - o->since;
	out->next_try_ms = next > now ? next - now : 0;
}

void llm_outage_notice(const struct llm *l, enum llm_error_class class, struct buf *out)
{
	struct llm_health health;

	llm_health(l, &health);
	buf_addf(out, "%s I keep your message and try again in ", passing[class].notice);
	if (health.outage && health.next_try_ms > SOON_MS)
		duration_add(out, (int64_t)health.next_try_ms);
	else
		buf_addstr(out, "a few seconds");
	buf_addstr(out, ", until it answers. /stop drops it.");
}

uint64_t llm_patience(const struct llm *l)
{
	return l->patience_ms;
}
