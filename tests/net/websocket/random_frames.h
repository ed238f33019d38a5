#ifndef TESTS_NET_WEBSOCKET_RANDOM_FRAMES_H
#define TESTS_NET_WEBSOCKET_RANDOM_FRAMES_H
/* WebSocket frames of all kinds, most of them valid, repeatable by seed. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "crash/random.h"

static inline void random_frame(struct buf *out, uint64_t *seed, bool masked)
{
	static const unsigned char opcodes[] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 9, 9, 9, 10, 0, 0, 8, 3, 11};
	static const unsigned lengths[] = {0, 1, 2, 5, 125, 126, 127, 300, 70000};
	unsigned char first = opcodes[random_below(seed, sizeof(opcodes))];
	unsigned len = lengths[random_below(seed, sizeof(lengths) / sizeof(*lengths))], said = len;

	if (first >= 8 && len > 125 && random_below(seed, 8) != 0)
		said = len = 2;
	first |= random_below(seed, 10) != 0 ? 0x80 : 0;
	first |= random_below(seed, 30) == 0 ? (unsigned char)(random_below(seed, 8) << 4) : 0;
	/* Sometimes the declared length is wrong. */
	if (random_below(seed, 30) == 0)
		said = (unsigned)random_below(seed, 100000);
	buf_addch(out, (char)first);
	buf_addch(out, (char)((masked ? 0x80 : 0) | (said < 126 ? said : said < 65536 ? 126 : 127)));
	for (int shift = said < 126 ? -8 : said < 65536 ? 8 : 56; shift >= 0; shift -= 8)
		buf_addch(out, (char)((uint64_t)said >> shift & 0xff));
	if (masked)
		buf_add(out, "\0\0\0\0", 4);
	for (unsigned i = 0; i < len; i++)
		buf_addch(
		    out, (char)(random_below(seed, 3000) == 0 ? random_below(seed, 256) : 'a' + i % 26));
}

#endif
