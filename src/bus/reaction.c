#include "bus/reaction.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

/* Modifiers after an emoji: the colour variation selector (U+FE0F) and the skin tones (U+1F3FB to
 * U+1F3FF). */
static const char *const modifiers[] = {"\xef\xb8\x8f", "\xf0\x9f\x8f\xbb", "\xf0\x9f\x8f\xbc",
    "\xf0\x9f\x8f\xbd", "\xf0\x9f\x8f\xbe", "\xf0\x9f\x8f\xbf"};

static size_t plain_len(const char *emoji)
{
	size_t len = strlen(emoji);

	for (size_t i = 0; i < ARRAY_LEN(modifiers); i++) {
		size_t n = strlen(modifiers[i]);
		if (len <= n || memcmp(emoji + len - n, modifiers[i], n) != 0)
			continue;
		len -= n;
		i = (size_t)-1;
	}
	return len;
}

bool reaction_is(const char *emoji, const char *wanted)
{
	if (!emoji || !wanted || *wanted == '\0')
		return false;
	size_t len = plain_len(emoji);
	return len == plain_len(wanted) && memcmp(emoji, wanted, len) == 0;
}
