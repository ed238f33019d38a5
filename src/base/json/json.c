#include "base/json/json.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/flat.h"
#include "base/json/scan.h"
#include "base/json/tree.h"
#include "base/text/simd.h"
#include "base/mem.h"
#include "base/text/utf8.h"

/* A longer text is not worth a list of its values beside the tree: up to ten bytes for one of the text. */
#define FLAT_MAX (1024 * 1024)

static const char hex[] = "0123456789abcdef";
static pthread_once_t probed = PTHREAD_ONCE_INIT;
static bool ascii_only;

static struct json_tokener *tokener_new(void)
{
	/* json-c counts the values inside the innermost array as one level more. */
	struct json_tokener *tok = json_tokener_new_ex(JSON_DEPTH + 1);

	if (!tok)
		mem_exhausted(sizeof(void *) * JSON_DEPTH);
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	return tok;
}

/* json-c 0.18 treats every byte beyond ASCII in a string as a control character (its issues 875 and 892). */
static void probe(void)
{
	struct json_tokener *tok = tokener_new();
	struct json_object *o = json_tokener_parse_ex(tok, "\"\xc3\xa9\"", 4);

	ascii_only = !o;
	json_object_put(o);
	json_tokener_free(tok);
}

static void add_unit(struct buf *out, uint32_t unit)
{
	const char text[] = {
	    '\\', 'u', hex[unit >> 12], hex[unit >> 8 & 15], hex[unit >> 4 & 15], hex[unit & 15]};

	buf_add(out, text, sizeof(text));
}

/* Appends the text, which is valid UTF-8, with \u.... for characters beyond ASCII, until out has `max` bytes.
 * Returns the number of bytes of the text used. */
static size_t escape(struct buf *out, const char *text, size_t len, size_t max)
{
	size_t at = 0, n;
	uint32_t cp;

	for (buf_reset(out); at < len && out->len < max; at += n) {
		for (n = 0; at + n < len && out->len + n < max && (signed char)text[at + n] >= 0 &&
		     text[at + n] != '\\';)
			n++;
		buf_add(out, text + at, n);
		if (n > 0)
			continue;
		n = utf8_decode(text + at, len - at, &cp);
		if (cp == '\\' && at + 1 < len) {
			/* Copied with the character that it escapes: one beyond ASCII stays, and is
			 * refused. */
			n += utf8_decode(text + at + 1, len - at - 1, &cp);
			buf_add(out, text + at, n);
		} else if (cp < 0x80) {
			buf_addch(out, (char)cp);
		} else if (cp < 0x10000) {
			add_unit(out, cp);
		} else {
			add_unit(out, 0xd7c0 + (cp >> 10));
			add_unit(out, 0xdc00 + (cp & 0x3ff));
		}
	}
	return at;
}

/* Kept for the next text of the thread: it is large, and many texts are small. */
static tss_t kept;
static once_flag key_made = ONCE_FLAG_INIT;

static void tokener_free(void *tok)
{
	json_tokener_free(tok);
}

static void make_key(void)
{
	if (tss_create(&kept, tokener_free) != thrd_success)
		mem_exhausted(0);
}

static struct json_tokener *tokener_of_thread(void)
{
	struct json_tokener *tok;

	call_once(&key_made, make_key);
	tok = tss_get(kept);
	if (!tok) {
		tok = tokener_new();
		if (tss_set(kept, tok) != thrd_success)
			mem_exhausted(0);
	}
	json_tokener_reset(tok);
	return tok;
}

/* json_tokener_reset() keeps the first half of a surrogate pair after which a text broke off, and the next
 * text would begin with it (json-c 0.16 to 0.18). */
static void forget_tokener(struct json_tokener *tok)
{
	if (tss_set(kept, NULL) != thrd_success)
		mem_exhausted(0);
	json_tokener_free(tok);
}

