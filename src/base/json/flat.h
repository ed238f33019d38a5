#ifndef BASE_JSON_FLAT_H
#define BASE_JSON_FLAT_H
/*
 * JSON that is looked at and let go: instead of a tree, a list of where each value stands in the text. A
 * tenth of the work of json_parse, for what comes by the thousand or is large.
 *
 * What is read is what json_parse takes, except for escapes of half a surrogate pair, names with a NUL, and a
 * top level that is neither object nor array; and it then says the same, member for member: of two with one
 * name the last one counts.
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

/* A value, or the name of a member. What an array or object holds follows it: values, or names each with its
 * value. */
struct json_item {
	uint32_t start, len; /* in the text; a string without its quotes */
	uint32_t next;       /* the item behind it and all that is in it */
	uint8_t kind;        /* enum json_flat_kind; an integer beyond int64_t is JSON_FLAT_NUMBER */
	bool escaped;        /* string: it holds escapes */
};

struct json_flat {        /* zeroed before first use */
	const char *text; /* borrowed, as long as the items are used */
	struct json_item *items;
	size_t count, room;
};

/* Reads the text in place of what was read before: true, with the outermost value as item 0. */
bool json_flat_read(struct json_flat *f, const char *text, size_t len);
void json_flat_clear(struct json_flat *f);

/* Items by number; 0, which is never a member, when there is none of that kind. of may be 0 only for the
 * outermost value. */
size_t json_flat_get(const struct json_flat *f, size_t of, const char *key);
/* The same, and 0 unless it is of that kind. */
size_t json_flat_get_kind(const struct json_flat *f, size_t of, const char *key, enum json_flat_kind kind);
/* Is the item a string or a name of these bytes? */
bool json_flat_is(const struct json_flat *f, size_t item, const char *text);
/* The bytes of a string: in the text itself, or in scratch, which is emptied, if it holds escapes. Not
 * terminated. */
const char *json_flat_str(const struct json_flat *f, size_t item, struct buf *scratch, size_t *len);
/* Of JSON_FLAT_INT. */
int64_t json_flat_int(const struct json_flat *f, size_t item);

/* The code point of an escape \uXXXX at s, or of two that make a pair; returns its bytes, 0 when it is half a
 * pair or none. */
size_t json_flat_unicode(const char *s, size_t len, uint32_t *cp);

#endif
