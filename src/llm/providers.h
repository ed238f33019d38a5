#ifndef LLM_PROVIDERS_H
#define LLM_PROVIDERS_H
/* The configured providers, for display. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llm/llm.h"

/* Returns NULL for an unknown name. */
const struct llm_provider *llm_find(const struct llm *l, const char *name);

/* A configured provider and its state. */
struct llm_provider_state {
	const struct llm_provider *provider;
	/* Position in the fallback order, 0 for the default; LLM_POSITION_NONE: asked only when chosen. */
	size_t position;
	uint64_t cooldown_ms; /* remaining cooldown; 0 for none */
};
#define LLM_POSITION_NONE SIZE_MAX
/* Iterates: the default, the fallbacks in order, then the others. Returns false after the last. */
bool llm_state(const struct llm *l, size_t i, struct llm_provider_state *out);

/* The state of all models together. */
struct llm_health {
	bool down;   /* requests failed, and none was answered since */
	bool outage; /* an outage: too many failed, so only one at a time is sent */
	enum llm_error_class class;
	const char *reason;           /* borrowed until the next request ends; NULL when not down */
	uint64_t for_ms, next_try_ms; /* 0: now */
	size_t waiting;               /* turns that wait to ask again */
};
void llm_health(const struct llm *l, struct llm_health *out);

#endif
