#ifndef CHANNELS_MARKDOWN_MARKDOWN_H
#define CHANNELS_MARKDOWN_MARKDOWN_H
/*
 * Parses the Markdown that models write into a tree: CommonMark by md4c, plus tables, strikethrough, task
 * lists, math as code, and ||spoilers||. HTML other than <br> is text. Unclosed markup ends with the text.
 * Pure and linear in the text: the limits below bound stack and time for hostile input.
 */
#include <stdbool.h>
#include <stddef.h>

/* Maximum nesting of lists and quotes; a list counts twice. Deeper blocks are attached to the innermost
 * allowed one. */
#define MARKDOWN_DEPTH 24
/* Maximum nesting of spans (emphasis, links ...). */
#define MARKDOWN_SPANS 16
/* Longer text is not parsed; it becomes plain paragraphs. */
#define MARKDOWN_BYTES_MAX (256 * 1024)

enum markdown_type {
	/* Containers. */
	MARKDOWN_DOCUMENT,
	MARKDOWN_QUOTE,
	MARKDOWN_LIST, /* of items */
	MARKDOWN_ITEM,
	/* Blocks. */
	MARKDOWN_PARAGRAPH,
	MARKDOWN_HEADING,
	MARKDOWN_CODE_BLOCK, /* of TEXT nodes, one per line */
	MARKDOWN_RULE,
	MARKDOWN_TABLE, /* of rows; the first is the header */
	MARKDOWN_ROW,
	MARKDOWN_CELL,
	/* Inlines. */
	MARKDOWN_TEXT,
	MARKDOWN_BREAK, /* line break */
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
	const char *text; /* Without control characters; zero-terminated unless it is a slice. TEXT: the text;
			     CODE_BLOCK: the language; LINK, IMAGE: the target. */
	size_t len;
	unsigned number; /* HEADING: 1 to 6; ordered ITEM: its number */
	char mark;       /* task ITEM: 'x' or ' '; CELL: alignment 'l', 'c', 'r'; else 0 */
	bool ordered;    /* LIST, ITEM */
	bool tight;      /* LIST, ITEM: no blank lines between items */
	bool implied;    /* PARAGRAPH of a tight item */
	bool continues;  /* TEXT in a CODE_BLOCK: the line continues in the next node */
	size_t from, to; /* range of pieces; set by markdown_divide */
};

struct markdown {
	struct markdown_node *root;
	struct markdown_chunk *chunks; /* memory of all nodes and texts */
};

/* text is valid UTF-8. Never fails. */
void markdown_parse(struct markdown *doc, const char *text, size_t len);
void markdown_clear(struct markdown *doc);

/* Allocates memory that lives as long as doc. Copies the text. */
struct markdown_node *markdown_add(
    struct markdown *doc, struct markdown_node *parent, enum markdown_type type);
const char *markdown_copy(struct markdown *doc, const char *text, size_t len);

/* Returns the next node of the subtree of top in document order, or NULL. Start with top. */
const struct markdown_node *markdown_next(const struct markdown_node *top, const struct markdown_node *node);

#endif
