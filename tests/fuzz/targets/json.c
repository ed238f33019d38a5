/* base/json against a grammar of its own: what RFC 8259 allows is read, what it does not is refused, and what
 * was read is written so that it reads the same. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"

/* RFC 8259 as recursive functions; each stands before its token and leaves the cursor behind it. */
struct grammar {
	const char *at, *end;
	unsigned depth;
};

static bool match_value(struct grammar *g);

static char peek(const struct grammar *g)
{
	return g->at < g->end ? *g->at : '\0';
}

static bool match_char(struct grammar *g, char c)
{
	bool same = g->at < g->end && *g->at == c;

	g->at += same;
	return same;
}

static void skip_blank(struct grammar *g)
{
	while (g->at < g->end && memchr(" \t\r\n", *g->at, 4))
		g->at++;
}

static bool match_word(struct grammar *g, const char *word)
{
	size_t len = strlen(word);
	bool same = (size_t)(g->end - g->at) >= len && memcmp(g->at, word, len) == 0;

	g->at += same ? len : 0;
	return same;
}

static size_t count_digits(struct grammar *g)
{
	const char *begin = g->at;

	while (g->at < g->end && *g->at >= '0' && *g->at <= '9')
		g->at++;
	return (size_t)(g->at - begin);
}

static bool match_escape(struct grammar *g)
{
	g->at++;
	if (g->at == g->end || !memchr("\"\\/bfnrtu", *g->at, 9))
		return false;
	if (*g->at++ != 'u')
		return true;
	for (int i = 0; i < 4; i++, g->at++)
		if (g->at == g->end || !memchr("0123456789abcdefABCDEF", *g->at, 22))
			return false;
	return true;
}

static bool match_string(struct grammar *g)
{
	if (!match_char(g, '"'))
		return false;
	while (g->at < g->end && *g->at != '"') {
		if ((unsigned char)*g->at < 0x20)
			return false;
		if (*g->at != '\\')
			g->at++;
		else if (!match_escape(g))
			return false;
	}
	return match_char(g, '"');
}

/* A whole number as large as 64 bits hold, unsigned or signed; compared as digits. */
static bool fits_64_bits(const char *digits, size_t len, bool negative)
{
	const char *most = negative ? "9223372036854775808" : "18446744073709551615";

	return len < strlen(most) || (len == strlen(most) && memcmp(digits, most, len) <= 0);
}

static bool match_number(struct grammar *g)
{
	bool negative = match_char(g, '-'), whole = true;
	const char *digits = g->at;
	size_t len = count_digits(g);

	if (len == 0 || (len > 1 && *digits == '0'))
		return false;
	if (match_char(g, '.')) {
		whole = false;
		if (count_digits(g) == 0)
			return false;
	}
	if (match_char(g, 'e') || match_char(g, 'E')) {
		whole = false;
		if (!match_char(g, '+'))
			match_char(g, '-');
		if (count_digits(g) == 0)
			return false;
	}
	return !whole || fits_64_bits(digits, len, negative);
}

static bool match_member(struct grammar *g)
{
	skip_blank(g);
	if (!match_string(g))
		return false;
	skip_blank(g);
	return match_char(g, ':') && match_value(g);
}

static bool match_list(struct grammar *g, char close, bool (*match_item)(struct grammar *g))
{
	bool ok = ++g->depth <= JSON_DEPTH;

	g->at++;
	skip_blank(g);
	if (ok && match_char(g, close)) {
		g->depth--;
		return true;
	}
	while (ok) {
		ok = match_item(g);
		skip_blank(g);
		if (ok && match_char(g, close)) {
			g->depth--;
			return true;
		}
		ok = ok && match_char(g, ',');
	}
	return false;
}

static bool match_bare(struct grammar *g)
{
	switch (peek(g)) {
	case '{':
		return match_list(g, '}', match_member);
	case '[':
		return match_list(g, ']', match_value);
	case '"':
		return match_string(g);
	case 't':
		return match_word(g, "true");
	case 'f':
		return match_word(g, "false");
	case 'n':
		return match_word(g, "null");
	default:
		return match_number(g);
	}
}

static bool match_value(struct grammar *g)
{
	bool ok;

	skip_blank(g);
	ok = match_bare(g);
	skip_blank(g);
	return ok;
}

/* As base/json/json.h has it: a null alone is no value. */
static bool is_wanted(const char *text, size_t len)
{
	struct grammar g = {text, text + len, 0};
	bool is_null;

	skip_blank(&g);
	is_null = peek(&g) == 'n';
	return utf8_valid(text, len) && match_value(&g) && g.at == g.end && !is_null;
}

static void check_round(struct json_object *o)
{
	char *text = json_text(o), *again;
	struct json_object *same = fuzz_hold_json(text);

	HOLDS(json_object_equal(o, same));
	again = json_text(same);
	HOLDS(strcmp(text, again) == 0);
	HOLDS(utf8_valid(text, strlen(text)));
	json_object_put(same);
	free(again);
	free(text);
}

/* Every bad byte as U+FFFD, all others as they are. */
static void replace_bad(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0, n; i<len; i += n> 0 ? n : 1) {
		uint32_t cp;

		n = utf8_decode(s + i, len - i, &cp);
		buf_add(out, n > 0 ? s + i : "\xef\xbf\xbd", n > 0 ? n : 3);
	}
}

