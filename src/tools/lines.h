#ifndef TOOLS_LINES_H
#define TOOLS_LINES_H
/* Reads a text file by lines, in bounded memory. Worker threads only. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What is beyond this many bytes of a line is passed over. */
#define LINES_LONGEST (1024 * 1024)

struct lines {
	int fd;
	struct buf data; /* what is read and not yet given */
	size_t at;
	bool ended, failed;
	bool is_cut; /* the line that was given last */
};

void lines_init(struct lines *l);
/* Begins with a file, which stays the caller's. false: it cannot be read, or is binary: a NUL in its first 8
 * KiB. */
bool lines_open(struct lines *l, int fd);
/* The next line, without its end, valid until the next call; false at the end. */
bool lines_next(struct lines *l, const char **line, size_t *len);
/* What is in memory of whole lines, before lines_next gives the next: a place to look for a text. */
const char *lines_ahead(struct lines *l, size_t *len);
/* Passes over so many bytes of that, which must end with a line. */
void lines_skip(struct lines *l, size_t len);
void lines_clear(struct lines *l);

#endif
