#ifndef LLM_RETRY_POLICY_H
#define LLM_RETRY_POLICY_H
/* What helps against a failure of each class: the same provider again, the next one, or neither. Private to
 * llm_complete. */
#include <stdbool.h>
#include <stdint.h>

#include "llm/llm.h"

struct llm_retry_policy {
	unsigned tries;           /* of one provider, the first included */
	uint64_t base_ms, max_ms; /* the waits between them double */
	bool next;                /* another provider may answer what this one does not */
	/* Then this one is left alone for so long, and for twice as long each time in a row. */
	uint64_t cool_ms;
	bool key; /* it is the key's fault: all that use it are left alone */
};

const struct llm_retry_policy *llm_retry_policy(enum llm_error_class class);

enum llm_event { LLM_RETRIED, LLM_FAILED_OVER, LLM_COOLED };
/* Counts what was done because of a failure, for the figures. */
void llm_retry_policy_note(enum llm_event event, enum llm_error_class class);

#endif
