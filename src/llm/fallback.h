#ifndef LLM_FALLBACK_H
#define LLM_FALLBACK_H
/* Who is asked, in which order, and who is left alone for a while. Private to llm_complete. */
#include <stdbool.h>
#include <stddef.h>

#include "llm/llm.h"

struct error;
struct llm_candidate;

struct llm_fallback {
	struct llm_candidate **items;
	size_t count;
};

/* Who was chosen comes first (NULL: nobody); the others follow as they would without. */
void fallback_make(struct llm_fallback *c, struct llm *l, const char *chosen);
void fallback_clear(struct llm_fallback *c);
/* The first from there on that can be asked now; count if none. */
size_t fallback_ready(const struct llm_fallback *c, size_t from);
/* Whom to ask first: when none can be asked now, one that only has to wait its turn before one that
 * failed. */
size_t fallback_first(const struct llm_fallback *c);
/* It failed like this: it is left alone, at least for as long as it asks, and so are those of the whole
 * configuration that use the same key when it is the key's fault. */
void fallback_cool(
    struct llm *l, struct llm_candidate *failed, enum llm_error_class class, const struct error *why);
/* It answered. */
void fallback_warm(struct llm_candidate *answered);

#endif
