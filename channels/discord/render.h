#ifndef CHANNELS_DISCORD_RENDER_H
#define CHANNELS_DISCORD_RENDER_H
/*
 * Renders Markdown as Discord's dialect ("Markdown Text 101", and the client's behaviour): three heading
 * levels, tables as aligned code or as records, images as links, no nested quotes. Pure. The output mentions
 * nobody.
 */
#include <stddef.h>

struct buf;

/* Appends to out. Shows something unless the text is blank. Replaces invalid UTF-8. */
void discord_render(struct buf *out, const char *markdown);
/* Moves the rendering into a cache, for the next rendering of the same text. */
void discord_render_keep(const char *markdown, struct buf *rendering);
/* Returns the length as Discord counts it: in code points. */
size_t discord_render_chars(const char *text, size_t len);

#endif
