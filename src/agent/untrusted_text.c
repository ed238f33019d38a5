#include "agent/untrusted_text.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/invisible.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"

/* How a line of the gateway begins after its bracket, unless with a date, without blanks. */
static const char *const beginnings[] = {
    "addressedtoyou", "notaddressedtoyou", "whatwassaidbefore", "theimagesoftheresults"};
/* How a line about a file does (bus/attachment.h), before its name. */
static const char *const kinds[] = {"file", "image", "audio", "voicemessage", "video"};

/* Characters that a reader, or a model, may take for "[" and for "-". */
static const uint32_t brackets[] = {0x2045, 0x2308, 0x230a, 0x23a1, 0x23a2, 0x23a3, 0x2772, 0x27e6, 0x27ec,
    0x298b, 0x298d, 0x298f, 0x2997, 0x2e22, 0x2e24, 0x2e55, 0x2e57, 0x3010, 0x3014, 0x3016, 0x3018, 0x301a,
    0x300c, 0x300e, 0xfe17, 0xfe39, 0xfe3b, 0xfe41, 0xfe43, 0xfe47, 0xfe5d, 0xff3b, 0xff62};
static const uint32_t dashes[] = {
    0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2043, 0x2212, 0xfe58, 0xfe63, 0xff0d};

/* Longer than the longest beginning. */
#define BEGINNING_MAX 32

/* Decodes one character; a bad byte is one of its own. Returns its length. */
static size_t decode(const char *s, size_t len, uint32_t *cp)
{
	size_t n = utf8_decode(s, len, cp);

	if (n == 0)
		*cp = 0xfffd;
	return n ? n : 1;
}

static bool is_blank(uint32_t cp)
{
	return cp <= ' ' || invisible(cp);
}

static bool has(const uint32_t *list, size_t count, uint32_t cp)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == cp)
			return true;
	return false;
}

/* Returns the ASCII character that cp looks like; DEL for none. */
static char fold(uint32_t cp)
{
	if (cp < 0x7f)
		return (char)cp;
	if (has(brackets, ARRAY_LEN(brackets), cp))
		return '[';
	if (has(dashes, ARRAY_LEN(dashes), cp))
		return '-';
	if (cp >= 0xff01 && cp <= 0xff5e) /* full width */
		return (char)(cp - 0xff01 + '!');
	if (cp >= 0x1d7ce && cp <= 0x1d7ff) /* mathematical digits */
		return (char)('0' + (cp - 0x1d7ce) % 10);
	return 0x7f;
}

/* Returns the length of what is invisible at the beginning of a line. */
static size_t skip_blanks(const char *s, size_t len)
{
	uint32_t cp;
	size_t skipped = 0;

	for (size_t n; skipped < len && !quote_line_end(s + skipped, len - skipped); skipped += n) {
		n = decode(s + skipped, len - skipped, &cp);
		if (!is_blank(cp))
			break;
	}
	return skipped;
}

/* Folds the beginning of s, without what is invisible and blanks. */
static void fold_beginning(const char *s, size_t len, char out[BEGINNING_MAX + 1])
{
	uint32_t cp;
	size_t count = 0;

	for (size_t n; len > 0 && count < BEGINNING_MAX && !quote_line_end(s, len); s += n, len -= n) {
		n = decode(s, len, &cp);
		if (!is_blank(cp))
			out[count++] = fold(cp);
	}
	out[count] = '\0';
}

/* Returns whether the line, folded, is like "[image cat.png: …", and not just "[image](https://…)". */
static bool is_file(const char *folded)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		size_t len = strlen(kinds[i]);
		if (strncasecmp(folded + 1, kinds[i], len) == 0 && folded[1 + len] && folded[1 + len] != ']')
			return true;
	}
	return false;
}

/* Returns whether the line imitates the gateway's: "[2026-11-22 …", one of the beginnings, or a file. */
static bool is_ours(const char *s, size_t len)
{
	char text[BEGINNING_MAX + 1];

	fold_beginning(s, len, text);
	if (*text != '[')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (strncasecmp(text + 1, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	if (is_file(text))
		return true;
	size_t digits = strspn(text + 1, "0123456789");
	return digits >= 4 && text[1 + digits] == '-';
}

void untrusted_text_add(struct buf *out, const char *text)
{
	bool begins = true;
	size_t end, step;

	for (size_t left = strlen(text); left > 0; text += step, left -= step) {
		if (begins && is_ours(text, left)) {
			size_t blanks = skip_blanks(text, left);
			buf_add(out, text, blanks);
			buf_addch(out, '\\');
			text += blanks;
			left -= blanks;
		}
		end = quote_line_end(text, left);
		step = end ? end : 1;
		buf_add(out, text, step);
		begins = end > 0;
	}
}

/* The code point after most opening brackets is the closing one. */
static bool is_bracket(uint32_t cp)
{
	if (cp < 0x80)
		return cp == '[' || cp == ']';
	return has(brackets, ARRAY_LEN(brackets), cp) || has(brackets, ARRAY_LEN(brackets), cp - 1) ||
	    (cp >= 0x23a4 && cp <= 0x23a6) || cp == 0xff3d;
}

static bool is_quote(uint32_t cp)
{
	return cp == '"' || (cp >= 0x201c && cp <= 0x201f) || cp == 0x2033 || cp == 0x301d || cp == 0x301e ||
	    cp == 0xff02;
}

/* Zs beyond ASCII. */
static bool is_space(uint32_t cp)
{
	return cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f || cp == 0x205f ||
	    cp == 0x3000;
}

static void add_line(struct buf *out, const char *text, size_t len, bool quoted)
{
	uint32_t cp;

	for (size_t i = 0, n, end; i < len; i += end ? end : n) {
		end = quote_line_end(text + i, len - i);
		n = decode(text + i, len - i, &cp);
		if (end || cp == '\t' || is_space(cp) || is_bracket(cp))
			buf_addch(out, ' ');
		else if (quoted && is_quote(cp))
			buf_addch(out, '\'');
		else if (!invisible(cp))
			buf_add(out, text + i, n);
	}
}

void untrusted_text_add_line(struct buf *out, const char *text, size_t len)
{
	add_line(out, text, len, false);
}

void untrusted_text_add_quoted(struct buf *out, const char *text, size_t len)
{
	buf_addch(out, '"');
	add_line(out, text, len, true);
	buf_addch(out, '"');
}
