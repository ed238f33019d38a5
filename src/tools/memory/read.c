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

struct read_job {
	struct worker_job job;
	struct memory memory;
	char *query; /* NULL: everything */
	/* Results. */
	struct path_error why;
	bool found; /* there is a memory */
	struct buf content;
	struct json_object *matches; /* created on the worker thread, which alone uses it while it runs */
};

static void job_free(struct worker_job *job)
{
	struct read_job *r = (struct read_job *)job;

	memory_clear(&r->memory);
	buf_clear(&r->content);
	json_object_put(r->matches);
	free(r->query);
	free(r);
}

static void find_matches(struct read_job *r)
{
	const char *text = r->content.data, *paragraph;
	struct buf folded = BUF_INIT;
	size_t len;

	paragraph_fold(&folded, r->query, strlen(r->query));
	while ((paragraph = paragraph_next(&text, &len)))
		if (paragraph_holds(paragraph, len, &folded))
			json_object_array_add(r->matches, json_object_new_string_len(paragraph, (int)len));
	buf_clear(&folded);
}

static void job_run(struct worker_job *job)
{
	struct read_job *r = (struct read_job *)job;

	r->found = memory_load(&r->memory, &r->content, &r->why) > 0;
	if (r->found && r->query)
		find_matches(r);
}

static struct json_object *result_of(const struct read_job *r)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "query", r->query);
	if (!r->query || !r->found)
		json_set(o, "content", json_object_new_string_len(r->content.data, (int)r->content.len));
	if (r->query) {
		json_set(o, "matches", json_object_get(r->matches));
		json_set_int(o, "count", (int64_t)json_object_array_length(r->matches));
	}
	if (!r->found)
		json_set_str(o, "message", "No memory file found");
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct memory memory;
	struct error err = {0};
	struct json_object *o =
	    memory_find(&memory, call, "memory_read", json_get_str(args, "scope"), MEMORY_READS);

	if (o) {
		memory_clear(&memory);
		return o;
	}
	struct read_job *r = xcalloc(1, sizeof(*r));
	r->job = (struct worker_job){.run = job_run, .free = job_free};
	r->memory = memory; /* moved */
	r->query = xstrdup(json_get_str(args, "query"));
	r->matches = json_object_new_array();
	buf_init(&r->content);
	if (tool_worker_await(t, call, &r->job, &err) < 0)
		return tool_failure("memory_read", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the memory was read.");
	o = r->why.code ? tool_path_failure("memory_read", &r->why) : result_of(r);
	job_free(&r->job);
	return o;
}

const struct tool tool_memory_read = {
    .name = "memory_read",
    .flags = TOOL_DAEMON,
    .summary = "Read what was noted with memory_write: all of it, or the paragraphs that contain a text. "
	       "Returns: {content?, query?, matches?, count?, message?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"query\":{\"type\":\"string\",\"description\":\"Text to search for; case is ignored "
	      "(default: none, read everything)\"}," MEMORY_SCOPE_SCHEMA "}}",
    .errors = "ACCESS_DENIED, IO_ERROR, LIMIT_REACHED, UNAVAILABLE",
    .run = run,
};
