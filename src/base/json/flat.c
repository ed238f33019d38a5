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
/* Platforms and models need so many for a value or a name; where there are more, the list grows. */
#define BYTES_USUAL 12

/* The position of the parser. Every step returns false when the text is invalid. */
struct reader {
	struct json_flat *f;
	const char *at, *end;
	size_t open[JSON_DEPTH]; /* the open arrays and objects */
	size_t depth;
};

static void reserve(struct json_flat *f, size_t room)
{
	if (room <= f->room)
		return;
	f->room = room;
	f->items = xrealloc(f->items, f->room * sizeof(*f->items));
}

static struct json_item *add_item(struct reader *r, enum json_flat_kind kind, const char *start)
{
	struct json_flat *f = r->f;

	if (f->count == f->room)
		reserve(f, f->room ? 2 * f->room : ITEMS_FIRST);
	f->items[f->count] = (struct json_item){
	    .start = (uint32_t)(start - f->text), .next = (uint32_t)f->count + 1, .kind = (uint8_t)kind};
	return &f->items[f->count++];
}

static void skip_blank(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
		r->at++;
}

static bool take_char(struct reader *r, char c)
{
	bool same = r->at < r->end && *r->at == c;

	r->at += same;
	return same;
}

/* Skips to the next quote, backslash or control character. */
static void skip_plain(struct reader *r)
{
	while (r->end - r->at >= (ptrdiff_t)sizeof(simd_bytes)) {
		simd_bytes x = simd_load(r->at);
		size_t n =
		    simd_first_set((simd_bytes)(x < 0x20) | (simd_bytes)(x == '"') | (simd_bytes)(x == '\\'));

		r->at += n;
		if (n < sizeof(simd_bytes))
			return;
	}
	while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
		r->at++;
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

static bool skip_escape(struct reader *r)
{
	size_t n = 2;
	uint32_t cp;

	if (r->end - r->at < 2)
		return false;
	if (r->at[1] == 'u')
		n = json_flat_unicode(r->at, (size_t)(r->end - r->at), &cp);
	else if (!short_escape(r->at[1]))
		return false;
	r->at += n;
	return n > 0;
}

static bool read_string(struct reader *r)
{
	struct json_item *item;
	bool escaped = false;

	if (!take_char(r, '"'))
		return false;
	item = add_item(r, JSON_FLAT_STRING, r->at);
	for (skip_plain(r); r->at < r->end && *r->at == '\\'; skip_plain(r)) {
		escaped = true;
		if (!skip_escape(r))
			return false;
	}
	item->escaped = escaped;
	item->len = (uint32_t)(r->at - r->f->text) - item->start;
	return take_char(r, '"');
}

static size_t skip_digits(struct reader *r)
{
	const char *begin = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return (size_t)(r->at - begin);
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

static bool skip_exponent(struct reader *r)
{
	if (!take_char(r, 'e') && !take_char(r, 'E'))
		return true;
	if (!take_char(r, '+'))
		take_char(r, '-');
	return skip_digits(r) > 0;
}

static bool read_number(struct reader *r)
{
	struct json_item *item = add_item(r, JSON_FLAT_INT, r->at);
	bool negative = take_char(r, '-');
	const char *digits = r->at;
	size_t len = skip_digits(r);
	uint64_t value;

	if (len == 0 || (len > 1 && *digits == '0'))
		return false;
	if (take_char(r, '.')) {
		item->kind = JSON_FLAT_NUMBER;
		if (skip_digits(r) == 0)
			return false;
	}
	if (r->at < r->end && (*r->at | 0x20) == 'e')
		item->kind = JSON_FLAT_NUMBER;
	if (!skip_exponent(r))
		return false;
	item->len = (uint32_t)(r->at - r->f->text) - item->start;
	if (item->kind == JSON_FLAT_NUMBER)
		return true;
	if (!fits_64_bits(digits, len, negative, &value))
		return false;
	if (!negative && value > INT64_MAX)
		item->kind = JSON_FLAT_NUMBER;
	return true;
}

static bool read_word(struct reader *r)
{
	static const struct {
		const char *word;
		enum json_flat_kind kind;
	} words[] = {{"true", JSON_FLAT_BOOL}, {"false", JSON_FLAT_BOOL}, {"null", JSON_FLAT_NULL}};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i].word);
		if ((size_t)(r->end - r->at) < len || memcmp(r->at, words[i].word, len) != 0)
			continue;
		add_item(r, words[i].kind, r->at)->len = (uint32_t)len;
		r->at += len;
		return true;
	}
	return false;
}

static bool open_list(struct reader *r, enum json_flat_kind kind)
{
	if (r->depth == JSON_DEPTH)
		return false;
	r->open[r->depth++] = r->f->count;
	add_item(r, kind, r->at++);
	return true;
}

/* Reads a value; of an array or object only its beginning. */
static bool read_value(struct reader *r)
{
	if (r->at == r->end)
		return false;
	switch (*r->at) {
	case '{':
		return open_list(r, JSON_FLAT_OBJECT);
	case '[':
		return open_list(r, JSON_FLAT_ARRAY);
	case '"':
		return read_string(r);
	case '-':
	case '0' ... '9':
		return read_number(r);
	default:
		return read_word(r);
	}
}

static struct json_item *innermost(const struct reader *r)
{
	return &r->f->items[r->open[r->depth - 1]];
}

/* Closes the lists that end here. */
static void close_lists(struct reader *r)
{
	for (skip_blank(r); r->depth > 0; skip_blank(r)) {
		struct json_item *list = innermost(r);
		if (!take_char(r, list->kind == JSON_FLAT_OBJECT ? '}' : ']'))
			return;
		list->len = (uint32_t)(r->at - r->f->text) - list->start;
		list->next = (uint32_t)r->f->count;
		r->depth--;
	}
}

/* In json-c a name ends at a NUL, so names with a NUL are refused. */
static bool read_name(struct reader *r)
{
	if (!read_string(r))
		return false;
	const struct json_item *name = &r->f->items[r->f->count - 1];
	return !name->escaped || !memmem(r->f->text + name->start, name->len, "\\u0000", 6);
}

/* Reads an element or a member, with the comma before it. */
static bool read_element(struct reader *r)
{
	const struct json_item *list = innermost(r);
	bool is_object = list->kind == JSON_FLAT_OBJECT;

	if (r->open[r->depth - 1] + 1 < r->f->count && !take_char(r, ','))
		return false;
	skip_blank(r);
	if (is_object) {
		if (!read_name(r))
			return false;
		skip_blank(r);
		if (!take_char(r, ':'))
			return false;
		skip_blank(r);
	}
	return read_value(r);
}

bool json_flat_read(struct json_flat *f, const char *text, size_t len)
{
	struct reader r = {.f = f, .at = text, .end = text + len};

	f->text = text;
	f->count = 0;
	reserve(f, len / BYTES_USUAL);
	if (len > INT32_MAX || !utf8_valid(text, len))
		return false;
	skip_blank(&r);
	if (r.at == r.end || (*r.at != '{' && *r.at != '['))
		return false;
	if (!read_value(&r))
		return false;
	for (close_lists(&r); r.depth > 0; close_lists(&r))
		if (!read_element(&r))
			return false;
	return r.at == r.end;
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

	if (s->kind != JSON_FLAT_STRING || (!s->escaped && s->len != len))
		return false;
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
