#ifndef LLM_FORMATS_ANTHROPIC_ANSWER_H
#define LLM_FORMATS_ANTHROPIC_ANSWER_H
/*
 * An answer in the Messages format (Anthropic API 2023-06-01 and 2026-10-21), from the events of a stream or
 * from one whole object. Events, blocks and members that are not known are passed over, as the API asks of
 * its clients. Pure.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "llm/formats/anthropic/blocks.h"
#include "llm/llm.h"

struct error;
struct json_flat;
struct json_object;

struct anthropic_answer {
	const struct llm_sink *sink;
	struct buf text; /* what people read */
	struct anthropic_blocks blocks;
	char stop_reason[64];  /* "" until it comes */
	char explanation[256]; /* of a refusal */
	bool begun, done;      /* message_start, message_stop */
	struct llm_usage usage;
	int64_t fresh_tokens, written_tokens; /* of the input: not from the cache; put into it */
};

void anthropic_answer_init(struct anthropic_answer *a, const struct llm_sink *sink);
void anthropic_answer_clear(struct anthropic_answer *a);
/* An event's data, or a whole message. -1 with *class and err when it is an error, or too large. */
int anthropic_answer_add(
    struct anthropic_answer *a, struct json_object *o, enum llm_error_class *class, struct error *err);
/* The same of an event that adds to a block; false: it is another, and nothing was changed. scratch is
 * emptied. */
bool anthropic_answer_add_piece(
    struct anthropic_answer *a, const struct json_flat *event, struct buf *scratch);
/* 0 with out filled; or -1 with its class when it broke off, or holds nothing that can be used. */
int anthropic_answer_finish(const struct anthropic_answer *a, const struct llm_provider *p,
    struct llm_answer *out, struct error *err);

#endif
