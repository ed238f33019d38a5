#ifndef BASE_LANE_H
#define BASE_LANE_H
/* Sixteen bytes looked at at once, in the compiler's own vectors. */
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char lane __attribute__((vector_size(16)));

static inline lane lane_load(const char *s)
{
	lane x;

	memcpy(&x, s, sizeof(x));
	return x;
}

/* The first byte of a comparison's result that is set; sizeof(lane) when none is. */
static inline size_t lane_first(lane found)
{
	uint64_t halves[2];

	memcpy(halves, &found, sizeof(halves));
	if (halves[0] != 0)
		return (size_t)__builtin_ctzll(le64toh(halves[0])) / 8;
	return halves[1] != 0 ? 8 + (size_t)__builtin_ctzll(le64toh(halves[1])) / 8 : sizeof(lane);
}

#endif