static struct json_object *parse(const char *text, size_t len, size_t *end, enum json_tokener_error *problem)
{
	struct json_tokener *tok = tokener_of_thread();
	struct json_object *o = json_tokener_parse_ex(tok, text, (int)len);
	bool continued = json_tokener_get_error(tok) == json_tokener_continue;

	/* A number at the top level ends only with the next character. */
	if (continued)
		o = json_tokener_parse_ex(tok, "", 1);
	*problem = json_tokener_get_error(tok);
	*end = continued ? len : json_tokener_get_parse_end(tok);
	json_tokener_reset(tok);
	if (*problem != json_tokener_success)
		forget_tokener(tok);
	return o;
}

static bool is_ascii(const char *text, size_t len)
{
	signed char all = 0;

	for (size_t i = 0; i < len; i++)
		all |= text[i];
	return all >= 0;
}

/* What the flat reader does not take is left to json-c: a bare value, a text with half a surrogate pair, and
 * all that is not JSON, for which json-c has the words. */
static struct json_object *parse_flat(const char *text, size_t len, const char *const *names)
{
	struct json_flat flat = {0};
	struct json_object *o =
	    len <= FLAT_MAX && json_flat_read(&flat, text, len) ? json_tree(&flat, names) : NULL;

	json_flat_clear(&flat);
	return o;
}

static struct json_object *parse_slowly(const char *text, size_t len, struct error *err)
{
	struct buf ascii = BUF_INIT;
	enum json_tokener_error problem;
	struct json_object *o;
	size_t end;

	if (len > INT_MAX / 3) {
		error_set(err, ERROR_OURS, "JSON text is too long (%zu bytes)", len);
		return NULL;
	}
	if (json_scan(text, len, err) < 0)
		return NULL;
	pthread_once(&probed, probe);
	if (ascii_only && !is_ascii(text, len)) {
		escape(&ascii, text, len, SIZE_MAX);
		o = parse(ascii.data, ascii.len, &end, &problem);
		end = escape(&ascii, text, len, end);
		buf_clear(&ascii);
	} else {
		o = parse(text, len, &end, &problem);
	}
	if (problem != json_tokener_success)
		error_set(
		    err, ERROR_OURS, "not JSON: %s, at byte %zu", json_tokener_error_desc(problem), end);
	else if (!o)
		error_set(err, ERROR_OURS, "the JSON text is null where a value is wanted");
	return o;
}

struct json_object *json_parse(const char *text, size_t len, struct error *err)
{
	struct json_object *o = parse_flat(text, len, NULL);

	return o ? o : parse_slowly(text, len, err);
}

static struct json_object *only_object(struct json_object *o, struct error *err)
{
	if (!o || json_object_is_type(o, json_type_object))
		return o;
	error_set(err, ERROR_OURS, "the JSON text is of type %s where an object is wanted",
	    json_type_to_name(json_object_get_type(o)));
	json_object_put(o);
	return NULL;
}

struct json_object *json_parse_object(const char *text, size_t len, struct error *err)
{
	return only_object(json_parse(text, len, err), err);
}

struct json_object *json_parse_members(const char *text, size_t len, const char *const *names)
{
	struct json_object *o = parse_flat(text, len, names);

	if (!o)
		return json_parse_object(text, len, NULL);
	if (json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return NULL;
}

struct json_object *json_parse_foreign_value(const char *text, size_t len, struct error *err)
{
	size_t values = 1, containers = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"') {
			for (i++; i < len && text[i] != '"'; i++)
				i += text[i] == '\\';
			continue;
		}
		values += text[i] == ',';
		containers += text[i] == '[' || text[i] == '{';
	}
	if (values + containers > JSON_VALUES_MAX || containers > JSON_CONTAINERS_MAX) {
		error_set(err, ERROR_OURS, "not JSON of a fit size: %zu values in %zu arrays and objects",
		    values + containers, containers);
		return NULL;
	}
	return json_parse(text, len, err);
}

struct json_object *json_parse_foreign(const char *text, size_t len, struct error *err)
{
	return only_object(json_parse_foreign_value(text, len, err), err);
}

