#ifndef CHANNELS_MARKDOWN_WRITE_H
#define CHANNELS_MARKDOWN_WRITE_H
/* Writes a range of pieces as Markdown that stands alone: reopens and closes what encloses the range,
 * keeps list numbers, repeats table headers. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct markdown_node;

struct markdown_range {
	size_t from, to; /* piece indices, from markdown_divide */
};

enum markdown_style {
	MARKDOWN_STYLE_FULL,
	MARKDOWN_STYLE_BARE,   /* text without emphasis, links and other spans */
	MARKDOWN_STYLE_LITERAL /* plain paragraphs, which always parse back to the same text */
};

void markdown_write(struct buf *out, const struct markdown_node *root, const struct markdown_range *range,
    enum markdown_style style);
/* Appends the text of the range (NULL: all) without blanks. Used to check that written Markdown parses
 * back to the same text. */
void markdown_solid(struct buf *out, const struct markdown_node *root, const struct markdown_range *range);
bool markdown_shows(const struct markdown_node *n, const struct markdown_range *range);

#endif
