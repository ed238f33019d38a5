#include "tools/shell/shell.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

struct folder_job {
	struct worker_job job;
	struct roots *roots;
	char *path, *real;
	struct stat st;
	struct path_error why;
};

static void job_run(struct worker_job *job)
{
	struct folder_job *j = (struct folder_job *)job;

	j->real = root_folder_path(j->roots, j->path, &j->st, &j->why);
}

static void job_free(struct worker_job *job)
{
	struct folder_job *j = (struct folder_job *)job;

	roots_unref(j->roots);
	free(j->path);
	free(j->real);
	free(j);
}

char *working_directory_find(
    struct task *t, const struct tool_call *call, const char *path, struct json_object **failure)
{
	const char *tool = call->tool->name;
	struct folder_job *j = xcalloc(1, sizeof(*j));
	char *real = NULL;

	j->job = (struct worker_job){.run = job_run, .free = job_free};
	j->roots = roots_ref(call->tools->roots);
	j->path = xstrdup(path ? path : ".");
	if (tool_worker_await(t, call, &j->job, NULL) < 0) {
		*failure =
		    tool_failure(tool, "INTERRUPTED", "NOT_RUN", "The turn was stopped before this began.");
		return NULL;
	}
	if (j->real && shell_folder_changed(call, j->real, &j->st))
		*failure = approval_changed(call->tool);
	else if (j->real)
		real = xstrdup(j->real);
	else
		*failure = tool_path_failure(tool, &j->why);
	job_free(&j->job);
	return real;
}
