#ifndef TOOLS_SEARCH_H
#define TOOLS_SEARCH_H
/* What glob and grep have in common: a walk on a worker thread, which a stop or the end of its time ends at
 * once. */
#include <stdatomic.h>
#include <stdbool.h>

#include "base/worker.h"
#include "tools/refusal.h"
#include "tools/walk.h"

struct json_object;
struct pattern;
struct roots;
struct task;
struct tools;

/* Stands first in the job of a search. */
struct search {
	struct worker_job job;
	atomic_bool late;
	struct roots *roots;
	char *directory;         /* as it was given */
	struct pattern *pattern; /* of the paths below it */
	struct walk walk;
	uint64_t most_ms;
	size_t result_bytes;
	int64_t offset, limit; /* of the matches */
	/* What comes out. */
	struct refusal why;
	size_t kept_bytes;    /* of matches, about */
	int64_t count, total; /* matches that are kept, and that there are */
};

/* Fills s from the arguments directory, offset and head_limit, with the pattern, which it takes. */
void search_init(struct search *s, const struct tools *ts, struct json_object *args, struct pattern *pattern);
void search_clear(struct search *s);
/* The pattern, or NULL with the failure that tells what is wrong with it. */
struct pattern *search_pattern(
    const char *tool, struct json_object *args, const char *name, bool deep, struct json_object **failure);

/* On the thread. Opens the folder below which there can be matches: the descriptor; -1 with s->why, or
 * without when there are none. */
int search_open(struct search *s);
/* Walks it. Takes folder. */
void search_walk(struct search *s, int folder);
/* Counts one more match; is it one of those to keep? What is kept is to be added to kept_bytes. */
bool search_wants(struct search *s);

/* Runs the job, at most most_ms: NULL, or the failure when it was stopped; then the job is no longer the
 * caller's. */
struct json_object *search_await(struct task *t, struct search *s, const char *tool);
/* The result: matches, which it takes, and what the search says of them. */
struct json_object *search_result(const struct search *s, struct json_object *matches, int64_t total_found);

#endif
