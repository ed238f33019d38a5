#include "tools/shell/shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "tools/background.h"

#define WAIT_MS 30000
/* Bytes of an unknown id that are repeated. */
#define ID_SHOWN 64

static const char *const states[] = {
    [BACKGROUND_RUNNING] = "running",
    [BACKGROUND_COMPLETED] = "completed",
    [BACKGROUND_FAILED] = "failed",
    [BACKGROUND_KILLED] = "killed",
    [BACKGROUND_TIMED_OUT] = "timed_out",
};

static struct json_object *not_found(const struct tool_call *call, const char *id)
{
	struct buf running = BUF_INIT;

	if (call->background && call->chat)
		background_list(call->background, call->chat, &running);
	struct json_object *o = tool_failure(call->tool->name, "NOT_FOUND", "TASK_NOT_FOUND",
	    "Task not found: %.*s. Running here: %s.", (int)utf8_cut(id, strlen(id), ID_SHOWN, UTF8_BYTES),
	    id, running.len > 0 ? running.data : "none");
	buf_clear(&running);
	return o;
}

/* A task of an earlier process, which ended with it. */
static struct json_object *lost(const char *id)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "task_id", id);
	json_set_str(o, "status", "lost");
	json_set_str(o, "stdout", "");
	json_set_str(o, "stderr", "");
	json_set_str(o, "message",
	    "The gateway was restarted, which ended it. Check what it did before doing it again.");
	return o;
}

struct background_job *task_find(
    const struct tool_call *call, struct json_object *args, struct json_object **answer)
{
	const char *id = json_get_str(args, "task_id");
	struct background *b = call->background;
	struct background_job *job = b && call->chat && id ? background_find(b, call->chat, id) : NULL;

	if (job)
		background_hold(job);
	else if (b && call->chat && id && background_was_interrupted(b, id))
		*answer = lost(id);
	else
		*answer = not_found(call, id ? id : "");
	return job;
}

static struct json_object *result_of(const struct background_job *job)
{
	const struct background_end *end = background_end(job);
	struct json_object *o = json_object_new_object();

	json_set_str(o, "task_id", background_id(job));
	json_set_str(o, "status", states[end->state]);
	shell_add_output(o, "stdout", background_output(job, BACKGROUND_STDOUT), SIZE_MAX);
	shell_add_output(o, "stderr", background_output(job, BACKGROUND_STDERR), SIZE_MAX);
	if (end->state != BACKGROUND_RUNNING && end->state != BACKGROUND_KILLED)
		shell_add_end(o, end);
	json_set_int(o, "duration_ms", (int64_t)background_ms(job));
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = NULL, *clamped = NULL;
	uint64_t wait_ms = shell_seconds(args, "timeout", WAIT_MS, SHELL_SECONDS_MAX, &clamped);
	struct background_job *job = task_find(call, args, &o);
	int rc = 0;

	if (job && json_get_bool(args, "wait", false))
		rc = background_wait(t, job, wait_ms, NULL);
	if (job && rc >= 0)
		o = result_of(job);
	else if (job)
		o = tool_failure(
		    "task_output", "INTERRUPTED", "STOPPED", "The turn was stopped while this waited.");
	if (job)
		background_release(job);
	if (clamped)
		json_set(o, "clamped", clamped);
	return o;
}

static const struct tool_alias param_aliases[] = {{"timeout_seconds", "timeout"}, {NULL, NULL}};

const struct tool tool_task_output = {
    .name = "task_output",
    .param_aliases = param_aliases,
    .summary = "Read all the output of a background task so far, and whether it has ended. "
	       "Its status is running, completed, failed, killed, timed_out or lost. "
	       "Returns: {task_id, status, stdout, stderr, exit_code?, signal?, truncated?, stdout_bytes?, "
	       "stderr_bytes?, duration_ms?, message?}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"task_id\":{\"type\":\"string\",\"minLength\":1,\"description\":\"The id from exec_shell, spawn or "
	"task\"},\"wait\":{\"type\":\"boolean\",\"description\":\"Wait until it ends (default: "
	"false)\"},\"timeout\":{\"type\":\"number\",\"minimum\":0.001,\"description\":\"Seconds to "
	"wait, at most 300 (default: 30)\"}},\"required\":[\"task_id\"]}",
    .errors = "NOT_FOUND",
    .flags = TOOL_TIMED,
    .run = run,
};
