#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/memory/memory.h"
#include "tools/memory/paragraph.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"

struct forget_job {
	struct worker_job job;
	struct memory memory;
	struct buf folded; /* the text to find, folded */
	bool all;
	/* Results. */
	size_t match_count;
	struct path_error why;
};

static void job_free(struct worker_job *job)
{
	struct forget_job *f = (struct forget_job *)job;

	memory_clear(&f->memory);
	buf_clear(&f->folded);
	free(f);
}

static void job_run(struct worker_job *job)
{
	struct forget_job *f = (struct forget_job *)job;

	memory_drop(&f->memory, &f->folded, f->all, &f->match_count, &f->why);
}

static struct json_object *result_of(const struct forget_job *f)
{
	struct json_object *o;

	if (f->why.code)
		return tool_path_failure("memory_forget", &f->why);
	if (f->match_count == 0)
		return tool_failure("memory_forget", "NOT_FOUND", "STRING_NOT_FOUND",
		    "No paragraph of this memory holds the text. Look with memory_read, or in another "
		    "scope.");
	if (f->match_count > 1 && !f->all) {
		o = tool_failure("memory_forget", "NOT_UNIQUE", NULL,
		    "%zu paragraphs hold the text, and nothing was removed. Give more of the one that is "
		    "meant, or set all.",
		    f->match_count);
		json_set_int(json_get_object(o, "context"), "count", (int64_t)f->match_count);
		return o;
	}
	o = json_object_new_object();
	json_set_int(o, "removed", (int64_t)f->match_count);
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *text = json_get_str(args, "text");
	struct memory memory;
	struct error err = {0};
	struct json_object *o =
	    memory_find(&memory, call, "memory_forget", json_get_str(args, "scope"), MEMORY_WRITES);

	if (!o && text[strspn(text, " \t\r\n")] == '\0')
		o = tool_failure("memory_forget", "INVALID_ARGUMENT", "RANGE",
		    "text is blank, which every paragraph holds. Give words of what is to be forgotten.");
	if (o) {
		memory_clear(&memory);
		return o;
	}
	struct forget_job *f = xcalloc(1, sizeof(*f));
	f->job = (struct worker_job){.run = job_run, .free = job_free};
	f->memory = memory; /* moved */
	f->all = json_get_bool(args, "all", false);
	buf_init(&f->folded);
	paragraph_fold(&f->folded, text, strlen(text));
	if (tool_worker_await(t, call, &f->job, &err) < 0)
		return tool_failure("memory_forget", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the memory was changed. It may have been: read it before "
		    "doing it again.");
	o = result_of(f);
	job_free(&f->job);
	return o;
}

const struct tool tool_memory_forget = {
    .name = "memory_forget",
    .flags = TOOL_WRITES | TOOL_DAEMON,
    .summary = "Remove from the memory what is no longer true: the whole paragraph that contains a text. "
	       "Returns: {removed}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"text\":{\"type\":\"string\",\"minLength\":1,\"description\":\"Text that the paragraph "
	      "contains; case is ignored\"},"
	      "\"all\":{\"type\":\"boolean\",\"description\":\"Remove every paragraph that contains it, even "
	      "if there are several (default: false)\"}," MEMORY_SCOPE_SCHEMA "},\"required\":[\"text\"]}",
    .errors = "ACCESS_DENIED, IO_ERROR, NOT_FOUND, NOT_UNIQUE, UNAVAILABLE",
    .run = run,
};
