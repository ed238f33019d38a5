#include "bus/escape.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

/* Returns true when the mark at s would start a block at the start of a line. */
static bool begins_block(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	if (digits > 0)
		return false;
	return strchr("#>=", s[0]) || (strchr("+-", s[0]) && strspn(s, "+- ") > 1);
}

static bool is_mark(const char *text, const char *s)
{
	switch (s[0]) {
	case '\\':
		return ispunct((unsigned char)s[1]);
	case '_':
		return s == text || !isalnum((unsigned char)s[-1]) || !isalnum((unsigned char)s[1]);
	case '<':
		return isalpha((unsigned char)s[1]);
	case '|':
		return s[1] == '|' || (s > text && s[-1] == '|');
	default:
		return strchr("*`~$", s[0]);
	}
}

void escape_markdown(struct buf *out, const char *text)
{
	bool line_start = true;

	for (const char *s = text; *s != '\0'; s++) {
		/* "\[" would begin mathematics. */
		if (*s == '[' || *s == ']')
			buf_addf(out, "&#%d;", *s);
		else if (*s == '&')
			buf_addstr(out, "&amp;");
		else if (is_mark(text, s) || (line_start && begins_block(s)))
			buf_addf(out, "\\%c", *s);
		else
			buf_addch(out, *s);
		line_start = *s == '\n' || (line_start && *s == ' ');
	}
}

/* U+202A to U+202E and U+2066 to U+2069 also reverse the text after the name. */
static bool is_direction(const char *s)
{
	return s[0] == '\xe2' &&
	    ((s[1] == '\x80' && s[2] >= '\xaa' && s[2] <= '\xae') ||
		(s[1] == '\x81' && s[2] >= '\xa6' && s[2] <= '\xa9'));
}

void escape_name(struct buf *out, const char *name, size_t max, enum utf8_unit unit)
{
	size_t from = out->len, to = from;

	utf8_sanitize(out, name, strlen(name));
	for (size_t i = from; i < out->len;) {
		if (is_direction(out->data + i))
			i += 3;
		else
			out->data[to++] = out->data[i++];
	}
	buf_truncate(out, to);
	buf_truncate(out, from + utf8_cut(out->data + from, out->len - from, max, unit));
	for (char *p = out->data + from; *p != '\0'; p++) {
		if (*p == '[' || *p == '{')
			*p = '(';
		else if (*p == ']' || *p == '}')
			*p = ')';
		else if ((unsigned char)*p < ' ')
			*p = ' ';
	}
}