static void check_quote(const char *text, size_t len)
{
	struct buf quoted = BUF_INIT, want = BUF_INIT;
	struct json_object *o;

	json_quote(&quoted, text, len);
	HOLDS(strlen(quoted.data) == quoted.len);
	replace_bad(&want, text, len);
	o = fuzz_hold_json(quoted.data);
	HOLDS(json_object_is_type(o, json_type_string));
	HOLDS((size_t)json_object_get_string_len(o) == want.len);
	HOLDS(memcmp(json_object_get_string(o), want.data, want.len) == 0);
	json_object_put(o);
	buf_clear(&quoted);
	buf_clear(&want);
}

static void check_same(const struct json_flat *f, size_t item, struct json_object *o);

static void check_same_text(const struct json_flat *f, size_t item, struct json_object *o)
{
	struct buf scratch = BUF_INIT;
	size_t len;
	const char *text = json_flat_str(f, item, &scratch, &len);

	HOLDS(len == (size_t)json_object_get_string_len(o) &&
	    memcmp(text, json_object_get_string(o), len) == 0);
	HOLDS(json_flat_is(f, item, json_object_get_string(o)) == (strlen(json_object_get_string(o)) == len));
	buf_clear(&scratch);
}

static void check_same_members(const struct json_flat *f, size_t item, struct json_object *o)
{
	size_t i = item + 1;

	json_object_object_foreach(o, key, value) {
		size_t at = json_flat_get(f, item, key);

		HOLDS(at > 0);
		check_same(f, at, value);
	}
	while (i < f->items[item].next) {
		struct buf scratch = BUF_INIT, name = BUF_INIT;
		size_t len;
		const char *text = json_flat_str(f, i, &scratch, &len);

		buf_add(&name, text, len);
		HOLDS(json_object_object_get_ex(o, name.data, NULL));
		buf_clear(&scratch);
		buf_clear(&name);
		i = f->items[i + 1].next;
	}
}

static void check_same_elements(const struct json_flat *f, size_t item, struct json_object *o)
{
	size_t i = item + 1;

	for (size_t n = 0; n < json_object_array_length(o); n++) {
		HOLDS(i < f->items[item].next);
		check_same(f, i, json_object_array_get_idx(o, n));
		i = f->items[i].next;
	}
	HOLDS(i == f->items[item].next);
}

/* What the list says is what the tree says. */
static void check_same(const struct json_flat *f, size_t item, struct json_object *o)
{
	static const enum json_type types[] = {json_type_null, json_type_boolean, json_type_int,
	    json_type_double, json_type_string, json_type_array, json_type_object};
	enum json_flat_kind kind = (enum json_flat_kind)f->items[item].kind;
	bool is_large = json_object_is_type(o, json_type_int) && json_object_get_uint64(o) > INT64_MAX &&
	    json_object_get_int64(o) > 0;

	HOLDS(json_object_is_type(o, types[kind]) || (kind == JSON_FLAT_NUMBER && is_large));
	if (kind == JSON_FLAT_STRING)
		check_same_text(f, item, o);
	else if (kind == JSON_FLAT_OBJECT)
		check_same_members(f, item, o);
	else if (kind == JSON_FLAT_ARRAY)
		check_same_elements(f, item, o);
	else if (kind == JSON_FLAT_INT)
		HOLDS(json_flat_int(f, item) == json_object_get_int64(o));
	else if (kind == JSON_FLAT_BOOL)
		HOLDS((f->text[f->items[item].start] == 't') == json_object_get_boolean(o));
}

/* It reads no more than what is JSON, and less only of half pairs, names with NUL and bare values. */
static void check_flat(const char *text, size_t len, struct json_object *o)
{
	struct json_flat f = {0};
	bool read = json_flat_read(&f, text, len);

	HOLDS(!read || o);
	if (read)
		check_same(&f, 0, o);
	else
		HOLDS(!o || memmem(text, len, "\\u", 2) ||
		    !(json_object_is_type(o, json_type_object) || json_object_is_type(o, json_type_array)));
	json_flat_clear(&f);
}

/* The tree is that of json-c's own parser. json-c 0.18 takes no byte beyond ASCII. */
static void check_tree(const char *text, size_t len, struct json_object *o)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_DEPTH + 1);
	struct json_object *same;
	char *want, *have;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	same = json_tokener_parse_ex(tok, text, (int)len);
	if (json_tokener_get_error(tok) == json_tokener_continue)
		same = json_tokener_parse_ex(tok, "", 1);
	if (same) {
		want = json_text(same);
		have = json_text(o);
		HOLDS(json_object_equal(o, same));
		HOLDS(strcmp(have, want) == 0);
		HOLDS(strcmp(want,
			  json_object_to_json_string_ext(
			      same, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)) == 0);
		free(want);
		free(have);
	}
	json_object_put(same);
	json_tokener_free(tok);
}

void fuzz_json(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct error err = {0};
	size_t len;
	char *text = fuzz_rest(&in, &len);
	struct json_object *o = json_parse(text, len, &err);

	HOLDS((o != NULL) == is_wanted(text, len));
	if (!o)
		fuzz_hold_sentence(err.text);
	else
		check_round(o);
	check_flat(text, len, o);
	if (o)
		check_tree(text, len, o);
	json_object_put(o);
	check_quote(text, len);
	free(text);
}

FUZZ_PROGRAM(fuzz_json)
