#ifndef CHANNELS_MARKDOWN_SECTION_H
#define CHANNELS_MARKDOWN_SECTION_H
/* Feeds md4c the text in sections, which bounds its quadratic cases. Repairs each section (repair.h). */
#include <stdbool.h>
#include <stddef.h>

#include "channels/markdown/repair.h"

struct buf;

struct section_reader {
	const char *at, *end; /* the rest of the text */
	struct markdown_repair markdown_repair;
	/* The open fence. */
	char fence; /* '`', '~', or 0 */
	size_t fence_len;
	const char *opener; /* its first line, repeated when a section continues the fence */
	size_t opener_len;
};

/* Replaces out with the next section. Returns false at the end. */
bool section_read(struct section_reader *r, struct buf *out);

#endif
