#ifndef LLM_FORMATS_RESPONSES_ANSWER_H
#define LLM_FORMATS_RESPONSES_ANSWER_H
/*
 * Parses an answer in OpenAI's Responses format (SDK 7.55, 2026-11), from a stream of events or from one
 * object. Completed items are authoritative; earlier deltas only serve the live preview. Unknown events
 * are ignored, unknown items kept unchanged. Pure.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "llm/llm.h"

struct error;
struct json_flat;
struct json_object;

struct responses_answer {
	const struct llm_sink *sink;
	struct buf text, refusal;
	char text_item[128];       /* item of the latest text */
	struct json_object *items; /* completed items, an array */
	struct json_object *end;   /* the final response; NULL until then */
	bool begun;
	struct llm_usage usage;
};

void responses_answer_init(struct responses_answer *a, const struct llm_sink *sink);
void responses_answer_clear(struct responses_answer *a);
/* Adds the data of an event, or a whole response. Returns -1 with *class and err when it is an error or too
 * large. */
int responses_answer_add(
    struct responses_answer *a, struct json_object *o, enum llm_error_class *class, struct error *err);
/* A fast path for an event that extends a text. Returns false, with nothing changed, for any other event.
 * Overwrites scratch. */
bool responses_answer_add_piece(
    struct responses_answer *a, const struct json_flat *event, struct buf *scratch);
/* Returns 0 with out filled, or -1 with its class when the answer is incomplete or has no usable content. */
int responses_answer_finish(const struct responses_answer *a, const struct llm_provider *p,
    struct llm_answer *out, struct error *err);

#endif
