#ifndef LLM_FORMATS_OPENAI_CALLS_H
#define LLM_FORMATS_OPENAI_CALLS_H
/* The calls of an answer, put together from the pieces that servers send, each in its own way. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "llm/formats/openai/extras.h"

struct error;
struct json_object;

struct openai_call {
	int64_t index;                  /* -1: the server gives none */
	struct buf id, name, arguments; /* as they came; id may stay empty */
	struct openai_extras extras, function_extras;
};

struct openai_calls {
	struct openai_call *items;
	size_t count;
};

void openai_calls_clear(struct openai_calls *calls);
/* One element of a tool_calls array: a piece of a stream, or (whole) a call of its own. -1 (ERROR_REFUSED)
 * when the calls become too many or too large. */
int openai_calls_add(struct openai_calls *calls, struct json_object *delta, bool whole, struct error *err);

#endif
