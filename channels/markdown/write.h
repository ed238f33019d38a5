#ifndef CHANNELS_MARKDOWN_WRITE_H
#define CHANNELS_MARKDOWN_WRITE_H
/*
 * A range of a document's pieces as Markdown that stands alone: what encloses the range is opened again and
 * closed, lists keep their numbers, tables repeat their header.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct markdown_node;

struct markdown_range {
	size_t from, to; /* pieces: markdown_divide */
};

enum markdown_style {
	MARKDOWN_STYLE_FULL,
	MARKDOWN_STYLE_BARE,   /* text without emphasis, links and such */
	MARKDOWN_STYLE_LITERAL /* paragraphs of text, nothing else: surely read back as it is */
};

void markdown_write(struct buf *out, const struct markdown_node *root, const struct markdown_range *range,
    enum markdown_style style);
/* Appends the text of the range (NULL: of all) without blanks: what has to be there when the range is read
 * back. */
void markdown_solid(struct buf *out, const struct markdown_node *root, const struct markdown_range *range);
bool markdown_shows(const struct markdown_node *n, const struct markdown_range *range);

#endif
