#ifndef HELPERS_READER_HTML_H
#define HELPERS_READER_HTML_H
/*
 * The readable text of an HTML page, in the manner of Markdown: headings, lists, quotes, code, tables, links
 * with whole URLs. Scripts, navigation and what is hidden are left out; everything else stays, in its order.
 */
#include <stddef.h>

struct buf;

struct html_options {
	const char *url; /* of the page, for its links; may be "" */
	size_t most;     /* bytes of text */
};

/* Appends it. html is valid UTF-8 and holds no NUL. Memory and time grow with the page, but for pages that
 * are made to cost more: the caller has limits. */
void html_to_markdown(struct buf *out, const char *html, size_t len, const struct html_options *options);

#endif
