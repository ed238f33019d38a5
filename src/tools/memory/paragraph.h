#ifndef TOOLS_MEMORY_PARAGRAPH_H
#define TOOLS_MEMORY_PARAGRAPH_H
/* Paragraphs of a text, and which of them hold a word, whatever its case. */
#include <stdbool.h>
#include <stddef.h>

struct buf;

/* The next paragraph of *text, which moves on behind it: its beginning, without blank lines, *len bytes; NULL
 * after the last. Lines of blanks part paragraphs. */
const char *paragraph_next(const char **text, size_t *len);
/* Appends s in lower case, as UTF-8 has it; bad bytes stay. On any thread. */
void paragraph_fold(struct buf *out, const char *s, size_t len);
/* Does the paragraph hold the text that folded is? */
bool paragraph_holds(const char *s, size_t len, const struct buf *folded);

#endif
