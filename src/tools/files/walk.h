#ifndef TOOLS_FILES_WALK_H
#define TOOLS_FILES_WALK_H
/*
 * A walk down the folders for glob and grep: in the order of the paths' bytes, following no link, beneath the
 * folder that it begins at, whose descriptor keeps it there. It remembers no more than the folders on its
 * way. Worker threads only.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct glob_pattern;
struct path_error;
struct roots;

struct walk {
	const struct roots *roots;
	const struct glob_pattern *pattern;
	int64_t entries_max, depth_max;
	const atomic_bool *unwanted, *late; /* each ends it */
	/* What the pattern fits, a file or, when it asks for them, a folder; its path is w->path. */
	void (*visit)(struct walk *w, int folder, const char *name);
	void *arg;
	struct buf path; /* before: what all paths begin with, "" or with a '/' at its end */
	bool done;       /* visit wants no more */
	/* What comes out. */
	int64_t skipped;   /* could not be read, or are protected */
	const char *ended; /* a sentence why not everything was seen; NULL: it was */
	/* Of its own. */
	int64_t entries, depth;
	size_t given;     /* bytes of path that are not beneath place */
	struct buf place; /* absolute, without links */
};

void walk_init(struct walk *w);
void walk_clear(struct walk *w);
/* Walks the folder that path names, as the model gave it. Takes folder. */
void walk_run(struct walk *w, int folder, const char *path);
/* May the file whose path is w->path be read, says the rule on protected files? */
bool walk_may_read(struct walk *w);
/* Is it to end now? */
bool walk_stopped(const struct walk *w);

#endif
