#include "base/json/flat.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/hex.h"
#include "base/json/json.h"
#include "base/text/simd.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define ITEMS_FIRST 32
/* Usual bytes of text for one item, in texts of platforms and models; the list grows when there are more
 * items. */
#define BYTES_USUAL 8
/* This many decimal digits always fit into an int64_t. */
#define DIGITS_FIT 18

static void grow(struct json_flat *f, size_t room)
{
	if (room <= f->room)
		return;
	f->room = room;
	f->items = xrealloc(f->items, f->room * sizeof(*f->items));
}

static inline struct json_item *add_item(struct json_flat *f, enum json_flat_kind kind, const char *start)
{
	if (f->count == f->room)
		grow(f, f->room ? 2 * f->room : ITEMS_FIRST);
	f->items[f->count] = (struct json_item){
	    .start = (uint32_t)(start - f->text), .next = (uint32_t)f->count + 1, .kind = (uint8_t)kind};
	return &f->items[f->count++];
}

/* The functions below get the next byte and the end of the text, and return the byte after what they read, or
 * NULL when it is invalid. */

static inline const char *skip_blank(const char *at, const char *end)
{
	while (at < end && (unsigned char)*at <= ' ' &&
	    (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
		at++;
	return at;
}

/* Skips to the next quote, backslash or control character. */
static inline const char *skip_plain(const char *at, const char *end)
{
	while (end - at >= (ptrdiff_t)sizeof(simd_bytes)) {
		simd_bytes x = simd_load(at);
		size_t n =
		    simd_first_set((simd_bytes)(x < 0x20) | (simd_bytes)(x == '"') | (simd_bytes)(x == '\\'));

		at += n;
		if (n < sizeof(simd_bytes))
			return at;
	}
	while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
		at++;
	return at;
}

size_t json_flat_unicode(const char *s, size_t len, uint32_t *cp)
{
	int32_t high = len > 2 ? hex_number(s + 2, len - 2, 4) : -1, low;

	if (high < 0)
		return 0;
	*cp = (uint32_t)high;
	if (high < 0xd800 || high > 0xdfff)
		return 6;
	low = high < 0xdc00 && len > 8 && s[6] == '\\' && s[7] == 'u' ? hex_number(s + 8, len - 8, 4) : -1;
	if (low < 0xdc00 || low > 0xdfff)
		return 0;
	*cp = 0x10000 + ((uint32_t)(high - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
	return 12;
}

/* Returns the character of a one-letter escape; '\0' for an invalid one. */
static char short_escape(char c)
{
	static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *found = c ? strchr(letters, c) : NULL;

	return found ? values[found - letters] : '\0';
}

static const char *skip_escape(const char *at, const char *end)
{
	size_t n = 2;
	uint32_t cp;

	if (end - at < 2)
		return NULL;
	if (at[1] == 'u')
		n = json_flat_unicode(at, (size_t)(end - at), &cp);
	else if (!short_escape(at[1]))
		return NULL;
	return n > 0 ? at + n : NULL;
}

/* The rest of a string from its first byte that is not plain. A function of its own, because most strings
 * have none and need no room on the stack. */
static __attribute__((noinline)) const char *read_escapes(
    struct json_flat *f, const char *at, const char *end)
{
	struct json_item *item = &f->items[f->count - 1];

	for (; at < end && *at == '\\'; at = skip_plain(at, end)) {
		item->escaped = true;
		at = skip_escape(at, end);
		if (!at)
			return NULL;
	}
	item->len = (uint32_t)(at - f->text) - item->start;
	return at < end && *at == '"' ? at + 1 : NULL;
}

static inline const char *read_string(struct json_flat *f, const char *at, const char *end)
{
	const char *start = at + 1;

	if (at == end || *at != '"')
		return NULL;
	add_item(f, JSON_FLAT_STRING, start);
	at = skip_plain(start, end);
	if (at == end || *at != '"')
		return read_escapes(f, at, end);
	f->items[f->count - 1].len = (uint32_t)(at - start);
	return at + 1;
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at;
}

/* Integers that fit into 64 bits, as in json-c: without a sign up to UINT64_MAX. */
static bool fits_64_bits(const char *s, size_t len, bool negative, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < len; i++)
		if (__builtin_mul_overflow(*value, 10u, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(s[i] - '0'), value))
			return false;
	return !negative || *value <= (uint64_t)INT64_MAX + 1;
}

/* A fraction and an exponent, which may both be absent. */
static const char *skip_fraction(const char *at, const char *end)
{
	const char *digits;

	if (at < end && *at == '.') {
		digits = at + 1;
		at = skip_digits(digits, end);
		if (at == digits)
			return NULL;
	}
	if (at == end || (*at | 0x20) != 'e')
		return at;
	digits = at + 1;
	if (digits < end && (*digits == '+' || *digits == '-'))
		digits++;
	at = skip_digits(digits, end);
	return at > digits ? at : NULL;
}

static const char *read_number(struct json_flat *f, const char *at, const char *end)
{
	struct json_item *item = add_item(f, JSON_FLAT_INT, at);
	bool negative = *at == '-';
	const char *digits = at + negative, *integer = skip_digits(digits, end);
	size_t len = (size_t)(integer - digits);
	uint64_t value = 0;

	if (len == 0 || (len > 1 && *digits == '0'))
		return NULL;
	at = skip_fraction(integer, end);
	if (!at)
		return NULL;
	item->len = (uint32_t)(at - f->text) - item->start;
	if (at == integer && len > DIGITS_FIT && !fits_64_bits(digits, len, negative, &value))
		return NULL;
	if (at > integer || (!negative && value > INT64_MAX))
		item->kind = JSON_FLAT_NUMBER;
	return at;
}

static const char *read_word(struct json_flat *f, const char *at, const char *end)
{
	static const struct {
		const char *word;
		enum json_flat_kind kind;
	} words[] = {{"true", JSON_FLAT_BOOL}, {"false", JSON_FLAT_BOOL}, {"null", JSON_FLAT_NULL}};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i].word);
		if ((size_t)(end - at) < len || memcmp(at, words[i].word, len) != 0)
			continue;
		add_item(f, words[i].kind, at)->len = (uint32_t)len;
		return at + len;
	}
	return NULL;
}

