#include "playground/discord/gateway/etf.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

/* Erlang: External Term Format; what erlpack, which Discord names as its example, writes and reads. */
enum tag {
	NEW_FLOAT = 70,
	SMALL_INTEGER = 97,
	INTEGER = 98,
	ATOM = 100,
	SMALL_TUPLE = 104,
	NIL = 106,
	STRING = 107,
	LIST = 108,
	BINARY = 109,
	SMALL_BIG = 110,
	SMALL_ATOM = 115,
	MAP = 116,
	ATOM_UTF8 = 118,
	SMALL_ATOM_UTF8 = 119,
	VERSION = 131
};

static void add_number(struct buf *out, uint64_t n, unsigned bytes)
{
	while (bytes-- > 0)
		buf_addch(out, (char)(n >> 8 * bytes));
}

static void add_bytes(struct buf *out, enum tag tag, unsigned len_bytes, const char *s, size_t len)
{
	buf_addch(out, (char)tag);
	add_number(out, len, len_bytes);
	buf_add(out, s, len);
}

static void add_atom(struct buf *out, const char *name)
{
	add_bytes(out, ATOM, 2, name, strlen(name));
}

static void add_big(struct buf *out, bool negative, uint64_t n)
{
	unsigned bytes = 0;

	while (bytes < 8 && n >> 8 * bytes != 0)
		bytes++;
	buf_addch(out, (char)SMALL_BIG);
	buf_addch(out, (char)bytes);
	buf_addch(out, negative);
	for (; bytes > 0; bytes--, n >>= 8)
		buf_addch(out, (char)n);
}

static void add_integer(struct buf *out, struct json_object *o)
{
	int64_t n = json_object_get_int64(o);

	if (n >= 0 && n <= UINT8_MAX) {
		buf_addch(out, (char)SMALL_INTEGER);
		buf_addch(out, (char)n);
	} else if (n >= INT32_MIN && n <= INT32_MAX) {
		buf_addch(out, (char)INTEGER);
		add_number(out, (uint64_t)n, 4);
	} else {
		add_big(out, n < 0, n < 0 ? -(uint64_t)n : json_object_get_uint64(o));
	}
}

static void add_double(struct buf *out, double d)
{
	uint64_t bits;

	if (!isfinite(d)) { /* JSON reads 1e400 */
		add_atom(out, "nil");
		return;
	}
	memcpy(&bits, &d, sizeof(bits));
	buf_addch(out, (char)NEW_FLOAT);
	add_number(out, bits, 8);
}

/* Discord: events/gateway, Using ETF Encoding: "64-bit integers or strings". Libraries make a number, and no
 * text, of what fits into 32 bits. */
static bool is_snowflake(const char *key, const char *s, uint64_t *id)
{
	size_t len = key ? strlen(key) : 0;

	if (len < 2 || strcmp(key + len - 2, "id") != 0 || (len > 2 && key[len - 3] != '_') || s[0] < '1' ||
	    strspn(s, "0123456789") != strlen(s) || strlen(s) > 19)
		return false;
	*id = strtoull(s, NULL, 10);
	return *id > UINT32_MAX;
}

static void add_string(struct buf *out, const char *key, struct json_object *o)
{
	const char *s = json_object_get_string(o);
	uint64_t id;

	if (is_snowflake(key, s, &id))
		add_big(out, false, id);
	else
		add_bytes(out, BINARY, 4, s, (size_t)json_object_get_string_len(o));
}

/* Other keys, such as the ids in resolved data, are not names; nor are the atoms that are values. */
static bool is_name(const char *key)
{
	static const char *const values[] = {"false", "nil", "null", "true"};
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (strcmp(key, values[i]) == 0)
			return false;
	while (isalnum((unsigned char)key[len]) || key[len] == '_')
		len++;
	return len <= UINT8_MAX && key[len] == '\0' && len > 0 && !isdigit((unsigned char)key[0]);
}

static void add_term(struct buf *out, const char *key, struct json_object *o);

