#ifndef BASE_SHA256_H
#define BASE_SHA256_H
/* SHA-256 (FIPS 180-4) of a text, as 64 digits of lower-case hexadecimal. */
#include <stddef.h>

#define SHA256_TEXT_SIZE 65

/* out holds SHA256_TEXT_SIZE. */
void sha256_text(const void *data, size_t len, char *out);

#endif
