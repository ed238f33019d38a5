#ifndef CHANNELS_DISCORD_RENDER_TABLE_H
#define CHANNELS_DISCORD_RENDER_TABLE_H
/* Renders a table aligned in a code block, or as one paragraph per row when lines would wrap; and declares
 * what it uses of render.c. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct markdown_node;
struct discord_render;

void discord_render_table(struct discord_render *r, const struct markdown_node *table, unsigned lines);

/* Defined in render.c: write the inlines of a paragraph or cell; append the plain text of a subtree; write
 * a code fence. */
void discord_render_inlines(struct discord_render *r, const struct markdown_node *holder, bool bold);
void discord_render_below(struct buf *out, const struct markdown_node *top);
struct discord_fence {
	char *indent;
};
struct discord_fence discord_fence_begin(
    struct discord_render *r, unsigned lines, const char *language, size_t len);
void discord_fence_end(struct discord_render *r, struct discord_fence *f);

#endif
