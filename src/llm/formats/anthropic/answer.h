#ifndef LLM_FORMATS_ANTHROPIC_ANSWER_H
#define LLM_FORMATS_ANTHROPIC_ANSWER_H
/*
 * Parses an answer in the Messages format (Anthropic API 2023-06-01 and 2026-10-21), from a stream of
 * events or from one object. Unknown events, blocks and members are ignored, as the API asks its clients
 * to. Pure.
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
	struct buf text; /* the visible text */
	struct anthropic_blocks blocks;
	char stop_reason[64];  /* "" until it arrives */
	char explanation[256]; /* of a refusal */
	bool begun, done;      /* message_start, message_stop */
	struct llm_usage usage;
	int64_t fresh_tokens, written_tokens; /* of the input: not from the cache; written to the cache */
};

void anthropic_answer_init(struct anthropic_answer *a, const struct llm_sink *sink);
void anthropic_answer_clear(struct anthropic_answer *a);
/* Adds the data of an event, or a whole message. Returns -1 with *class and err when it is an error or too
 * large. */
int anthropic_answer_add(
    struct anthropic_answer *a, struct json_object *o, enum llm_error_class *class, struct error *err);
/* A fast path for an event that extends a block. Returns false, with nothing changed, for any other event.
 * Overwrites scratch. */
bool anthropic_answer_add_piece(
    struct anthropic_answer *a, const struct json_flat *event, struct buf *scratch);
/* Returns 0 with out filled, or -1 with its class when the answer is incomplete or has no usable content. */
int anthropic_answer_finish(const struct anthropic_answer *a, const struct llm_provider *p,
    struct llm_answer *out, struct error *err);

#endif
