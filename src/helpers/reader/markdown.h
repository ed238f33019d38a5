#ifndef HELPERS_READER_MARKDOWN_H
#define HELPERS_READER_MARKDOWN_H
/* Writes Markdown run by run: separators between blocks and prefixes of lines are written only when text
 * follows. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define WRITER_INDENTS 24

struct writer {
	struct buf out;
	size_t most;       /* maximum bytes of out; sets full and drops the rest */
	struct buf prefix; /* of each line */
	struct buf marker; /* replaces the end of the prefix on the next line */
	struct buf lead;   /* before the next run */
	unsigned char indents[WRITER_INDENTS];
	unsigned indent_count, indents_skipped;
	unsigned breaks; /* line ends before the next run: 2 is a blank line */
	size_t blank;    /* bytes of the prefix on that blank line: what both sides share */
	bool space;      /* a blank before the next run */
	bool begun;      /* the line has text */
	bool full;
	unsigned flat; /* > 0: blanks separate blocks: in links, headings and cells */
	bool in_cell;  /* escapes bars */
};

void writer_init(struct writer *w, size_t most);
void writer_clear(struct writer *w);
/* Collapses white space to one blank. */
void writer_text(struct writer *w, const char *s);
/* Writes the text verbatim with its line ends. */
void writer_verbatim(struct writer *w, const char *s);
/* Write markup: sign starts a run, tail directly follows the last one. */
void writer_sign(struct writer *w, const char *s);
void writer_tail(struct writer *w, const char *s);
/* Ends the line (1) or the block (2). */
void writer_break(struct writer *w, unsigned breaks);
/* Writes s before the next run; writer_unlead removes it and returns true if no run has followed. */
void writer_lead(struct writer *w, const char *s);
bool writer_unlead(struct writer *w, const char *s);
/* Indents the following lines with s; marker, of the same length, replaces it on the first one. NULL: s. */
void writer_indent(struct writer *w, const char *s, const char *marker);
void writer_outdent(struct writer *w);

#endif
