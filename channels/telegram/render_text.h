#ifndef CHANNELS_TELEGRAM_RENDER_TEXT_H
#define CHANNELS_TELEGRAM_RENDER_TEXT_H
/* The two texts that grow together while a document is rendered. For the sources of the renderer. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct render {
	struct buf html, plain;
	struct buf html_indent, plain_indent; /* in front of each line */
	size_t html_units;                    /* UTF-16 units of html without its markup */
	bool begun;                           /* a block stands before this one */
	bool fresh;      /* the first block of an item or quote follows: it needs no line of its own */
	bool line_empty; /* the indent is not written yet */
	bool verbatim;   /* inside pre or code: Telegram finds no mentions there */
	bool quoted;     /* inside a blockquote, which cannot hold another */
};

#define RENDER_INIT                                                                         \
	{                                                                                   \
		BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT, 0, false, false, true, false, false \
	}

void render_clear(struct render *r);
/* Text for both: escaped for HTML, its mentions made harmless. */
void render_text(struct render *r, const char *s, size_t len);
void render_str(struct render *r, const char *s);
/* For one of them. */
void render_plain_str(struct render *r, const char *s);
void render_tag(struct render *r, const char *tag);
void render_escape(struct buf *html, const char *s, size_t len);
/* The next line of the same block. */
void render_line(struct render *r);
/* Begins a block, so many line ends below what stands before it. */
void render_block(struct render *r, unsigned lines);

#endif
