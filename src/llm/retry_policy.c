#include "llm/llm_internal.h"

#include "base/mem.h"
#include "base/metric.h"
#include "llm/llm.h"

#define HALF_A_MINUTE (30 * 1000)
#define AN_HOUR       (60 * 60 * 1000)

/* One provider may accept a request that another refuses for good; a history that is too long or invalid
 * fails everywhere. */
static const struct llm_retry_policy policies[] = {
    [LLM_ERROR_TRANSIENT] =
	{.tries = 3, .base_ms = 500, .max_ms = 8000, .next = true, .cooldown_ms = HALF_A_MINUTE},
    [LLM_ERROR_OVERLOADED] =
	{.tries = 3, .base_ms = 4000, .max_ms = 8000, .next = true, .cooldown_ms = HALF_A_MINUTE},
    [LLM_ERROR_RATE_LIMIT] =
	{.tries = 3, .base_ms = 4000, .max_ms = 8000, .next = true, .cooldown_ms = HALF_A_MINUTE},
    [LLM_ERROR_BILLING] = {.tries = 1, .next = true, .cooldown_ms = AN_HOUR, .key = true},
    [LLM_ERROR_AUTH] = {.tries = 1, .next = true, .cooldown_ms = AN_HOUR, .key = true},
    [LLM_ERROR_OVERFLOW] = {.tries = 1},
    [LLM_ERROR_BAD_HISTORY] = {.tries = 1},
    [LLM_ERROR_BAD_TOOLS] = {.tries = 3},
    [LLM_ERROR_MODEL_OUTPUT] = {.tries = 2, .next = true},
    [LLM_ERROR_REFUSAL] = {.tries = 1},
    [LLM_ERROR_FATAL] = {.tries = 1, .next = true},
    [LLM_ERROR_CANCELLED] = {.tries = 1},
    [LLM_ERROR_NO_MODEL] = {.tries = 1},
};

const struct llm_retry_policy *llm_retry_policy(enum llm_error_class class)
{
	return &policies[class];
}

/* Classes after which something is done, in the order of the metrics. */
static const enum llm_error_class counted[COUNTER_OUTCOMES] = {LLM_ERROR_TRANSIENT, LLM_ERROR_OVERLOADED,
    LLM_ERROR_RATE_LIMIT, LLM_ERROR_BILLING, LLM_ERROR_AUTH, LLM_ERROR_BAD_TOOLS, LLM_ERROR_MODEL_OUTPUT,
    LLM_ERROR_FATAL};

#define CLASSES                                                                                          \
	{                                                                                                \
		"transient", "overloaded", "rate_limit", "billing", "auth", "bad_tools", "model_output", \
		    "fatal"                                                                              \
	}

struct counter llm_retries = {.name = "myna_model_retries_total",
    .help = "Requests to a model that were tried again with the same one.",
    .label = "class",
    .outcomes = CLASSES};
struct counter llm_failovers = {.name = "myna_model_failovers_total",
    .help = "Requests that another model was asked instead.",
    .label = "class",
    .outcomes = CLASSES};
struct counter llm_cooldowns = {.name = "myna_model_cooldowns_total",
    .help = "Cooldowns of models after a failure.",
    .label = "class",
    .outcomes = CLASSES};

void llm_retry_policy_note(enum llm_event event, enum llm_error_class class)
{
	static struct counter *const tallies[] = {
	    [LLM_RETRIED] = &llm_retries,
	    [LLM_FAILED_OVER] = &llm_failovers,
	    [LLM_COOLED_DOWN] = &llm_cooldowns,
	};

	for (size_t i = 0; i < ARRAY_LEN(counted); i++)
		if (counted[i] == class)
			counter_add(tallies[event], i, 1);
}
