#ifndef CHANNELS_MARKDOWN_WIDTH_H
#define CHANNELS_MARKDOWN_WIDTH_H
/* Columns that a text takes in a font of fixed width: none for combining marks, two for East Asian wide
 * characters and emoji (Unicode 15, UAX 11). */
#include <stddef.h>

size_t markdown_width(const char *s, size_t len);

#endif
