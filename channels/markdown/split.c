#include "channels/markdown/split.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/markdown/markdown_internal.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/write.h"

struct parts {
	char **list;
	size_t count;
};

static void add_part(struct parts *p, char *text)
{
	p->list = xrealloc(p->list, (p->count + 2) * sizeof(*p->list));
	p->list[p->count++] = text;
	p->list[p->count] = NULL;
}

/* Does the text parse back to the same content? */
static bool reads_back(const struct buf *part, const struct buf *want)
{
	struct buf got = BUF_INIT;
	struct markdown doc;
	bool same;

	markdown_parse(&doc, part->data, part->len);
	markdown_solid(&got, doc.root, NULL);
	same = got.len == want->len && memcmp(got.data, want->data, got.len) == 0;
	markdown_clear(&doc);
	buf_clear(&got);
	return same;
}

/* Writes the range with as much of its formatting as survives. */
static char *write_part(const struct markdown *doc, const struct markdown_range *range)
{
	static const enum markdown_style styles[] = {
	    MARKDOWN_STYLE_FULL, MARKDOWN_STYLE_BARE, MARKDOWN_STYLE_LITERAL};
	struct buf out = BUF_INIT, want = BUF_INIT;

	markdown_solid(&want, doc->root, range);
	for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
		buf_reset(&out);
		markdown_write(&out, doc->root, range, styles[i]);
		if (reads_back(&out, &want))
			break;
	}
	buf_clear(&want);
	return buf_take(&out);
}

/* Returns the end of the pieces from there on that weigh no more than max together; at least one. */
static size_t take_pieces(const struct markdown_pieces *p, size_t from, size_t max)
{
	size_t to = from, weight = 0;

	while (to < p->count && (to == from || weight + p->list[to].weight <= max))
		weight += p->list[to++].weight;
	return to;
}

/* The best end in the second half of the maximum, or the maximum. */
static size_t choose_end(const struct markdown_pieces *p, size_t from, size_t max)
{
	size_t to = take_pieces(p, from, max), least = take_pieces(p, from, max / 2), best = to;

	if (to == p->count)
		return to;
	for (size_t i = to; i >= least && i > from; i--) {
		if (p->list[i].rank > p->list[best].rank)
			best = i;
	}
	return best;
}

/* What a part may weigh at most: the limit, less a quarter each step. */
static size_t weight_after(const struct markdown_limit *limit, unsigned steps)
{
	size_t max = limit->units;

	while (steps-- > 0)
		max = max / 4 * 3;
	return max;
}

struct attempt {
	size_t to;
	char *text; /* owned */
	enum markdown_fit fit;
};

static struct attempt try_part(const struct markdown *doc, const struct markdown_pieces *p,
    const struct markdown_limit *limit, size_t from, unsigned steps)
{
	struct attempt a = {.to = choose_end(p, from, weight_after(limit, steps))};

	a.text = write_part(doc, &(struct markdown_range){.from = from, .to = a.to});
	a.fit = limit->fit(a.text, limit->units);
	return a;
}

/* Adds a part that fits and has about the longest size, and moves *from past it. *steps is how many steps
 * less than the limit the part before was: what follows often grows as much when it is rendered. */
static void next_part(const struct markdown *doc, const struct markdown_pieces *p,
    const struct markdown_limit *limit, size_t *from, unsigned *steps, struct parts *out)
{
	struct attempt best = try_part(doc, p, limit, *from, *steps), longer;

	while (best.fit != MARKDOWN_TOO_LONG && *steps > 0 && best.to < p->count) {
		longer = try_part(doc, p, limit, *from, *steps - 1);
		if (longer.fit == MARKDOWN_TOO_LONG) {
			free(longer.text);
			break;
		}
		free(best.text);
		best = longer;
		--*steps;
	}
	while (best.fit == MARKDOWN_TOO_LONG && best.to > *from + 1) {
		free(best.text);
		best = try_part(doc, p, limit, *from, ++*steps);
	}
	*from = best.to;
	if (best.fit == MARKDOWN_BLANK)
		free(best.text);
	else
		add_part(out, best.text);
}

/* What ends before `from` is written. Parts would walk over it again; only the header of a table is needed.
 */
static void drop_before(struct markdown_node *holder, size_t from)
{
	struct markdown_node **at =
	    holder->type == MARKDOWN_TABLE && holder->first ? &holder->first->next : &holder->first;

	while (*at && (*at)->to <= from)
		*at = (*at)->next;
	if (*at)
		drop_before(*at, from);
}

static void split_document(
    const char *text, size_t len, const struct markdown_limit *limit, struct parts *out)
{
	struct markdown_pieces pieces;
	struct markdown doc;
	unsigned steps = 0;
	size_t from = 0;

	markdown_parse(&doc, text, len);
	markdown_divide(&doc, limit->units / 6, &pieces);
	while (from < pieces.count) {
		next_part(&doc, &pieces, limit, &from, &steps, out);
		drop_before(doc.root, from);
	}
	free(pieces.list);
	markdown_clear(&doc);
}

char **markdown_split(const char *text, const struct markdown_limit *limit)
{
	struct buf clean = BUF_INIT;
	struct parts parts = {0};
	enum markdown_fit fit;

	utf8_sanitize(&clean, text, strlen(text));
	fit = limit->fit(clean.data, limit->units);
	if (fit == MARKDOWN_TOO_LONG)
		split_document(clean.data, clean.len, limit, &parts);
	else if (fit == MARKDOWN_FITS)
		add_part(&parts, buf_take(&clean));
	if (parts.count == 0)
		add_part(&parts, xstrdup(""));
	buf_clear(&clean);
	return parts.list;
}
