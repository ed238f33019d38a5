#ifndef CHANNELS_TELEGRAM_RENDER_HTML_H
#define CHANNELS_TELEGRAM_RENDER_HTML_H
/* From the nodes of a document to the two texts. For the sources of the renderer. */
#include <stdbool.h>
#include <stddef.h>

struct markdown_node;
struct render;

void render_document(struct render *r, const struct markdown_node *root);
/* What a paragraph or cell holds; bold: it stands in bold already. */
void render_inlines(struct render *r, const struct markdown_node *holder, bool bold);

/* Around what must begin a line of its own in HTML, and is not indented there: pre, blockquote. */
struct render_raw {
	char *indent;
	bool verbatim;
};
struct render_raw render_raw_begin(struct render *r, unsigned lines);
void render_raw_end(struct render *r, struct render_raw *raw);

#endif
