#include "tools/shell/shell.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

struct folder_job {
	struct worker_job job;
	struct roots *roots;
	char *path, *place;
	struct stat st;
	struct path_error why;
};

static void job_run(struct worker_job *job)
{
	struct folder_job *j = (struct folder_job *)job;
	char link[32], place[PATH_MAX];
	int fd = root_open_folder(j->roots, j->path, &j->why);

	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, place, sizeof(place));
	if (len > 0 && (size_t)len < sizeof(place) && fstat(fd, &j->st) == 0)
		j->place = xstrndup(place, (size_t)len);
	else
		path_error_io(&j->why, "OPEN_FAILED", "Cannot open folder: ", j->path);
	close(fd);
}

static void job_free(struct worker_job *job)
{
	struct folder_job *j = (struct folder_job *)job;

	roots_unref(j->roots);
	free(j->path);
	free(j->place);
	free(j);
}

char *working_directory_find(
    struct task *t, const struct tool_call *call, const char *path, struct json_object **failure)
{
	const char *tool = call->tool->name;
	struct folder_job *j = xcalloc(1, sizeof(*j));
	char *place = NULL;

	j->job = (struct worker_job){.run = job_run, .free = job_free};
	j->roots = roots_ref(call->tools->roots);
	j->path = xstrdup(path ? path : ".");
	if (tool_worker_await(t, call, &j->job, NULL) < 0) {
		*failure =
		    tool_failure(tool, "INTERRUPTED", "NOT_RUN", "The turn was stopped before this began.");
		return NULL;
	}
	if (j->place && shell_folder_changed(call, j->place, &j->st))
		*failure = approval_changed(call->tool);
	else if (j->place)
		place = xstrdup(j->place);
	else
		*failure = tool_path_failure(tool, &j->why);
	job_free(&j->job);
	return place;
}
