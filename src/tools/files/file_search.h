#ifndef TOOLS_FILES_FILE_SEARCH_H
#define TOOLS_FILES_FILE_SEARCH_H
/* What glob and grep have in common: a walk on a worker thread, which a stop or the end of its time ends at
 * once. */
#include <stdatomic.h>
#include <stdbool.h>

#include "base/worker.h"
#include "tools/files/path_error.h"
#include "tools/files/walk.h"

struct json_object;
struct glob_pattern;
struct roots;
struct task;
struct tools;

/* Stands first in the job of a search. */
struct file_search {
	struct worker_job job;
	atomic_bool late;
	struct roots *roots;
	char *directory;              /* as it was given */
	struct glob_pattern *pattern; /* of the paths below it */
	struct walk walk;
	uint64_t max_ms;
	size_t result_bytes;
	int64_t offset, limit; /* of the matches */
	/* What comes out. */
	struct path_error why;
	size_t kept_bytes;    /* of matches, about */
	int64_t count, total; /* matches that are kept, and that there are */
};

/* Fills s from the arguments directory, offset and head_limit, with the pattern, which it takes. */
void file_search_init(
    struct file_search *s, const struct tools *ts, struct json_object *args, struct glob_pattern *pattern);
void file_search_clear(struct file_search *s);
/* The pattern, or NULL with the failure that tells what is wrong with it. */
struct glob_pattern *file_search_pattern(
    const char *tool, struct json_object *args, const char *name, bool deep, struct json_object **failure);

/* On the thread. Opens the folder below which there can be matches: the descriptor; -1 with s->why, or
 * without when there are none. */
int file_search_open(struct file_search *s);
/* Walks it. Takes folder. */
void file_search_walk(struct file_search *s, int folder);
/* Counts one more match; is it one of those to keep? What is kept is to be added to kept_bytes. */
bool file_search_wants(struct file_search *s);

/* Runs the job, at most max_ms: NULL, or the failure when it was stopped; then the job is no longer the
 * caller's. */
struct json_object *file_search_await(struct task *t, struct file_search *s, const char *tool);
/* The result: matches, which it takes, and what the search says of them. */
struct json_object *file_search_result(
    const struct file_search *s, struct json_object *matches, int64_t total_found);

#endif
