#ifndef BASE_TEXT_SIMD_H
#define BASE_TEXT_SIMD_H
/* Sixteen bytes looked at at once, in the compiler's own vectors. */
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

/* The first byte of a comparison's result that is set; sizeof(simd_bytes) when none is. */
static inline size_t simd_first_set(simd_bytes found)
{
	uint64_t halves[2];

	memcpy(halves, &found, sizeof(halves));
	if (halves[0] != 0)
		return (size_t)__builtin_ctzll(le64toh(halves[0])) / 8;
	return halves[1] != 0 ? 8 + (size_t)__builtin_ctzll(le64toh(halves[1])) / 8 : sizeof(simd_bytes);
}

#endif