struct json_object *json_get(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_is_type(o, json_type_object) || !json_object_object_get_ex(o, key, &value))
		return NULL;
	return value;
}

static struct json_object *get_type(struct json_object *o, const char *key, enum json_type type)
{
	struct json_object *value = json_get(o, key);

	return value && json_object_is_type(value, type) ? value : NULL;
}

struct json_object *json_get_object(struct json_object *o, const char *key)
{
	return get_type(o, key, json_type_object);
}

struct json_object *json_get_array(struct json_object *o, const char *key)
{
	return get_type(o, key, json_type_array);
}

bool json_array_has(struct json_object *array, const char *text)
{
	json_each(array, value) {
		const char *its = json_object_get_string(value);

		if (its && strcmp(its, text) == 0)
			return true;
	}
	return false;
}

const char *json_get_str(struct json_object *o, const char *key)
{
	struct json_object *value = get_type(o, key, json_type_string);
	const char *text;

	if (!value)
		return NULL;
	text = json_object_get_string(value);
	return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

int64_t json_get_int(struct json_object *o, const char *key, int64_t fallback)
{
	struct json_object *value = get_type(o, key, json_type_int);

	/* json-c would give INT64_MAX for what only fits in a uint64_t. */
	if (!value || json_object_get_uint64(value) > INT64_MAX)
		return fallback;
	return json_object_get_int64(value);
}

double json_get_double(struct json_object *o, const char *key, double fallback)
{
	struct json_object *value = json_get(o, key);
	double number;

	if (!json_object_is_type(value, json_type_int) && !json_object_is_type(value, json_type_double))
		return fallback;
	number = json_object_get_double(value);
	return isfinite(number) ? number : fallback;
}

bool json_get_bool(struct json_object *o, const char *key, bool fallback)
{
	struct json_object *value = get_type(o, key, json_type_boolean);

	return value ? json_object_get_boolean(value) : fallback;
}

/* json-c returns NULL when it is out of memory, which would become a silent null. */
static struct json_object *made(struct json_object *value)
{
	if (!value)
		mem_exhausted(0);
	return value;
}

void json_set_str(struct json_object *o, const char *key, const char *value)
{
	struct buf clean = BUF_INIT;

	if (!value)
		return;
	if (!utf8_valid(value, strlen(value))) {
		utf8_sanitize(&clean, value, strlen(value));
		value = clean.data;
	}
	json_set(o, key, made(json_object_new_string(value)));
	buf_clear(&clean);
}

void json_set_int(struct json_object *o, const char *key, int64_t value)
{
	json_set(o, key, made(json_object_new_int64(value)));
}

void json_set_bool(struct json_object *o, const char *key, bool value)
{
	json_set(o, key, made(json_object_new_boolean(value)));
}

void json_set(struct json_object *o, const char *key, struct json_object *value)
{
	if (json_object_object_add(o, key, value) < 0)
		mem_exhausted(strlen(key));
}

/* As json-c writes it, which takes six times as long. */
static void write_number(struct buf *out, struct json_object *o)
{
	char digits[24], *at = digits + sizeof(digits);
	int64_t value = json_object_get_int64(o);
	uint64_t rest = value < 0 ? -(uint64_t)value : json_object_get_uint64(o);

	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--at = '-';
	buf_add(out, at, (size_t)(digits + sizeof(digits) - at));
}

static void write_array(struct buf *out, struct json_object *o)
{
	buf_addch(out, '[');
	for (size_t i = 0; i < json_object_array_length(o); i++) {
		if (i > 0)
			buf_addch(out, ',');
		json_write(out, json_object_array_get_idx(o, i));
	}
	buf_addch(out, ']');
}

static void write_object(struct buf *out, struct json_object *o)
{
	bool first = true;

	buf_addch(out, '{');
	json_object_object_foreach(o, key, value) {
		if (!first)
			buf_addch(out, ',');
		first = false;
		json_quote(out, key, strlen(key));
		buf_addch(out, ':');
		json_write(out, value);
	}
	buf_addch(out, '}');
}

static void write_double(struct buf *out, struct json_object *o)
{
	const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);

	if (!text)
		mem_exhausted(0);
	buf_addstr(out, text);
}

