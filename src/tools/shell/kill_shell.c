#include <stdint.h>

#include "base/json/json.h"
#include "tools/background.h"
#include "tools/tools_internal.h"
#include "tools/shell/shell.h"

/* It is killed after its grace period, so this is enough on a busy machine. */
#define GONE_MS 60000

static struct json_object *result_of(const struct background_job *job, bool ended_before)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "task_id", background_id(job));
	json_set_str(o, "status", ended_before ? "already_completed" : "killed");
	json_set_bool(o, "success", true);
	return o;
}

static struct json_object *end_job(struct task *t, struct background_job *job)
{
	bool ended_before = background_end(job)->state != BACKGROUND_RUNNING;

	background_kill(job);
	int rc = background_wait(t, job, GONE_MS, NULL);
	if (rc > 0)
		return result_of(job, ended_before);
	if (rc < 0)
		return tool_failure("kill_shell", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the task was being ended.");
	return tool_failure("kill_shell", "TIMEOUT", NULL,
	    "The task is killed and has not gone yet. Look again with task_output.");
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o = NULL;
	struct background_job *job = task_find(call, args, &o);

	if (!job)
		return o;
	o = end_job(t, job);
	background_release(job);
	return o;
}

const struct tool tool_kill_shell = {
    .name = "kill_shell",
    .summary = "Kill a background task and everything that it started. Its status is then killed or "
	       "already_completed. Returns: {task_id, status, success}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"task_id\":{\"type\":\"string\",\"minLength\":1,\"description\":\"The id from exec_shell, "
	      "spawn or task\"}},\"required\":[\"task_id\"]}",
    .errors = "NOT_FOUND",
    .flags = TOOL_WRITES | TOOL_TIMED,
    .run = run,
};
