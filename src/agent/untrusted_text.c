#include "agent/untrusted_text.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/quote.h"

/* How a line of the gateway begins after its bracket, unless with a date. */
static const char *const beginnings[] = {"addressed to you", "not addressed to you", "what was said before"};

/* Returns the length of what is invisible at the beginning of a line. */
static size_t skip_blanks(const char *s)
{
	static const char *const blanks[] = {
	    " ", "\t", "\xc2\xa0", "\xe2\x80\x8b", "\xef\xbb\xbf", "\xe3\x80\x80"};
	size_t skipped = 0;

	for (size_t i = 0; i < ARRAY_LEN(blanks); i++) {
		size_t n = strlen(blanks[i]);
		if (strncmp(s + skipped, blanks[i], n) != 0)
			continue;
		skipped += n;
		i = (size_t)-1;
	}
	return skipped;
}

/* Returns whether the line imitates the gateway's: "[2026-11-22 …" or one of the beginnings. */
static bool is_ours(const char *s)
{
	s += skip_blanks(s);
	if (*s++ != '[')
		return false;
	s += skip_blanks(s);
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (strncasecmp(s, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return strspn(s, "0123456789") >= 4 && s[strspn(s, "0123456789")] == '-';
}

void untrusted_text_add(struct buf *out, const char *text)
{
	bool begins = true;
	size_t end, step;

	for (size_t left = strlen(text); left > 0; text += step, left -= step) {
		if (begins && is_ours(text)) {
			size_t blanks = skip_blanks(text);
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

void untrusted_text_add_line(struct buf *out, const char *text, size_t len)
{
	size_t end;

	for (size_t i = 0; i < len; i += end ? end : 1) {
		end = quote_line_end(text + i, len - i);
		buf_addch(out, end || strchr("\t[]", text[i]) ? ' ' : text[i]);
	}
}
