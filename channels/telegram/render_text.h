#ifndef CHANNELS_TELEGRAM_RENDER_TEXT_H
#define CHANNELS_TELEGRAM_RENDER_TEXT_H
/* The HTML and plain text under construction. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct render {
	struct buf html, plain;
	struct buf html_indent, plain_indent; /* precede each line */
	size_t html_units;                    /* UTF-16 units of html without markup */
	bool begun;                           /* a block was already written */
	bool fresh;      /* the first block of an item or quote follows: no new line needed */
	bool line_empty; /* the indent is still to be written */
	bool verbatim;   /* inside pre or code, where Telegram finds no mentions */
	bool quoted;     /* inside a blockquote, which cannot nest */
};

#define RENDER_INIT                                                                         \
	{                                                                                   \
		BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT, 0, false, false, true, false, false \
	}

void render_clear(struct render *r);
/* Appends text to both: escaped for HTML, with mentions disarmed. */
void render_text(struct render *r, const char *s, size_t len);
void render_str(struct render *r, const char *s);
/* Append to the HTML alone. */
void render_tag(struct render *r, const char *tag);
void render_escape(struct buf *html, const char *s, size_t len);
/* Starts the next line of the same block. */
void render_line(struct render *r);
/* Starts a block after that many line ends. */
void render_block(struct render *r, unsigned lines);

#endif
