#ifndef TESTS_BASE_TEXT_UTF8_TABLE_H
#define TESTS_BASE_TEXT_UTF8_TABLE_H
/* The Unicode Standard 15, table 3-7, written out: what the decoder must agree with. */
#include <stddef.h>

#include "base/mem.h"

/* Bytes of the sequence at s, 0 when it is not well-formed. */
static inline size_t utf8_well_formed(const unsigned char *s, size_t len)
{
	static const struct {
		unsigned char first, last; /* of the lead byte */
		unsigned char low, high;   /* of the byte after it */
		size_t bytes;
	} rows[] = {
	    {0x00, 0x7f, 0x00, 0xff, 1},
	    {0xc2, 0xdf, 0x80, 0xbf, 2},
	    {0xe0, 0xe0, 0xa0, 0xbf, 3},
	    {0xe1, 0xec, 0x80, 0xbf, 3},
	    {0xed, 0xed, 0x80, 0x9f, 3},
	    {0xee, 0xef, 0x80, 0xbf, 3},
	    {0xf0, 0xf0, 0x90, 0xbf, 4},
	    {0xf1, 0xf3, 0x80, 0xbf, 4},
	    {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (s[0] < rows[i].first || s[0] > rows[i].last)
			continue;
		if (rows[i].bytes > len || (rows[i].bytes > 1 && (s[1] < rows[i].low || s[1] > rows[i].high)))
			return 0;
		for (size_t k = 2; k < rows[i].bytes; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].bytes;
	}
	return 0;
}

#endif
