#ifndef LLM_USAGE_STATS_H
#define LLM_USAGE_STATS_H
/* What each model has answered since the start of the process, for figures. On the loop's thread. */
#include <stddef.h>
#include <stdint.h>

struct llm_usage;

/* Models beyond it are counted together, as "others". */
#define LLM_USAGE_STATS_MAX 32

struct llm_usage_stats {
	char name[64]; /* in the config */
	int64_t requests, input, cached, output;
	int64_t cost;      /* millionths of llm.currency */
	int64_t unpriced;  /* requests of which the cost is not known */
	int64_t estimated; /* requests of which the provider did not say what they took */
	int64_t seconds;   /* of speech that was heard */
};

void llm_usage_stats_add(const char *name, const struct llm_usage *usage);
/* NULL after the last. */
const struct llm_usage_stats *llm_usage_stats(size_t i);

#endif