/* In json-c a name ends at a NUL, so names with a NUL are refused. */
static inline const char *read_name(struct json_flat *f, const char *at, const char *end)
{
	at = read_string(f, at, end);
	if (!at)
		return NULL;
	const struct json_item *name = &f->items[f->count - 1];
	if (name->escaped && memmem(f->text + name->start, name->len, "\\u0000", 6))
		return NULL;
	at = skip_blank(at, end);
	return at < end && *at == ':' ? skip_blank(at + 1, end) : NULL;
}

static inline const char *read_scalar(struct json_flat *f, const char *at, const char *end)
{
	switch (*at) {
	case '"':
		return read_string(f, at, end);
	case '-':
	case '0' ... '9':
		return read_number(f, at, end);
	default:
		return read_word(f, at, end);
	}
}

/* Reads a list, which begins there, and all in it. */
static const char *read_lists(struct json_flat *f, const char *at, const char *end)
{
	size_t depth = 0, open[JSON_DEPTH] __attribute__((uninitialized)); /* 1 KB, of which little is used */
	bool first = true; /* nothing was read in the innermost list yet */
	bool in_object = false;

	do {
		at = skip_blank(at, end);
		if (depth > 0 && at < end && *at == (in_object ? '}' : ']')) {
			struct json_item *list = &f->items[open[--depth]];

			list->len = (uint32_t)(++at - f->text) - list->start;
			list->next = (uint32_t)f->count;
			first = false;
			in_object = depth > 0 && f->items[open[depth - 1]].kind == JSON_FLAT_OBJECT;
			continue;
		}
		if (!first) {
			if (at == end || *at != ',')
				return NULL;
			at = skip_blank(at + 1, end);
		}
		if (in_object)
			at = read_name(f, at, end);
		if (!at || at == end)
			return NULL;
		first = *at == '{' || *at == '[';
		if (!first) {
			at = read_scalar(f, at, end);
		} else if (depth < JSON_DEPTH) {
			open[depth++] = f->count;
			in_object = *at == '{';
			add_item(f, in_object ? JSON_FLAT_OBJECT : JSON_FLAT_ARRAY, at);
			at++;
		} else {
			return NULL;
		}
	} while (at && depth > 0);
	return at;
}

