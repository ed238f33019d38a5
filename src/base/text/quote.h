#ifndef BASE_TEXT_QUOTE_H
#define BASE_TEXT_QUOTE_H
/* How a model is shown what others wrote: in lines that all begin with "> ", whatever character begins a line
 * for a reader. */
#include <stddef.h>

struct buf;

/* The bytes of the end of a line at s; 0: there is none. */
size_t quote_line_end(const char *s, size_t len);
/* Appends the text as such lines, behind "WHO: " when who is given; ends with a new line. */
void quote_text(struct buf *out, const char *who, const char *text, size_t len);

#endif
