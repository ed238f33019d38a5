#ifndef AGENT_UNTRUSTED_TEXT_H
#define AGENT_UNTRUSTED_TEXT_H
/*
 * Makes foreign text safe for a model: it cannot be mistaken for lines of the gateway, which begin with
 * "[", or quoted ones (base/text/quote.h), which begin with "> ". A text can produce neither, whichever
 * character ends a line for a reader.
 */
#include <stddef.h>

struct buf;

/* Appends a person's message verbatim, with a "\" before lines that look like the gateway's. */
void untrusted_text_add(struct buf *out, const char *text);
/* Appends text on one line without brackets, also those that look so, and invisible characters: names, notes.
 */
void untrusted_text_add_line(struct buf *out, const char *text, size_t len);
/* The same in double quotes, with no others in it: titles. */
void untrusted_text_add_quoted(struct buf *out, const char *text, size_t len);

#endif
