#ifndef CHANNELS_MARKDOWN_SECTION_H
#define CHANNELS_MARKDOWN_SECTION_H
/* Gives md4c a text in sections, so that what is quadratic in it stays small. Each is mended on the way:
 * mend.h. */
#include <stdbool.h>
#include <stddef.h>

#include "channels/markdown/repair.h"

struct buf;

struct section_reader {
	const char *at, *end; /* what is left */
	struct markdown_repair markdown_repair;
	/* The fence that is open. */
	char fence; /* '`', '~', or 0 */
	size_t fence_len;
	const char *opener; /* its line, for the section that goes on with it */
	size_t opener_len;
};

/* Puts the next section in place of what out holds; false at the end. */
bool section_read(struct section_reader *r, struct buf *out);

#endif