static void add_list(struct buf *out, struct json_object *o)
{
	size_t n = json_count(o);

	if (n > 0) {
		buf_addch(out, (char)LIST);
		add_number(out, n, 4);
		for (size_t i = 0; i < n; i++)
			add_term(out, NULL, json_at(o, i));
	}
	buf_addch(out, (char)NIL);
}

static void add_map(struct buf *out, struct json_object *o)
{
	buf_addch(out, (char)MAP);
	add_number(out, (uint64_t)json_object_object_length(o), 4);
	json_object_object_foreach(o, key, value) {
		if (is_name(key))
			add_atom(out, key);
		else
			add_bytes(out, BINARY, 4, key, strlen(key));
		add_term(out, key, value);
	}
}

static void add_term(struct buf *out, const char *key, struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_null:
		add_atom(out, "nil");
		break;
	case json_type_boolean:
		add_atom(out, json_object_get_boolean(o) ? "true" : "false");
		break;
	case json_type_double:
		add_double(out, json_object_get_double(o));
		break;
	case json_type_int:
		add_integer(out, o);
		break;
	case json_type_string:
		add_string(out, key, o);
		break;
	case json_type_array:
		add_list(out, o);
		break;
	case json_type_object:
		add_map(out, o);
		break;
	}
}

void etf_write(struct buf *out, struct json_object *o)
{
	buf_addch(out, (char)VERSION);
	add_term(out, NULL, o);
}

struct reader {
	const char *at, *end;
	bool atom_keys;
	unsigned depth;
	struct error *err;
};

static int bad(struct reader *r, const char *why)
{
	return error_set(r->err, ERROR_OURS, "This is no term of Erlang's External Term Format: %s.", why);
}

static int take(struct reader *r, uint64_t len, const char **out)
{
	*out = r->at;
	if (len > (size_t)(r->end - r->at))
		return bad(r, "it is cut off");
	r->at += len;
	return 0;
}

static int take_number(struct reader *r, unsigned bytes, uint64_t *n)
{
	const char *at;

	if (take(r, bytes, &at) < 0)
		return -1;
	for (*n = 0; bytes > 0; bytes--)
		*n = *n << 8 | (unsigned char)*at++;
	return 0;
}

static int read_text(struct reader *r, unsigned len_bytes, struct json_object **out)
{
	const char *s;
	uint64_t len;

	if (take_number(r, len_bytes, &len) < 0 || take(r, len, &s) < 0)
		return -1;
	if (!utf8_valid(s, len))
		return bad(r, "a text is not UTF-8");
	*out = json_object_new_string_len(s, (int)len);
	return 0;
}

static int read_atom(struct reader *r, unsigned len_bytes, struct json_object **out)
{
	struct json_object *name = NULL;
	const char *s;

	if (read_text(r, len_bytes, &name) < 0)
		return -1;
	s = json_object_get_string(name);
	if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0)
		*out = json_object_new_boolean(s[0] == 't');
	else if (strcmp(s, "nil") != 0 && strcmp(s, "null") != 0)
		*out = json_object_get(name);
	json_object_put(name);
	return 0;
}

static int read_big(struct reader *r, struct json_object **out)
{
	uint64_t len, negative, n = 0;
	const char *s;

	if (take_number(r, 1, &len) < 0 || take_number(r, 1, &negative) < 0 || take(r, len, &s) < 0)
		return -1;
	for (uint64_t i = len; len <= 8 && i-- > 0;)
		n = n << 8 | (unsigned char)s[i];
	if (len > 8 || (negative && n > (uint64_t)INT64_MAX + 1))
		return bad(r, "an integer has more than 64 bits");
	*out = negative || n <= INT64_MAX ? json_object_new_int64((int64_t)(negative ? -n : n)) :
					    json_object_new_uint64(n);
	return 0;
}

static int read_double(struct reader *r, struct json_object **out)
{
	uint64_t bits;
	double d;

	if (take_number(r, 8, &bits) < 0)
		return -1;
	memcpy(&d, &bits, sizeof(d));
	if (!isfinite(d))
		return bad(r, "a number is not finite");
	*out = json_object_new_double(d);
	return 0;
}

