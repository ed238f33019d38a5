#ifndef LLM_LLM_INTERNAL_H
#define LLM_LLM_INTERNAL_H
/* The configured providers, shared by llm.c, which reads them, and complete.c, which asks them. */
#include <stddef.h>
#include <stdint.h>

#include "base/task_cond.h"
#include "llm/llm.h"
#include "llm/outage.h"
#include "llm/vision.h"

struct llm_transcriber;

struct llm_candidate {
	const struct llm_provider *provider;
	uint64_t cool_until; /* end of its cooldown by clock_now(): not asked before while another can be */
	unsigned failures;   /* consecutive failures that caused a cooldown */
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

#endif
