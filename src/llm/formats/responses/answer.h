#ifndef LLM_FORMATS_RESPONSES_ANSWER_H
#define LLM_FORMATS_RESPONSES_ANSWER_H
/*
 * An answer in OpenAI's Responses format (SDK 7.55, 2026-11), from the events of a stream or from one whole
 * object. Items that are done are the truth; the pieces before them only let people read along. Events and
 * items that are not known are passed over or kept as they are. Pure.
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
	char said_item[128];       /* whose text came last */
	struct json_object *items; /* those that are done, an array */
	struct json_object *end;   /* the response as it ended; NULL until then */
	bool begun;
	struct llm_usage usage;
};

void responses_answer_init(struct responses_answer *a, const struct llm_sink *sink);
void responses_answer_clear(struct responses_answer *a);
/* An event's data, or a whole response. -1 with *class and err when it is an error, or too large. */
int responses_answer_add(
    struct responses_answer *a, struct json_object *o, enum llm_error_class *class, struct error *err);
/* The same of an event that goes on with a text; false: it is another, and nothing was changed. scratch is
 * emptied. */
bool responses_answer_add_piece(
    struct responses_answer *a, const struct json_flat *event, struct buf *scratch);
/* 0 with out filled; or -1 with its class when it broke off, or holds nothing that can be used. */
int responses_answer_finish(const struct responses_answer *a, const struct llm_provider *p,
    struct llm_answer *out, struct error *err);

#endif
