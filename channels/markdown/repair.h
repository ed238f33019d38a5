#ifndef CHANNELS_MARKDOWN_REPAIR_H
#define CHANNELS_MARKDOWN_REPAIR_H
/*
 * Repairs Markdown that CommonMark reads otherwise than the model meant it: a table or a rule directly below
 * text; text directly below a list, a table or a quote; items of a numbered list with too little indent;
 * footnotes that look like link definitions. repair_inline.c repairs the text of a line.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Placed next to "**" so that it can open or close emphasis. U+FDD0 is a Unicode noncharacter; the parser
 * removes it. */
#define REPAIR_JOINER "\xef\xb7\x90"

struct line {
	const char *s;
	size_t len;      /* without the line end */
	size_t full_len; /* with the line end */
	size_t prefix;   /* leading blanks and ">" */
};

struct markdown_repair {
	struct line before; /* previous line; s NULL: none */
	bool in_paragraph;  /* the previous line belongs to the same paragraph */
	bool table;         /* the previous line belongs to a table */
	bool item;          /* a list item is open */
	size_t content;     /* column of the numbered item's text; 0: none */
	size_t shift;       /* columns by which the following lines move */
};

/* Returns the line at `at`, at most max bytes of it. */
struct line line_read(const char *at, const char *end, size_t max);
bool line_is_blank(const struct line *l);
/* Returns the line without a leading "- " or "1. ". */
struct line line_after_marker(struct line l);

/* Appends the repaired line with its end. code: the line is inside a fence. next: start of the following
 * line. */
void repair_line(struct markdown_repair *m, const struct line *l, bool code, const char *next,
    const char *end, struct buf *out);

/* repair_inline.c: Repairs inline text: bold next to Chinese or Japanese punctuation, asterisks of a
 * multiplication, what looks like emphasis in a URL, \( \) and \[ \] around math. Code spans are unchanged.
 */

/* Appends the line after its prefix, without the line end. */
void repair_inline(const struct line *l, struct buf *out);

#endif
