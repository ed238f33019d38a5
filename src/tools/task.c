#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/background.h"
#include "tools/services.h"
#include "tools/subagent_tools.h"
#include "tools/tools_internal.h"

#define NAME "task"

static struct json_object *result_of(const struct tool_agent_result *work)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "status", work->failed ? "failed" : "success");
	json_set_str(o, "stdout", work->failed ? "" : work->text);
	json_set_str(o, "stderr", work->failed ? work->text : "");
	json_set_int(o, "exit_code", work->failed);
	return o;
}

/* Characters of the prompt that are shown. */
#define SHOWN_CHARS 100

static struct json_object *too_many(const struct tool_call *call)
{
	const struct background_limits limits = tools_task_limits(call->tools);
	struct buf text = BUF_INIT;

	background_describe_full(call->background, call->chat, &limits, &text);
	struct json_object *o =
	    tool_failure(NAME, "LIMIT_REACHED", "TOO_MANY_PROCESSES", "Not begun: %s", text.data);
	buf_clear(&text);
	return o;
}

static struct json_object *start(struct task *t, const struct tool_call *call, const char *prompt)
{
	size_t cut = utf8_cut(prompt, strlen(prompt), SHOWN_CHARS, UTF8_CHARS);
	struct error err = {0};
	char *id = NULL;

	if (!call->background || !call->chat || !call->services->start_agent)
		return tool_failure(NAME, "UNAVAILABLE", "NO_CHAT",
		    "There is no background here. Call it without background.");
	int rc = call->services->start_agent(t, call->services->agent, call, prompt, &id, &err);
	if (rc > 0)
		return too_many(call);
	if (rc < 0)
		return tool_failure(NAME, "UNAVAILABLE", NULL, "Not begun: %s. Try again later.", err.text);
	struct json_object *o = json_object_new_object();
	char *begins = xstrndup(prompt, cut);
	json_set_str(o, "task_id", id);
	json_set_str(o, "status", "running");
	json_set_str(o, "prompt", begins);
	free(begins);
	free(id);
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *prompt = json_get_str(args, "prompt");
	struct tool_agent_result work = {0};
	struct error err = {0};

	if (!call->services || !call->services->run_agent)
		return tool_failure(NAME, "UNAVAILABLE", "NO_CHAT",
		    "There is no agent here that could begin another one. Use it in a conversation.");
	if (prompt[strspn(prompt, " \t\r\n")] == '\0')
		return tool_failure(
		    NAME, "INVALID_ARGUMENT", "RANGE", "'prompt' is blank. Write what is to be done.");
	if (json_get_bool(args, "background", false))
		return start(t, call, prompt);
	if (call->services->run_agent(t, call->services->agent, call, prompt, &work, &err) < 0)
		return tool_failure(
		    NAME, "INTERRUPTED", "STOPPED", "It was stopped: %s. Check what it has done.", err.text);
	struct json_object *o = result_of(&work);
	free(work.text);
	return o;
}

const struct tool tool_task = {
    .name = NAME,
    .flags = TOOL_WRITES | TOOL_TIMED,
    .summary = "Give a task of several steps to a sub-agent, which has your tools and a conversation of its "
	       "own. Wait for its result, or let it work in the background. It knows only the prompt, sees "
	       "only the workspace, and cannot ask anybody. Returns: {status, stdout?, stderr?, exit_code?, "
	       "task_id?, prompt?}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"prompt\":{\"type\":\"string\",\"maxLength\":32000,\"description\":\"What to do, with everything "
	"it needs to know\"},\"background\":{\"type\":\"boolean\",\"description\":\"Return at once with a "
	"task_id for task_output and kill_shell; the result is sent to the chat (default: false)\"}"
	"},\"required\":[\"prompt\"]}",
    .errors = "LIMIT_REACHED, UNAVAILABLE",
    .run = run,
};
