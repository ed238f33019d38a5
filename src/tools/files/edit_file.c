#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/edit_match.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/guard.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define REPLACE_ALL SIZE_MAX

struct edit_job {
	struct worker_job job;
	struct roots *roots;
	char *path, *old_text, *new_text; /* old_text may be NULL */
	bool all, create, allows_prompt_file;
	size_t most; /* bytes of the file, before and after */
	/* Results. */
	struct path_error why;
	bool created;
	size_t replacements, size;
	size_t count;            /* number of matches of a text that is not unique */
	struct edit_spots spots; /* suggestions */
};

static void job_free(struct worker_job *job)
{
	struct edit_job *e = (struct edit_job *)job;

	roots_unref(e->roots);
	free(e->path);
	free(e->old_text);
	free(e->new_text);
	edit_spots_clear(&e->spots);
	free(e);
}

static void write_text(struct edit_job *e, const struct write_target *p, const char *data, size_t len)
{
	const struct write_target_content text = {.data = data, .len = len, .mode = 0644};
	char after[128];

	if (len > e->most) {
		snprintf(after, sizeof(after),
		    " would have %zu bytes, the limit is %zu. Replace less at once.", len, e->most);
		path_error_set(&e->why, "LIMIT_REACHED", "TOO_LARGE", "", e->path, after);
		return;
	}
	e->size = len;
	write_target_replace(p, e->path, &text, &e->why);
}

static void tell_missing(struct edit_job *e, struct edit_text file, struct edit_text old_text)
{
	char after[192];

	snprintf(after, sizeof(after), ". Read it again and copy the text exactly.%s",
	    edit_difference(file, old_text));
	path_error_set(&e->why, "NOT_FOUND", "STRING_NOT_FOUND", "String not found in file ", e->path, after);
	edit_find_similar(file, old_text, &e->spots);
}

static void tell_several(struct edit_job *e, struct edit_text file, struct edit_text old_text, size_t count)
{
	char text[128];

	snprintf(text, sizeof(text),
	    "String matches %zu locations. Give more surrounding text, or set replace_all.", count);
	path_error_set(&e->why, "NOT_UNIQUE", NULL, text, "", "");
	edit_find_lines(file, old_text, &e->spots);
	e->count = count;
}

/* The size after the edit, so that the limit is checked before memory is allocated. */
static size_t size_after(const struct edit_job *e, size_t size, size_t count)
{
	size_t less = strlen(e->old_text) * count, more = strlen(e->new_text);

	return count > 0 && more > (SIZE_MAX - size) / count ? SIZE_MAX : size - less + more * count;
}

static void edit(struct edit_job *e, const struct write_target *p, struct edit_text file)
{
	struct edit_text old_text = {e->old_text, strlen(e->old_text)},
			 new_text = {e->new_text, strlen(e->new_text)};
	size_t count = edit_count(file, old_text), size = file.len;
	struct buf out = BUF_INIT;

	e->size = file.len;
	if (count == 0 && e->all)
		return;
	if (count == 0) {
		tell_missing(e, file, old_text);
	} else if (count > 1 && !e->all) {
		tell_several(e, file, old_text, count);
	} else {
		size = size_after(e, file.len, count);
		if (size <= e->most)
			e->replacements =
			    edit_replace(&out, file, old_text, new_text, e->all ? REPLACE_ALL : 1);
		write_text(e, p, out.data, size <= e->most ? out.len : size);
	}
	buf_clear(&out);
}

static void edit_existing(struct edit_job *e, const struct write_target *p)
{
	struct buf file = BUF_INIT;

	if (!e->old_text || *e->old_text == '\0')
		path_error_set(&e->why, "INVALID_ARGUMENT", e->old_text ? "RANGE" : "MISSING",
		    "old_text cannot be empty. Use write_file to replace the whole file.", "", "");
	else if (write_target_read(p, e->path, e->most, &file, &e->why) == 0)
		edit(e, p, (struct edit_text){file.data, file.len});
	buf_clear(&file);
}

static void job_run(struct worker_job *job)
{
	struct edit_job *e = (struct edit_job *)job;
	struct write_target target;

	e->create &= !e->old_text || *e->old_text == '\0';
	if (write_target_open_approved(
		e->roots, e->path, e->create, e->allows_prompt_file, &target, &e->why) < 0) {
		write_target_clear(&target);
		return;
	}
	e->created = !target.exists && e->create;
	if (target.exists)
		edit_existing(e, &target);
	else if (e->create)
		write_text(e, &target, e->new_text, strlen(e->new_text));
	else
		path_error_errno(&e->why, e->path, ENOENT);
	write_target_clear(&target);
}

