#ifndef LLM_REQUEST_H
#define LLM_REQUEST_H
/* What the bodies of all wire formats have in common. Private to them. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;

/* Appends text as a JSON string. */
void request_add_text(struct buf *out, const char *text);
/* Did the message come from this provider and model, with its raw text? */
bool request_is_own(const struct llm_provider *p, const struct llm_message *m);

#endif
