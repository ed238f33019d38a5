#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H
/*
 * UTF-8, and the only functions that cut text. Platforms count differently: Telegram UTF-16 code units,
 * Discord and Slack characters, files bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* Decodes one code point of s[0..len). Returns its length in bytes (1 to 4), or 0 when the bytes are not
 * well-formed UTF-8 (overlong, surrogate, truncated, > U+10FFFF). */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);
void utf8_encode(struct buf *out, uint32_t cp);
bool utf8_valid(const char *s, size_t len);
/* Appends s with U+FFFD for every bad byte, and without DEL, NUL and C0 controls except \t \n \r. Returns
 * the number of bad bytes replaced. */
size_t utf8_sanitize(struct buf *out, const char *s, size_t len);

enum utf8_unit { UTF8_BYTES, UTF8_CHARS, UTF8_UTF16 };
/* Below, a bad byte counts as one unit of its own. */
size_t utf8_count(const char *s, size_t len, enum utf8_unit unit);
/* Returns the largest number of bytes of s that is at most max units and ends between two code points. */
size_t utf8_cut(const char *s, size_t len, size_t max, enum utf8_unit unit);
/* Returns where to split text for a message of at most max units: in the last half at a paragraph, else at
 * a line, else at a blank; else between code points, keeping emoji sequences and combining marks together
 * if possible. The result is > 0 for non-empty text: one code point is taken even when max has no room for
 * it. *skip gets the length of the white space after it to drop; the indentation of the next line stays. */
size_t utf8_break(const char *s, size_t len, size_t max, enum utf8_unit unit, size_t *skip);

#endif
