#include "base/sha256.h"

#include <string.h>

#define BLOCK SHA256_BLOCK

static const uint32_t constants[BLOCK] = {
    0x428a2f98,
    0x71374491,
    0xb5c0fbcf,
    0xe9b5dba5,
    0x3956c25b,
    0x59f111f1,
    0x923f82a4,
    0xab1c5ed5,
    0xd807aa98,
    0x12835b01,
    0x243185be,
    0x550c7dc3,
    0x72be5d74,
    0x80deb1fe,
    0x9bdc06a7,
    0xc19bf174,
    0xe49b69c1,
    0xefbe4786,
    0x0fc19dc6,
    0x240ca1cc,
    0x2de92c6f,
    0x4a7484aa,
    0x5cb0a9dc,
    0x76f988da,
    0x983e5152,
    0xa831c66d,
    0xb00327c8,
    0xbf597fc7,
    0xc6e00bf3,
    0xd5a79147,
    0x06ca6351,
    0x14292967,
    0x27b70a85,
    0x2e1b2138,
    0x4d2c6dfc,
    0x53380d13,
    0x650a7354,
    0x766a0abb,
    0x81c2c92e,
    0x92722c85,
    0xa2bfe8a1,
    0xa81a664b,
    0xc24b8b70,
    0xc76c51a3,
    0xd192e819,
    0xd6990624,
    0xf40e3585,
    0x106aa070,
    0x19a4c116,
    0x1e376c08,
    0x2748774c,
    0x34b0bcb5,
    0x391c0cb3,
    0x4ed8aa4a,
    0x5b9cca4f,
    0x682e6ff3,
    0x748f82ee,
    0x78a5636f,
    0x84c87814,
    0x8cc70208,
    0x90befffa,
    0xa4506ceb,
    0xbef9a3f7,
    0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned n)
{
	return (x >> n) | (x << (32 - n));
}

static void fill_schedule(uint32_t *w, const unsigned char *block)
{
	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[i * 4] << 24 | (uint32_t)block[i * 4 + 1] << 16 |
		    (uint32_t)block[i * 4 + 2] << 8 | block[i * 4 + 3];
	for (size_t i = 16; i < BLOCK; i++) {
		uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
		uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
}

static void add_block(uint32_t *state, const unsigned char *block)
{
	uint32_t w[BLOCK], s[8];

	fill_schedule(w, block);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < BLOCK; i++) {
		uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]),
			 most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		uint32_t a = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + choose +
		    constants[i] + w[i];
		uint32_t b = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + most;
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += a;
		s[0] = a + b;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += s[i];
}

/* Appends the rest of the data, a bit, zeros, and the length in bits: one block, or two. */
static void add_end(uint32_t *state, const unsigned char *rest, size_t len, uint64_t bits)
{
	unsigned char last[2 * BLOCK] = {0};
	size_t blocks = len + 9 > BLOCK ? 2 : 1;

	memcpy(last, rest, len);
	last[len] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[blocks * BLOCK - 1 - i] = (unsigned char)(bits >> (8 * i));
	for (size_t i = 0; i < blocks; i++)
		add_block(state, last + i * BLOCK);
}

void sha256_begin(struct sha256 *h)
{
	static const uint32_t state[8] = {
	    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	h->len = 0;
	memcpy(h->state, state, sizeof(state));
}

void sha256_add(struct sha256 *h, const void *data, size_t len)
{
	const unsigned char *bytes = data;
	size_t have = h->len % BLOCK, fill = len < BLOCK - have ? len : BLOCK - have;

	h->len += len;
	if (have > 0) {
		memcpy(h->rest + have, bytes, fill);
		if (have + fill < BLOCK)
			return;
		add_block(h->state, h->rest);
		bytes += fill;
		len -= fill;
	}
	for (; len >= BLOCK; len -= BLOCK, bytes += BLOCK)
		add_block(h->state, bytes);
	if (len > 0)
		memcpy(h->rest, bytes, len);
}

void sha256_end(struct sha256 *h, char *out)
{
	static const char digits[] = "0123456789abcdef";

	add_end(h->state, h->rest, h->len % BLOCK, h->len * 8);
	for (size_t i = 0; i < 64; i++)
		out[i] = digits[(h->state[i / 8] >> (28 - 4 * (i % 8))) & 0xf];
	out[64] = '\0';
}

void sha256_text(const void *data, size_t len, char *out)
{
	struct sha256 h;

	sha256_begin(&h);
	sha256_add(&h, data, len);
	sha256_end(&h, out);
}
