#ifndef LLM_FORMATS_ANTHROPIC_BLOCKS_H
#define LLM_FORMATS_ANTHROPIC_BLOCKS_H
/* The content blocks of an answer in the Messages format, put together from the pieces of a stream. Pure. */
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
	ANTHROPIC_OTHER /* redacted_thinking, and whatever comes to be: kept as it is */
};

struct anthropic_block {
	int64_t index;
	enum anthropic_kind kind;
	struct json_object *begun; /* as it began */
	struct buf text;           /* what its pieces add up to: text, thinking, or arguments as JSON text */
	struct buf signature;      /* of thinking */
	bool stopped;              /* all of it is there */
};

struct anthropic_blocks {
	struct anthropic_block *items; /* by index */
	size_t count;
};

void anthropic_blocks_clear(struct anthropic_blocks *b);
/* -1 (ERROR_REFUSED) when blocks become too many or too large. */
int anthropic_blocks_start(
    struct anthropic_blocks *b, int64_t index, struct json_object *block, struct error *err);
/* *added: how many bytes of text for people the piece held; they are the last ones of the block's text.
 * Pieces of a kind that is not known, and of a block that never began, are nothing. */
int anthropic_blocks_add(
    struct anthropic_blocks *b, int64_t index, struct json_object *delta, size_t *added, struct error *err);
/* The same of a piece that grows a block, delta being an object in f; false: it is another, or none is to
 * grow, and nothing was changed. scratch is emptied. */
bool anthropic_blocks_add_piece(struct anthropic_blocks *b, int64_t index, const struct json_flat *f,
    size_t delta, struct buf *scratch, size_t *added);
void anthropic_blocks_stop(struct anthropic_blocks *b, int64_t index);
/* NULL if there is none of that index. */
struct anthropic_block *anthropic_blocks_find(const struct anthropic_blocks *b, int64_t index);
/* The block as the provider wants it back: the caller's to put; NULL for one that it would refuse (blank
 * text, thinking without its signature). Of a call: as the given id, name and arguments, JSON text. */
struct json_object *anthropic_block_raw(
    const struct anthropic_block *block, const char *id, const char *name, const char *arguments);

#endif
