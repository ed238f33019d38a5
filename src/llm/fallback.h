#ifndef LLM_FALLBACK_H
#define LLM_FALLBACK_H
/* The order of providers for a request, and the cooldown of those that failed. For llm_complete. */
#include <stdbool.h>
#include <stddef.h>

#include "llm/llm.h"

struct error;
struct llm_candidate;

struct llm_fallback {
	struct llm_candidate **items;
	size_t count;
};

/* Lists the providers: chosen first (NULL for none), then the others in their usual order. */
void fallback_make(struct llm_fallback *c, struct llm *l, const char *chosen);
void fallback_clear(struct llm_fallback *c);
/* Returns the index of the first available provider from there on; count if none. */
size_t fallback_ready(const struct llm_fallback *c, size_t from);
/* Returns the index of the provider to ask first: if none is available, one that waits for its rate limit
 * is preferred to one that failed. */
size_t fallback_first(const struct llm_fallback *c);
/* Starts a cooldown after a failure, at least as long as the provider asks for. If the key is at fault, all
 * configured providers with the same key cool down. */
void fallback_cool(
    struct llm *l, struct llm_candidate *failed, enum llm_error_class class, const struct error *why);
/* Ends the cooldown after an answer. */
void fallback_warm(struct llm_candidate *answered);

#endif
