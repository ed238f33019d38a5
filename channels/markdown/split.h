#ifndef CHANNELS_MARKDOWN_SPLIT_H
#define CHANNELS_MARKDOWN_SPLIT_H
/*
 * Cuts Markdown into parts that a platform takes as messages, each of which renders alone. Best between
 * blocks, else between lines, sentences, words; never within a character, nor, unless it has no end, within a
 * link or code. Fences and spans are closed and opened again, lists keep their numbers, tables repeat their
 * header. Nothing is left out but blanks.
 */
#include <stddef.h>

enum markdown_fit { MARKDOWN_FITS, MARKDOWN_TOO_LONG, MARKDOWN_BLANK };

struct markdown_limit {
	size_t units; /* UTF-16 units that a message can have, at least 500 */
	/* Renders the part and says whether it can be a message of so many units. A text of a tenth of them
	 * must fit. */
	enum markdown_fit (*fit)(const char *part, size_t units);
};

/* A NULL-terminated array of valid UTF-8 texts, at least one: a blank one where there is nothing to show. A
 * text that fits is one part, as it is. Pure. */
char **markdown_split(const char *text, const struct markdown_limit *limit);

#endif
