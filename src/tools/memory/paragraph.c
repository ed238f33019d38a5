#include "tools/memory/paragraph.h"

#include <locale.h>
#include <stdint.h>
#include <string.h>
#include <wctype.h>

#include "base/buf.h"
#include "base/text/utf8.h"

/* Returns the line's length with its end; *blank: the line is blank. */
static size_t line_length(const char *line, bool *blank)
{
	size_t len = strcspn(line, "\n");

	*blank = strspn(line, " \t\r") >= len;
	return len + (line[len] == '\n');
}

const char *paragraph_next(const char **text, size_t *len)
{
	const char *at = *text, *start;
	bool blank = true;
	size_t n;

	while (*at && (n = line_length(at, &blank), blank))
		at += n;
	for (start = at; *at; at += n) {
		n = line_length(at, &blank);
		if (blank)
			break;
	}
	*text = at;
	for (*len = (size_t)(at - start); *len > 0 && strchr("\r\n", start[*len - 1]); (*len)--)
		;
	return at > start ? start : NULL;
}

void paragraph_fold(struct buf *out, const char *s, size_t len)
{
	/* A locale of its own, because the process runs in "C". NULL, where the system has none, folds ASCII
	 * only. */
	locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(s + i, len - i, &cp);
		if (n == 0) {
			n = 1;
			buf_addch(out, s[i]);
		} else if (cp < 0x80 || !locale) {
			buf_addch(out, cp >= 'A' && cp <= 'Z' ? (char)(s[i] + ('a' - 'A')) : s[i]);
			if (n > 1)
				buf_add(out, s + i + 1, n - 1);
		} else {
			utf8_encode(out, (uint32_t)towlower_l((wint_t)cp, locale));
		}
	}
	if (locale)
		freelocale(locale);
}

bool paragraph_holds(const char *s, size_t len, const struct buf *folded)
{
	struct buf text = BUF_INIT;

	paragraph_fold(&text, s, len);
	bool found = memmem(text.data, text.len, folded->data, folded->len);
	buf_clear(&text);
	return found;
}
