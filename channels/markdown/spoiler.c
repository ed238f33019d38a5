#include "channels/markdown/markdown_internal.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/text/utf8.h"
#include "channels/markdown/markdown.h"

enum { OPENS = 1, CLOSES = 2 };

size_t spoiler_mark_length(const char *s, const char *end)
{
	return end - s >= 2 && s[0] == '|' && s[1] == '|' ? 2 : 0;
}

static uint32_t code_point_before(const char *begin, const char *s)
{
	uint32_t cp;

	for (size_t n = 1; n <= 4 && n <= (size_t)(s - begin); n++) {
		if (utf8_decode(s - n, n, &cp) == n)
			return cp;
	}
	return ' ';
}

static bool is_blank(uint32_t cp)
{
	return cp <= ' ' || cp == 0xa0 || cp == 0x3000;
}

/* Blank, punctuation, or a script without blanks: a word may end here. */
static bool is_edge(uint32_t cp)
{
	return is_blank(cp) || cp >= 0x2000 || (cp < 0x80 && ispunct((int)cp));
}

unsigned spoiler_mark_sides(const char *begin, const char *s, size_t len, const char *end)
{
	uint32_t before = code_point_before(begin, s), after = ' ';
	unsigned sides = 0;

	utf8_decode(s + len, (size_t)(end - s) - len, &after);
	sides |= !is_blank(after) && is_edge(before) ? OPENS : 0;
	sides |= !is_blank(before) && is_edge(after) ? CLOSES : 0;
	return sides;
}

static bool is_mark(const struct markdown_node *n)
{
	return n->type == MARKDOWN_TEXT && n->number != 0;
}

/* The opening mark becomes the span. */
static void wrap(struct markdown_node *open, struct markdown_node *last, struct markdown_node *close)
{
	open->type = MARKDOWN_SPOILER;
	open->text = "";
	open->len = 0;
	open->number = 0;
	open->first = open->next;
	open->last = last;
	open->next = close->next;
	last->next = NULL;
	for (struct markdown_node *n = open->first; n; n = n->next)
		n->parent = open;
	if (open->parent->last == close)
		open->parent->last = open;
}

void spoilers_resolve(struct markdown_node *parent)
{
	struct markdown_node *open = NULL, *before = NULL, *n, *next;

	for (n = parent->first; n; n = next) {
		next = n->next;
		if (is_mark(n) && open && (n->number & CLOSES) != 0 && open->next != n) {
			wrap(open, before, n);
			before = open;
			open = NULL;
			continue;
		}
		if (is_mark(n) && (n->number & OPENS) != 0)
			open = n;
		before = n;
	}
	for (n = parent->first; n; n = n->next)
		n->number = n->type == MARKDOWN_TEXT ? 0 : n->number;
}
