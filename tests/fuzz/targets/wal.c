/* store/wal: a log is built by the file format, damaged somewhere, and the commits that SQLite would drop are
 * counted; here they are counted by what was built. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "store/sqlite/wal.h"

/* https://www.sqlite.org/fileformat2.html, 4.1 */
#define PAGE       4096
#define HEADER     32
#define FRAME      (24 + PAGE)
#define FRAMES_MAX 8

struct log {
	unsigned char *data;
	size_t len, frames;
	bool big_endian;
	uint32_t sums[2];
	bool commits[FRAMES_MAX];
};

static void write_big(unsigned char *p, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(n >> (24 - 8 * i));
}

static uint32_t word_at(const struct log *log, const unsigned char *p)
{
	uint32_t n = 0;

	for (int i = 0; i < 4; i++)
		n = n << 8 | p[log->big_endian ? i : 3 - i];
	return n;
}

static void add_sums(struct log *log, const unsigned char *p, size_t len)
{
	for (const unsigned char *end = p + len; p < end; p += 8) {
		log->sums[0] += word_at(log, p) + log->sums[1];
		log->sums[1] += word_at(log, p + 4) + log->sums[0];
	}
}

static void write_sums(struct log *log, unsigned char *p)
{
	write_big(p, log->sums[0]);
	write_big(p + 4, log->sums[1]);
}

static void build_header(struct log *log)
{
	unsigned char *h = log->data;

	write_big(h, 0x377f0682u | log->big_endian);
	write_big(h + 4, 3007000);
	write_big(h + 8, PAGE);
	write_big(h + 16, 0x11223344);
	write_big(h + 20, 0x55667788);
	add_sums(log, h, 24);
	write_sums(log, h + 24);
}

static void build_frame(struct log *log, size_t i, unsigned fill)
{
	unsigned char *f = log->data + HEADER + i * FRAME;

	write_big(f, (uint32_t)i + 1);
	write_big(f + 4, log->commits[i] ? (uint32_t)i + 1 : 0);
	memcpy(f + 8, log->data + 16, 8);
	memset(f + 24, (int)fill, PAGE);
	add_sums(log, f, 8);
	add_sums(log, f + 24, PAGE);
	write_sums(log, f + 16);
}

static void build(struct log *log, struct fuzz_input *in)
{
	unsigned shape = fuzz_byte(in);

	*log = (struct log){.frames = shape % (FRAMES_MAX + 1), .big_endian = shape & 0x80};
	log->len = HEADER + log->frames * FRAME;
	log->data = xcalloc(1, log->len);
	build_header(log);
	for (size_t i = 0; i < log->frames; i++) {
		unsigned fill = fuzz_byte(in);

		log->commits[i] = fill & 1;
		build_frame(log, i, fill);
	}
}

static size_t count_from(const struct log *log, size_t first, size_t end)
{
	size_t n = 0;

	for (size_t i = first; i < end; i++)
		n += log->commits[i];
	return n;
}

/* One byte of a page is changed: from its frame on nothing is read, and every commit from there on is
 * lost. */
static size_t damage_page(struct log *log, struct fuzz_input *in)
{
	size_t frame = fuzz_below(in, log->frames), at = 16 * fuzz_byte(in);

	log->data[HEADER + frame * FRAME + 24 + at] ^= 1;
	return count_from(log, frame, log->frames);
}

/* The end is torn off: a part of a frame is no frame. */
static size_t damage_end(struct log *log, struct fuzz_input *in)
{
	size_t frame = fuzz_below(in, log->frames);

	log->len = HEADER + frame * FRAME + 16 * fuzz_byte(in);
	return 0;
}

/* What an earlier round through the file left has other salts. */
static size_t damage_salt(struct log *log, struct fuzz_input *in)
{
	size_t frame = fuzz_below(in, log->frames);

	log->data[HEADER + frame * FRAME + 8] ^= 1;
	return count_from(log, frame + 1, log->frames);
}

/* Not the salts, by which frames are told. */
static size_t damage_header(struct log *log, struct fuzz_input *in)
{
	log->data[fuzz_below(in, 16)] ^= 2;
	return count_from(log, 0, log->frames);
}

static size_t damage_nothing(struct log *log, struct fuzz_input *in)
{
	(void)log;
	(void)in;
	return 0;
}

static size_t (*const damages[])(struct log *log, struct fuzz_input *in) = {
    damage_nothing,
    damage_page,
    damage_end,
    damage_salt,
    damage_header,
};

static size_t count_lost(const void *data, size_t len)
{
	size_t lost = SIZE_MAX;

	HOLDS(wal_lost_commits(fuzz_file(0, data, len), &lost, NULL) == 0);
	HOLDS(lost <= len / FRAME);
	return lost;
}

void fuzz_wal(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct log log;
	size_t damage, lost;

	count_lost(data, size);
	build(&log, &in);
	damage = log.frames > 0 ? fuzz_below(&in, ARRAY_LEN(damages)) : 0;
	lost = damages[damage](&log, &in);
	HOLDS(count_lost(log.data, log.len) == lost);
	/* Bytes over the header and the first frame: no count is known, but there is one. */
	memcpy(log.data, in.at, (size_t)(in.end - in.at) < log.len ? (size_t)(in.end - in.at) : log.len);
	count_lost(log.data, log.len);
	free(log.data);
}

FUZZ_PROGRAM(fuzz_wal)
