#ifndef TOOLS_FILES_GREP_SCAN_H
#define TOOLS_FILES_GREP_SCAN_H
/* Searches one file line by line for grep and collects the matches. Worker threads only. */
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/files/line_reader.h"

struct json_object;
struct regex;
struct file_search;

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

#endif
