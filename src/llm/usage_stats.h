#ifndef LLM_USAGE_STATS_H
#define LLM_USAGE_STATS_H
/* Usage of each model since the process started, for metrics. On the loop's thread. */
#include <stddef.h>
#include <stdint.h>

struct llm_usage;

/* Further models are counted together as "others". */
#define LLM_USAGE_STATS_MAX 32

struct llm_usage_stats {
	char name[64]; /* in the configuration */
	int64_t requests, input, cached, output;
	int64_t cost;      /* millionths of llm.currency */
	int64_t unpriced;  /* requests of unknown cost */
	int64_t estimated; /* requests whose usage the provider did not report */
	int64_t seconds;   /* seconds of transcribed speech */
};

void llm_usage_stats_add(const char *name, const struct llm_usage *usage);
/* NULL after the last. */
const struct llm_usage_stats *llm_usage_stats(size_t i);

#endif
