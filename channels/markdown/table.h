#ifndef CHANNELS_MARKDOWN_TABLE_H
#define CHANNELS_MARKDOWN_TABLE_H
/* Turns a table into blocks that platforms without tables can show. */
#include <stddef.h>

struct markdown;
struct markdown_node;

/* Makes blocks a document of its own: a code block of aligned lines; or a paragraph for each row when lines
 * would be wider than columns, or when cells hold what a code block cannot show. CELL nodes in its paragraphs
 * are inlines without a mark, and borrow what they hold from table. Free it with markdown_clear. */
void markdown_table_blocks(struct markdown *blocks, const struct markdown_node *table, size_t columns);

#endif
