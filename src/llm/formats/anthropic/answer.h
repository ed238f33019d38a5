#ifndef LLM_FORMATS_ANTHROPIC_ANSWER_H
#define LLM_FORMATS_ANTHROPIC_ANSWER_H
/*
 * Parses an answer in the Messages format (Anthropic API 2023-06-01 and 2026-10-21), from a stream of
 * events or from one object. Unknown events, blocks and members are ignored, as the API asks its clients
 * to. Pure.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "llm/llm.h"

struct error;
struct json_flat;
struct json_object;

/* blocks.c: Assembles the content blocks of an answer in the Messages format from stream deltas. Pure. */

enum anthropic_kind {
	ANTHROPIC_TEXT,
	ANTHROPIC_THINKING,
	ANTHROPIC_CALL, /* tool_use */
	ANTHROPIC_OTHER /* redacted_thinking and unknown types: kept unchanged */
};

struct anthropic_block {
	int64_t index;
	enum anthropic_kind kind;
	struct json_object *begun; /* the block of its start event */
	struct buf text;           /* concatenated deltas: text, thinking, or arguments as JSON text */
	struct buf signature;      /* of thinking */
	bool stopped;              /* complete */
};

struct anthropic_blocks {
	struct anthropic_block *items; /* by index */
	size_t count;
};

void anthropic_blocks_clear(struct anthropic_blocks *b);
/* Returns -1 (ERROR_REFUSED) when there are too many blocks. */
int anthropic_blocks_start(
    struct anthropic_blocks *b, int64_t index, struct json_object *block, struct error *err);
/* Adds a delta. *added: how many bytes of visible text it appended to the block's text. Ignores unknown
 * kinds of deltas and blocks that never started. Returns -1 (ERROR_REFUSED) when the block is too large. */
int anthropic_blocks_add(
    struct anthropic_blocks *b, int64_t index, struct json_object *delta, size_t *added, struct error *err);
/* A fast path for a delta that extends a block, where delta is an object in f. Returns false, with nothing
 * changed, otherwise. Overwrites scratch. */
bool anthropic_blocks_add_piece(struct anthropic_blocks *b, int64_t index, const struct json_flat *f,
    size_t delta, struct buf *scratch, size_t *added);
void anthropic_blocks_stop(struct anthropic_blocks *b, int64_t index);
/* NULL if there is no block with that index. */
struct anthropic_block *anthropic_blocks_find(const struct anthropic_blocks *b, int64_t index);
/* Returns the block as the provider accepts it in a request (the caller puts it); NULL for one that it
 * would refuse (blank text, thinking without a signature). A call gets the given id, name and arguments
 * (JSON text). */
struct json_object *anthropic_block_raw(
    const struct anthropic_block *block, const char *id, const char *name, const char *arguments);

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
