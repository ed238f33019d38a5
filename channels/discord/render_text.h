#ifndef CHANNELS_DISCORD_RENDER_TEXT_H
#define CHANNELS_DISCORD_RENDER_TEXT_H
/* The text under construction. Escapes plain text that Discord would read as markup. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct discord_render {
	struct buf out;
	struct buf indent; /* precedes each line */
	bool begun;        /* a block was already written */
	bool fresh;        /* the first block of an item or quote follows: no new line needed */
	bool line_empty;   /* the indent is still to be written */
	bool start;        /* the line has only blanks and list or quote marks so far */
	bool quoted;
	const char *target; /* the next "](" of the words, or their end; NULL: not looked for */
};

#define DISCORD_RENDER_INIT                                               \
	{                                                                 \
		BUF_INIT, BUF_INIT, false, false, true, true, false, NULL \
	}

/* Writes s unescaped after the indent. */
void discord_render_put(struct discord_render *r, const char *s, size_t len);
void discord_render_mark(struct discord_render *r, const char *mark);
/* Writes text; escapes markup and mentions. */
void discord_render_words(struct discord_render *r, const char *s, size_t len);
/* Starts the next line of the same block. */
void discord_render_line(struct discord_render *r);
/* Starts a block after that many line ends. */
void discord_render_block(struct discord_render *r, unsigned lines);

#endif
