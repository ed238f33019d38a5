#ifndef CHANNELS_DISCORD_RENDER_H
#define CHANNELS_DISCORD_RENDER_H
/*
 * Markdown as Discord's flavour of it ("Markdown Text 101", and the client's behaviour): headings of three
 * levels, tables as aligned code or records, images as links, no nested quotes. Pure. Nothing in the result
 * mentions anybody.
 */
#include <stddef.h>

struct buf;

/* Appends to out. Whatever the text is, something of it shows unless it is blank. Bad UTF-8 is cleaned. */
void discord_render(struct buf *out, const char *markdown);
/* Characters as Discord counts them: code points. */
size_t discord_render_chars(const char *text, size_t len);

#endif
