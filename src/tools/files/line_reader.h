#ifndef TOOLS_FILES_LINE_READER_H
#define TOOLS_FILES_LINE_READER_H
/* Reads a text file by lines, in bounded memory. Worker threads only. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What is beyond this many bytes of a line is passed over. */
#define LINE_READER_LINE_MAX (1024 * 1024)

struct line_reader {
	int fd;
	struct buf data; /* what is read and not yet given */
	size_t at;
	bool ended, failed;
	bool is_cut; /* the line that was given last */
};

void line_reader_init(struct line_reader *l);
/* Begins with a file, which stays the caller's. false: it cannot be read, or is binary: a NUL in its first 8
 * KiB. */
bool line_reader_open(struct line_reader *l, int fd);
/* The next line, without its end, valid until the next call; false at the end. */
bool line_reader_next(struct line_reader *l, const char **line, size_t *len);
/* What is in memory of whole lines, before line_reader_next gives the next: a place to look for a text. */
const char *line_reader_ahead(struct line_reader *l, size_t *len);
/* Passes over so many bytes of that, which must end with a line. */
void line_reader_skip(struct line_reader *l, size_t len);
void line_reader_clear(struct line_reader *l);

#endif
