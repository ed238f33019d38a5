#ifndef CHANNELS_TELEGRAM_RENDER_HTML_H
#define CHANNELS_TELEGRAM_RENDER_HTML_H
/* Writes the nodes of a document as HTML and as plain text. */
#include <stdbool.h>
#include <stddef.h>

struct markdown_node;
struct render;

void render_document(struct render *r, const struct markdown_node *root);
/* Writes the inlines of a paragraph or cell. bold: the surrounding text is bold already. */
void render_inlines(struct render *r, const struct markdown_node *holder, bool bold);

/* State around pre and blockquote, which start their own line in HTML and are not indented. */
struct render_raw {
	char *indent;
	bool verbatim;
};
struct render_raw render_raw_begin(struct render *r, unsigned lines);
void render_raw_end(struct render *r, struct render_raw *raw);

#endif
