#ifndef LLM_OUTAGE_H
#define LLM_OUTAGE_H
/*
 * A circuit breaker for all models together. During an outage requests are refused at once, except one
 * at a time that tests the models, paced by back-off: the load on a failing provider does not depend on
 * the number of waiting chats. After an answer the waiting tasks resume one by one. Internal to src/llm.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "llm/llm.h"
#include "net/backoff.h"

struct task;

struct llm_outage {
	/* why none answers; LLM_ERROR_NONE: they do, or no request was made yet */
	enum llm_error_class class;
	char reason[sizeof(((struct error *)0)->text)];
	uint64_t since, next_try; /* clock_now() */
	struct backoff wait;
	struct task *trying;   /* the task that tests the models */
	uint64_t called_until; /* until then the task called last may test them */
	bool asked;            /* a request has ended since the start */
	struct list waiting;   /* tasks in llm_await, in order of arrival */
	size_t waiting_count;
	struct clock_timer next_go;
};

void outage_init(struct llm_outage *o);
void outage_clear(struct llm_outage *o);
bool outage_is_on(const struct llm_outage *o);
/* Returns 0 when the task may ask now, or -1 with the class and the reason. */
int outage_admit(struct llm_outage *o, struct task *t, enum llm_error_class *class, struct error *err);
/* Records the outcome of an admitted request; LLM_ERROR_NONE for an answer. why is not NULL. */
void outage_note(struct llm_outage *o, struct task *t, enum llm_error_class class, const struct error *why);

#endif
