#ifndef HELPERS_READER_MARKDOWN_H
#define HELPERS_READER_MARKDOWN_H
/* Text in the manner of Markdown, written run by run: what parts blocks, and what leads a line, is put where
 * text follows. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define WRITER_INDENTS 24

struct writer {
	struct buf out;
	size_t most;       /* bytes of out; what is beyond is dropped, and full is set */
	struct buf prefix; /* of each line */
	struct buf marker; /* of the next line, in place of as many bytes at the end of the prefix */
	struct buf lead;   /* before the next run */
	unsigned char indents[WRITER_INDENTS];
	unsigned indent_count, indents_skipped;
	unsigned breaks; /* line ends before the next run: 2 is a blank line */
	size_t blank;    /* so much of the prefix stands in that blank line: what both sides have */
	bool space;      /* a blank before the next run */
	bool begun;      /* the line has a run */
	bool full;
	unsigned flat; /* > 0: blocks are parted by blanks: in links, headings and cells */
	bool in_cell;  /* bars are escaped */
};

void writer_init(struct writer *w, size_t most);
void writer_clear(struct writer *w);
/* Runs of white space count as one blank. */
void writer_text(struct writer *w, const char *s);
/* As it stands, with its line ends. */
void writer_verbatim(struct writer *w, const char *s);
/* A sign of ours: begins a run, or is put right behind the last one. */
void writer_sign(struct writer *w, const char *s);
void writer_tail(struct writer *w, const char *s);
/* Ends the line, or with 2 the block. */
void writer_break(struct writer *w, unsigned breaks);
/* Put before the next run; writer_unlead takes back what no run has followed: true when that is so. */
void writer_lead(struct writer *w, const char *s);
bool writer_unlead(struct writer *w, const char *s);
/* Lines begin with s from now on; marker, which is as long, stands in its place in the first one. NULL: s. */
void writer_indent(struct writer *w, const char *s, const char *marker);
void writer_outdent(struct writer *w);

#endif
