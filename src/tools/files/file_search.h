#ifndef TOOLS_FILES_FILE_SEARCH_H
#define TOOLS_FILES_FILE_SEARCH_H
/* What glob and grep share: a directory walk on a worker thread, which ends promptly when stopped or out of
 * time. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/worker.h"
#include "tools/files/path_error.h"

struct glob_pattern;
struct json_object;
struct roots;
struct task;
struct tool_call;
struct tools;

/*
 * walk.c: A recursive directory walk for glob and grep: in byte order of the paths, without following links,
 * relative to the start folder's descriptor. It holds only the folders on its way in memory. Worker
 * threads only.
 */

struct walk {
	const struct roots *roots;
	const struct glob_pattern *pattern;
	int64_t entries_max, depth_max, cpu_max_ms; /* of processor time of the thread */
	const atomic_bool *unwanted, *timed_out;    /* either one ends it */
	/* Called for each match: a file or, when the pattern asks for them, a folder; its path is w->path. */
	void (*visit)(struct walk *w, int folder, const char *name);
	void *arg;
	struct buf path; /* before the walk: the prefix of all paths, "" or ending in '/' */
	bool done;       /* set by visit to stop */
	/* Results. */
	int64_t skipped;        /* unreadable or protected entries */
	const char *end_reason; /* why the walk is incomplete, a sentence; NULL when it is complete */
	/* Internal. */
	int64_t entries, depth, cpu_end_ms;
	unsigned checks; /* calls of walk_stopped */
	size_t given;    /* bytes of path outside real */
	struct buf real; /* absolute, without links */
};

void walk_init(struct walk *w);
void walk_clear(struct walk *w);
/* Walks the folder of path, as the model gave it. Takes folder. */
void walk_run(struct walk *w, int folder, const char *path);
/* Checks the rule protected-files for the file w->path. */
bool walk_may_read(struct walk *w);
/* Returns true when the walk must end now. */
bool walk_stopped(struct walk *w);
/* Sets end_reason when a limit was reached. walk_run does it. */
void walk_set_end_reason(struct walk *w);

/* The first member of a search's job. */
struct file_search {
	struct worker_job job;
	atomic_bool timed_out;
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
bool file_search_count_match(struct file_search *s);

/* Runs the job for at most max_ms. Returns NULL, or the failure when it was stopped; the job is no longer
 * the caller's then. */
struct json_object *file_search_await(struct task *t, const struct tool_call *call, struct file_search *s);
/* Returns the result of the search. Takes matches. */
struct json_object *file_search_result(
    const struct file_search *s, struct json_object *matches, int64_t total_found);

#endif
