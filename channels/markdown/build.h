#ifndef CHANNELS_MARKDOWN_BUILD_H
#define CHANNELS_MARKDOWN_BUILD_H
/* From md4c's callbacks to nodes. For the sources of this folder. */
#include <stddef.h>

struct markdown;

/* Appends the blocks of the text to the document. -1: the text makes more nodes than any that a person wants
 * to read; nothing was appended. */
int markdown_build(struct markdown *doc, const char *text, size_t len);

#endif
