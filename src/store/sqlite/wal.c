#include "store/sqlite/wal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#define PAGE   4096
#define HEADER 32
#define FRAME  24
#define MAGIC  0x377f0682u /* + 1: checksums of big-endian words */
#define FORMAT 3007000u

/* Offsets of the fields in bytes. */
enum { HEADER_MAGIC = 0, HEADER_FORMAT = 4, HEADER_PAGE = 8, HEADER_SALTS = 16, HEADER_SUMS = 24 };
enum { FRAME_COMMIT = 4, FRAME_SALTS = 8, FRAME_SUMS = 16 };

struct wal {
	int fd;
	bool big_endian, broken;
	unsigned char salts[8];
	uint32_t sums[2];
	size_t lost;
};

static uint32_t read_big(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t read_word(const struct wal *w, const unsigned char *p)
{
	return w->big_endian ? read_big(p) :
			       (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void add_sums(struct wal *w, const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i += 8) {
		w->sums[0] += read_word(w, p + i) + w->sums[1];
		w->sums[1] += read_word(w, p + i + 4) + w->sums[0];
	}
}

static bool sums_match(const struct wal *w, const unsigned char *p)
{
	return read_big(p) == w->sums[0] && read_big(p + 4) == w->sums[1];
}

static void read_header(struct wal *w, const unsigned char *h)
{
	uint32_t magic = read_big(h + HEADER_MAGIC);

	w->big_endian = magic & 1;
	memcpy(w->salts, h + HEADER_SALTS, sizeof(w->salts));
	add_sums(w, h, HEADER_SUMS);
	w->broken = (magic & ~1u) != MAGIC || read_big(h + HEADER_FORMAT) != FORMAT ||
	    read_big(h + HEADER_PAGE) != PAGE || !sums_match(w, h + HEADER_SUMS);
}

/* Frames with other salts are left over from before the log restarted. */
static void read_frame(struct wal *w, const unsigned char *f)
{
	bool ours = memcmp(w->salts, f + FRAME_SALTS, sizeof(w->salts)) == 0;

	if (!w->broken) {
		add_sums(w, f, FRAME_SALTS);
		add_sums(w, f + FRAME, PAGE);
		w->broken = !ours || !sums_match(w, f + FRAME_SUMS);
	}
	if (w->broken && ours && read_big(f + FRAME_COMMIT) != 0)
		w->lost++;
}

static int read_wal(struct wal *w)
{
	unsigned char block[FRAME + PAGE];
	off_t at = HEADER;
	ssize_t got = pread(w->fd, block, HEADER, 0);

	if (got < HEADER)
		return got < 0 ? -1 : 0;
	read_header(w, block);
	/* With a damaged header the second frame tells the salts, as the first may be damaged, too. */
	if (w->broken && pread(w->fd, w->salts, sizeof(w->salts), HEADER + FRAME + PAGE + FRAME_SALTS) < 0)
		return -1;
	while ((got = pread(w->fd, block, sizeof(block), at)) == (ssize_t)sizeof(block)) {
		read_frame(w, block);
		at += got;
	}
	return got < 0 ? -1 : 0;
}

int wal_lost_commits(const char *path, size_t *commits, struct error *err)
{
	struct wal w = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
	int rc = 0;

	*commits = 0;
	if (w.fd < 0 && errno == ENOENT)
		return 0;
	if (w.fd < 0 || read_wal(&w) != 0)
		rc = error_set(err, ERROR_OURS, "cannot read %s: %m", path);
	if (w.fd >= 0)
		close(w.fd);
	*commits = w.lost;
	return rc;
}
