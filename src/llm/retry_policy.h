#ifndef LLM_RETRY_POLICY_H
#define LLM_RETRY_POLICY_H
/* The retry policy of each error class: retry the same provider, ask the next one, or give up. For
 * llm_complete. */
#include <stdbool.h>
#include <stdint.h>

#include "llm/llm.h"

struct llm_retry_policy {
	unsigned tries;           /* attempts per provider, including the first */
	uint64_t base_ms, max_ms; /* the wait doubles between attempts */
	bool next;                /* another provider may succeed */
	/* Cooldown after that; doubles with each one in a row. */
	uint64_t cool_ms;
	bool key; /* the key is at fault: all providers with it cool down */
};

const struct llm_retry_policy *llm_retry_policy(enum llm_error_class class);

enum llm_event { LLM_RETRIED, LLM_FAILED_OVER, LLM_COOLED };
/* Counts an event by error class in the metrics. */
void llm_retry_policy_note(enum llm_event event, enum llm_error_class class);

#endif
