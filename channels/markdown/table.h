#ifndef CHANNELS_MARKDOWN_TABLE_H
#define CHANNELS_MARKDOWN_TABLE_H
/* A table as lines of a font of fixed width, its columns aligned. The text of a cell is without its
 * formatting. */
#include <stdbool.h>
#include <stddef.h>

#define MARKDOWN_TABLE_SEPARATOR " | "

struct buf;
struct markdown_node;

struct markdown_table {
	size_t columns;
	size_t *widths;
	size_t total; /* columns of the font that a line takes */
	bool rich;    /* holds what such a font cannot show: links, lines */
	bool fenced;  /* holds what ends a fence of three backticks */
};

void markdown_table_measure(struct markdown_table *g, const struct markdown_node *table);
void markdown_table_clear(struct markdown_table *g);
/* Append one line each, without its end: a row, and the rule below the header. */
void markdown_table_row(const struct markdown_table *g, const struct markdown_node *row, struct buf *line);
void markdown_table_rule(const struct markdown_table *g, struct buf *line);

bool markdown_table_is_empty(const struct markdown_node *row);
/* Is the first row to be shown? One without words is not, unless it is all there is. */
bool markdown_table_has_header(const struct markdown_node *table);

#endif
