#ifndef CHANNELS_MARKDOWN_WIDTH_H
#define CHANNELS_MARKDOWN_WIDTH_H
/* Returns the columns that a text takes in a monospaced font: 0 for combining marks, 2 for East Asian wide
 * characters and emoji (Unicode 15, UAX #11). Libraries (uc_width of libunistring, utf8proc_charwidth) and
 * glibc's wcwidth judge single code points, not emoji sequences, and wcwidth needs a UTF-8 locale. */
#include <stddef.h>

size_t markdown_width(const char *s, size_t len);

#endif
