#include "channels/markdown/markdown_internal.h"

#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/markdown/markdown.h"

/* Longer words are cut. */
#define WORD_UNITS 64
/* For the marks around a target, before an item, and the like. */
#define MARKUP_UNITS 4
/* A table of longer rows may be shown as records. */
#define NARROW_UNITS 40

struct divider {
	struct markdown *doc;
	struct markdown_pieces *out;
	size_t max;
	enum markdown_rank rank; /* of the next piece */
	size_t depth;            /* items and quotes, which indent */
	unsigned spans;          /* that are open */
	unsigned solid;          /* of them links and code */
};

static size_t piece(struct divider *d, size_t weight)
{
	struct markdown_pieces *p = d->out;

	if (p->count == p->cap) {
		p->cap = p->cap != 0 ? p->cap * 2 : 64;
		p->list = xrealloc(p->list, p->cap * sizeof(*p->list));
	}
	p->list[p->count] = (struct markdown_piece){.weight = weight, .rank = d->rank};
	d->rank = MARKDOWN_RANK_HARD;
	return p->count++;
}

static size_t text_weight(const char *s, size_t len)
{
	size_t weight = utf8_count(s, len, UTF8_UTF16);

	/* A character may be inserted after each @ to prevent a mention. */
	for (size_t i = 0; i < len; i++)
		weight += s[i] == '@';
	return weight;
}

static size_t line_weight(const struct divider *d)
{
	return 1 + d->depth * 4;
}

static size_t own_weight(const struct divider *d, const struct markdown_node *n)
{
	if (n->type == MARKDOWN_BREAK)
		return line_weight(d);
	if (n->type == MARKDOWN_CELL)
		return MARKUP_UNITS;
	if (n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE)
		return text_weight(n->text, n->len) * (!n->first ? 2 : 1) + MARKUP_UNITS;
	return n->type == MARKDOWN_TEXT ? text_weight(n->text, n->len) : 0;
}

static size_t weigh(const struct divider *d, const struct markdown_node *top)
{
	size_t weight = own_weight(d, top);

	for (const struct markdown_node *n = top; (n = markdown_next(top, n));)
		weight += own_weight(d, n);
	return weight;
}

/* The node is piece i. */
static void number(struct markdown_node *n, size_t i)
{
	n->from = i;
	n->to = i + 1;
	for (struct markdown_node *c = n->first; c; c = c->next)
		number(c, i);
}

