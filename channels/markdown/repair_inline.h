#ifndef CHANNELS_MARKDOWN_REPAIR_INLINE_H
#define CHANNELS_MARKDOWN_REPAIR_INLINE_H
/*
 * Mends what stands in a line of text: bold beside Chinese or Japanese punctuation, the stars of a
 * multiplication, what looks like emphasis in a URL, \( \) and \[ \] around mathematics. Code in the line
 * stays as it is.
 */
#include "channels/markdown/repair.h"

struct buf;

/* Appends the line behind its prefix, without its end. */
void repair_inline(const struct line *l, struct buf *out);

#endif
