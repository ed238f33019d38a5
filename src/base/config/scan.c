#include "base/config/scan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

#define DIGITS     "0123456789"
#define HEX_DIGITS DIGITS "abcdefABCDEF"
#define NAME_START "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ*"
#define NAME_CHARS NAME_START DIGITS "-_"

void config_scan_init(struct config_scan *s, const char *text)
{
	*s = (struct config_scan){.text = text, .at_line = 1, .line = 1, .last = CONFIG_TOKEN_END};
}

/* A string that spans lines may lack its closing quote, which often explains the next error. */
__attribute__((format(printf, 3, 4))) static enum config_token bad(
    struct config_scan *s, unsigned line, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(s->why, sizeof(s->why), fmt, ap);
	va_end(ap);
	if (s->wrapped && s->wrapped != line && n > 0 && (size_t)n < sizeof(s->why))
		snprintf(s->why + n, sizeof(s->why) - (size_t)n,
		    " Or does the string of line %u lack its closing quote?", s->wrapped);
	s->line = line;
	return CONFIG_TOKEN_BAD;
}

static void advance(struct config_scan *s, size_t n)
{
	for (; n > 0; n--)
		if (s->text[s->at++] == '\n')
			s->at_line++;
}

/* Skips blanks and comments. Returns false when a comment does not end. */
static bool skip_blanks(struct config_scan *s)
{
	for (;;) {
		const char *p = s->text + s->at;
		if (strchr(" \t\r\n\f", *p) && *p) {
			advance(s, 1);
		} else if (*p == '#' || (p[0] == '/' && p[1] == '/')) {
			advance(s, strcspn(p, "\n"));
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			if (!end)
				return false;
			advance(s, (size_t)(end + 2 - p));
		} else {
			return true;
		}
	}
}

static enum config_token scan_string(struct config_scan *s)
{
	const char *p = s->text + s->at + 1;
	if (s->last == CONFIG_TOKEN_STRING && config_scan_within(s) != '}')
		return bad(
		    s, s->line, "a comma is missing between this string and the one before it. Add it.");
	while (*p && *p != '"') {
		if (p[0] == '\\' && (p[1] == 'x' || p[1] == 'X') && p[2] == '0' && p[3] == '0')
			return bad(s, s->line, "\\x00 cannot stand in a string. Remove it.");
		p += p[0] == '\\' && (p[1] == '\\' || p[1] == '"') ? 2 : 1;
	}
	if (!*p)
		return bad(s, s->wrapped ? s->wrapped : s->line,
		    "the string that starts here does not end on its line, and a quote is missing in the "
		    "file. Add the closing quote.");
	advance(s, (size_t)(p + 1 - (s->text + s->at)));
	if (s->at_line != s->line && !s->wrapped)
		s->wrapped = s->line;
	return CONFIG_TOKEN_STRING;
}

/* Returns the length of the number at p; 0 when there is none. */
static size_t number_length(const char *p, bool *is_integer)
{
	size_t sign = *p == '+' || *p == '-';
	size_t hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? strspn(p + 2, HEX_DIGITS) : 0;
	size_t digits = strspn(p + sign, DIGITS);
	size_t n = hex ? 2 + hex : sign + digits;
	bool point = !hex && p[n] == '.';
	if (point)
		n += 1 + strspn(p + n + 1, DIGITS);
	*is_integer = !point;
	if (!digits && !point)
		return 0;
	if (!hex && (p[n] == 'e' || p[n] == 'E')) {
		size_t power = n + 1 + (p[n + 1] == '+' || p[n + 1] == '-');
		size_t more = strspn(p + power, DIGITS);
		if (more) {
			*is_integer = false;
			n = power + more;
		}
	}
	if (*is_integer && p[n] == 'L')
		n += p[n + 1] == 'L' ? 2 : 1;
	return n;
}

/* libconfig 1.5 silently cuts an integer without L to 32 bits, and one with L to 64. */
static enum config_token scan_number(struct config_scan *s, size_t len, bool is_integer)
{
	const char *p = s->text + s->at;
	advance(s, len);
	if (!is_integer)
		return CONFIG_TOKEN_NUMBER;
	bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	bool wide = p[len - 1] == 'L';
	int shown = (int)(len - (wide ? 1 + (p[len - 2] == 'L') : 0));
	errno = 0;
	long long value = strtoll(p, NULL, hex ? 16 : 10);
	if (errno == 0 && (wide || (value >= INT32_MIN && value <= INT32_MAX)))
		return CONFIG_TOKEN_NUMBER;
	if (shown > 40)
		return bad(s, s->line,
		    "a number of %d digits is too large. Ids are strings: put it in quotes.", shown);
	if (errno != 0)
		return bad(s, s->line, "%.*s does not fit into 64 bits. Ids are strings: write \"%.*s\".",
		    shown, p, shown, p);
	return bad(s, s->line,
	    "%.*s does not fit into 32 bits. Ids are strings: write \"%.*s\". A number is written %.*sL.",
	    shown, p, shown, p, shown, p);
}

