#include "channels/telegram/split.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/markdown/split.h"
#include "channels/telegram/render.h"

#define UNITS_MAX (TELEGRAM_TEXT_UNITS - (sizeof(TELEGRAM_REPEAT_MARK) - 1))

/* Code points that Telegram trims away or shows as nothing (td, strip_empty_characters). */
static const struct {
	uint32_t first, last;
} blanks[] = {
    {0x00, 0x20},
    {0x7f, 0xa0},
    {0xad, 0xad},
    {0x1680, 0x1680},
    {0x180e, 0x180e},
    {0x2000, 0x200f},
    {0x2028, 0x202f},
    {0x205f, 0x2064},
    {0x2800, 0x2800},
    {0x3000, 0x3000},
    {0xfeff, 0xfeff},
};

static bool is_blank(uint32_t cp)
{
	for (size_t i = 0; i < ARRAY_LEN(blanks); i++) {
		if (cp >= blanks[i].first && cp <= blanks[i].last)
			return true;
	}
	return false;
}

static bool range_is_blank(const char *s, size_t len)
{
	uint32_t cp = 0;

	for (size_t at = 0, n; at < len; at += n) {
		n = utf8_decode(s + at, len - at, &cp);
		if (n == 0 || !is_blank(cp))
			return false;
	}
	return true;
}

bool telegram_split_is_blank(const char *text)
{
	return range_is_blank(text, strlen(text));
}

static enum markdown_fit fit(const char *part, size_t units)
{
	struct telegram_rendering r;
	enum markdown_fit result = MARKDOWN_FITS;

	telegram_render(&r, part);
	if (telegram_split_is_blank(r.plain))
		result = MARKDOWN_BLANK;
	else if (r.units > units)
		result = MARKDOWN_TOO_LONG;
	telegram_rendering_clear(&r);
	return result;
}

char **telegram_split(const char *text)
{
	return telegram_split_to(text, UNITS_MAX);
}

char **telegram_split_to(const char *text, size_t units)
{
	const struct markdown_limit limit = {.units = units, .fit = fit};

	return markdown_split(text, &limit);
}
