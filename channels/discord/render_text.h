#ifndef CHANNELS_DISCORD_RENDER_TEXT_H
#define CHANNELS_DISCORD_RENDER_TEXT_H
/* The text that grows while a document is rendered, and how plain words are written so that they stay what
 * they are. For the sources of the renderer. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct discord_render {
	struct buf out;
	struct buf indent; /* in front of each line */
	bool begun;        /* a block stands before this one */
	bool fresh;        /* the first block of an item or quote follows: it needs no line of its own */
	bool line_empty;   /* the indent is not written yet */
	bool start;        /* nothing but blanks and marks of ours in this line so far */
	bool quoted;
};

#define DISCORD_RENDER_INIT                                         \
	{                                                           \
		BUF_INIT, BUF_INIT, false, false, true, true, false \
	}

/* As it is, behind the indent. */
void discord_render_put(struct discord_render *r, const char *s, size_t len);
void discord_render_mark(struct discord_render *r, const char *mark);
/* Words: escaped where Discord would read a mark or a mention. */
void discord_render_words(struct discord_render *r, const char *s, size_t len);
/* The next line of the same block. */
void discord_render_line(struct discord_render *r);
/* Begins a block, so many line ends below what stands before it. */
void discord_render_block(struct discord_render *r, unsigned lines);

#endif
