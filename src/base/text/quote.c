#include "base/text/quote.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* Line ends: "\n", and what else a reader may take for one (Unicode, "Newline Guidelines"). */
static const char *const ends[] = {
    "\r\n", "\n", "\r", "\v", "\f", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

/* A quick test: few bytes can begin a line end. */
static bool may_end(unsigned char first)
{
	return (first >= '\n' && first <= '\r') || first == 0xc2 || first == 0xe2;
}

size_t quote_line_end(const char *s, size_t len)
{
	if (len == 0 || !may_end((unsigned char)*s))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		size_t n = strlen(ends[i]);
		if (n <= len && memcmp(s, ends[i], n) == 0)
			return n;
	}
	return 0;
}

void quote_text(struct buf *out, const char *who, const char *text, size_t len)
{
	size_t end;

	buf_addstr(out, "> ");
	if (who)
		buf_addf(out, "%s: ", who);
	for (size_t i = 0; i < len; i += end ? end : 1) {
		end = quote_line_end(text + i, len - i);
		if (end)
			buf_addstr(out, "\n> ");
		else
			buf_addch(out, text[i]);
	}
	buf_addch(out, '\n');
}
