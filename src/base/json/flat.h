#ifndef BASE_JSON_FLAT_H
#define BASE_JSON_FLAT_H
/*
 * A flat JSON reader: instead of a tree it gives a list of the positions of values in the text. It costs
 * a tenth of json_parse, for texts that are large or frequent. json-c has no reader but that of trees.
 * It accepts what json_parse accepts, except half surrogate pairs in escapes, names with a NUL, and a
 * top level that is neither object nor array. The result is the same: of two members with one name the
 * last one counts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

enum json_flat_kind {
	JSON_FLAT_NULL,
	JSON_FLAT_BOOL,
	JSON_FLAT_INT,
	JSON_FLAT_NUMBER,
	JSON_FLAT_STRING,
	JSON_FLAT_ARRAY,
	JSON_FLAT_OBJECT
};

/* A value or a member's name. The contents of an array or object follow it: values, or names each with its
 * value. */
struct json_item {
	uint32_t start, len; /* position in the text; a string without its quotes */
	uint32_t next;       /* index after the item and its contents */
	uint8_t kind;        /* enum json_flat_kind; an integer beyond int64_t is JSON_FLAT_NUMBER */
	bool escaped;        /* a string that has escapes */
};

struct json_flat {        /* zeroed before first use */
	const char *text; /* borrowed while the items are in use */
	struct json_item *items;
	size_t count, room;
};

/* Replaces the contents by the items of text; item 0 is the outermost value. Returns false when the text is
 * not accepted. */
bool json_flat_read(struct json_flat *f, const char *text, size_t len);
void json_flat_clear(struct json_flat *f);

/* Return the item of a member, or 0 (which is never a member) when it is absent or of another kind. of may
 * be 0 only for the outermost value. */
size_t json_flat_get(const struct json_flat *f, size_t of, const char *key);
/* Returns 0 unless the member is of that kind. */
size_t json_flat_get_kind(const struct json_flat *f, size_t of, const char *key, enum json_flat_kind kind);
/* Returns true when the item is a string or a name of these bytes. */
bool json_flat_is(const struct json_flat *f, size_t item, const char *text);
/* Returns the bytes of a string, not terminated: in the text itself, or in scratch, which is overwritten,
 * if the string has escapes. */
const char *json_flat_str(const struct json_flat *f, size_t item, struct buf *scratch, size_t *len);
/* The value of a JSON_FLAT_INT. */
int64_t json_flat_int(const struct json_flat *f, size_t item);

/* Decodes an escape \uXXXX at s, or a surrogate pair of two. Returns its length in bytes, 0 when it is
 * invalid or half a pair. */
size_t json_flat_unicode(const char *s, size_t len, uint32_t *cp);

#endif