static char *message_of(const struct edit_job *e)
{
	if (e->created)
		return xasprintf("Created %s with %zu bytes", e->path, e->size);
	return xasprintf("Replaced %zu occurrences in %s%s", e->replacements, e->path,
	    e->replacements ? "" : ": the text does not occur in it");
}

static struct json_object *result_of(const struct edit_job *e)
{
	struct json_object *o = json_object_new_object();
	char *message = message_of(e);

	json_set_bool(o, "success", true);
	json_set_str(o, "message", message);
	json_set_int(o, "replacements", (int64_t)e->replacements);
	json_set_int(o, "file_size", (int64_t)e->size);
	if (e->created)
		json_set_bool(o, "created", true);
	free(message);
	return o;
}

static struct json_object *failure_of(const struct edit_job *e)
{
	struct json_object *o = tool_path_failure("edit_file", &e->why),
			   *context = json_get_object(o, "context");
	struct json_object *texts = json_object_new_array(), *lines = json_object_new_array();

	for (size_t i = 0; i < e->spots.count; i++) {
		json_object_array_add(texts, json_object_new_string(e->spots.texts[i]));
		json_object_array_add(lines, json_object_new_int64(e->spots.lines[i]));
	}
	if (e->count > 0)
		json_set_int(context, "count", (int64_t)e->count);
	if (e->spots.count > 0) {
		json_set(o, "suggestions", json_object_get(texts));
		json_set(context, "lines", json_object_get(lines));
	}
	json_object_put(texts);
	json_object_put(lines);
	return o;
}

static struct edit_job *job_new(const struct tool_call *call, struct json_object *args)
{
	struct edit_job *e = xcalloc(1, sizeof(*e));

	e->job = (struct worker_job){.run = job_run, .free = job_free};
	e->roots = roots_ref(call->tools->roots);
	e->allows_prompt_file = guard_allows_prompt_file(call);
	e->path = xstrdup(json_get_str(args, "path"));
	e->old_text = xstrdup(json_get_str(args, "old_text"));
	e->new_text = xstrdup(json_get_str(args, "new_text"));
	e->all = json_get_bool(args, "replace_all", false);
	e->create = json_get_bool(args, "create_if_not_exists", false);
	e->most = (size_t)call->tools->settings.edit_bytes;
	return e;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *old_text = json_get_str(args, "old_text");
	struct error err = {0};

	if (old_text && *old_text && strcmp(old_text, json_get_str(args, "new_text")) == 0)
		return tool_failure("edit_file", "INVALID_ARGUMENT", "RANGE",
		    "old_text and new_text are identical. Nothing would change.");
	struct edit_job *e = job_new(call, args);
	if (tool_worker_await(t, call, &e->job, &err) < 0)
		return tool_failure("edit_file", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the file was edited. It may have been: check before doing it "
		    "again.");
	struct json_object *o = e->why.code ? failure_of(e) : result_of(e);
	job_free(&e->job);
	return o;
}

static const char *const aliases[] = {"edit", "file_edit", NULL};
static const struct tool_alias param_aliases[] = {
    {"file_path", "path"}, {"new_string", "new_text"}, {"old_string", "old_text"}, {NULL, NULL}};

const struct tool tool_edit_file = {
    .name = "edit_file",
    .aliases = aliases,
    .param_aliases = param_aliases,
    .flags = TOOL_WRITES,
    .guard = GUARD_WRITES,
    .summary = "Change a file by replacing an exact text in it, which must be unique unless replace_all is "
	       "set. Read the file first. "
	       "Returns: {success, message, replacements, file_size, created?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"path\":{\"type\":\"string\",\"description\":\"File to change, relative to the "
	      "workspace\"},\"old_text\":{\"type\":\"string\",\"description\":\"The text to replace, exactly "
	      "as in the file; omit it only to create a file\"},"
	      "\"new_text\":{\"type\":\"string\",\"description\":\"The replacement; empty to delete the "
	      "text\"},\"replace_all\":{\"type\":\"boolean\",\"description\":\"Replace every occurrence "
	      "(default: false)\"},\"create_if_not_exists\":{\"type\":\"boolean\",\"description\":\"Without "
	      "old_text: create the file if it does not exist (default: false)\"}"
	      "},\"required\":[\"path\",\"new_text\"]}",
    .errors = "ACCESS_DENIED, BLOCKED, IO_ERROR, LIMIT_REACHED, NOT_FOUND, NOT_UNIQUE",
    .run = run,
};
