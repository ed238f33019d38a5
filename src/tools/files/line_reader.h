#ifndef TOOLS_FILES_LINE_READER_H
#define TOOLS_FILES_LINE_READER_H
/* Reads a text file by lines in bounded memory. Worker threads only. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The rest of a longer line is skipped. */
#define LINE_READER_LINE_MAX (1024 * 1024)

struct line_reader {
	int fd;
	struct buf data; /* read but not yet returned */
	size_t at;
	bool ended, failed;
	bool is_cut; /* the last line was cut */
};

void line_reader_init(struct line_reader *l);
/* Starts a file, which the caller keeps. Returns false when it cannot be read, or is binary: a NUL in its
 * first 8 KiB. */
bool line_reader_open(struct line_reader *l, int fd);
/* Gets the next line without its end, valid until the next call. Returns false at the end. */
bool line_reader_next(struct line_reader *l, const char **line, size_t *len);
/* Returns the buffered complete lines before the next line_reader_next, for a fast search. */
const char *line_reader_ahead(struct line_reader *l, size_t *len);
/* Skips that many of these bytes, up to the end of a line. */
void line_reader_skip(struct line_reader *l, size_t len);
void line_reader_clear(struct line_reader *l);

#endif
