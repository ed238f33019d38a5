#ifndef TOOLS_SCAN_H
#define TOOLS_SCAN_H
/* What grep does with one file: its lines against the pattern, and what is told of those that match. Worker
 * threads only. */
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/lines.h"

struct json_object;
struct regex;
struct search;

#define SCAN_CONTEXT_MOST 50

enum scan_mode { SCAN_CONTENT, SCAN_COUNT, SCAN_FILES };

/* A match that lines after it are still wanted of. */
struct scan_after {
	struct json_object *lines; /* borrowed */
	int64_t left;
};

struct scan {
	struct search *search;
	struct regex *regex;
	enum scan_mode mode;
	int64_t before, after;       /* lines of context */
	struct json_object *matches; /* what is found is added here */
	/* What comes out. */
	int64_t lines_found, hard_files;
	/* Of its own, for the present file. */
	const char *path;
	struct lines lines;
	int64_t number, found;                /* of the present line; matching ones */
	struct buf recent[SCAN_CONTEXT_MOST]; /* lines before it: that of number n in n % before */
	struct scan_after waiting[SCAN_CONTEXT_MOST];
	size_t waiting_count;
};

void scan_init(struct scan *s, struct search *search);
void scan_clear(struct scan *s);
/* Searches a file, which stays the caller's. One that cannot be searched is counted as skipped. */
void scan_file(struct scan *s, int fd, const char *path);

#endif
