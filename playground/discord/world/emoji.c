#include <ctype.h>
#include <string.h>

#include "base/text/utf8.h"
#include "playground/discord/world/world_internal.h"

#define SEQUENCE_MAX 16 /* code points of the longest emoji */

static bool is_custom(const char *text, uint64_t *id)
{
	const char *colon = strchr(text, ':');

	if (!colon || colon - text < 2)
		return false;
	for (const char *p = text; p < colon; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
	return cord_snowflake_read(colon + 1, id);
}

/* Symbols and joiners: nothing below U+00A9 except the digits, # and * of keycaps. */
static bool may_be_emoji(uint32_t cp, bool first)
{
	if (cp < 0xa9)
		return first && (isdigit((int)cp) || cp == '#' || cp == '*');
	if (cp == 0xa9 || cp == 0xae || cp == 0x203c || cp == 0x2049)
		return true;
	if (cp == 0x200d || cp == 0xfe0f || cp == 0x20e3 || (cp >= 0xe0020 && cp <= 0xe007f))
		return !first;
	return (cp >= 0x2122 && cp <= 0x3299) || (cp >= 0x1f000 && cp <= 0x1fbff);
}

bool cord_emoji_is_good(const char *text)
{
	size_t len = strlen(text), points = 0, n;
	uint32_t cp = 0, first = 0;
	uint64_t id;

	if (is_custom(text, &id))
		return true;
	for (size_t i = 0; i < len; i += n, points++) {
		n = utf8_decode(text + i, len - i, &cp);
		if (n == 0 || !may_be_emoji(cp, points == 0))
			return false;
		if (points == 0)
			first = cp;
	}
	/* A keycap has more than its digit. */
	return points > 0 && points <= SEQUENCE_MAX && (first >= 0xa9 || cp == 0x20e3);
}

struct json_object *cord_emoji_json(const char *text)
{
	struct json_object *o = json_object_new_object();
	const char *colon = strchr(text, ':');
	uint64_t id = 0;

	if (colon && is_custom(text, &id))
		json_set(o, "name", json_object_new_string_len(text, (int)(colon - text)));
	else
		json_set_str(o, "name", text);
	cord_set_id(o, "id", id);
	return o;
}
