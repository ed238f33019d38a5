#ifndef LLM_FORMATS_OPENAI_ANSWER_H
#define LLM_FORMATS_OPENAI_ANSWER_H
/*
 * Parses an answer in the Chat Completions format, from the chunks of a stream or from one object: as
 * OpenAI defines it (SDK 7.55, 2026-11) and with the variations of compatible servers. Pure: no I/O,
 * never suspends.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "llm/llm.h"

struct error;
struct json_flat;
struct json_object;
struct openai_extra;

/*
 * extras.c: Unknown members of an answer, kept because the provider expects them in the next request:
 * reasoning_content (DeepSeek), reasoning (Ollama), reasoning_details (OpenRouter), extra_content
 * (Gemini).
 */

struct openai_extras {
	struct openai_extra *items;
	size_t count;
};

void openai_extras_clear(struct openai_extras *e);
/* Adds the members of from, except the keys in known (NULL-terminated) and nulls. For stream deltas,
 * strings and arrays are appended to, and other values replaced. */
void openai_extras_add(struct openai_extras *e, struct json_object *from, const char *const *known);
/* Sets them as members of into. */
void openai_extras_put(const struct openai_extras *e, struct json_object *into);

/* calls.c: Assembles tool calls from stream deltas, which servers split in different ways. */

enum openai_call_phase {
	OPENAI_CALL_OPEN,
	OPENAI_CALL_CLOSED, /* the last bracket of its arguments has come */
	OPENAI_CALL_INVALID /* its arguments are not, and do not become, JSON */
};

struct openai_call {
	int64_t index;                  /* -1 when the server gives none */
	struct buf id, name, arguments; /* as received; id may stay empty */
	/* How far the brackets of the arguments have been counted, and what is open there. */
	enum openai_call_phase phase;
	size_t counted, depth;
	bool in_text, is_escaped;
	struct openai_extras extras, function_extras;
};

struct openai_calls {
	struct openai_call *items;
	size_t count;
};

void openai_calls_clear(struct openai_calls *calls);
/* Adds one element of a tool_calls array: a delta, or (whole) a complete call. Returns -1 (ERROR_REFUSED)
 * when there are too many calls. */
int openai_calls_add(struct openai_calls *calls, struct json_object *delta, bool whole, struct error *err);

struct openai_answer {
	const struct llm_sink *sink;
	struct buf text, refusal;
	struct openai_calls calls;
	struct openai_extras extras;
	char finish_reason[64]; /* "" until it arrives */
	bool done;              /* set by the caller: the server ended the stream */
	bool begun;
	struct llm_usage usage;
	enum llm_error_class error_class; /* why openai_answer_add failed */
};

void openai_answer_init(struct openai_answer *a, const struct llm_sink *sink);
void openai_answer_clear(struct openai_answer *a);
/* Adds a chat.completion.chunk or a chat.completion. Returns -1 with error_class and err when it is an
 * error or too large. */
int openai_answer_add(struct openai_answer *a, struct json_object *chunk, struct error *err);
/* A fast path for a chunk with nothing but a piece of text, a reason for the end, or counts. Returns false,
 * with nothing changed, for any other chunk. Overwrites scratch. */
bool openai_answer_add_piece(struct openai_answer *a, const struct json_flat *chunk, struct buf *scratch);
/* Returns true once the answer is complete: a broken connection does no harm then. */
bool openai_answer_is_complete(const struct openai_answer *a);
/* Returns 0 with out filled, or -1 with its class when the answer is incomplete or has no usable content.
 * Fills in the usage in either case. */
int openai_answer_finish(
    const struct openai_answer *a, const struct llm_provider *p, struct llm_answer *out, struct error *err);

#endif