/* Splits the text: the part after `at` becomes the next node. */
static void cut_node(struct divider *d, struct markdown_node *n, size_t at)
{
	struct markdown_node *rest = markdown_add(d->doc, NULL, MARKDOWN_TEXT);

	rest->parent = n->parent;
	rest->text = n->text + at;
	rest->len = n->len - at;
	rest->next = n->next;
	n->next = rest;
	if (n->parent->last == n)
		n->parent->last = rest;
	n->text = markdown_copy(d->doc, n->text, at);
	n->len = at;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Advances to the next word; leading blanks are a piece of their own. */
static size_t word_length(const char *s, size_t len)
{
	size_t end = 0, skip;

	/* Longer words need not be examined. */
	len = len > 8 * WORD_UNITS ? 8 * WORD_UNITS : len;
	while (end < len && is_blank(s[end]))
		end++;
	if (end > 0)
		return end;
	while (end < len && !is_blank(s[end]))
		end++;
	if (end > WORD_UNITS && utf8_count(s, end, UTF8_UTF16) > WORD_UNITS)
		return utf8_break(s, end, WORD_UNITS, UTF8_UTF16, &skip);
	while (end < len && is_blank(s[end]))
		end++;
	return end;
}

static bool ends_sentence(const char *s, size_t len)
{
	static const char *const ends[] = {".", "!", "?", ":", "…", "。", "！", "？"};

	while (len > 0 && is_blank(s[len - 1]))
		len--;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		size_t n = strlen(ends[i]);

		if (len >= n && memcmp(s + len - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

/* Rates ending a message after this word. */
static enum markdown_rank rank_behind(const struct divider *d, const char *s, size_t len)
{
	if (d->solid > 0 || len == 0)
		return MARKDOWN_RANK_HARD;
	if (!is_blank(s[len - 1]))
		return len >= 3 && (unsigned char)s[len - 1] >= 0x80 && ends_sentence(s, len) &&
			d->spans == 0 ?
		    MARKDOWN_RANK_SENTENCE :
		    MARKDOWN_RANK_HARD;
	if (d->spans > 0)
		return MARKDOWN_RANK_SPAN;
	return ends_sentence(s, len) ? MARKDOWN_RANK_SENTENCE : MARKDOWN_RANK_WORD;
}

static void divide_text(struct divider *d, struct markdown_node *n)
{
	size_t take = word_length(n->text, n->len);

	if (take < n->len)
		cut_node(d, n, take);
	number(n, piece(d, text_weight(n->text, n->len)));
	d->rank = rank_behind(d, n->text, n->len);
}

static void divide_inlines(struct divider *d, struct markdown_node *holder);

static void divide_span(struct divider *d, struct markdown_node *n)
{
	bool solid = n->type == MARKDOWN_CODE || n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE;
	size_t weight = own_weight(d, n);

	if (!n->first || (solid && weigh(d, n) <= d->max)) {
		number(n, piece(d, weigh(d, n)));
		return;
	}
	d->spans++;
	d->solid += solid;
	divide_inlines(d, n);
	d->spans--;
	d->solid -= solid;
	d->out->list[d->out->count - 1].weight += weight;
}

static void divide_inlines(struct divider *d, struct markdown_node *holder)
{
	holder->from = d->out->count;
	for (struct markdown_node *n = holder->first; n; n = n->next) {
		if (n->type == MARKDOWN_TEXT) {
			divide_text(d, n);
		} else if (n->type == MARKDOWN_BREAK) {
			number(n, piece(d, line_weight(d)));
			d->rank = d->solid > 0 ? MARKDOWN_RANK_HARD :
			    d->spans > 0       ? MARKDOWN_RANK_SPAN :
						 MARKDOWN_RANK_LINE;
		} else {
			divide_span(d, n);
		}
	}
	holder->to = d->out->count;
}

static void divide_paragraph(struct divider *d, struct markdown_node *n)
{
	size_t weight = weigh(d, n) + line_weight(d) + MARKUP_UNITS;

	if (weight <= d->max || !n->first)
		number(n, piece(d, weight));
	else
		divide_inlines(d, n);
}

static void divide_code(struct divider *d, struct markdown_node *n)
{
	struct markdown_node *line;
	size_t skip;

	n->from = d->out->count;
	if (!n->first)
		piece(d, 2 * line_weight(d));
	for (line = n->first; line; line = line->next) {
		size_t take = utf8_break(line->text, line->len, d->max, UTF8_UTF16, &skip);

		if (line->len > 0 && take + skip < line->len) {
			cut_node(d, line, take + skip);
			line->continues = true;
		}
		number(line, piece(d, text_weight(line->text, line->len) + line_weight(d)));
		if (!line->continues)
			d->rank = MARKDOWN_RANK_LINE;
	}
	n->to = d->out->count;
}

/* Writes the row as a paragraph of its cells. */
static void unfold_row(struct divider *d, struct markdown_node *row)
{
	struct markdown_node *cells = row->first, *cell, *n;

	row->type = MARKDOWN_PARAGRAPH;
	row->first = row->last = NULL;
	for (cell = cells; cell; cell = cell->next) {
		if (!cell->first)
			continue;
		if (row->first) {
			n = markdown_add(d->doc, row, MARKDOWN_TEXT);
			n->text = " | ";
			n->len = 3;
		}
		for (n = cell->first; n; n = n->next)
			n->parent = row;
		*(row->last ? &row->last->next : &row->first) = cell->first;
		row->last = cell->last;
	}
}

static void divide_children(struct divider *d, struct markdown_node *holder);

static void divide_table(struct divider *d, struct markdown_node *table)
{
	struct markdown_node *row;
	size_t header = weigh(d, table->first), longest = 0, i;

	for (row = table->first; row; row = row->next)
		longest = weigh(d, row) > longest ? weigh(d, row) : longest;
	if (header + longest > d->max) {
		table->type = MARKDOWN_DOCUMENT;
		for (row = table->first; row; row = row->next)
			unfold_row(d, row);
		divide_children(d, table);
		return;
	}
	table->from = d->out->count;
	row = table->first->next;
	/* The header stays with its first row, and every part that has a row has the header. */
	i = piece(d, header + (row ? weigh(d, row) : 0) + 3 * line_weight(d));
	number(table->first, i);
	if (row)
		number(row, i);
	while (row && (row = row->next)) {
		d->rank = MARKDOWN_RANK_LINE;
		/* Aligned rows are as long as the longest; records repeat the header. */
		number(row, piece(d, longest + (longest > NARROW_UNITS ? header : 0) + line_weight(d)));
	}
	table->to = d->out->count;
}

/* Do not end after a heading or a line that introduces the next one. */
static bool leads_on(const struct markdown_node *n, const struct markdown_node *next)
{
	const struct markdown_node *last = n->last;

	if (n->type == MARKDOWN_HEADING)
		return true;
	return n->type == MARKDOWN_PARAGRAPH && next->type != MARKDOWN_PARAGRAPH && last &&
	    last->type == MARKDOWN_TEXT && last->len > 0 && last->text[last->len - 1] == ':';
}

static void divide_block(struct divider *d, struct markdown_node *n)
{
	static void (*const by_type[])(struct divider *, struct markdown_node *) = {
	    [MARKDOWN_DOCUMENT] = divide_children,
	    [MARKDOWN_QUOTE] = divide_children,
	    [MARKDOWN_LIST] = divide_children,
	    [MARKDOWN_ITEM] = divide_children,
	    [MARKDOWN_PARAGRAPH] = divide_paragraph,
	    [MARKDOWN_HEADING] = divide_paragraph,
	    [MARKDOWN_CODE_BLOCK] = divide_code,
	    [MARKDOWN_TABLE] = divide_table,
	};

	if (n->type < ARRAY_LEN(by_type) && by_type[n->type] && (n->type != MARKDOWN_TABLE || n->first))
		by_type[n->type](d, n);
	else
		number(n, piece(d, 16));
}

static void divide_children(struct divider *d, struct markdown_node *holder)
{
	const struct markdown_node *before = NULL;

	bool indents = holder->type == MARKDOWN_ITEM || holder->type == MARKDOWN_QUOTE;

	holder->from = d->out->count;
	d->depth += indents;
	if (!holder->first && holder->parent)
		piece(d, line_weight(d));
	for (struct markdown_node *n = holder->first; n; n = n->next) {
		if (before && leads_on(before, n))
			d->rank = MARKDOWN_RANK_SPAN;
		else if (before)
			d->rank =
			    holder->type == MARKDOWN_DOCUMENT ? MARKDOWN_RANK_BLOCK : MARKDOWN_RANK_LINE;
		divide_block(d, n);
		before = n;
	}
	d->depth -= indents;
	holder->to = d->out->count;
}

void markdown_divide(struct markdown *doc, size_t max, struct markdown_pieces *out)
{
	struct divider d = {.doc = doc, .out = out, .max = max};

	*out = (struct markdown_pieces){0};
	divide_children(&d, doc->root);
}
