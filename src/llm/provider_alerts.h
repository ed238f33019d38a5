#ifndef LLM_PROVIDER_ALERTS_H
#define LLM_PROVIDER_ALERTS_H
/* What only the operator can mend of a provider: a key that is refused, no credit, a model that is not there.
 * Each is told once a day, and shown until the provider answers again. */
#include <stdint.h>

#include "llm/llm.h"

struct buf;
struct error;

enum llm_alert {
	LLM_NO_ALERT,
	LLM_ALERT_KEY,    /* it is refused */
	LLM_ALERT_ACCESS, /* the key is not let to this model */
	LLM_ALERT_CREDIT,
	LLM_ALERT_MODEL, /* there is none of this name, or nothing at this URL */
	LLM_ALERTS
};

/* A failure of a request. When it is such a trouble and was not told of this provider today, the listener
 * hears of it. */
void llm_alert_note(const struct llm_provider *p, enum llm_error_class class, const struct error *why);
/* It has answered. */
void llm_alert_clear(const struct llm_provider *p);
enum llm_alert llm_alert_of(const struct llm_provider *p);
/* "key", "access", "credit", "model". */
const char *llm_alert_name(enum llm_alert trouble);
/* One sentence with what to do. In words of ours, since a provider's own may hold a part of the key. */
void llm_alert_describe(const struct llm_provider *p, enum llm_alert trouble, struct buf *out);

/* Must not suspend. */
typedef void llm_alert_fn(void *arg, const struct llm_provider *p, enum llm_alert trouble);
/* One at a time; NULL: nobody. */
void llm_alert_listen(llm_alert_fn *fn, void *arg);

#endif
