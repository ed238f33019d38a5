#ifndef CRASH_RANDOM_H
#define CRASH_RANDOM_H
/* Pseudo-random numbers, repeatable by seed (splitmix64). */
#include <stdint.h>

static inline uint64_t random_next(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline uint64_t random_below(uint64_t *seed, uint64_t limit)
{
	return random_next(seed) % limit;
}

#endif
