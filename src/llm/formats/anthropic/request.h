#ifndef LLM_FORMATS_ANTHROPIC_REQUEST_H
#define LLM_FORMATS_ANTHROPIC_REQUEST_H
/* Builds the body of a Messages request as text: the same history gives the same bytes. Both versions of
 * the API (2023-06-01, 2026-10-21) accept it. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;

/* Appends the body. plain: omits provider-specific content (thinking and its signatures). Otherwise an
 * assistant message of the same provider and model is sent back verbatim if it still matches the
 * history. */
void anthropic_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, bool plain);

#endif
