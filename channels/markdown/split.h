#ifndef CHANNELS_MARKDOWN_SPLIT_H
#define CHANNELS_MARKDOWN_SPLIT_H
/*
 * Splits Markdown into messages, each of which renders alone. Prefers block boundaries, then lines, sentences
 * and words. Never splits a character; splits a link or code span only when it is longer than a message.
 * Closes and reopens fences and spans, keeps list numbers, and repeats table headers. Drops nothing but
 * blanks.
 */
#include <stddef.h>

enum markdown_fit { MARKDOWN_FITS, MARKDOWN_TOO_LONG, MARKDOWN_BLANK };

struct markdown_limit {
	size_t units; /* maximum UTF-16 units of a message, at least 500 */
	/* Renders the part and reports whether it fits into a message. A text of a tenth of the units must
	 * fit. */
	enum markdown_fit (*fit)(const char *part, size_t units);
};

/* Returns a NULL-terminated array of at least one valid UTF-8 text; the only part is blank when there is
 * nothing to show. A text that fits is returned unchanged. Pure. The caller frees array and texts. */
char **markdown_split(const char *text, const struct markdown_limit *limit);

#endif
