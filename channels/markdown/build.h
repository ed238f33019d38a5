#ifndef CHANNELS_MARKDOWN_BUILD_H
#define CHANNELS_MARKDOWN_BUILD_H
/* Builds nodes from md4c's callbacks. */
#include <stddef.h>

struct markdown;

/* Appends the blocks of the text to doc. Returns -1, with doc unchanged, when the text exceeds the node
 * limit. */
int markdown_build(struct markdown *doc, const char *text, size_t len);

#endif
