#ifndef HELPERS_READER_CHARSET_H
#define HELPERS_READER_CHARSET_H
/* Detects the character encoding of a text and converts it to UTF-8. */
#include <stddef.h>

struct buf;
struct charset;

/* Detects the encoding: from a byte order mark, the server's header (may be ""), a declaration in the text,
 * or the bytes. Open it before the process is confined: a converter may be a file. */
struct charset *charset_open(const char *data, size_t len, const char *label);
const char *charset_name(const struct charset *c);
/* Appends the text as valid UTF-8 without the byte order mark and controls; invalid bytes become U+FFFD. */
void charset_convert(struct charset *c, struct buf *out, const char *data, size_t len);
void charset_close(struct charset *c);

#endif
