#ifndef CHANNELS_MARKDOWN_MARKDOWN_H
#define CHANNELS_MARKDOWN_MARKDOWN_H
/*
 * Markdown as models write it, as a tree: CommonMark by md4c, with tables, strikethrough, task lists, math as
 * code and
 * ||spoilers||. HTML is text, but for <br>. What is never closed is closed by the end. Pure, and linear in
 * the text: neither nesting nor a hostile text costs more stack or time than the limits here allow.
 */
#include <stdbool.h>
#include <stddef.h>

/* Lists and quotes within one another; what is nested deeper stands in the innermost of these. A list is
 * two. */
#define MARKDOWN_DEPTH 24
/* Spans (emphasis, links …) within one another. */
#define MARKDOWN_SPANS 16
/* A longer text is not read as Markdown: all of it is plain paragraphs. */
#define MARKDOWN_BYTES_MAX (256 * 1024)

enum markdown_type {
	/* Hold blocks. */
	MARKDOWN_DOCUMENT,
	MARKDOWN_QUOTE,
	MARKDOWN_LIST, /* of items */
	MARKDOWN_ITEM,
	/* Blocks. */
	MARKDOWN_PARAGRAPH,
	MARKDOWN_HEADING,
	MARKDOWN_CODE_BLOCK, /* of text, a node a line */
	MARKDOWN_RULE,
	MARKDOWN_TABLE, /* of rows, the first is the header */
	MARKDOWN_ROW,
	MARKDOWN_CELL,
	/* Inside paragraphs, headings and cells. */
	MARKDOWN_TEXT,
	MARKDOWN_BREAK, /* a line ends */
	MARKDOWN_CODE,
	MARKDOWN_EMPHASIS,
	MARKDOWN_STRONG,
	MARKDOWN_STRIKE,
	MARKDOWN_SPOILER,
	MARKDOWN_LINK,
	MARKDOWN_IMAGE
};

struct markdown_node {
	enum markdown_type type;
	struct markdown_node *parent, *first, *last, *next;
	const char *text; /* terminated but where it was cut, without control characters. TEXT; CODE_BLOCK:
			     the language; LINK, IMAGE: the target */
	size_t len;
	unsigned number; /* HEADING: 1 to 6; ordered ITEM: its number */
	char mark;       /* ITEM: 'x' or ' ' of a task, else 0; CELL: 'l', 'c', 'r' or 0 */
	bool ordered;    /* LIST, ITEM */
	bool tight;      /* LIST, ITEM: without blank lines between the items */
	bool implied;    /* PARAGRAPH of a tight item */
	bool goes_on;    /* TEXT in a CODE_BLOCK: the line goes on in the next node */
	size_t from, to; /* the pieces in it: set by markdown_divide */
};

struct markdown {
	struct markdown_node *root;
	struct markdown_chunk *chunks; /* memory of all nodes and texts */
};

/* text is valid UTF-8. Never fails. */
void markdown_parse(struct markdown *doc, const char *text, size_t len);
void markdown_clear(struct markdown *doc);

/* Memory that lives as long as doc. The text is copied. */
struct markdown_node *markdown_add(
    struct markdown *doc, struct markdown_node *parent, enum markdown_type type);
const char *markdown_copy(struct markdown *doc, const char *text, size_t len);

/* The next node in document order below top, children first; NULL at the end. Start with top itself. */
const struct markdown_node *markdown_next(const struct markdown_node *top, const struct markdown_node *node);
bool markdown_is_span(enum markdown_type type);

#endif
