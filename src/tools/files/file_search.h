#ifndef TOOLS_FILES_FILE_SEARCH_H
#define TOOLS_FILES_FILE_SEARCH_H
/* What glob and grep share: a directory walk on a worker thread, which ends promptly when stopped or out of
 * time. */
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

/* The first member of a search's job. */
struct file_search {
	struct worker_job job;
	atomic_bool late;
	struct roots *roots;
	char *directory;              /* as the model gave it */
	struct glob_pattern *pattern; /* for the paths below directory */
	struct walk walk;
	uint64_t max_ms;
	size_t result_bytes;
	int64_t offset, limit; /* of the matches */
	/* Results. */
	struct path_error why;
	size_t kept_bytes;    /* approximate size of the matches */
	int64_t count, total; /* matches kept, and all matches */
};

/* Fills s from the arguments directory, offset and head_limit, and from pattern, which it takes. */
void file_search_init(
    struct file_search *s, const struct tools *ts, struct json_object *args, struct glob_pattern *pattern);
void file_search_clear(struct file_search *s);
/* Returns the pattern, or NULL with the failure that explains its error. */
struct glob_pattern *file_search_pattern(
    const char *tool, struct json_object *args, const char *name, bool deep, struct json_object **failure);

/* On the worker thread. Opens the folder below which matches are possible. Returns the descriptor, or -1:
 * with s->why, or without when there are none. */
int file_search_open(struct file_search *s);
/* Walks the folder. Takes folder. */
void file_search_walk(struct file_search *s, int folder);
/* Counts a match. Returns true when it is to be kept; the caller then adds its size to kept_bytes. */
bool file_search_wants(struct file_search *s);

/* Runs the job for at most max_ms. Returns NULL, or the failure when it was stopped; the job is no longer
 * the caller's then. */
struct json_object *file_search_await(struct task *t, struct file_search *s, const char *tool);
/* Returns the result of the search. Takes matches. */
struct json_object *file_search_result(
    const struct file_search *s, struct json_object *matches, int64_t total_found);

#endif
