#include "base/config/grammar.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/config/report.h"
#include "base/config/scan.h"

/* libconfig compares each name with all others of its group: 130,000 names take a minute. */
#define KEYS_MAX 10000

/* What libconfig's grammar allows next. */
enum expect {
	EXPECT_KEY, /* a name, or the end of the group */
	EXPECT_EQUALS,
	EXPECT_VALUE,
	EXPECT_ITEM, /* a value, or the end of a list that is still empty */
	EXPECT_END   /* what may follow a value */
};

/* The values of an array are of one kind. */
enum kind { KIND_NONE, KIND_STRING, KIND_INT, KIND_INT64, KIND_FLOAT, KIND_BOOL };

struct walk {
	struct config_scan scan;
	enum config_token token;
	char mark;       /* CONFIG_TOKEN_MARK: its character, else 0 */
	struct buf word; /* the token, for use in a sentence */
	unsigned line;
	char inside; /* the closing bracket of the group, list or array around the token */
	bool joined; /* the token before was a string */
	enum expect expect;
	struct buf key; /* the last key, and its position */
	unsigned key_line;
	size_t keys;
	enum kind array; /* the kind of values in the current array */
	struct buf *why;
};

static void walk_next(struct walk *w)
{
	w->inside = config_scan_within(&w->scan);
	w->joined = w->scan.last == CONFIG_TOKEN_STRING;
	w->token = config_scan_next(&w->scan);
	w->line = w->scan.line;
	w->mark = w->token == CONFIG_TOKEN_MARK ? w->scan.text[w->scan.start] : '\0';
	buf_reset(&w->word);
	config_report_sanitize(&w->word, w->scan.text + w->scan.start, w->scan.at - w->scan.start);
}

static bool is_mark(const struct walk *w, const char *marks)
{
	return w->mark && strchr(marks, w->mark);
}

/* In any case: libconfig accepts TRUE, too. */
static bool is_bool(const struct walk *w)
{
	return w->token == CONFIG_TOKEN_NAME &&
	    (strcasecmp(w->word.data, "true") == 0 || strcasecmp(w->word.data, "false") == 0);
}

/* KIND_NONE: the token is not a plain value. */
static enum kind value_kind(const struct walk *w)
{
	const char *first = w->scan.text + w->scan.start;
	size_t len = w->scan.at - w->scan.start;
	bool hex = len > 1 && (first[1] == 'x' || first[1] == 'X');
	bool fraction =
	    !hex && (memchr(first, '.', len) || memchr(first, 'e', len) || memchr(first, 'E', len));
	if (w->token == CONFIG_TOKEN_STRING)
		return KIND_STRING;
	if (w->token != CONFIG_TOKEN_NUMBER)
		return is_bool(w) ? KIND_BOOL : KIND_NONE;
	if (first[len - 1] == 'L')
		return KIND_INT64;
	return fraction ? KIND_FLOAT : KIND_INT;
}

static bool step_key(struct walk *w)
{
	if (w->keys == KEYS_MAX) {
		buf_addf(w->why, "there are more than %d keys. Write fewer.", KEYS_MAX);
		return false;
	}
	if (w->token == CONFIG_TOKEN_NAME && !is_bool(w)) {
		buf_reset(&w->key);
		buf_add(&w->key, w->word.data, w->word.len);
		w->key_line = w->line;
		w->keys++;
		w->expect = EXPECT_EQUALS;
		return true;
	}
	if (is_mark(w, "}")) {
		w->expect = EXPECT_END;
		return true;
	}
	if (w->token == CONFIG_TOKEN_STRING)
		buf_addf(w->why, "a name is expected before %s. Names stand without quotes.", w->word.data);
	else if (is_mark(w, ";,"))
		buf_addf(w->why, "there is one '%c' too many. Remove it.", w->mark);
	else
		buf_addf(w->why, "a name is expected, not %s. Write NAME = VALUE;", w->word.data);
	return false;
}

static bool step_equals(struct walk *w)
{
	w->expect = EXPECT_VALUE;
	if (is_mark(w, "=:"))
		return true;
	w->line = w->key_line;
	buf_addf(w->why, "'=' is missing after '%s'. Write %s = VALUE;", w->key.data, w->key.data);
	return false;
}

static void report_no_value(struct walk *w)
{
	w->line = w->key_line;
	buf_addf(w->why, "'%s' has no value. Write one, or remove the key.", w->key.data);
}