void json_write(struct buf *out, struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_null:
		buf_add(out, "null", 4);
		break;
	case json_type_boolean:
		buf_addstr(out, json_object_get_boolean(o) ? "true" : "false");
		break;
	case json_type_int:
		write_number(out, o);
		break;
	case json_type_double:
		write_double(out, o);
		break;
	case json_type_string:
		json_quote(out, json_object_get_string(o), (size_t)json_object_get_string_len(o));
		break;
	case json_type_array:
		write_array(out, o);
		break;
	case json_type_object:
		write_object(out, o);
		break;
	}
}

char *json_text(struct json_object *o)
{
	struct buf out = BUF_INIT;

	json_write(&out, o);
	return buf_take(&out);
}

static const char *const escapes[256] = {
    ['"'] = "\\\"",
    ['\\'] = "\\\\",
    ['\b'] = "\\b",
    ['\f'] = "\\f",
    ['\n'] = "\\n",
    ['\r'] = "\\r",
    ['\t'] = "\\t",
};

#define QUOTE_BLOCK 512
#define QUOTE_MAX   6 /* "\\u0000" */

/* Returns how many bytes of a simd_bytes, from the first on, need no escape. */
static size_t count_plain(const char *s)
{
	simd_bytes x = simd_load(s);

	return simd_first_set((simd_bytes)(x < 0x20) | (simd_bytes)(x == '"') | (simd_bytes)(x == '\\') |
	    (simd_bytes)(x > 0x7f));
}

/* Escapes one character that is not plain into room for six bytes more than it has. Returns its length. */
static size_t quote_one(char **to, const char *s, size_t len)
{
	unsigned char c = (unsigned char)*s;
	uint32_t cp;
	size_t n = c < 0x80 ? 1 : utf8_decode(s, len, &cp);

	if (escapes[c]) {
		*to = mempcpy(*to, escapes[c], 2);
	} else if (c < 0x20) {
		*to = mempcpy(*to, "\\u00", 4);
		*(*to)++ = hex[c >> 4];
		*(*to)++ = hex[c & 15];
	} else if (n == 0) {
		*to = mempcpy(*to, "\xef\xbf\xbd", 3);
	} else {
		*to = mempcpy(*to, s, n);
	}
	return n > 0 ? n : 1;
}

/* Escapes at least `min` bytes of the text, into enough room for all of them. Returns the number of bytes
 * used. */
static size_t quote_block(char **to, const char *s, size_t len, size_t min)
{
	size_t at = 0;

	while (at < min && at + sizeof(simd_bytes) <= len) {
		size_t n = count_plain(s + at);

		memcpy(*to, s + at, sizeof(simd_bytes));
		*to += n;
		at += n;
		if (n < sizeof(simd_bytes))
			at += quote_one(to, s + at, len - at);
	}
	while (at < min) {
		unsigned char c = (unsigned char)s[at];

		if (c >= 0x20 && c < 0x80 && !escapes[c])
			*(*to)++ = s[at++];
		else
			at += quote_one(to, s + at, len - at);
	}
	return at;
}

void json_quote(struct buf *out, const char *s, size_t len)
{
	buf_reserve(out, len + 2);
	buf_addch(out, '"');
	for (size_t at = 0; at < len;) {
		size_t min = len - at < QUOTE_BLOCK ? len - at : QUOTE_BLOCK;

		buf_reserve(out, QUOTE_MAX * (min + sizeof(simd_bytes)));
		char *to = out->data + out->len;
		at += quote_block(&to, s + at, len - at, min);
		out->len = (size_t)(to - out->data);
	}
	buf_addch(out, '"');
}
