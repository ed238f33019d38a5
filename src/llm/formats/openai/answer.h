#ifndef LLM_FORMATS_OPENAI_ANSWER_H
#define LLM_FORMATS_OPENAI_ANSWER_H
/*
 * An answer in the Chat Completions format, put together from the chunks of a stream or from
 * one whole object: as OpenAI defines it (SDK 7.55, 2026-11) and as compatible servers vary
 * it. Pure: no I/O, and a piece never suspends.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "llm/llm.h"
#include "llm/formats/openai/calls.h"

struct error;
struct json_flat;
struct json_object;

struct openai_answer {
	const struct llm_sink *sink;
	struct buf text, refusal;
	struct openai_calls calls;
	struct openai_extras extras;
	char finish_reason[64]; /* "" until it comes */
	bool done;              /* set by the caller: the server said that nothing follows */
	bool begun;
	struct llm_usage usage;
	enum llm_error_class error_class; /* why openai_answer_add failed */
};

void openai_answer_init(struct openai_answer *a, const struct llm_sink *sink);
void openai_answer_clear(struct openai_answer *a);
/* A chat.completion.chunk, or a chat.completion. -1 with error_class and err when it holds an error or is too
 * large. */
int openai_answer_add(struct openai_answer *a, struct json_object *chunk, struct error *err);
/* The same of a chunk that holds a piece of text and nothing else that counts; false: it is another, and
 * nothing was changed. scratch is emptied. */
bool openai_answer_add_piece(struct openai_answer *a, const struct json_flat *chunk, struct buf *scratch);
/* Did its end come? Then a connection that breaks takes nothing away. */
bool openai_answer_is_complete(const struct openai_answer *a);
/* What came of it: 0 with out filled; or -1 with its class when it broke off, or holds nothing that can be
 * used. The usage is filled in either way. */
int openai_answer_finish(
    const struct openai_answer *a, const struct llm_provider *p, struct llm_answer *out, struct error *err);

#endif
