#ifndef LLM_PROVIDER_ALERTS_H
#define LLM_PROVIDER_ALERTS_H
/* Provider failures that need the operator: a refused key, no credit, a missing model. Each is reported
 * once a day and shown until the provider answers again. */
#include <stdbool.h>
#include <stdint.h>

#include "llm/llm.h"

struct buf;
struct error;

enum llm_alert {
	LLM_NO_ALERT,
	LLM_ALERT_KEY,    /* refused */
	LLM_ALERT_ACCESS, /* not allowed for this model */
	LLM_ALERT_CREDIT,
	LLM_ALERT_MODEL, /* no such model, or nothing at this URL */
	LLM_ALERTS
};

/* Records a failed request. Calls the listener when it is such a failure and was not reported for this
 * provider today. */
void llm_alert_note(const struct llm_provider *p, enum llm_error_class class, const struct error *why);
/* Clears the alert after an answer. */
void llm_alert_clear(const struct llm_provider *p);
/* Returns whether it has answered a request, and no alert came since. */
bool llm_alert_answered(const struct llm_provider *p);
enum llm_alert llm_alert_of(const struct llm_provider *p);
/* "key", "access", "credit", "model". */
const char *llm_alert_name(enum llm_alert alert);
/* Appends one sentence with the remedy, in our words: a provider's text may hold a part of the key. */
void llm_alert_describe(const struct llm_provider *p, enum llm_alert alert, struct buf *out);

/* Must not suspend. */
typedef void llm_alert_fn(void *arg, const struct llm_provider *p, enum llm_alert alert);
/* Sets the only listener; NULL for none. */
void llm_alert_listen(llm_alert_fn *fn, void *arg);

#endif
