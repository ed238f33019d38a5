#include "llm/formats/anthropic/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"

#define BLOCKS_MAX 256
#define BLOCK_MAX  (4 * 1024 * 1024) /* bytes of a block's text */

/* The member of a delta that has the text, by kind of block. */
static const struct piece {
	const char *type, *member;
	enum anthropic_kind kind;
	bool signature;
} pieces[] = {
    {"input_json_delta", "partial_json", ANTHROPIC_CALL, false},
    {"signature_delta", "signature", ANTHROPIC_THINKING, true},
    {"text_delta", "text", ANTHROPIC_TEXT, false},
    {"thinking_delta", "thinking", ANTHROPIC_THINKING, false},
};

void anthropic_blocks_clear(struct anthropic_blocks *b)
{
	for (size_t i = 0; i < b->count; i++) {
		json_object_put(b->items[i].begun);
		buf_clear(&b->items[i].text);
		buf_clear(&b->items[i].signature);
	}
	free(b->items);
	*b = (struct anthropic_blocks){0};
}

static enum anthropic_kind kind_of(struct json_object *block)
{
	static const char *const kinds[] = {"text", "thinking", "tool_use"};
	const char *type = json_get_str(block, "type");

	for (size_t i = 0; type && i < ARRAY_LEN(kinds); i++)
		if (strcmp(type, kinds[i]) == 0)
			return (enum anthropic_kind)i;
	return ANTHROPIC_OTHER;
}

/* Takes what a block contains at its start; in an answer that is not streamed that is all of it. */
static void take_begun(struct anthropic_block *block)
{
	static const char *const members[] = {"text", "thinking", "input", NULL};
	struct json_object *value =
	    json_get(block->begun, block->kind == ANTHROPIC_OTHER ? "" : members[block->kind]);
	const char *signature = json_get_str(block->begun, "signature");

	if (json_object_is_type(value, json_type_string))
		buf_add(
		    &block->text, json_object_get_string(value), (size_t)json_object_get_string_len(value));
	else if (json_object_is_type(value, json_type_object) && json_object_object_length(value) > 0)
		json_write(&block->text, value);
	if (signature)
		buf_addstr(&block->signature, signature);
}

int anthropic_blocks_start(
    struct anthropic_blocks *b, int64_t index, struct json_object *block, struct error *err)
{
	size_t at = b->count;

	if (b->count == BLOCKS_MAX)
		return error_set(err, ERROR_REFUSED, "the answer has more than %d blocks", BLOCKS_MAX);
	if (anthropic_blocks_find(b, index))
		return 0;
	b->items = xrealloc(b->items, (b->count + 1) * sizeof(*b->items));
	while (at > 0 && b->items[at - 1].index > index)
		at--;
	memmove(&b->items[at + 1], &b->items[at], (b->count - at) * sizeof(*b->items));
	b->count++;
	b->items[at] = (struct anthropic_block){.index = index,
	    .kind = kind_of(block),
	    .text = BUF_INIT,
	    .signature = BUF_INIT,
	    .begun = json_object_get(block)};
	take_begun(&b->items[at]);
	return 0;
}

static const struct piece *find_piece(const char *type)
{
	for (size_t i = 0; type && i < ARRAY_LEN(pieces); i++)
		if (strcmp(type, pieces[i].type) == 0)
			return &pieces[i];
	return NULL;
}

/* Returns the block of a piece; NULL for none. */
static struct anthropic_block *block_for(
    const struct anthropic_blocks *b, int64_t index, const struct piece *piece)
{
	struct anthropic_block *block = anthropic_blocks_find(b, index);

	return block && !block->stopped && (block->kind == piece->kind || block->kind == ANTHROPIC_OTHER) ?
	    block :
	    NULL;
}

int anthropic_blocks_add(
    struct anthropic_blocks *b, int64_t index, struct json_object *delta, size_t *added, struct error *err)
{
	const struct piece *piece = find_piece(json_get_str(delta, "type"));
	struct anthropic_block *block = piece ? block_for(b, index, piece) : NULL;
	struct json_object *value = piece ? json_get(delta, piece->member) : NULL;

	*added = 0;
	if (!block || !json_object_is_type(value, json_type_string))
		return 0;
	struct buf *into = piece->signature ? &block->signature : &block->text;
	size_t len = (size_t)json_object_get_string_len(value);
	/* A signature comes in one piece: the last one counts. */
	if (piece->signature)
		buf_reset(into);
	if (into->len + len > BLOCK_MAX)
		return error_set(
		    err, ERROR_REFUSED, "a block of the answer is larger than %d bytes", BLOCK_MAX);
	buf_add(into, json_object_get_string(value), len);
	*added = block->kind == ANTHROPIC_TEXT ? len : 0;
	return 0;
}

bool anthropic_blocks_add_piece(struct anthropic_blocks *b, int64_t index, const struct json_flat *f,
    size_t delta, struct buf *scratch, size_t *added)
{
	size_t type = json_flat_get(f, delta, "type"), value, len;
	const struct piece *piece = NULL;

	for (size_t i = 0; i < ARRAY_LEN(pieces) && !piece; i++)
		if (!pieces[i].signature && json_flat_is(f, type, pieces[i].type))
			piece = &pieces[i];
	struct anthropic_block *block = piece ? block_for(b, index, piece) : NULL;
	value = piece ? json_flat_get_kind(f, delta, piece->member, JSON_FLAT_STRING) : 0;
	if (!block || !value)
		return false;
	const char *text = json_flat_str(f, value, scratch, &len);
	if (block->text.len + len > BLOCK_MAX)
		return false;
	buf_add(&block->text, text, len);
	*added = block->kind == ANTHROPIC_TEXT ? len : 0;
	return true;
}

void anthropic_blocks_stop(struct anthropic_blocks *b, int64_t index)
{
	struct anthropic_block *block = anthropic_blocks_find(b, index);

	if (block)
		block->stopped = true;
}

struct anthropic_block *anthropic_blocks_find(const struct anthropic_blocks *b, int64_t index)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->items[i].index == index)
			return &b->items[i];
	return NULL;
}

static struct json_object *copy_of(struct json_object *o)
{
	struct json_object *copy = NULL;

	json_object_deep_copy(o, &copy, NULL);
	return copy;
}

static void set_text(struct json_object *o, const char *key, const struct buf *text)
{
	json_set(o, key, json_object_new_string_len(text->data, (int)text->len));
}

struct json_object *anthropic_block_raw(
    const struct anthropic_block *block, const char *id, const char *name, const char *arguments)
{
	bool blank = strspn(block->text.data, " \t\r\n") == block->text.len;

	/* A block that was cut off is useless to the provider, except for text. */
	if (block->kind == ANTHROPIC_TEXT ? blank : block->kind != ANTHROPIC_CALL && !block->stopped)
		return NULL;
	if (block->kind == ANTHROPIC_THINKING && block->signature.len == 0)
		return NULL;
	struct json_object *o = copy_of(block->begun);
	if (block->kind == ANTHROPIC_TEXT)
		set_text(o, "text", &block->text);
	if (block->kind == ANTHROPIC_THINKING) {
		set_text(o, "thinking", &block->text);
		set_text(o, "signature", &block->signature);
	}
	if (block->kind == ANTHROPIC_CALL) {
		json_set_str(o, "id", id);
		json_set_str(o, "name", name);
		json_set(o, "input", json_parse_foreign(arguments, strlen(arguments), NULL));
	} else if (block->kind == ANTHROPIC_OTHER && block->text.len > 0) {
		json_set(o, "input", json_parse_foreign_value(block->text.data, block->text.len, NULL));
	}
	return o;
}
