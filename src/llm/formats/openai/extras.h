#ifndef LLM_FORMATS_OPENAI_EXTRAS_H
#define LLM_FORMATS_OPENAI_EXTRAS_H
/*
 * Unknown members of an answer, kept because the provider expects them in the next request:
 * reasoning_content (DeepSeek), reasoning (Ollama), reasoning_details (OpenRouter), extra_content
 * (Gemini).
 */
#include <stddef.h>

struct json_object;
struct openai_extra;

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

#endif
