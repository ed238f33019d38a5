#ifndef CHANNELS_MARKDOWN_WRITE_SPAN_H
#define CHANNELS_MARKDOWN_WRITE_SPAN_H
/* The writer's lines, and what stands in them. For write.c. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/write.h"

struct open_span {
	const struct markdown_node *node;
	bool opened; /* its mark is written: with its first character */
};

struct writer {
	struct buf *out;
	struct buf indent; /* in front of each line: "> ", blanks */
	const struct markdown_range *range;
	enum markdown_style style;
	bool begun;      /* a block stands before this one */
	bool fresh;      /* behind the mark of an item or quote: no new line is needed */
	bool line_empty; /* the indent is not written yet */
	bool start;      /* of a line of text, where some characters begin a block */
	bool number;     /* and only digits so far */
	bool flat;       /* in a heading or cell: lines do not end */
	bool cell;
	bool line_end; /* is due, with the next character */
	size_t blanks; /* are due */
	struct open_span spans[MARKDOWN_SPANS + 2];
	size_t span_count;
};

/* As it is, behind the indent. */
void writer_raw(struct writer *w, const char *s, size_t len);
/* The inlines of a paragraph, heading or cell, as far as the range has them. */
void writer_inlines(struct writer *w, const struct markdown_node *holder);
/* The longest run of c in the text nodes below. */
size_t writer_longest_run(const struct markdown_node *top, char c);

#endif
