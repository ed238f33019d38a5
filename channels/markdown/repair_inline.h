#ifndef CHANNELS_MARKDOWN_REPAIR_INLINE_H
#define CHANNELS_MARKDOWN_REPAIR_INLINE_H
/* Repairs inline text: bold next to Chinese or Japanese punctuation, asterisks of a multiplication, what
 * looks like emphasis in a URL, \( \) and \[ \] around math. Code spans are unchanged. */
#include "channels/markdown/repair.h"

struct buf;

/* Appends the line after its prefix, without the line end. */
void repair_inline(const struct line *l, struct buf *out);

#endif
