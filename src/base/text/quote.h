#ifndef BASE_TEXT_QUOTE_H
#define BASE_TEXT_QUOTE_H
/* Quotes foreign text for a model: every line begins with "> ", whichever character ends a line for a
 * reader. */
#include <stddef.h>

struct buf;

/* Returns the length in bytes of a line end at s; 0 when there is none. */
size_t quote_line_end(const char *s, size_t len);
/* Appends the text as quoted lines, after "WHO: " when who is given; ends with a newline. */
void quote_text(struct buf *out, const char *who, const char *text, size_t len);

#endif