bool json_flat_read(struct json_flat *f, const char *text, size_t len)
{
	const char *at, *end = text + len;

	f->text = text;
	f->count = 0;
	grow(f, len / BYTES_USUAL);
	if (len > INT32_MAX || !utf8_valid(text, len))
		return false;
	at = skip_blank(text, end);
	if (at == end || (*at != '{' && *at != '['))
		return false;
	at = read_lists(f, at, end);
	return at && skip_blank(at, end) == end;
}

void json_flat_clear(struct json_flat *f)
{
	free(f->items);
	*f = (struct json_flat){0};
}

size_t json_flat_get(const struct json_flat *f, size_t of, const char *key)
{
	size_t found = 0, len = strlen(key);

	if (f->items[of].kind != JSON_FLAT_OBJECT)
		return 0;
	for (size_t i = of + 1; i < f->items[of].next; i = f->items[i + 1].next) {
		const struct json_item *name = &f->items[i];

		if (name->escaped ? json_flat_is(f, i, key) :
				    name->len == len && memcmp(f->text + name->start, key, len) == 0)
			found = i + 1;
	}
	return found;
}

size_t json_flat_get_kind(const struct json_flat *f, size_t of, const char *key, enum json_flat_kind kind)
{
	size_t found = json_flat_get(f, of, key);

	return found && f->items[found].kind == kind ? found : 0;
}

static void add_escape(struct buf *out, const char **at, const char *end)
{
	uint32_t cp;

	if ((*at)[1] == 'u') {
		*at += json_flat_unicode(*at, (size_t)(end - *at), &cp);
		utf8_encode(out, cp);
		return;
	}
	buf_addch(out, short_escape((*at)[1]));
	*at += 2;
}

const char *json_flat_str(const struct json_flat *f, size_t item, struct buf *scratch, size_t *len)
{
	const struct json_item *s = &f->items[item];
	const char *at = f->text + s->start, *end = at + s->len;

	*len = s->len;
	if (!s->escaped)
		return at;
	buf_reset(scratch);
	while (at < end) {
		const char *escape = memchr(at, '\\', (size_t)(end - at));
		buf_add(scratch, at, (size_t)((escape ? escape : end) - at));
		at = escape ? escape : end;
		if (escape)
			add_escape(scratch, &at, end);
	}
	*len = scratch->len;
	return scratch->data;
}

bool json_flat_is(const struct json_flat *f, size_t item, const char *text)
{
	const struct json_item *s = &f->items[item];
	struct buf scratch = BUF_INIT;
	size_t len = strlen(text), has;

	if (s->kind != JSON_FLAT_STRING)
		return false;
	if (!s->escaped)
		return s->len == len && memcmp(f->text + s->start, text, len) == 0;
	const char *bytes = json_flat_str(f, item, &scratch, &has);
	bool same = has == len && memcmp(bytes, text, len) == 0;
	buf_clear(&scratch);
	return same;
}

int64_t json_flat_int(const struct json_flat *f, size_t item)
{
	const struct json_item *n = &f->items[item];
	const char *digits = f->text + n->start;
	bool negative = *digits == '-';
	uint64_t value;

	fits_64_bits(digits + negative, n->len - negative, negative, &value);
	return (int64_t)(negative ? -value : value);
}
