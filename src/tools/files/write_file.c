#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/guard.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define BACKUP_ENDING ".bak"

struct write_job {
	struct worker_job job;
	struct roots *roots;
	char *path, *content;
	size_t len;
	bool backup, allows_prompt_file;
	/* Results. */
	struct path_error why;
	bool overwritten;
};

static void job_free(struct worker_job *job)
{
	struct write_job *w = (struct write_job *)job;

	roots_unref(w->roots);
	free(w->path);
	free(w->content);
	free(w);
}

static void job_run(struct worker_job *job)
{
	struct write_job *w = (struct write_job *)job;
	struct write_target target, backup;
	struct write_target_content text = {.data = w->content, .len = w->len, .mode = 0644};
	int rc = write_target_open_approved(w->roots, w->path, true, w->allows_prompt_file, &target, &w->why);

	w->overwritten = target.exists;
	if (rc == 0 && w->backup && target.exists) {
		rc = write_target_sibling(&target, w->path, BACKUP_ENDING, &backup, &w->why);
		text.backup = &backup;
	}
	if (rc == 0)
		write_target_replace(&target, w->path, &text, &w->why);
	write_target_clear(&target);
}

static struct json_object *result_of(const struct write_job *w)
{
	struct json_object *o = json_object_new_object();
	char *message = xasprintf("Wrote %zu bytes to %s", w->len, w->path);

	json_set_bool(o, "success", true);
	json_set_str(o, "message", message);
	json_set_int(o, "bytes_written", (int64_t)w->len);
	json_set_bool(o, w->overwritten ? "overwritten" : "created", true);
	if (w->overwritten && w->backup)
		json_set_bool(o, "backup_created", true);
	free(message);
	return o;
}

static struct write_job *job_new(const struct tool_call *call, struct json_object *args)
{
	struct write_job *w = xcalloc(1, sizeof(*w));

	w->job = (struct worker_job){.run = job_run, .free = job_free};
	w->roots = roots_ref(call->tools->roots);
	w->allows_prompt_file = guard_allows_prompt_file(call);
	w->path = xstrdup(json_get_str(args, "path"));
	w->content = xstrdup(json_get_str(args, "content"));
	w->len = strlen(w->content);
	w->backup = json_get_bool(args, "backup", false);
	return w;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	size_t len = strlen(json_get_str(args, "content")), most = (size_t)call->tools->settings.write_bytes;
	struct error err = {0};

	if (len > most)
		return tool_failure("write_file", "LIMIT_REACHED", "TOO_LARGE",
		    "content has %zu bytes, the limit is %zu. Write it in parts with exec_shell, or as "
		    "several files.",
		    len, most);
	struct write_job *w = job_new(call, args);
	if (tool_worker_await(t, call, &w->job, &err) < 0)
		return tool_failure("write_file", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the file was written. It may have been written: check before "
		    "doing it again.");
	struct json_object *o = w->why.code ? tool_path_failure("write_file", &w->why) : result_of(w);
	job_free(&w->job);
	return o;
}

static const char *const aliases[] = {"file_write", NULL};
static const struct tool_alias param_aliases[] = {{"file_path", "path"}, {NULL, NULL}};

const struct tool tool_write_file = {
    .name = "write_file",
    .aliases = aliases,
    .param_aliases = param_aliases,
    .flags = TOOL_WRITES,
    .guard = GUARD_WRITES,
    .summary = "Write a new file, or replace an existing one completely; missing folders are created. To "
	       "change part of a file, use edit_file. "
	       "Returns: {success, message, bytes_written, created?, overwritten?, backup_created?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"path\":{\"type\":\"string\",\"description\":\"File to write, relative to the "
	      "workspace\"},\"content\":{\"type\":\"string\",\"description\":\"The full text of the file; "
	      "may be empty\"},\"backup\":{\"type\":\"boolean\",\"description\":\"Keep the old file as "
	      "PATH.bak (default: false)\"}},\"required\":[\"path\",\"content\"]}",
    .errors = "ACCESS_DENIED, BLOCKED, IO_ERROR, LIMIT_REACHED, NOT_FOUND",
    .run = run,
};
