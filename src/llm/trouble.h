#ifndef LLM_TROUBLE_H
#define LLM_TROUBLE_H
/* What only the operator can mend of a provider: a key that is refused, no credit, a model that is not there.
 * Each is told once a day, and shown until the provider answers again. */
#include <stdint.h>

#include "llm/llm.h"

struct buf;
struct error;

enum llm_trouble {
	LLM_NO_TROUBLE,
	LLM_TROUBLE_KEY,    /* it is refused */
	LLM_TROUBLE_ACCESS, /* the key is not let to this model */
	LLM_TROUBLE_CREDIT,
	LLM_TROUBLE_MODEL, /* there is none of this name, or nothing at this URL */
	LLM_TROUBLES
};

/* A failure of a request. When it is such a trouble and was not told of this provider today, the listener
 * hears of it. */
void llm_trouble_note(const struct llm_provider *p, enum llm_error_class class, const struct error *why);
/* It has answered. */
void llm_trouble_over(const struct llm_provider *p);
enum llm_trouble llm_trouble_of(const struct llm_provider *p);
/* "key", "access", "credit", "model". */
const char *llm_trouble_name(enum llm_trouble trouble);
/* One sentence with what to do. In words of ours, since a provider's own may hold a part of the key. */
void llm_trouble_describe(const struct llm_provider *p, enum llm_trouble trouble, struct buf *out);

/* Must not suspend. */
typedef void llm_trouble_fn(void *arg, const struct llm_provider *p, enum llm_trouble trouble);
/* One at a time; NULL: nobody. */
void llm_trouble_listen(llm_trouble_fn *fn, void *arg);

#endif
