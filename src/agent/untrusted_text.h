#ifndef AGENT_UNTRUSTED_TEXT_H
#define AGENT_UNTRUSTED_TEXT_H
/*
 * How a model is shown what others wrote, so that it cannot be taken for what the gateway says. Lines of the
 * gateway begin with "[", quoted ones (base/text/quote.h) with "> ". Whatever a text holds, it can make
 * neither, also not with the other characters that begin a line for a reader.
 */
#include <stddef.h>

struct buf;

/* Appends what a person says to us: as it stands, but lines that look like the gateway's get a "\" before
 * them. */
void untrusted_text_add(struct buf *out, const char *text);
/* On one line, without brackets: names, titles, notes. */
void untrusted_text_add_line(struct buf *out, const char *text, size_t len);

#endif