static bool at_line_start(const struct config_scan *s)
{
	size_t i = s->at;
	while (i > 0 && (s->text[i - 1] == ' ' || s->text[i - 1] == '\t'))
		i--;
	return i == 0 || s->text[i - 1] == '\n';
}

static enum config_token scan_include(struct config_scan *s)
{
	static const char word[] = "@include";
	const char *p = s->text + s->at;
	if (strncmp(p, word, sizeof(word) - 1) != 0 || !at_line_start(s))
		return bad(s, s->line,
		    "'@' means nothing here. Quote text; @include stands at the start of a line.");
	size_t blank = strspn(p + sizeof(word) - 1, " \t");
	size_t path = sizeof(word) - 1 + blank + 1;
	if (!blank || p[path - 1] != '"')
		return bad(s, s->line, "@include wants a path in quotes: @include \"FILE\".");
	size_t len = strcspn(p + path, "\"\\\n");
	if (p[path + len] != '"' || len == 0)
		return bad(s, s->line,
		    "@include wants a path in quotes, on one line, without backslashes: @include \"FILE\".");
	s->path = s->at + path;
	s->path_len = len;
	advance(s, path + len + 1);
	return CONFIG_TOKEN_INCLUDE;
}

static char closing(char open)
{
	return open == '{' ? '}' : open == '[' ? ']' : open == '(' ? ')' : 0;
}

static char opening(char close)
{
	return close == '}' ? '{' : close == ']' ? '[' : '(';
}

static enum config_token scan_mark(struct config_scan *s)
{
	char c = s->text[s->at];
	uint32_t cp;
	advance(s, utf8_decode(s->text + s->at, strnlen(s->text + s->at, 4), &cp));
	if (closing(c)) {
		if (s->depth == CONFIG_DEPTH)
			return bad(s, s->line, "brackets are nested more than %d deep. Close some first.",
			    CONFIG_DEPTH);
		s->open[s->depth].close = closing(c);
		s->open[s->depth++].line = s->line;
		return CONFIG_TOKEN_MARK;
	}
	if (c != '}' && c != ']' && c != ')')
		return CONFIG_TOKEN_MARK;
	if (s->depth == 0)
		return bad(s, s->line,
		    "this '%c' closes nothing. Remove it, or add the '%c' that is missing above.", c,
		    opening(c));
	char wanted = s->open[--s->depth].close;
	if (c != wanted)
		return bad(s, s->line, "'%c' stands where the '%c' of line %u wants its '%c'. Add it.", c,
		    opening(wanted), s->open[s->depth].line, wanted);
	return CONFIG_TOKEN_MARK;
}

static enum config_token scan_end(struct config_scan *s)
{
	if (s->depth == 0)
		return CONFIG_TOKEN_END;
	char wanted = s->open[s->depth - 1].close;
	return bad(s, s->open[s->depth - 1].line,
	    "the '%c' that opens here is never closed. Add the '%c' that ends it.", opening(wanted), wanted);
}

char config_scan_within(const struct config_scan *s)
{
	return s->depth ? s->open[s->depth - 1].close : '}';
}

static enum config_token scan_token(struct config_scan *s)
{
	bool closed = skip_blanks(s);
	s->start = s->at;
	s->line = s->at_line;
	if (!closed)
		return bad(s, s->line, "the comment that starts here is never closed. Add */ at its end.");
	const char *p = s->text + s->at;
	bool is_integer;
	size_t number = number_length(p, &is_integer);
	if (*p == '\0')
		return scan_end(s);
	if (*p == '"')
		return scan_string(s);
	if (*p == '@')
		return scan_include(s);
	if (number)
		return scan_number(s, number, is_integer);
	if (strchr(NAME_START, *p)) {
		advance(s, strspn(p, NAME_CHARS));
		return CONFIG_TOKEN_NAME;
	}
	return scan_mark(s);
}

enum config_token config_scan_next(struct config_scan *s)
{
	s->last = scan_token(s);
	return s->last;
}
