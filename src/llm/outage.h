#ifndef LLM_OUTAGE_H
#define LLM_OUTAGE_H
/*
 * What is known of the models as a whole. While none of them answers, requests are refused at once, except
 * one at a time that tries, paced by back-off: how many chats wait makes no difference to a provider that is
 * down. When one has answered, those that wait go on one after another. Private to the models.
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
	enum llm_error_class class; /* why none answers; LLM_ERROR_NONE: they do, or nobody asked yet */
	char reason[sizeof(((struct error *)0)->text)];
	uint64_t since, next_try; /* clock_now() */
	struct backoff wait;
	struct task *trying;   /* asks for all */
	uint64_t called_until; /* until then it is left to the one who was called last to try */
	bool asked;            /* a request has ended since the start */
	struct list waiting;   /* who waits in llm_await, in the order of their coming */
	size_t waiting_count;
	struct clock_timer next_go;
};

void outage_init(struct llm_outage *o);
void outage_clear(struct llm_outage *o);
bool outage_is_on(const struct llm_outage *o);
/* May the task ask now? -1 with the class and the reason when it is not its turn. */
int outage_admit(struct llm_outage *o, struct task *t, enum llm_error_class *class, struct error *err);
/* What came of a request that was admitted; LLM_ERROR_NONE: an answer. why is not NULL. */
void outage_note(struct llm_outage *o, struct task *t, enum llm_error_class class, const struct error *why);

#endif
