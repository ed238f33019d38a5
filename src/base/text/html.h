#ifndef BASE_TEXT_HTML_H
#define BASE_TEXT_HTML_H
/* Escapes foreign text for our HTML pages. */
struct buf;

/* Appends the text escaped for element content and quoted attributes. Valid UTF-8 stays valid. NULL appends
 * nothing. */
void html_add(struct buf *out, const char *text);

#endif
