#ifndef LLM_FORMATS_ANTHROPIC_REQUEST_H
#define LLM_FORMATS_ANTHROPIC_REQUEST_H
/* The body of a Messages request, built as text: the same history gives the same bytes. It is one that both
 * versions of the API (2023-06-01, 2026-10-21) accept. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;

/* Appends the body. plain: without any provider's own words (thinking and its signatures); else an assistant
 * message of the same provider and model goes back as it came, if it still is what the history says. */
void anthropic_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, bool plain);

#endif
