#ifndef LLM_FORMATS_ANTHROPIC_BLOCKS_H
#define LLM_FORMATS_ANTHROPIC_BLOCKS_H
/* Assembles the content blocks of an answer in the Messages format from stream deltas. Pure. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;
struct json_flat;
struct json_object;

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
/* Returns -1 (ERROR_REFUSED) when there are too many blocks or they are too large. */
int anthropic_blocks_start(
    struct anthropic_blocks *b, int64_t index, struct json_object *block, struct error *err);
/* Adds a delta. *added: how many bytes of visible text it appended to the block's text. Ignores unknown
 * kinds of deltas and blocks that never started. */
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

#endif
