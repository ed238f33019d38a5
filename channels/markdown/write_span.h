#ifndef CHANNELS_MARKDOWN_WRITE_SPAN_H
#define CHANNELS_MARKDOWN_WRITE_SPAN_H
/* The writer of write.c: lines and inlines. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/write.h"

struct open_span {
	const struct markdown_node *node;
	bool opened; /* its mark is written, which happens at its first character */
};

struct writer {
	struct buf *out;
	struct buf indent; /* precedes each line: "> ", blanks */
	const struct markdown_range *range;
	enum markdown_style style;
	bool begun;      /* a block was already written */
	bool fresh;      /* after the mark of an item or quote: no new line needed */
	bool line_empty; /* the indent is still to be written */
	bool start;      /* at the start of a text line, where some characters begin a block */
	bool number;     /* at start, after digits only */
	bool flat;       /* in a heading or cell: no line breaks */
	bool cell;
	bool line_end; /* a line break is pending until the next character */
	size_t blanks; /* pending blanks */
	struct open_span spans[MARKDOWN_SPANS + 2];
	size_t span_count;
};

/* Writes s unescaped after the indent. */
void writer_raw(struct writer *w, const char *s, size_t len);
/* Writes the inlines of a paragraph, heading or cell that are in the range. */
void writer_inlines(struct writer *w, const struct markdown_node *holder);
/* Returns the longest run of c in the text nodes of the subtree. */
size_t writer_longest_run(const struct markdown_node *top, char c);

#endif