/* NAME = NAME2 = ...: report that the first has no value, not that a value lacks quotes. */
static void report_unquoted(struct walk *w)
{
	struct config_scan ahead = w->scan;
	if (config_scan_next(&ahead) == CONFIG_TOKEN_MARK && strchr("=:", ahead.text[ahead.start]))
		report_no_value(w);
	else
		buf_addf(w->why, "%s is not quoted. Write \"%s\".", w->word.data, w->word.data);
}

static void report_wrong_value(struct walk *w)
{
	if (value_kind(w) != KIND_NONE)
		buf_addstr(w->why, "[ ] holds values of one kind. Put each of them in quotes.");
	else if (is_mark(w, "{[("))
		buf_addf(w->why, "[ ] holds strings or numbers only. Write ( ) around what holds a '%c'.",
		    w->mark);
	else if (is_mark(w, "])"))
		buf_addf(w->why, "there is one ',' too many before the '%c'. Remove it.", w->mark);
	else if (is_mark(w, ",;") && w->inside != '}')
		buf_addf(w->why, "there is one '%c' too many. Remove it.", w->mark);
	else if (w->token == CONFIG_TOKEN_NAME)
		report_unquoted(w);
	else
		report_no_value(w);
}

static bool step_value(struct walk *w)
{
	enum kind kind = value_kind(w);
	bool in_array = w->inside == ']';
	bool empty_list = w->expect == EXPECT_ITEM && is_mark(w, "])");
	bool opens = is_mark(w, "{[(") && !in_array;
	bool same_kind = !in_array || w->array == KIND_NONE || w->array == kind;
	w->expect = !opens ? EXPECT_END : w->mark == '{' ? EXPECT_KEY : EXPECT_ITEM;
	w->array = in_array ? kind : KIND_NONE;
	if (empty_list || opens || (kind != KIND_NONE && same_kind))
		return true;
	report_wrong_value(w);
	return false;
}

static bool step_end(struct walk *w)
{
	bool in_group = w->inside == '}';
	if (is_mark(w, "}])") || (w->token == CONFIG_TOKEN_STRING && w->joined))
		return true;
	if (is_mark(w, in_group ? ";," : ",")) {
		w->expect = in_group ? EXPECT_KEY : EXPECT_VALUE;
		return true;
	}
	if (in_group)
		return step_key(w);
	if (w->mark == ';')
		buf_addf(w->why, "values within %s are parted by ',', not by ';'.",
		    w->inside == ']' ? "[ ]" : "( )");
	else
		buf_addf(w->why, "a ',' is missing before %s. Add it.", w->word.data);
	return false;
}

static bool (*const steps[])(struct walk *w) = {
    [EXPECT_KEY] = step_key,
    [EXPECT_EQUALS] = step_equals,
    [EXPECT_VALUE] = step_value,
    [EXPECT_ITEM] = step_value,
    [EXPECT_END] = step_end,
};

/* Reports only the first error. */
static int walk_all(struct walk *w)
{
	for (;;) {
		bool may_end = w->expect == EXPECT_KEY || w->expect == EXPECT_END;
		walk_next(w);
		if (w->token == CONFIG_TOKEN_END && may_end)
			return 0;
		if (w->token == CONFIG_TOKEN_BAD) {
			buf_addstr(w->why, w->scan.why);
			return -1;
		}
		if (!steps[w->expect](w))
			return -1;
	}
}

int config_grammar_check(const struct config_text *t, unsigned *line, struct buf *why)
{
	struct walk w = {.expect = EXPECT_KEY, .word = BUF_INIT, .key = BUF_INIT, .why = why};
	config_scan_init(&w.scan, t->text.data);
	int got = walk_all(&w);
	*line = w.line;
	if (got != 0 && w.token != CONFIG_TOKEN_BAD && w.scan.wrapped)
		buf_addf(why, " Or does the string of line %u lack its closing quote?",
		    config_text_origin(t, w.scan.wrapped).line);
	buf_clear(&w.word);
	buf_clear(&w.key);
	return got;
}

const char *config_grammar_key(const struct config_text *t, size_t n, size_t *len)
{
	struct config_scan scan;
	enum config_token token;
	const char *name = NULL;

	config_scan_init(&scan, t->text.data);
	while ((token = config_scan_next(&scan)) != CONFIG_TOKEN_END) {
		if (token == CONFIG_TOKEN_MARK && strchr("=:", scan.text[scan.start]) && name && n-- == 0)
			return name;
		name = token == CONFIG_TOKEN_NAME ? scan.text + scan.start : NULL;
		*len = scan.at - scan.start;
	}
	return NULL;
}
