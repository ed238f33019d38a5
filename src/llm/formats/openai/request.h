#ifndef LLM_FORMATS_OPENAI_REQUEST_H
#define LLM_FORMATS_OPENAI_REQUEST_H
/* Builds the body of a Chat Completions request as text: the same history gives the same bytes. */
#include "llm/llm.h"

struct buf;

/* How to repair a history that the provider refused. */
enum openai_repair {
	OPENAI_AS_IS,
	OPENAI_PLAIN, /* without provider-specific content */
	/* DeepSeek: every assistant message has a reasoning_content, possibly empty. */
	OPENAI_REASONING,
	OPENAI_SIGNATURE /* Gemini: every call has a thought signature, a dummy if necessary */
};

/* Appends the body. An assistant message of the same provider and model is sent back verbatim if it still
 * matches the history; all others are built from their text and calls. */
void openai_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, enum openai_repair repair);
/* Returns the repair that a refusal's text asks for. */
enum openai_repair openai_repair_for(const char *refusal);

#endif
