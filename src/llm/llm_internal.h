#ifndef LLM_LLM_INTERNAL_H
#define LLM_LLM_INTERNAL_H
/* The configured providers, shared by llm.c, which reads them, and complete.c, which asks them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/list.h"
#include "base/task_cond.h"
#include "base/time/clock.h"
#include "llm/llm.h"
#include "llm/vision.h"
#include "net/backoff.h"

struct llm_transcriber;
struct task;

/* suspects.c: Who failed since the last answer. A failure may be the fault of one request: it counts against
 * the provider when this many conversations had one, or at once when it is about the account. */

#define LLM_SUSPECTS_ENOUGH 3
#define LLM_SUSPECTS_MAX    16

struct llm_suspects {
	struct llm_suspect {
		uint64_t who;   /* llm_requester */
		uint64_t until; /* clock_now(): for how long this one does not ask */
	} items[LLM_SUSPECTS_MAX];
	size_t count;
};

/* Returns a number for the conversation that a request belongs to; session_key may be NULL. */
uint64_t llm_requester(const char *session_key);
/* Records a failure. Returns whether it counts against the provider. */
bool suspects_add(struct llm_suspects *s, uint64_t who, uint64_t until, enum llm_error_class class,
    const struct error *why);
/* Returns NULL when it did not fail, as far as is known. */
const struct llm_suspect *suspects_find(const struct llm_suspects *s, uint64_t who);

/*
 * outage.c: A circuit breaker for all models together. During an outage requests are refused at once, except
 * one at a time that tests the models, paced by back-off: the load on a failing provider does not depend on
 * the number of waiting chats. Conversations that have not failed go first, the others take turns. After an
 * answer the waiting tasks resume one by one. Internal to src/llm.
 */

struct llm_outage {
	/* why no model answers; LLM_ERROR_NONE: one does, or no request was made yet */
	enum llm_error_class class;
	/* The requesters that failed since the last answer. While there are some, but no outage, other
	 * requesters test the models. */
	struct llm_suspects suspects;
	enum llm_error_class last; /* of the last failure */
	char reason[sizeof(((struct error *)0)->text)];
	uint64_t since, next_try; /* clock_now() */
	struct backoff wait;
	struct task *trying;   /* the task that tests the models */
	uint64_t called_until; /* until then the task called last may test them */
	bool draining;         /* the waiting tasks resume, one by one */
	/* Tasks in llm_await, in order of arrival: a list, because each is woken on its own. */
	struct list waiting;
	size_t waiting_count;
	struct clock_timer next_go;
};

void outage_init(struct llm_outage *o);
void outage_clear(struct llm_outage *o);
bool outage_is_on(const struct llm_outage *o);
/* Returns 0 when the task may ask now, or -1 with the class and the reason. */
int outage_admit(struct llm_outage *o, struct task *t, enum llm_error_class *class, struct error *err);
/* Records the outcome of an admitted request; LLM_ERROR_NONE for an answer. why is not NULL. */
void outage_note(
    struct llm_outage *o, struct task *t, uint64_t who, enum llm_error_class class, const struct error *why);

struct llm_candidate {
	const struct llm_provider *provider;
	uint64_t
	    cooldown_until; /* end of its cooldown by clock_now(): not asked before while another can be */
	unsigned failures;  /* consecutive failures that caused a cooldown */
	struct llm_suspects suspects;
	uint64_t trying; /* after a cooldown: the requester that tests it; 0: none */
};

struct llm {
	struct llm_provider *providers;
	size_t count;
	struct llm_candidate *order; /* the default, then the fallbacks, then the others: count */
	size_t order_count;          /* without the others */
	uint64_t patience_ms;
	char *currency;
	struct llm_transcriber *transcriber; /* NULL when none is configured */
	struct llm_outage outage;
	struct llm_vision_settings vision;
	struct task_semaphore image_memory; /* bytes */
};

/* fallback.c: The order of providers for a request, and the cooldown of those that failed. For llm_complete.
 */

struct llm_fallback {
	struct llm_candidate **items;
	size_t count;
	uint64_t who; /* the requester */
};

/* Lists the providers: chosen first (NULL for none), then the others in their usual order. */
void fallback_make(struct llm_fallback *c, struct llm *l, const char *chosen, uint64_t who);
void fallback_clear(struct llm_fallback *c);
/* Returns the index of the first available provider from there on; count if none. */
size_t fallback_ready(const struct llm_fallback *c, size_t from);
/* Returns the index of the provider to ask first: if none is available, one that waits for its rate limit
 * is preferred to one that failed. */
size_t fallback_first(const struct llm_fallback *c);
/* Starts a cooldown after a failure, at least as long as the provider asks for: for this requester alone,
 * until enough others have failed too. If the key is at fault, all configured providers with the same key
 * cool down. */
void fallback_start_cooldown(struct llm *l, struct llm_candidate *failed, uint64_t who,
    enum llm_error_class class, const struct error *why);
/* Ends the cooldown after an answer, for all. */
void fallback_end_cooldown(struct llm_candidate *answered);

/* retry_policy.c: The retry policy of each error class: retry the same provider, ask the next one, or give
 * up. For llm_complete. */

struct llm_retry_policy {
	unsigned tries;           /* attempts per provider, including the first */
	uint64_t base_ms, max_ms; /* the wait doubles between attempts */
	bool next;                /* another provider may succeed */
	/* Cooldown after that; doubles with each one in a row. */
	uint64_t cooldown_ms;
	bool key; /* the key is at fault: all providers with it cool down */
};

const struct llm_retry_policy *llm_retry_policy(enum llm_error_class class);

enum llm_event { LLM_RETRIED, LLM_FAILED_OVER, LLM_COOLED_DOWN };
/* Counts an event by error class in the metrics. */
void llm_retry_policy_note(enum llm_event event, enum llm_error_class class);

/* progress_notice.c: The progress notice of a slow request: one line, at most once, and none while an answer
 * grows. For llm_complete. */

struct llm_progress_notice {
	struct llm_sink sink;          /* for the provider: forwards to caller */
	const struct llm_sink *caller; /* the caller's; NULL for none */
	struct clock_timer timer;
	const char *why; /* NULL while there is no problem */
	bool answering, notified;
};

void progress_notice_begin(struct llm_progress_notice *s, const struct llm_sink *caller);
void progress_notice_end(struct llm_progress_notice *s);
/* Records a problem or a wait; the notice is sent when the request is old enough. */
void progress_notice_reason(struct llm_progress_notice *s, const char *why);
/* An attempt failed: its text is discarded. */
void progress_notice_restart(struct llm_progress_notice *s);

#endif
