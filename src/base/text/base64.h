#ifndef BASE_TEXT_BASE64_H
#define BASE_TEXT_BASE64_H
/* Base64 as RFC 4648 section 4 has it: the standard alphabet, padded. libcrypto decodes nothing without
 * padding, and counts padding as bytes. */
#include <stddef.h>

struct buf;

void base64_encode(struct buf *out, const void *data, size_t len);
/* Appends the decoded bytes. Returns -1 on invalid base64 (white space is invalid, padding is optional);
 * out keeps the bytes decoded before the error. */
int base64_decode(struct buf *out, const char *text, size_t len);

#endif
