#include "base/sha256.h"

#include <openssl/evp.h>
#include <stdlib.h>

/* None of the calls fails but for want of memory, or for a libcrypto that is set up without SHA-256. */
static void expect(int ok)
{
	if (ok != 1)
		abort();
}

void sha256_begin(struct sha256 *h)
{
	h->context = EVP_MD_CTX_new();
	expect(EVP_DigestInit_ex(h->context, EVP_sha256(), NULL));
}

void sha256_add(struct sha256 *h, const void *data, size_t len)
{
	expect(EVP_DigestUpdate(h->context, data, len));
}

void sha256_end(struct sha256 *h, char *out)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char hash[EVP_MAX_MD_SIZE];
	unsigned len;

	expect(EVP_DigestFinal_ex(h->context, hash, &len));
	EVP_MD_CTX_free(h->context);
	h->context = NULL;
	for (unsigned i = 0; i < len; i++) {
		*out++ = digits[hash[i] >> 4];
		*out++ = digits[hash[i] & 0xf];
	}
	*out = '\0';
}

void sha256_text(const void *data, size_t len, char *out)
{
	struct sha256 h;

	sha256_begin(&h);
	sha256_add(&h, data, len);
	sha256_end(&h, out);
}
