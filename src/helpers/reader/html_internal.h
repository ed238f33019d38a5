#ifndef HELPERS_READER_HTML_INTERNAL_H
#define HELPERS_READER_HTML_INTERNAL_H
/* A page that is being read: its tree, and what has been written of it. Private to the reader. */
#include <libxml/tree.h>
#include <stdbool.h>

#include "helpers/reader/markdown.h"

struct page {
	struct writer w;
	char *base; /* for links */
	bool keep_navigation;
	unsigned verbatim; /* inside <pre>: how deep */
	bool fresh;        /* and no text has come yet */
	unsigned links;    /* inside <a>: how deep; one in another is none */
	char *link;        /* where the outer one leads; NULL: nowhere */
	char fence[16];
	/* The table of cells that is open; NULL: none. */
	xmlNode *table;
	unsigned rows, cells;
	int list_next[16]; /* the next number of each open list; 0: it has none */
	unsigned lists;
};

enum element_flag {
	ELEMENT_SKIP = 1,
	ELEMENT_BLOCK = 2,  /* with a blank line around it */
	ELEMENT_LINE = 4,   /* on lines of its own */
	ELEMENT_COMPLEX = 8 /* not in a cell of a table that is written as one */
};

struct element {
	const char *name;
	unsigned flags;
	void (*enter)(struct page *p, xmlNode *node);
	void (*leave)(struct page *p, xmlNode *node);
};

/* NULL: one that has no meaning here. */
const struct element *element_of(const xmlNode *node);
/* Is it left out with everything in it? */
bool element_is_hidden(const struct page *p, xmlNode *node);

/* An attribute, malloc'd by libxml2; NULL: there is none. */
char *page_attribute(xmlNode *node, const char *name);
/* The next node in document order, not into node when !into, nor out of root; NULL: none is left. */
xmlNode *page_next(xmlNode *node, const xmlNode *root, bool into);

/* A table of cells, as against one that only arranges. */
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
