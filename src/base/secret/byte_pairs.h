#ifndef BASE_SECRET_BYTE_PAIRS_H
#define BASE_SECRET_BYTE_PAIRS_H
/* A set of byte pairs: a fast test whether a match can begin at a position. */
#include <stdbool.h>
#include <stdint.h>

struct byte_pairs {
	uint64_t bits[1024];
};

static inline void byte_pairs_add(struct byte_pairs *set, unsigned char first, unsigned char second)
{
	unsigned pair = (unsigned)first << 8 | second;

	set->bits[pair / 64] |= (uint64_t)1 << pair % 64;
}

static inline bool byte_pairs_have(const struct byte_pairs *set, unsigned char first, unsigned char second)
{
	unsigned pair = (unsigned)first << 8 | second;

	return (set->bits[pair / 64] >> pair % 64 & 1) != 0;
}

#endif
