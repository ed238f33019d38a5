#ifndef HELPERS_READER_HTML_INTERNAL_H
#define HELPERS_READER_HTML_INTERNAL_H
/* The state of a conversion: the page's tree and the output so far. */
#include <libxml/tree.h>
#include <stdbool.h>

#include "helpers/reader/markdown.h"

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
