#include "base/text/html.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

static const struct {
	char c;
	const char *as;
} special[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

static const char *escape_of(char c)
{
	for (size_t i = 0; i < ARRAY_LEN(special); i++)
		if (special[i].c == c)
			return special[i].as;
	/* HTML does not allow these characters. */
	return (unsigned char)c < 0x20 && !strchr("\t\n", c) ? "\xef\xbf\xbd" : NULL;
}

void html_add(struct buf *out, const char *text)
{
	for (; text && *text; text++) {
		const char *as = escape_of(*text);

		if (as)
			buf_addstr(out, as);
		else
			buf_addch(out, *text);
	}
}
