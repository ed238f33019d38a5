#ifndef TOOLS_SANDBOX_SANDBOX_INTERNAL_H
#define TOOLS_SANDBOX_SANDBOX_INTERNAL_H
/* struct sandbox, for sandbox.c, sandbox_run.c, which starts programs, and sandbox_proof.c, which tests
 * it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/task_cond.h"
#include "tools/sandbox/sandbox.h"

#define SANDBOX_HELPER "myna-sandbox"

/* A folder by its name and its real path, without links. */
struct sandbox_folder {
	char *name, *real;
};

struct sandbox {
	struct sandbox_folder *folders; /* the workspace first, then the roots */
	size_t folder_count;
	char **hidden; /* real paths; NULL-terminated */
	char *run_as;
	enum sandbox_level required, proved;
	struct sandbox_options limits; /* only its numbers, no pointers */
	bool is_proved, proving;
	struct task_cond verdict;
	struct buf reason, acts;
};

/* sandbox_start at any level, proved or not: for the test. */
struct sandboxed *sandbox_start_at(
    const struct sandbox *s, enum sandbox_level level, const struct sandbox_run *run, struct error *err);

/* Runs the canary at a level. Returns 0 when every forbidden act failed; 1 when not, with the cause in
 * reason; -1 when cancelled. acts gets the attempted acts. */
int sandbox_canary_run(
    struct task *t, const struct sandbox *s, enum sandbox_level level, struct buf *reason, struct buf *acts);

#endif
