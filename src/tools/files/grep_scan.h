#ifndef TOOLS_FILES_GREP_SCAN_H
#define TOOLS_FILES_GREP_SCAN_H
/* Searches one file line by line for grep and collects the matches. Worker threads only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct file_search;
struct file_type;
struct json_object;
struct regex;

/* line_reader.c: Reads a text file by lines in bounded memory. Worker threads only. */

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

#define GREP_CONTEXT_MAX 50

enum grep_mode { GREP_CONTENT, GREP_COUNT, GREP_FILES };

/* A match that still needs lines after it. */
struct grep_context {
	struct json_object *lines; /* borrowed */
	int64_t left;
};

struct grep_scan {
	struct file_search *search;
	struct regex *regex;
	enum grep_mode mode;
	int64_t before, after;       /* lines of context */
	struct json_object *matches; /* receives the matches */
	/* Results. */
	int64_t lines_found, hard_files;
	/* State of the current file. */
	const char *path;
	struct line_reader lines;
	int64_t number, found;               /* number of the current line; count of matching lines */
	struct buf recent[GREP_CONTEXT_MAX]; /* lines before it: line n is in n % before */
	struct grep_context waiting[GREP_CONTEXT_MAX];
	size_t waiting_count;
};

void grep_scan_init(struct grep_scan *s, struct file_search *search);
void grep_scan_clear(struct grep_scan *s);
/* Searches a file, which the caller keeps. Counts a file that cannot be searched as skipped. */
void grep_scan_file(struct grep_scan *s, int fd, const char *path);

/* file_type.c: File types by name pattern, for grep: "c", "py", "md" and others. */

/* Returns NULL for an unknown type. */
const struct file_type *file_type_find(const char *name);
bool file_type_has(const struct file_type *type, const char *file);
/* Appends the names of all types. */
void file_type_list(struct buf *out);

#endif
