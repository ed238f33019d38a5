#ifndef CHANNELS_MARKDOWN_MARKDOWN_INTERNAL_H
#define CHANNELS_MARKDOWN_MARKDOWN_INTERNAL_H
/* The inside of the Markdown reader, divider and writer. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/repair.h"
#include "channels/markdown/write.h"

/* build.c: Builds nodes from md4c's callbacks. */

/* Appends the blocks of the text to doc. Returns -1, with doc unchanged, when the text exceeds the node
 * limit. */
int markdown_build(struct markdown *doc, const char *text, size_t len);

/* section.c: Feeds md4c the text in sections, which bounds its quadratic cases. Repairs each section
 * (repair.h). */

struct section_reader {
	const char *at, *end; /* the rest of the text */
	struct markdown_repair markdown_repair;
	/* The open fence. */
	char fence; /* '`', '~', or 0 */
	size_t fence_len;
	const char *opener; /* its first line, repeated when a section continues the fence */
	size_t opener_len;
};

/* Replaces out with the next section. Returns false at the end. */
bool section_read(struct section_reader *r, struct buf *out);

/* entity.c: Decodes character references such as "&amp;", "&#8212;" and "&#x2014;" (CommonMark, "Entity and
 * numeric character references"); of the named ones only the common. */

/* Appends the decoded reference s[0..len), or the text itself when it is unknown. */
void markdown_entity(struct buf *out, const char *s, size_t len);

/* spoiler.c: Parses ||spoilers||, which md4c leaves as text. */

/* Returns the length of an unescaped mark at s, or 0. */
size_t spoiler_mark_length(const char *s, const char *end);
/* Can the mark of len bytes at s, within begin and end, open (1), close (2) or do both (3)? */
unsigned spoiler_mark_sides(const char *begin, const char *s, size_t len, const char *end);
/* Turns pairs of marks among the children into spans. Marks are TEXT nodes; their number holds the sides. */
void spoilers_resolve(struct markdown_node *parent);

/* pieces.c: Divides a document into pieces, the units at which a text is split. */

/* How well a message may end before a piece; higher is better. */
enum markdown_rank {
	MARKDOWN_RANK_HARD, /* inside a word, a link or code */
	MARKDOWN_RANK_SPAN, /* between formatted words */
	MARKDOWN_RANK_WORD,
	MARKDOWN_RANK_SENTENCE,
	MARKDOWN_RANK_LINE, /* of a paragraph, code block, table or list */
	MARKDOWN_RANK_BLOCK
};

struct markdown_piece {
	size_t weight; /* approximate UTF-16 units with markup, indent and link targets */
	enum markdown_rank rank;
};

struct markdown_pieces {
	struct markdown_piece *list;
	size_t count, cap;
};

/* Sets from and to of every node. A paragraph of up to max units is one piece; a longer one is divided
 * into words. A table with a longer row becomes paragraphs. The caller frees out->list. */
void markdown_divide(struct markdown *doc, size_t max, struct markdown_pieces *out);

/* write_span.c: The writer of write.c: lines and inlines. */

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
