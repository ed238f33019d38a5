#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/text/formatted.h"

static bool counts(enum entity_type type)
{
	return (type >= ENTITY_BOLD && type <= ENTITY_SPOILER) || type == ENTITY_CUSTOM_EMOJI ||
	    type == ENTITY_DATE_TIME;
}

/* Returns the next relevant entity that overlaps the range, clipped to it; *i continues after it. */
static bool next_entity(
    const struct formatted *f, size_t *i, int32_t from, int32_t length, struct entity *out)
{
	for (; *i < f->count; ++*i) {
		const struct entity *e = &f->entities[*i];
		int32_t begins = e->offset > from ? e->offset : from, ends = e->offset + e->length;

		if (ends > from + length)
			ends = from + length;
		if (!counts(e->type) || begins >= ends)
			continue;
		*out = *e;
		out->offset = begins - from;
		out->length = ends - begins;
		++*i;
		return true;
	}
	return false;
}

static bool same_entities(const struct formatted *text, size_t position, const struct formatted *quote)
{
	int32_t length = (int32_t)formatted_units(quote);
	struct entity a, b;
	size_t i = 0, j = 0;

	for (;;) {
		bool one = next_entity(text, &i, (int32_t)position, length, &a),
		     other = next_entity(quote, &j, 0, length, &b);

		if (!one || !other)
			return one == other;
		if (a.type != b.type || a.offset != b.offset || a.length != b.length ||
		    a.number != b.number || (!a.text) != (!b.text) || (a.text && strcmp(a.text, b.text) != 0))
			return false;
	}
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

bool quote_find(const struct formatted *text, const struct formatted *quote, size_t *position)
{
	const char *s = text->text.data, *at;
	size_t expected = *position;
	bool found = false;

	for (at = strstr(s, quote->text.data); at; at = strstr(at + 1, quote->text.data)) {
		size_t here = utf8_count(s, (size_t)(at - s), UTF8_UTF16);

		if ((found && distance(here, expected) >= distance(*position, expected)) ||
		    !same_entities(text, here, quote))
			continue;
		found = true;
		*position = here;
	}
	return found;
}

void quote_write(const char *quote, size_t position, struct buf *out)
{
	buf_addstr(out, "{\"text\":");
	json_quote(out, quote, strlen(quote));
	buf_addf(out, ",\"position\":%zu,\"is_manual\":true}", position);
}
