#ifndef BASE_SHA256_H
#define BASE_SHA256_H
/* SHA-256 (FIPS 180-4) by libcrypto, as 64 digits of lower-case hexadecimal. */
#include <stddef.h>

#define SHA256_TEXT_SIZE 65

struct evp_md_ctx_st; /* libcrypto's */

/* Incremental hashing; sha256_end frees what sha256_begin takes. */
struct sha256 {
	struct evp_md_ctx_st *context;
};

void sha256_begin(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *data, size_t len);
/* out holds SHA256_TEXT_SIZE. */
void sha256_end(struct sha256 *h, char *out);
/* Hashes in one call. */
void sha256_text(const void *data, size_t len, char *out);

#endif
