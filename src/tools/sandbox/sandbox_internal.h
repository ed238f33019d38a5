#ifndef TOOLS_SANDBOX_SANDBOX_INTERNAL_H
#define TOOLS_SANDBOX_SANDBOX_INTERNAL_H
/* What a sandbox is, for sandbox.c, sandbox_run.c, which starts programs, and sandbox_proof.c. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/task_cond.h"
#include "tools/sandbox/sandbox.h"

#define SANDBOX_HELPER "myna-sandbox"

/* A folder under its name and as it really is, without links. */
struct sandbox_folder {
	char *name, *real;
};

struct sandbox {
	struct sandbox_folder *folders; /* the workspace first, then the roots */
	size_t folder_count;
	char **hidden; /* real; NULL-terminated */
	char *run_as;
	enum sandbox_level required, proved;
	struct sandbox_options limits; /* its numbers; no pointers */
	bool is_proved, proving;
	struct task_cond verdict;
	struct buf reason, acts;
};

/* sandbox_start at a level of one's choice, proved or not: for the proof. */
struct sandboxed *sandbox_start_at(
    const struct sandbox *s, enum sandbox_level level, const struct sandbox_run *run, struct error *err);

/* Runs the canary at a level. 0: everything was refused as it should be; 1: not, and why is in reason; -1:
 * cancelled. acts gets what was tried. */
int sandbox_canary_run(
    struct task *t, const struct sandbox *s, enum sandbox_level level, struct buf *reason, struct buf *acts);

#endif
