#ifndef BASE_FNV_H
#define BASE_FNV_H
/* FNV-1a with 64 bits: for tables, and to tell texts apart where nobody gains by a collision. */
#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)

/* Continues a hash with more bytes. */
static inline uint64_t fnv_add(uint64_t hash, const void *data, size_t len)
{
	for (const unsigned char *p = data; len > 0; len--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return hash;
}

static inline uint64_t fnv_text(const char *text)
{
	uint64_t hash = FNV_START;

	for (; *text != '\0'; text++)
		hash = fnv_add(hash, text, 1);
	return hash;
}

#endif
