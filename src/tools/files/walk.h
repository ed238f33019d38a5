#ifndef TOOLS_FILES_WALK_H
#define TOOLS_FILES_WALK_H
/*
 * A recursive directory walk for glob and grep: in byte order of the paths, without following links,
 * relative to the start folder's descriptor. It holds only the folders on its way in memory. Worker
 * threads only.
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
	const atomic_bool *unwanted, *late; /* either one ends it */
	/* Called for each match: a file or, when the pattern asks for them, a folder; its path is w->path. */
	void (*visit)(struct walk *w, int folder, const char *name);
	void *arg;
	struct buf path; /* before the walk: the prefix of all paths, "" or ending in '/' */
	bool done;       /* set by visit to stop */
	/* Results. */
	int64_t skipped;   /* unreadable or protected entries */
	const char *ended; /* why the walk is incomplete, a sentence; NULL when it is complete */
	/* Internal. */
	int64_t entries, depth;
	size_t given;     /* bytes of path outside place */
	struct buf place; /* absolute, without links */
};

void walk_init(struct walk *w);
void walk_clear(struct walk *w);
/* Walks the folder of path, as the model gave it. Takes folder. */
void walk_run(struct walk *w, int folder, const char *path);
/* Checks the rule protected-files for the file w->path. */
bool walk_may_read(struct walk *w);
/* Returns true when the walk must end now. */
bool walk_stopped(const struct walk *w);

#endif
