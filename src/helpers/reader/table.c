#include <stdlib.h>
#include <string.h>

#include "helpers/reader/html_internal.h"

#define SPAN_MAX 32

static bool is_named(const xmlNode *node, const char *name)
{
	return node && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static bool is_cell(const xmlNode *node)
{
	return is_named(node, "td") || is_named(node, "th");
}

/* Stops at the first sign of a layout table, so that nested tables cost no more than their length. */
bool table_is_data(xmlNode *table)
{
	unsigned most = 0, cells = 0;

	for (xmlNode *n = page_next(table, table, true); n; n = page_next(n, table, true)) {
		const struct element *e = element_of(n);
		if (e && e->flags & ELEMENT_COMPLEX)
			return false;
		cells = is_named(n, "tr") ? 0 : cells + is_cell(n);
		most = cells > most ? cells : most;
	}
	return most > 1;
}

void table_enter(struct page *p, xmlNode *node)
{
	writer_break(&p->w, 2);
	/* A link or a heading cannot contain lines. */
	if (p->table || p->w.flat > 0 || p->verbatim > 0 || !table_is_data(node))
		return;
	p->table = node;
	p->rows = p->cells = 0;
}

void table_leave(struct page *p, xmlNode *node)
{
	if (p->table == node)
		p->table = NULL;
	writer_break(&p->w, 2);
}

void row_enter(struct page *p, xmlNode *node)
{
	(void)node;
	p->cells = 0;
	writer_break(&p->w, 1);
}

void row_leave(struct page *p, xmlNode *node)
{
	(void)node;
	if (p->table && p->cells > 0) {
		writer_tail(&p->w, "|");
		if (p->rows++ == 0) {
			writer_break(&p->w, 1);
			writer_sign(&p->w, "|");
			for (unsigned i = 0; i < p->cells; i++)
				writer_tail(&p->w, " --- |");
		}
	}
	writer_break(&p->w, 1);
}

static unsigned span_of(xmlNode *cell)
{
	char *text = page_attribute(cell, "colspan");
	long span = text ? strtol(text, NULL, 10) : 1;

	xmlFree(text);
	return span < 1 ? 1 : span > SPAN_MAX ? SPAN_MAX : (unsigned)span;
}

void cell_enter(struct page *p, xmlNode *node)
{
	(void)node;
	if (!p->table) {
		writer_break(&p->w, 1);
		return;
	}
	writer_sign(&p->w, "|");
	p->w.space = true;
	p->w.flat++;
	p->w.in_cell = true;
}

void cell_leave(struct page *p, xmlNode *node)
{
	if (!p->table) {
		writer_break(&p->w, 1);
		return;
	}
	p->w.flat--;
	p->w.in_cell = false;
	p->w.space = false;
	writer_tail(&p->w, " ");
	p->cells++;
	for (unsigned span = span_of(node); span > 1; span--, p->cells++)
		writer_tail(&p->w, "| ");
}
