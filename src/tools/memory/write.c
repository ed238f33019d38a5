#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/memory/memory.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"

struct write_job {
	struct worker_job job;
	struct memory memory;
	char *content;
	size_t len;
	bool append;
	struct path_error why; /* result */
};

static void job_free(struct worker_job *job)
{
	struct write_job *w = (struct write_job *)job;

	memory_clear(&w->memory);
	free(w->content);
	free(w);
}

static void job_run(struct worker_job *job)
{
	struct write_job *w = (struct write_job *)job;

	memory_store(&w->memory, w->content, w->len, w->append, &w->why);
}

static struct json_object *result_of(const struct write_job *w)
{
	struct json_object *o = json_object_new_object();
	char *message = xasprintf(
	    "Successfully wrote %zu bytes to memory (mode: %s)", w->len, w->append ? "append" : "overwrite");

	json_set_str(o, "message", message);
	json_set_str(o, "path", w->memory.shown);
	free(message);
	return o;
}

/* Takes the contents of memory. */
static struct write_job *job_new(const struct memory *memory, struct json_object *args)
{
	struct write_job *w = xcalloc(1, sizeof(*w));
	const char *mode = json_get_str(args, "mode");

	w->job = (struct worker_job){.run = job_run, .free = job_free};
	w->memory = *memory;
	w->content = xstrdup(json_get_str(args, "content"));
	w->len = strlen(w->content);
	w->append = !mode || strcmp(mode, "append") == 0;
	return w;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	size_t len = strlen(json_get_str(args, "content")),
	       most = (size_t)call->tools->settings.memory_write_bytes;
	struct memory memory;
	struct error err = {0};

	if (len > most)
		return tool_failure("memory_write", "LIMIT_REACHED", "TOO_LARGE",
		    "content has %zu bytes, the limit is %zu. Note less, or in several calls.", len, most);
	struct json_object *o =
	    memory_find(&memory, call, "memory_write", json_get_str(args, "scope"), MEMORY_WRITES);
	if (o) {
		memory_clear(&memory);
		return o;
	}
	struct write_job *w = job_new(&memory, args);
	if (tool_worker_await(t, call, &w->job, &err) < 0)
		return tool_failure("memory_write", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the memory was written. It may have been: read it before "
		    "doing it again.");
	o = w->why.code ? tool_path_failure("memory_write", &w->why) : result_of(w);
	job_free(&w->job);
	return o;
}

const struct tool tool_memory_write = {
    .name = "memory_write",
    .flags = TOOL_WRITES | TOOL_DAEMON,
    .summary = "Note what is worth knowing in later conversations. Read it with memory_read. Returns: "
	       "{message, path}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"content\":{\"type\":\"string\",\"description\":\"What to note, as "
	      "Markdown\"},\"mode\":{\"type\":\"string\",\"enum\":[\"append\",\"overwrite\"],\"description\":"
	      "\"Add a paragraph, or replace everything (default: append)\"}," MEMORY_SCOPE_SCHEMA
	      "},\"required\":[\"content\"]}",
    .errors = "ACCESS_DENIED, IO_ERROR, LIMIT_REACHED, UNAVAILABLE",
    .run = run,
};
