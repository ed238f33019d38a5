#ifndef CHANNELS_MARKDOWN_ENTITY_H
#define CHANNELS_MARKDOWN_ENTITY_H
/* Decodes character references such as "&amp;", "&#8212;" and "&#x2014;" (CommonMark, "Entity and numeric
 * character references"); of the named ones only the common. */
#include <stddef.h>

struct buf;

/* Appends the decoded reference s[0..len), or the text itself when it is unknown. */
void markdown_entity(struct buf *out, const char *s, size_t len);

#endif
