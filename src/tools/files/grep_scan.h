#ifndef TOOLS_FILES_GREP_SCAN_H
#define TOOLS_FILES_GREP_SCAN_H
/* What grep does with one file: its lines against the pattern, and what is told of those that match. Worker
 * threads only. */
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/files/line_reader.h"

struct json_object;
struct regex;
struct file_search;

#define GREP_CONTEXT_MAX 50

enum grep_mode { GREP_CONTENT, GREP_COUNT, GREP_FILES };

/* A match that lines after it are still wanted of. */
struct grep_context {
	struct json_object *lines; /* borrowed */
	int64_t left;
};

struct grep_scan {
	struct file_search *search;
	struct regex *regex;
	enum grep_mode mode;
	int64_t before, after;       /* lines of context */
	struct json_object *matches; /* what is found is added here */
	/* What comes out. */
	int64_t lines_found, hard_files;
	/* Of its own, for the present file. */
	const char *path;
	struct line_reader lines;
	int64_t number, found;               /* of the present line; matching ones */
	struct buf recent[GREP_CONTEXT_MAX]; /* lines before it: that of number n in n % before */
	struct grep_context waiting[GREP_CONTEXT_MAX];
	size_t waiting_count;
};

void grep_scan_init(struct grep_scan *s, struct file_search *search);
void grep_scan_clear(struct grep_scan *s);
/* Searches a file, which stays the caller's. One that cannot be searched is counted as skipped. */
void grep_scan_file(struct grep_scan *s, int fd, const char *path);

#endif
