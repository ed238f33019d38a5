#ifndef CHANNELS_DISCORD_RENDER_TABLE_H
#define CHANNELS_DISCORD_RENDER_TABLE_H
/* Tables: aligned in a fence, or a paragraph a row where that would wrap. And what the renderer lends for
 * it. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct markdown_node;
struct discord_render;

void discord_render_table(struct discord_render *r, const struct markdown_node *table, unsigned lines);

/* From render.c: what a paragraph or cell holds; its text without formatting; a fence. */
void discord_render_inlines(struct discord_render *r, const struct markdown_node *holder, bool bold);
void discord_render_below(struct buf *out, const struct markdown_node *top);
struct discord_fence {
	char *indent;
};
struct discord_fence discord_fence_begin(
    struct discord_render *r, unsigned lines, const char *language, size_t len);
void discord_fence_end(struct discord_render *r, struct discord_fence *f);

#endif
