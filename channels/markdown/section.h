#ifndef CHANNELS_MARKDOWN_SECTION_H
#define CHANNELS_MARKDOWN_SECTION_H
/*
 * Gives md4c a text in sections, so that what is quadratic in it stays small, and mends what models
 * often get wrong: a table directly below a line of text, a footnote that would be taken for the definition of a link.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;

struct section_reader {
	const char *at, *end;		/* what is left */
	/* The fence that is open. */
	char fence;			/* '`', '~', or 0 */
	size_t fence_len;
	const char *opener;		/* its line, for the section that goes on with it */
	size_t opener_len;
};

/* Puts the next section in place of what out holds; false at the end. */
bool section_read(struct section_reader *r, struct buf *out);

#endif
