#include "channels/shared/blank.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"

/* Code points that Telegram trims away or shows as nothing (td, strip_empty_characters), and the other
 * platforms, too. */
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
	for (size_t i = 0; i < ARRAY_LEN(blanks); i++)
		if (cp >= blanks[i].first && cp <= blanks[i].last)
			return true;
	return false;
}

bool text_is_blank(const char *text)
{
	size_t len = strlen(text);
	uint32_t cp = 0;

	for (size_t at = 0, n; at < len; at += n) {
		n = utf8_decode(text + at, len - at, &cp);
		if (n == 0 || !is_blank(cp))
			return false;
	}
	return true;
}
