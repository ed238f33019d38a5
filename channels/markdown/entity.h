#ifndef CHANNELS_MARKDOWN_ENTITY_H
#define CHANNELS_MARKDOWN_ENTITY_H
/* Character references: "&amp;", "&#8212;", "&#x2014;" (CommonMark, entity references; of the named ones
 * those in use). */
#include <stddef.h>

struct buf;

/* Appends what the reference s[0..len) stands for, or its own text when it is not known. */
void markdown_entity(struct buf *out, const char *s, size_t len);

#endif
