#ifndef LLM_FORMATS_OPENAI_REQUEST_H
#define LLM_FORMATS_OPENAI_REQUEST_H
/* The body of a Chat Completions request, built as text: the same history gives the same bytes. */
#include "llm/llm.h"

struct buf;

/* What to do about a history that the provider did not accept. */
enum openai_repair {
	OPENAI_AS_IS,
	OPENAI_PLAIN,     /* without any provider's own words */
	OPENAI_REASONING, /* DeepSeek: every assistant message has a reasoning_content, if only an empty one
			   */
	OPENAI_SIGNATURE  /* Gemini: every call has a thought signature, the one that stands for none */
};

/* Appends the body. An assistant message of the same provider and model goes back as it came, if it still is
 * what the history says; all others are built from their text and calls. */
void openai_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, enum openai_repair mend);
/* What the words of a refusal ask for. */
enum openai_repair openai_repair_for(const char *refusal);

#endif
