#ifndef HELPERS_READER_CHARSET_H
#define HELPERS_READER_CHARSET_H
/* In which characters a text is written, and the same in UTF-8. */
#include <stddef.h>

struct buf;
struct charset;

/* Of a text: by its mark, by what the server says (may be ""), by what it says itself, or by what it looks
 * like. To be opened before the process is confined: a converter may be a file. */
struct charset *charset_open(const char *data, size_t len, const char *said);
const char *charset_name(const struct charset *c);
/* Appends the text as valid UTF-8 without its mark and without controls; what is no character becomes
 * U+FFFD. */
void charset_convert(struct charset *c, struct buf *out, const char *data, size_t len);
void charset_close(struct charset *c);

#endif
