#ifndef CHANNELS_MARKDOWN_TABLE_H
#define CHANNELS_MARKDOWN_TABLE_H
/* Formats a table as aligned lines for a monospaced font. Cells lose their formatting. */
#include <stdbool.h>
#include <stddef.h>

#define MARKDOWN_TABLE_SEPARATOR " | "

struct buf;
struct markdown_node;

struct markdown_table {
	size_t columns;
	size_t *widths;
	size_t total; /* width of a line in columns */
	bool rich;    /* has content that monospaced text cannot show: links, line breaks */
	bool fenced;  /* contains a fence of three backticks */
};

void markdown_table_measure(struct markdown_table *g, const struct markdown_node *table);
void markdown_table_clear(struct markdown_table *g);
/* Append one line without its end: a row, or the rule below the header. */
void markdown_table_row(const struct markdown_table *g, const struct markdown_node *row, struct buf *line);
void markdown_table_rule(const struct markdown_table *g, struct buf *line);

bool markdown_table_is_empty(const struct markdown_node *row);
/* Show the header row? An empty one is hidden unless it is the only row. */
bool markdown_table_has_header(const struct markdown_node *table);

#endif
