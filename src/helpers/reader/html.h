#ifndef HELPERS_READER_HTML_H
#define HELPERS_READER_HTML_H
/*
 * Converts an HTML page to readable text in Markdown style: headings, lists, quotes, code, tables, links
 * with absolute URLs. Leaves out scripts, navigation and hidden parts; everything else stays in order.
 */
#include <stddef.h>

struct buf;

struct html_options {
	const char *url; /* of the page, for its links; may be "" */
	size_t max;      /* maximum bytes of text */
};

/* Appends the text. html is valid UTF-8 without NUL. Memory and time grow with the page, and faster for
 * malicious pages: the caller sets limits. */
void html_to_markdown(struct buf *out, const char *html, size_t len, const struct html_options *options);

#endif
