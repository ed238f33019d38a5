#ifndef CHANNELS_TELEGRAM_RENDER_HTML_H
#define CHANNELS_TELEGRAM_RENDER_HTML_H
/* Writes the nodes of a document as HTML and as plain text. */
struct markdown_node;
struct render;

void render_document(struct render *r, const struct markdown_node *root);

#endif
