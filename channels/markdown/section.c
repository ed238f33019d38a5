#include "channels/markdown/section.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

/* A section ends at the first paragraph beyond SOFT, and at the latest at HARD bytes. */
#define SECTION_SOFT (8 * 1024)
#define SECTION_HARD (16 * 1024)

struct line {
	const char *s;
	size_t len;		/* without the line end */
	size_t whole;		/* with it */
	size_t prefix;		/* blanks and > in front */
};

static struct line read_line(const char *at, const char *end)
{
	size_t most = (size_t)(end - at) < SECTION_HARD ? (size_t)(end - at) : SECTION_HARD;
	const char *eol = memchr(at, '\n', most);
	struct line l = { .s = at };

	l.len = eol != NULL ? (size_t)(eol - at) : most < (size_t)(end - at) ? utf8_cut(at, (size_t)(end - at), most, UTF8_BYTES) : most;
	l.whole = l.len + (eol != NULL);
	while (l.len > 0 && l.s[l.len - 1] == '\r')
		l.len--;
	while (l.prefix < l.len && strchr(" \t>", l.s[l.prefix]) != NULL)
		l.prefix++;
	return l;
}

static bool is_blank(const struct line *l)
{
	return l->prefix == l->len;
}

/* How many of the character c the line begins with, behind its prefix. */
static size_t run_of(const struct line *l, char c)
{
	size_t n = 0;

	while (l->prefix + n < l->len && l->s[l->prefix + n] == c)
		n++;
	return n;
}

/* Behind "- ", "* ", "+ " or "1. " in front, since a fence may begin an item. */
static struct line behind_mark(struct line l)
{
	size_t at = l.prefix;

	if (at < l.len && strchr("-*+", l.s[at]) != NULL)
		at++;
	else
		while (at < l.len && strchr("0123456789.)", l.s[at]) != NULL)
			at++;
	if (at == l.prefix || at >= l.len || l.s[at] != ' ')
		return l;
	while (at < l.len && l.s[at] == ' ')
		at++;
	l.prefix = at;
	return l;
}

static void follow_fence(struct section_reader *r, const struct line *l)
{
	struct line begin;
	size_t n;

	if (r->fence != 0) {
		n = run_of(l, r->fence);
		if (n >= r->fence_len && strspn(l->s + l->prefix + n, " \t\r") >= l->len - l->prefix - n)
			r->fence = 0;
		return;
	}
	begin = behind_mark(*l);
	for (const char *c = "`~"; *c != '\0'; c++) {
		n = run_of(&begin, *c);
		if (n < 3 || (*c == '`' && memchr(begin.s + begin.prefix + n, '`', begin.len - begin.prefix - n) != NULL))
			continue;
		r->fence = *c;
		r->fence_len = n;
		r->opener = begin.s + begin.prefix;
		r->opener_len = begin.len - begin.prefix;
	}
}

/* "|---|:-:|": what makes the line before it the header of a table. */
static bool is_underline(const struct line *l)
{
	bool dash = false, pipe = false;

	for (size_t i = l->prefix; i < l->len; i++) {
		dash |= l->s[i] == '-';
		pipe |= l->s[i] == '|';
		if (strchr("-:| \t", l->s[i]) == NULL)
			return false;
	}
	return dash && pipe;
}

/* Does a table begin here, although the line before does not end its block? */
static bool is_late_table(const struct line *before, const struct line *l, const char *end)
{
	struct line under;

	if (is_blank(before) || is_blank(l) || memchr(l->s, '|', l->len) == NULL || l->s + l->whole >= end)
		return false;
	if (memchr(before->s, '|', before->len) != NULL || memchr(before->s, '#', before->len) == before->s)
		return false;
	under = read_line(l->s + l->whole, end);
	return is_underline(&under);
}

static void add_line(struct section_reader *r, const struct line *before, const struct line *l, struct buf *out)
{
	size_t n = run_of(l, '[');

	if (r->fence == 0 && before->s != NULL && is_late_table(before, l, r->end)) {
		buf_add(out, l->s, l->prefix);
		buf_addch(out, '\n');
	}
	buf_add(out, l->s, l->prefix);
	if (r->fence == 0 && n == 1 && l->len > l->prefix + 1 && l->s[l->prefix + 1] == '^')
		buf_addch(out, '\\');
	buf_add(out, l->s + l->prefix, l->len - l->prefix);
	buf_addch(out, '\n');
}

/* May a section end between the two lines? Only where nothing of the first goes on in the second. */
static bool is_gap(const struct section_reader *r, const struct line *before, const struct line *l)
{
	return r->fence == 0 && before->s != NULL && before->len == 0 && l->prefix == 0 && l->len > 0;
}

bool section_read(struct section_reader *r, struct buf *out)
{
	struct line l, before = { 0 };
	const char *began = r->at;

	buf_reset(out);
	if (r->at == r->end)
		return false;
	if (r->fence != 0) {
		buf_add(out, r->opener, r->opener_len);
		buf_addch(out, '\n');
	}
	for (; r->at < r->end; r->at += l.whole) {
		l = read_line(r->at, r->end);
		if ((size_t)(r->at - began) > SECTION_SOFT && is_gap(r, &before, &l))
			break;
		if (r->at != began && (size_t)(r->at - began) + l.whole > SECTION_HARD)
			break;
		add_line(r, &before, &l, out);
		follow_fence(r, &l);
		before = l;
	}
	return true;
}
