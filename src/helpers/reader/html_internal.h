#ifndef HELPERS_READER_HTML_INTERNAL_H
#define HELPERS_READER_HTML_INTERNAL_H
/* The state of a conversion: the page's tree and the output so far. */
#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* markdown.c: Writes Markdown run by run: separators between blocks and prefixes of lines are written only
 * when text follows. */

#define WRITER_INDENTS 24

struct writer {
	struct buf out;
	size_t max;        /* maximum bytes of out; sets full and drops the rest */
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

void writer_init(struct writer *w, size_t max);
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

struct page {
	struct writer w;
	char *base; /* for links */
	bool keep_navigation;
	unsigned verbatim; /* depth inside <pre> */
	bool fresh;        /* and without text so far */
	unsigned links;    /* depth inside <a>; nested ones do not count */
	char *link;        /* target of the outer one; NULL for none */
	char fence[16];
	/* The open data table; NULL for none. */
	xmlNode *table;
	unsigned rows, cells;
	int list_next[16]; /* next number of each open list; 0 for unnumbered */
	unsigned lists;
};

enum element_flag {
	ELEMENT_SKIP = 1,
	ELEMENT_BLOCK = 2,  /* surrounded by blank lines */
	ELEMENT_LINE = 4,   /* on its own lines */
	ELEMENT_COMPLEX = 8 /* not allowed in a cell of a data table */
};

struct element {
	const char *name;
	unsigned flags;
	void (*enter)(struct page *p, xmlNode *node);
	void (*leave)(struct page *p, xmlNode *node);
};

/* Returns NULL for an element without meaning here. */
const struct element *element_of(const xmlNode *node);
/* Returns true when the element and its contents are left out. */
bool element_is_hidden(const struct page *p, xmlNode *node);

/* Returns an attribute, malloc'd by libxml2; NULL for none. */
char *page_attribute(xmlNode *node, const char *name);
/* Returns the next node in document order within root, skipping the children of node unless into; NULL at
 * the end. */
xmlNode *page_next(xmlNode *node, const xmlNode *root, bool into);

/* Returns true for a table of data, false for one used for layout. */
bool table_is_data(xmlNode *node);
void table_enter(struct page *p, xmlNode *node);
void table_leave(struct page *p, xmlNode *node);
void row_enter(struct page *p, xmlNode *node);
void row_leave(struct page *p, xmlNode *node);
void cell_enter(struct page *p, xmlNode *node);
void cell_leave(struct page *p, xmlNode *node);

void link_enter(struct page *p, xmlNode *node);
void link_leave(struct page *p, xmlNode *node);
void image_enter(struct page *p, xmlNode *node);

#endif
