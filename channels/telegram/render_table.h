#ifndef CHANNELS_TELEGRAM_RENDER_TABLE_H
#define CHANNELS_TELEGRAM_RENDER_TABLE_H
/* Tables: aligned in a font of fixed width, or a paragraph a row where that would not fit a phone. */
struct markdown_node;
struct render;

void render_table(struct render *r, const struct markdown_node *table, unsigned lines);

#endif
