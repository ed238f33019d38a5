#ifndef BASE_TEXT_HTML_H
#define BASE_TEXT_HTML_H
/* Foreign text in pages of ours. */
struct buf;

/* Appends the text as it is to be read, between tags and in quoted attributes; what is valid UTF-8 stays so.
 * NULL: nothing. */
void html_add(struct buf *out, const char *text);

#endif
