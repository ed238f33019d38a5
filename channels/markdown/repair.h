#ifndef CHANNELS_MARKDOWN_REPAIR_H
#define CHANNELS_MARKDOWN_REPAIR_H
/*
 * What models write and CommonMark reads otherwise than they mean it: a table or a rule directly below text,
 * text directly below a list, a table or a quote, items below a numbered one that are not indented far
 * enough, footnotes that look like definitions of links; and in the line what repair_inline.h names.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Stands behind "**" or before it, so that it opens or closes; it is no character (Unicode), and goes
 * again. */
#define REPAIR_JOINER "\xef\xb7\x90"

struct line {
	const char *s;
	size_t len;    /* without the line end */
	size_t whole;  /* with it */
	size_t prefix; /* blanks and > in front */
};

struct markdown_repair {
	struct line before; /* s is NULL: there is none */
	bool again;         /* the line before that is text of the same paragraph */
	bool table;         /* the line before is one of a table */
	bool item;          /* an item of a list is open */
	size_t content;     /* columns before the text of the numbered item, 0 if there is none */
	size_t shift;       /* by which the lines below it are moved */
};

/* The line at at, of no more than so many bytes. */
struct line line_read(const char *at, const char *end, size_t most);
bool line_is_blank(const struct line *l);
/* The same line without "- " or "1. " in front. */
struct line line_after_marker(struct line l);

/* Appends the line with its end. code: it is one of a fenced block. next: where the line after it begins. */
void repair_line(struct markdown_repair *m, const struct line *l, bool code, const char *next,
    const char *end, struct buf *out);

#endif
