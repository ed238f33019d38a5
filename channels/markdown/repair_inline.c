#include "channels/markdown/repair.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"

/* A formula in a line is not longer: bytes. */
#define FORMULA_MAX 1000
/* From here on scripts do not separate words by blanks. */
#define FIRST_WIDE 0x2e80

struct text {
	const struct line *l;
	size_t at;
	struct buf *out;
	bool code;    /* between two backticks */
	bool wide;    /* its bold is to be joined */
	bool opens;   /* the next bold mark opens */
	bool dollars; /* the line has $ signs: text between them is math */
	bool math;    /* dollars may stand for \( and \) */
};

static char byte_at(const struct line *l, size_t at)
{
	return at < l->len ? l->s[at] : ' ';
}

static size_t run_at(const struct line *l, size_t at, char c)
{
	size_t n = 0;

	while (at + n < l->len && l->s[at + n] == c)
		n++;
	return n;
}

static uint32_t code_point_before(const struct line *l, size_t at)
{
	uint32_t cp;

	for (size_t n = 1; n <= 4 && n <= at; n++) {
		if (utf8_decode(l->s + at - n, n, &cp) == n)
			return cp;
	}
	return ' ';
}

static uint32_t code_point_at(const struct line *l, size_t at)
{
	uint32_t cp = ' ';

	utf8_decode(l->s + at, l->len - at, &cp);
	return cp;
}

/* Has the line an even number of "**" that count, one of them beside a wide character? */
static bool has_wide_bold(const struct line *l)
{
	bool wide = false, even = true, code = false;
	size_t n;

	if (!memmem(l->s + l->prefix, l->len - l->prefix, "**", 2))
		return false;
	for (size_t at = l->prefix; at < l->len; at += n) {
		n = l->s[at] == '\\' ? 2 : 1;
		code ^= l->s[at] == '`';
		if (l->s[at] != '*' || code)
			continue;
		n = run_at(l, at, '*');
		if (n != 2)
			continue;
		even = !even;
		wide |= code_point_before(l, at) >= FIRST_WIDE || code_point_at(l, at + 2) >= FIRST_WIDE;
	}
	return wide && even;
}

/* Returns the position of the two-byte mark at or after at; l->len if there is none near. */
static size_t find_mark(const struct line *l, size_t at, const char *mark)
{
	size_t left = at < l->len ? l->len - at : 0;
	const char *found = memmem(l->s + at, left < FORMULA_MAX ? left : FORMULA_MAX, mark, 2);

	return found ? (size_t)(found - l->s) : l->len;
}

static bool is_alone(const struct line *l, const char *mark)
{
	return l->len - l->prefix == 2 && memcmp(l->s + l->prefix, mark, 2) == 0;
}

/* Writes \( with its \), \[ with its \], or one of the latter alone in the line with dollars. Returns the
 * bytes that it read; 0: none of them is here. */
static size_t take_math(struct text *t)
{
	static const char *const pairs[2][2] = {{"\\(", "\\)"}, {"\\[", "\\]"}};
	const struct line *l = t->l;

	for (size_t i = 0; i < 2; i++) {
		size_t begin = t->at + 2, end;

		if (byte_at(l, t->at + 1) != pairs[i][0][1] ||
		    (end = find_mark(l, begin, pairs[i][1])) == l->len ||
		    memchr(l->s + begin, '$', end - begin))
			continue;
		while (begin < end && l->s[begin] == ' ')
			begin++;
		while (end > begin && l->s[end - 1] == ' ')
			end--;
		buf_addstr(t->out, i == 0 ? "$" : "$$");
		buf_add(t->out, l->s + begin, end - begin);
		buf_addstr(t->out, i == 0 ? "$" : "$$");
		return find_mark(l, end, pairs[i][1]) + 2 - t->at;
	}
	if (is_alone(l, "\\[") || is_alone(l, "\\]")) {
		buf_addstr(t->out, "$$");
		return 2;
	}
	return 0;
}

/* A character after a backslash is not markup. */
static size_t take_escape(struct text *t)
{
	size_t n = t->math ? take_math(t) : 0;

	if (n > 0)
		return n;
	n = t->at + 1 < t->l->len ? 2 : 1;
	buf_add(t->out, t->l->s + t->at, n);
	return n;
}

static size_t take_stars(struct text *t)
{
	const struct line *l = t->l;
	size_t n = run_at(l, t->at, '*');

	if (n == 2 && t->wide) {
		buf_addstr(t->out, t->opens ? "**" REPAIR_JOINER : REPAIR_JOINER "**");
		t->opens = !t->opens;
		return n;
	}
	/* "x*2 + y*3": emphasis inside a word is not meant. */
	if (n == 1 && t->at > 0 && isalnum((unsigned char)l->s[t->at - 1]) &&
	    isalnum((unsigned char)byte_at(l, t->at + 1)) && !t->dollars)
		buf_addch(t->out, '\\');
	buf_add(t->out, l->s + t->at, n);
	return n;
}

/* Bytes of a URL that stands in the text by itself; 0 if there is none. */
static size_t url_length(const struct text *t)
{
	const struct line *l = t->l;
	char before = t->at > 0 ? l->s[t->at - 1] : ' ';
	size_t n = 0;

	if (isalnum((unsigned char)before) || before == '<' ||
	    (before == '(' && t->at > 1 && l->s[t->at - 2] == ']'))
		return 0;
	if (l->len - t->at < 9 ||
	    (memcmp(l->s + t->at, "http://", 7) != 0 && memcmp(l->s + t->at, "https://", 8) != 0))
		return 0;
	while (t->at + n < l->len && !isspace((unsigned char)l->s[t->at + n]) &&
	    !strchr("<>()[]|`\\\"'", l->s[t->at + n]))
		n++;
	return n;
}

/* The stars at its end are those of the text around it. */
static size_t take_url(struct text *t)
{
	size_t n = url_length(t), end = n;

	if (n == 0) {
		buf_addch(t->out, t->l->s[t->at]);
		return 1;
	}
	while (end > 0 && strchr("*_~", t->l->s[t->at + end - 1]))
		end--;
	for (size_t i = 0; i < end; i++) {
		if (strchr("*_~", t->l->s[t->at + i]))
			buf_addch(t->out, '\\');
		buf_addch(t->out, t->l->s[t->at + i]);
	}
	return end;
}

/* Copies the bytes that take() would copy unchanged. */
static size_t take_plain(struct text *t)
{
	const char *at = t->l->s + t->at, *end = t->l->s + t->l->len;

	while (at < end && *at != '`' && *at != '\\' && *at != '*' && *at != 'h')
		at++;
	size_t n = (size_t)(at - t->l->s) - t->at;
	buf_add(t->out, t->l->s + t->at, n);
	return n;
}

static size_t take(struct text *t)
{
	char c = t->l->s[t->at];

	t->code ^= c == '`';
	if (!t->code && c == '\\')
		return take_escape(t);
	if (!t->code && c == '*')
		return take_stars(t);
	if (!t->code && c == 'h')
		return take_url(t);
	buf_addch(t->out, c);
	return 1;
}

void repair_inline(const struct line *l, struct buf *out)
{
	struct text t = {.l = l, .at = l->prefix, .out = out, .wide = has_wide_bold(l), .opens = true};

	t.dollars = memchr(l->s, '$', l->len);
	t.math = !memchr(l->s, '`', l->len);
	while (t.at < l->len) {
		t.at += take_plain(&t);
		if (t.at < l->len)
			t.at += take(&t);
	}
}
