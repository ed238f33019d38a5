#ifndef PLAYGROUND_TELEGRAM_TEXT_RICH_INTERNAL_H
#define PLAYGROUND_TELEGRAM_TEXT_RICH_INTERNAL_H
#include "base/buf.h"
#include "base/error.h"
#include "playground/telegram/text/rich.h"

/* rich_tree.c: Rich HTML as a tree. */

enum rich_kind {
	RICH_TEXT,
	/* Inside of a line: */
	RICH_BREAK,
	RICH_CODE,
	RICH_EMOJI,
	RICH_FORMAT,
	RICH_LINK,
	RICH_MATH,
	RICH_REFERENCE,
	RICH_TIME,
	/* Parts of the block around them: */
	RICH_CAPTION,
	RICH_CELL,
	RICH_CHECKBOX,
	RICH_CITE,
	RICH_ITEM,
	RICH_ROW,
	RICH_SUMMARY,
	/* Blocks: */
	RICH_BUTTONS,
	RICH_COLLAGE,
	RICH_DETAILS,
	RICH_DIVIDER,
	RICH_FIGURE,
	RICH_FOOTER,
	RICH_HEADING,
	RICH_LIST,
	RICH_MAP,
	RICH_MATH_BLOCK,
	RICH_MEDIA,
	RICH_PARAGRAPH,
	RICH_PRE,
	RICH_PULL_QUOTE,
	RICH_QUOTE,
	RICH_TABLE,
	RICH_THINKING,
	RICH_KINDS
};

struct rich_tag {
	const char *name;
	enum rich_kind kind;
	const char *type; /* of the RichText or RichBlock, if it depends on the tag */
};

/* Text, or an element. Nodes are known by their index; that of the root, 0, means none elsewhere. */
struct rich_node {
	enum rich_kind kind;
	const struct rich_tag *tag; /* NULL: text, or the root */
	size_t at;                  /* where it begins in the source */
	size_t from, len;           /* in the tree's text: a text, or names and values of attributes */
	size_t parent, first, last, next;
};

struct rich_tree {
	struct rich_node *nodes;
	size_t count, cap;
	struct buf text;
};

/* lenient: tags that there are not, and comments, say nothing. On -1 err has the sentence. Clear the tree in
 * either case. */
int rich_tree_read(struct rich_tree *t, const char *s, size_t len, bool lenient, struct error *err);
void rich_tree_clear(struct rich_tree *t);
/* The value of an attribute, "" if it has none; NULL: there is no such attribute. */
const char *rich_attribute(const struct rich_tree *t, const struct rich_node *n, const char *name);
/* Appends the text of a node, and of what is in it. */
void rich_tree_text(const struct rich_tree *t, size_t node, struct buf *out);

/* rich_line.c: A text with what is marked in it, which becomes a RichText. */

struct rich_span {
	size_t from, to, order;
	const char *type;
	char *members; /* further members as JSON, each after a comma; NULL: none */
	bool atom;     /* has no text of its own; a character stands for it in the line */
};

struct rich_line {
	struct buf text;
	struct rich_span *spans;
	size_t count, cap;
	size_t hidden;     /* characters of atoms */
	unsigned verbatim; /* white space stays */
};

/* Appends text, in which white space is one blank. */
void rich_line_add(struct rich_line *l, const char *s, size_t len);
void rich_line_break(struct rich_line *l);
/* What is added from here on has the type, until rich_line_end. Takes members. Returns its number. */
size_t rich_line_begin(struct rich_line *l, const char *type, char *members);
void rich_line_end(struct rich_line *l, size_t span);
/* Takes members; characters: how much it counts. */
void rich_line_add_atom(struct rich_line *l, const char *type, char *members, size_t characters);
/* Trims the end. Returns the number of characters. */
size_t rich_line_finish(struct rich_line *l);
/* Marks mentions, commands, links and the like. */
void rich_line_find(struct rich_line *l);
/* Is there nothing in it but anchors? */
bool rich_line_is_anchors(const struct rich_line *l);
/* Appends the RichText. */
void rich_line_write(const struct rich_line *l, struct buf *out);
void rich_line_clear(struct rich_line *l);

/* rich_inline.c: What reads the tree, and the text in it. */

struct rich_reader {
	const struct rich_source *source;
	struct rich_tree tree;
	struct buf references; /* the name of each tg-reference, after a newline */
	size_t characters, blocks, media;
	unsigned level;
	bool failed;
	struct error *err;
};

/* Fails, if nothing has failed before. */
__attribute__((format(printf, 2, 3))) void rich_fail(struct rich_reader *r, const char *fmt, ...);
/* That node must not be there. */
void rich_fail_place(struct rich_reader *r, size_t node);
const struct rich_node *rich_node_at(const struct rich_reader *r, size_t node);
const char *rich_node_attribute(const struct rich_reader *r, size_t node, const char *name);
/* The first of that kind in the node; 0: none. */
size_t rich_find_part(const struct rich_reader *r, size_t parent, enum rich_kind kind);
/* Is it a text of nothing but white space? */
bool rich_is_blank(const struct rich_reader *r, size_t node);
/* The number that a text begins with. */
int64_t rich_number(const char *text, int64_t fallback);
/* Begins a level; leaving it is r->level--. */
void rich_enter(struct rich_reader *r);
void rich_count_block(struct rich_reader *r);
void rich_count_characters(struct rich_reader *r, size_t n);
/* Counts a block and opens its object. */
void rich_begin_block(struct rich_reader *r, const char *type, struct buf *out);
/* Appends a member, after a comma. */
void rich_write_member(struct buf *out, const char *name, const char *text);
/* Writes the text in a node as a member; pre: white space stays, and nothing is found in it. */
void rich_write_text(struct rich_reader *r, size_t node, const char *member, bool pre, struct buf *out);
void rich_read_inside(struct rich_reader *r, size_t parent, struct rich_line *l);
void rich_read_inline(struct rich_reader *r, size_t node, struct rich_line *l);
/* The line is complete. */
void rich_finish_line(struct rich_reader *r, struct rich_line *l, bool find);

/* rich_list.c: Lists and tables, without the brace at their end. */

void rich_write_list(struct rich_reader *r, size_t list, struct buf *out);
void rich_write_table(struct rich_reader *r, size_t table, struct buf *out);

/* rich.c: The node, and those after it. */

void rich_write_blocks(struct rich_reader *r, size_t first, struct buf *out);

/* rich_markdown.c */

/* Appends the Rich HTML of Rich Markdown. */
int rich_markdown_write(const char *s, size_t len, struct buf *out, struct error *err);

#endif
