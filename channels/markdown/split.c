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

/* With as much of its formatting as survives. */
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

/* How many pieces weigh no more than most; at least one. */
static size_t take_pieces(const struct markdown_pieces *p, size_t from, size_t most)
{
	size_t to = from, weight = 0;

	while (to < p->count && (to == from || weight + p->list[to].weight <= most))
		weight += p->list[to++].weight;
	return to;
}

/* The best end in the second half of the maximum, or the maximum. */
static size_t choose_end(const struct markdown_pieces *p, size_t from, size_t most)
{
	size_t to = take_pieces(p, from, most), least = take_pieces(p, from, most / 2), best = to;

	if (to == p->count)
		return to;
	for (size_t i = to; i >= least && i > from; i--) {
		if (p->list[i].rank > p->list[best].rank)
			best = i;
	}
	return best;
}

/* Returns the longest part that fits, and moves *from past it. */
static void next_part(const struct markdown *doc, const struct markdown_pieces *p,
    const struct markdown_limit *limit, size_t *from, struct parts *out)
{
	struct markdown_range range = {.from = *from};
	size_t most = limit->units;
	enum markdown_fit fit;
	char *text = NULL;

	do {
		free(text);
		range.to = choose_end(p, range.from, most);
		text = write_part(doc, &range);
		fit = limit->fit(text, limit->units);
		most = most / 4 * 3;
	} while (fit == MARKDOWN_TOO_LONG && range.to > range.from + 1);
	*from = range.to;
	if (fit == MARKDOWN_BLANK)
		free(text);
	else
		add_part(out, text);
}

static void split_document(
    const char *text, size_t len, const struct markdown_limit *limit, struct parts *out)
{
	struct markdown_pieces pieces;
	struct markdown doc;
	size_t from = 0;

	markdown_parse(&doc, text, len);
	markdown_divide(&doc, limit->units / 6, &pieces);
	while (from < pieces.count)
		next_part(&doc, &pieces, limit, &from, out);
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
