#ifndef LLM_FORMATS_OPENAI_CALLS_H
#define LLM_FORMATS_OPENAI_CALLS_H
/* Assembles tool calls from stream deltas, which servers split in different ways. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "llm/formats/openai/extras.h"

struct error;
struct json_object;

struct openai_call {
	int64_t index;                  /* -1 when the server gives none */
	struct buf id, name, arguments; /* as received; id may stay empty */
	struct openai_extras extras, function_extras;
};

struct openai_calls {
	struct openai_call *items;
	size_t count;
};

void openai_calls_clear(struct openai_calls *calls);
/* Adds one element of a tool_calls array: a delta, or (whole) a complete call. Returns -1 (ERROR_REFUSED)
 * when there are too many calls or they are too large. */
int openai_calls_add(struct openai_calls *calls, struct json_object *delta, bool whole, struct error *err);

#endif
