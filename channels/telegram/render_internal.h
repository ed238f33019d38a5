#ifndef CHANNELS_TELEGRAM_RENDER_INTERNAL_H
#define CHANNELS_TELEGRAM_RENDER_INTERNAL_H
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct markdown_node;

/* The HTML and plain text under construction. */
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
/* Writes the nodes of a document as both. */
void render_document(struct render *r, const struct markdown_node *root);

/* How a link of the Markdown is rendered. */
enum render_link {
	RENDER_LINKED,
	RENDER_WRITTEN, /* the target is written as text: not a URL to open, but worth reading */
	RENDER_DROPPED  /* only the link text is kept: an anchor, a mention of a user, or too long */
};

enum render_link render_link_of(const char *target, size_t len);

#endif
