#ifndef LLM_FORMATS_RESPONSES_REQUEST_H
#define LLM_FORMATS_RESPONSES_REQUEST_H
/* The body of a Responses request, built as text: the same history gives the same bytes. Nothing is kept at
 * the provider's (store: false): all that was said goes along, reasoning in its encrypted form. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;

/* Appends the body. plain: without any provider's own items. reasoning: asks for reasoning in its encrypted
 * form, which models that do not reason refuse. */
void responses_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, bool plain, bool reasoning);

#endif
