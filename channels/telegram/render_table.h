#ifndef CHANNELS_TELEGRAM_RENDER_TABLE_H
#define CHANNELS_TELEGRAM_RENDER_TABLE_H
/* Renders a table aligned in a monospaced font, or as one paragraph per row when that is too wide for a
 * phone. */
struct markdown_node;
struct render;

void render_table(struct render *r, const struct markdown_node *table, unsigned lines);

#endif
