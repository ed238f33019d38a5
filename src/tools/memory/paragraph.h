#ifndef TOOLS_MEMORY_PARAGRAPH_H
#define TOOLS_MEMORY_PARAGRAPH_H
/* Splits a text into paragraphs and searches them without regard to case. */
#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Returns the start of the next paragraph without blank lines, *len bytes long, and moves *text past it;
 * NULL after the last. Blank lines separate paragraphs. */
const char *paragraph_next(const char **text, size_t *len);
/* Appends s in lower case (UTF-8); bad bytes stay. On any thread. */
void paragraph_fold(struct buf *out, const char *s, size_t len);
/* Returns true when the paragraph contains the folded text. */
bool paragraph_holds(const char *s, size_t len, const struct buf *folded);

#endif
