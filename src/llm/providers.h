#ifndef LLM_PROVIDERS_H
#define LLM_PROVIDERS_H
/* The configured providers, for people who ask which there are. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llm/llm.h"

/* NULL if there is none of that name. */
const struct llm_provider *llm_find(const struct llm *l, const char *name);

/* A configured provider, for people. */
struct llm_provider_state {
	const struct llm_provider *provider;
	size_t place; /* in the order in which they are asked: 0 the default; LLM_PLACE_NONE: only where it is
			 chosen */
	uint64_t rests_ms; /* it failed, and is left alone for so long while another can be asked */
};
#define LLM_PLACE_NONE SIZE_MAX
/* The default, the fallbacks in order, then the others: false after the last. */
bool llm_state(const struct llm *l, size_t i, struct llm_provider_state *out);

/* How the models do as a whole. */
struct llm_health {
	bool down; /* none of the models answers */
	enum llm_error_class class;
	const char *reason; /* borrowed, until the next request ends; NULL when not down */
	uint64_t for_ms, next_try_ms;
	size_t waiting; /* turns that wait to ask again */
};
void llm_health(const struct llm *l, struct llm_health *out);

#endif