static int read_term(struct reader *r, struct json_object **out);

/* As many items as a number of so many bytes says; a list has an end, and a string is a list of bytes. */
static int read_items(struct reader *r, enum tag tag, unsigned count_bytes, struct json_object **out)
{
	uint64_t count, byte;
	int ret = take_number(r, count_bytes, &count);

	*out = json_object_new_array();
	for (; ret == 0 && count > 0; count--) {
		struct json_object *item = NULL;

		if (tag != STRING)
			ret = read_term(r, &item);
		else if ((ret = take_number(r, 1, &byte)) == 0)
			item = json_object_new_int64((int64_t)byte);
		json_object_array_add(*out, item);
	}
	if (ret == 0 && tag == LIST && (take_number(r, 1, &byte) < 0 || byte != NIL))
		return bad(r, "a list has no end");
	return ret;
}

static int read_map(struct reader *r, struct json_object **out)
{
	uint64_t count;
	int ret = take_number(r, 4, &count);

	*out = json_object_new_object();
	for (; ret == 0 && count > 0; count--) {
		struct json_object *key = NULL, *value = NULL;
		bool is_text = r->at < r->end && (r->atom_keys || (unsigned char)*r->at == BINARY);

		ret = read_term(r, &key) < 0 || read_term(r, &value) < 0 ? -1 : 0;
		if (ret == 0 &&
		    (!is_text || !json_object_is_type(key, json_type_string) ||
			strlen(json_object_get_string(key)) != (size_t)json_object_get_string_len(key)))
			ret = bad(r, "a key of a map is not a string");
		if (ret == 0)
			json_object_object_add(*out, json_object_get_string(key), json_object_get(value));
		json_object_put(key);
		json_object_put(value);
	}
	return ret;
}

static int read_tagged(struct reader *r, enum tag tag, struct json_object **out)
{
	uint64_t n;

	switch (tag) {
	case NEW_FLOAT:
		return read_double(r, out);
	case SMALL_INTEGER:
	case INTEGER:
		if (take_number(r, tag == INTEGER ? 4 : 1, &n) < 0)
			return -1;
		*out = json_object_new_int((int32_t)n);
		return 0;
	case ATOM:
	case ATOM_UTF8:
		return read_atom(r, 2, out);
	case SMALL_ATOM:
	case SMALL_ATOM_UTF8:
		return read_atom(r, 1, out);
	case NIL:
		return read_items(r, tag, 0, out);
	case SMALL_TUPLE:
		return read_items(r, tag, 1, out);
	case STRING:
		return read_items(r, tag, 2, out);
	case LIST:
		return read_items(r, tag, 4, out);
	case BINARY:
		return read_text(r, 4, out);
	case SMALL_BIG:
		return read_big(r, out);
	case MAP:
		return read_map(r, out);
	default:
		return bad(r, "it has an unknown tag");
	}
}

/* On an error what *out holds is the caller's, too. */
static int read_term(struct reader *r, struct json_object **out)
{
	uint64_t tag;
	int ret;

	if (take_number(r, 1, &tag) < 0)
		return -1;
	if (r->depth == JSON_DEPTH)
		return bad(r, "it is too deep");
	r->depth++;
	ret = read_tagged(r, (enum tag)tag, out);
	r->depth--;
	return ret;
}

struct json_object *etf_read(const char *data, size_t len, bool atom_keys, struct error *err)
{
	struct reader r = {.at = data, .end = data + len, .atom_keys = atom_keys, .err = err};
	struct json_object *o = NULL;
	uint64_t version;
	int ret = take_number(&r, 1, &version);

	if (ret == 0 && version != VERSION)
		ret = bad(&r, "it has another version");
	if (ret == 0)
		ret = read_term(&r, &o);
	if (ret == 0 && (r.at != r.end || !o))
		ret = bad(&r, "it is nil, or something follows it");
	if (ret == 0)
		return o;
	json_object_put(o);
	return NULL;
}
