#ifndef BASE_SHA256_H
#define BASE_SHA256_H
/* SHA-256 (FIPS 180-4), as 64 digits of lower-case hexadecimal. */
#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK     64
#define SHA256_TEXT_SIZE 65

/* Incremental hashing. */
struct sha256 {
	uint32_t state[8];
	unsigned char rest[SHA256_BLOCK]; /* len % SHA256_BLOCK bytes of the last, incomplete block */
	uint64_t len;
};

void sha256_begin(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *data, size_t len);
/* out holds SHA256_TEXT_SIZE. */
void sha256_end(struct sha256 *h, char *out);
/* Hashes in one call. */
void sha256_text(const void *data, size_t len, char *out);

#endif
