#ifndef LLM_FORMATS_RESPONSES_REQUEST_H
#define LLM_FORMATS_RESPONSES_REQUEST_H
/* Builds the body of a Responses request as text: the same history gives the same bytes. The provider
 * stores nothing (store: false), so each request has the whole conversation, with reasoning in encrypted
 * form. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;

/* Appends the body. plain: omits provider-specific items. reasoning: requests encrypted reasoning, which
 * models without reasoning refuse. */
void responses_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, bool plain, bool reasoning);

#endif
