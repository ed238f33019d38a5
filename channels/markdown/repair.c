#include "channels/markdown/repair.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"

/* A text of more bytes above "---" is no title. */
#define TITLE_MAX 60
/* Nine digits, a dot and four blanks: behind more of them CommonMark has no number, or no text. */
#define NUMBER_MAX 14

struct line line_read(const char *at, const char *end, size_t max)
{
	size_t left = (size_t)(end - at), room = left < max ? left : max;
	const char *eol = memchr(at, '\n', room);
	struct line l = {.s = at, .len = room};

	if (eol)
		l.len = (size_t)(eol - at);
	else if (room < left)
		l.len = utf8_cut(at, left, room, UTF8_BYTES);
	l.full_len = l.len + (eol != NULL);
	while (l.len > 0 && l.s[l.len - 1] == '\r')
		l.len--;
	while (l.prefix < l.len && strchr(" \t>", l.s[l.prefix]))
		l.prefix++;
	return l;
}

bool line_is_blank(const struct line *l)
{
	return l->prefix == l->len;
}

struct line line_after_marker(struct line l)
{
	size_t at = l.prefix;

	if (at < l.len && strchr("-*+", l.s[at])) {
		at++;
	} else {
		while (at < l.len && isdigit((unsigned char)l.s[at]))
			at++;
		at += at > l.prefix && at < l.len && strchr(".)", l.s[at]);
	}
	if (at == l.prefix || at >= l.len || l.s[at] != ' ' || isdigit((unsigned char)l.s[at - 1]))
		return l;
	while (at < l.len && l.s[at] == ' ')
		at++;
	l.prefix = at;
	return l;
}

/* Does the line after its prefix consist of these characters only? */
static bool is_of(const struct line *l, const char *characters)
{
	for (size_t i = l->prefix; i < l->len; i++) {
		if (!strchr(characters, l->s[i]))
			return false;
	}
	return !line_is_blank(l);
}

static bool has(const struct line *l, char c)
{
	return memchr(l->s + l->prefix, c, l->len - l->prefix);
}

/* "|---|:-:|": the delimiter row of a table. */
static bool is_underline(const struct line *l)
{
	return is_of(l, "-:| \t") && has(l, '-') && has(l, '|');
}

/* Does a table begin here, although the line before does not end its block? */
static bool is_late_table(
    const struct markdown_repair *m, const struct line *l, const char *next, const char *end)
{
	struct line under;

	if (!has(l, '|') || has(&m->before, '|') || next >= end)
		return false;
	under = line_read(next, end, 4096);
	return is_underline(&under);
}

/* "---" below a sentence is a rule, not the underline of a title. */
static bool is_late_rule(const struct markdown_repair *m, const struct line *l)
{
	const struct line *b = &m->before;

	if (!is_of(l, "-") || l->len - l->prefix < 3)
		return false;
	return m->in_paragraph || b->len > TITLE_MAX || strchr(".!?:;,", b->s[b->len - 1]);
}

/* Text at the margin below an item. Models do not wrap lines: it does not go on with the item, unless it
 * must. */
static bool is_after_list(const struct markdown_repair *m, const struct line *l)
{
	return m->item && l->prefix == 0 && line_after_marker(*l).prefix == 0 &&
	    !islower((unsigned char)l->s[0]) && !strchr("`~#>|=", l->s[0]) && !is_of(l, "-* ");
}

/* Text at the margin below a quote, the same way. */
static bool is_after_quote(const struct markdown_repair *m, const struct line *l)
{
	return m->before.s[0] == '>' && l->prefix == 0 && line_after_marker(*l).prefix == 0 &&
	    !islower((unsigned char)l->s[0]);
}

static bool needs_gap(
    const struct markdown_repair *m, const struct line *l, const char *next, const char *end)
{
	if (!m->before.s || line_is_blank(&m->before) || line_is_blank(l))
		return false;
	if (m->table && !has(l, '|'))
		return true;
	return is_late_table(m, l, next, end) || is_late_rule(m, l) || is_after_list(m, l) ||
	    is_after_quote(m, l);
}

/* Returns the columns of blanks at the start; 0 for a line of a quote. */
static size_t indent_of(const struct line *l)
{
	return strspn(l->s, " ") < l->prefix ? 0 : l->prefix;
}

/* Returns the columns to insert at the start, so that the line belongs to the numbered item above it. */
static size_t shift_of(struct markdown_repair *m, const struct line *l)
{
	size_t indent = indent_of(l);

	if (line_is_blank(l))
		return 0;
	if (indent == 0) {
		struct line text = line_after_marker(*l);

		m->content = isdigit((unsigned char)l->s[0]) && text.prefix <= NUMBER_MAX ? text.prefix : 0;
		m->shift = 0;
		return 0;
	}
	if (m->shift == 0 && indent >= 2 && indent < m->content && line_after_marker(*l).prefix > l->prefix)
		m->shift = m->content - indent;
	return m->shift;
}

static bool is_footnote(const struct line *l)
{
	return l->len > l->prefix + 1 && l->s[l->prefix] == '[' && l->s[l->prefix + 1] == '^';
}

/* One or two below a text are no underline: a signature's "--", a lone "=". */
static bool is_short_underline(const struct markdown_repair *m, const struct line *l)
{
	return m->before.s && !line_is_blank(&m->before) && l->len - l->prefix <= 2 &&
	    (is_of(l, "-") || is_of(l, "="));
}

/* md4c wants three dashes for a column. */
static void add_underline(const struct line *l, struct buf *out)
{
	for (size_t i = l->prefix; i < l->len; i++) {
		bool first = i == l->prefix || l->s[i - 1] != '-',
		     last = i + 1 == l->len || l->s[i + 1] != '-';

		buf_addch(out, l->s[i]);
		if (l->s[i] == '-' && last)
			buf_addstr(out, first ? "--" : "-");
	}
}

static void add_text(
    struct markdown_repair *m, const struct line *l, const char *next, const char *end, struct buf *out)
{
	if (needs_gap(m, l, next, end)) {
		buf_add(out, l->s, l->prefix);
		buf_addch(out, '\n');
		m->item = false;
	}
	for (size_t n = shift_of(m, l); n > 0; n--)
		buf_addch(out, ' ');
	buf_add(out, l->s, l->prefix);
	m->table = is_underline(l) && m->before.s && has(&m->before, '|') ? true : m->table && has(l, '|');
	if (is_underline(l) && m->table) {
		add_underline(l, out);
		return;
	}
	if (is_short_underline(m, l))
		buf_addch(out, '\\');
	if (is_footnote(l)) {
		struct line rest = *l;

		rest.prefix++;
		buf_addstr(out, "&#91;");
		repair_inline(&rest, out);
	} else {
		repair_inline(l, out);
	}
}

void repair_line(struct markdown_repair *m, const struct line *l, bool code, const char *next,
    const char *end, struct buf *out)
{
	bool mark = line_after_marker(*l).prefix > l->prefix;

	if (code) {
		for (size_t n = line_is_blank(l) ? 0 : m->shift; n > 0; n--)
			buf_addch(out, ' ');
		buf_add(out, l->s, l->len);
	} else {
		add_text(m, l, next, end, out);
	}
	buf_addch(out, '\n');
	m->in_paragraph = !line_is_blank(l) && m->before.s && !line_is_blank(&m->before) && !mark;
	m->item = !code && !line_is_blank(l) && (mark || m->item);
	m->before = *l;
	/* What stands in a fence, or is one, is no paragraph that could be underlined. */
	if (code || (l->prefix < l->len && strchr("`~#", l->s[l->prefix])))
		m->before.prefix = m->before.len;
}
