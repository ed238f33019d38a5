#ifndef BASE_TEXT_SIMD_H
#define BASE_TEXT_SIMD_H
/* Compares sixteen bytes at once, with the compiler's vector types. */
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char simd_bytes __attribute__((vector_size(16)));

static inline simd_bytes simd_load(const char *s)
{
	simd_bytes x;

	memcpy(&x, s, sizeof(x));
	return x;
}

/* Returns the index of the first set byte in a comparison's result; sizeof(simd_bytes) when there is none. */
static inline size_t simd_first_set(simd_bytes found)
{
	uint64_t halves[2];

	memcpy(halves, &found, sizeof(halves));
	if (halves[0] != 0)
		return (size_t)__builtin_ctzll(le64toh(halves[0])) / 8;
	return halves[1] != 0 ? 8 + (size_t)__builtin_ctzll(le64toh(halves[1])) / 8 : sizeof(simd_bytes);
}

#endif
