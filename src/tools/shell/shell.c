#include "tools/shell/shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "store/store.h"
#include "tools/background.h"
#include "tools/output.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/sandbox/sandbox.h"

/* Time between the request to end and the kill. */
#define GRACE_MS 500
/* Bytes of each stream in the context of a failure. */
#define CONTEXT_BYTES 8192
/* Bytes of a command in a note about it. */
#define NOTED_CHARS 200

const struct tool_alias shell_aliases[] = {
    {"cwd", "working_directory"}, {"timeout_seconds", "timeout"}, {NULL, NULL}};

/* One program and the output kept of it, while it runs. */
struct running {
	struct sandbox *sandbox;
	struct sandbox_run run;
	struct output outputs[BACKGROUND_STREAMS]; /* in the foreground */
	struct background_job *job;                /* in the background */
	uint64_t began;
	char advice[SANDBOX_ADVICE]; /* about its limit; "" for none */
	/* Only in the background: */
	char **argv, **env, *workspace, *dir, *shown;
	struct store *store;
	int64_t turn;
	struct epoch *epoch;
};

static struct background_limits limits_of(const struct tool_call *call)
{
	const struct tools_settings *s = &call->tools->settings;

	return (struct background_limits){.in_chat = (size_t)s->commands_in_chat,
	    .in_all = (size_t)s->commands_max,
	    .output_bytes = (size_t)s->output_bytes};
}

void shell_add_output(struct json_object *o, const char *name, const struct output *output, size_t most)
{
	struct buf text = BUF_INIT;
	char *bytes = xasprintf("%s_bytes", name);

	if (output_write(output, most, &text) > 0) {
		json_set_bool(o, "truncated", true);
		json_set_int(o, bytes, (int64_t)output->total);
	}
	json_set(o, name, json_object_new_string_len(text.data, (int)text.len));
	buf_clear(&text);
	free(bytes);
}

void shell_add_end(struct json_object *o, const struct background_end *end)
{
	json_set_int(o, "exit_code", end->exit_code);
	if (end->signal > 0)
		json_set_int(o, "signal", end->signal);
	json_set_str(o, "limit", end->limit);
}

uint64_t shell_seconds(struct json_object *args, const char *name, uint64_t fallback_ms, uint64_t max_s,
    struct json_object **clamped)
{
	double s = json_get_double(args, name, -1);

	if (s < 0)
		return fallback_ms;
	if (s <= (double)max_s)
		return (uint64_t)(s * 1000) > 0 ? (uint64_t)(s * 1000) : 1;
	*clamped = *clamped ? *clamped : json_object_new_object();
	json_set_int(*clamped, name, (int64_t)max_s);
	return max_s * 1000;
}

static void sink(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct running *r = arg;
	enum background_stream to = stream == CHILD_STDERR ? BACKGROUND_STDERR : BACKGROUND_STDOUT;

	if (r->job)
		background_write(r->job, to, data, len);
	else
		output_add(&r->outputs[to], data, len);
}

/* Returns 0 when it has ended, as end says; -1 when it could not be started, or t was cancelled and nothing
 * of it is left. */
static int run_program(struct task *t, struct running *r, struct background_end *end, struct error *err)
{
	struct sandbox_end out = {0};
	struct sandboxed *p = sandbox_start(t, r->sandbox, &r->run, err);
	int rc = p ? sandboxed_wait(t, p, &out, err) : -1;

	sandboxed_free(t, p);
	*end = (struct background_end){
	    .state = out.child.timed_out ? BACKGROUND_TIMED_OUT : BACKGROUND_COMPLETED,
	    .exit_code = out.child.status,
	    .signal = out.child.signal,
	    .limit = out.limit,
	};
	snprintf(r->advice, sizeof(r->advice), "%s", out.advice);
	return rc;
}

static struct json_object *not_started(const char *tool, const char *program, const struct error *err)
{
	if (err->kind == ERROR_REFUSED)
		return tool_failure(tool, "UNAVAILABLE", "SANDBOX", "%s", err->text);
	if (err->kind == ERROR_LIMITED)
		return tool_failure(tool, "LIMIT_REACHED", "DISK", "%s", err->text);
	if (err->kind == ERROR_CANCELLED)
		return tool_failure(tool, "INTERRUPTED", "STOPPED",
		    "The turn was stopped while this ran. Its outcome is unknown: check before doing it "
		    "again.");
	if ((err->code == EACCES || err->code == ENOEXEC) && strstr(err->text, "start the program"))
		return tool_failure(tool, "ACCESS_DENIED", "PERMISSION_DENIED",
		    "%.*s is not an executable program. Make it one with chmod +x and a first line such as "
		    "#!/bin/sh, or run it with its interpreter.",
		    (int)utf8_cut(program, strlen(program), NOTED_CHARS, UTF8_BYTES), program);
	if (err->code != ENOENT)
		return tool_failure(tool, "IO_ERROR", "SPAWN_FAILED",
		    "No process could be started: %s Try again later.", err->text);
	if (strchr(program, ' '))
		return tool_failure(tool, "INVALID_ARGUMENT", "RANGE",
		    "There is no program of this name: put the arguments into args, or use exec_shell.");
	return tool_failure(tool, "NOT_FOUND", "PROGRAM_NOT_FOUND",
	    "Program not found: %.*s. Check the name.",
	    (int)utf8_cut(program, strlen(program), NOTED_CHARS, UTF8_BYTES), program);
}

static struct json_object *timed_out(const char *tool, const struct running *r)
{
	struct json_object *o = tool_failure(tool, "TIMEOUT", NULL,
	    "Command exceeded %g s and was killed. Raise timeout (at most %d) or set run_in_background.",
	    (double)r->run.deadline_ms / 1000, SHELL_SECONDS_MAX);
	struct json_object *context = json_get_object(o, "context");

	shell_add_output(context, "stdout", &r->outputs[BACKGROUND_STDOUT], CONTEXT_BYTES);
	shell_add_output(context, "stderr", &r->outputs[BACKGROUND_STDERR], CONTEXT_BYTES);
	return o;
}

static struct json_object *filled(const char *tool, const struct running *r, const char *limit)
{
	struct json_object *o = strcmp(limit, "quota") == 0 ?
	    tool_failure(tool, "LIMIT_REACHED", "QUOTA", "Command was killed, since it wrote too much: %s",
		r->advice) :
	    tool_failure(tool, "LIMIT_REACHED", "DISK",
		"Command was killed, since it left too little space on the disk (tools.disk_reserve). Remove "
		"what it wrote, and write less.");
	struct json_object *context = json_get_object(o, "context");

	shell_add_output(context, "stdout", &r->outputs[BACKGROUND_STDOUT], CONTEXT_BYTES);
	shell_add_output(context, "stderr", &r->outputs[BACKGROUND_STDERR], CONTEXT_BYTES);
	return o;
}

static bool is_of_disk(const char *limit)
{
	return limit && (strcmp(limit, "disk") == 0 || strcmp(limit, "quota") == 0);
}

static struct json_object *result_of(const struct running *r, const struct background_end *end)
{
	struct json_object *o = json_object_new_object();

	shell_add_end(o, end);
	shell_add_output(o, "stdout", &r->outputs[BACKGROUND_STDOUT], SIZE_MAX);
	shell_add_output(o, "stderr", &r->outputs[BACKGROUND_STDERR], SIZE_MAX);
	json_set_int(o, "duration_ms", (int64_t)(clock_now() - r->began));
	if (*r->advice) {
		char *note = xasprintf("Commands can only remove files now: %s", r->advice);
		json_set_str(o, "note", note);
		free(note);
	}
	return o;
}

static struct json_object *too_many(
    const struct tool_call *call, const struct address *chat, const struct background_limits *limits)
{
	struct buf text = BUF_INIT;

	background_describe_full(call->background, chat, limits, &text);
	struct json_object *o =
	    tool_failure(call->tool->name, "LIMIT_REACHED", "TOO_MANY_PROCESSES", "%s", text.data);
	buf_clear(&text);
	return o;
}

static struct json_object *run_and_wait(
    struct task *t, const struct tool_call *call, const struct shell_request *request, struct running *r)
{
	static const struct address nowhere;
	const struct address *chat = call->chat ? call->chat : &nowhere;
	struct background_limits limits = limits_of(call);
	struct background_slot slot;
	struct background_end end;
	struct error err = {0};
	struct json_object *o;

	if (!background_slot_take(call->background, chat, &limits, &slot))
		return too_many(call, chat, &limits);
	for (size_t i = 0; i < BACKGROUND_STREAMS; i++)
		output_init(&r->outputs[i], limits.output_bytes);
	if (run_program(t, r, &end, &err) < 0)
		o = not_started(call->tool->name, request->argv[0], &err);
	else
		o = end.state == BACKGROUND_TIMED_OUT ? timed_out(call->tool->name, r) :
		    is_of_disk(end.limit)             ? filled(call->tool->name, r, end.limit) :
							result_of(r, &end);
	for (size_t i = 0; i < BACKGROUND_STREAMS; i++)
		output_clear(&r->outputs[i]);
	background_slot_release(&slot);
	return o;
}

/* The note for the agent's next turn in this chat, unless the agent ended the task itself. */
static void note_end(struct task *t, const struct running *r, const struct background_end *end)
{
	const char *id = background_id(r->job), *what = r->shown;
	char *event = xasprintf("task:%s", id), *text;
	size_t shown = utf8_cut(what, strlen(what), NOTED_CHARS, UTF8_CHARS);
	struct error err = {0};

	text = xasprintf("Background task %s has ended: %s, exit code %d, after %llu s. Read it with "
			 "task_output. It was: %.*s%s",
	    id,
	    end->state == BACKGROUND_TIMED_OUT     ? "its time was over" :
		end->state == BACKGROUND_COMPLETED ? "completed" :
						     "failed",
	    end->exit_code, (unsigned long long)(background_ms(r->job) / 1000), (int)shown, what,
	    what[shown] ? " …" : "");
	if (r->store && r->turn && store_note_delivery(t, r->store, r->turn, event, text, &err) < 0 &&
	    !task_is_cancelled(t))
		log_warn("tools", "the end of a background task is not told: %s task=%s", err.text, id);
	free(event);
	free(text);
}

static void job_run(struct task *t, struct background_job *job, void *arg)
{
	struct running *r = arg;
	struct background_end end;
	struct error err = {0};

	r->job = job;
	if (run_program(t, r, &end, &err) < 0) {
		if (err.kind == ERROR_CANCELLED)
			return;
		end = (struct background_end){
		    .state = BACKGROUND_FAILED, .exit_code = err.code == ENOENT ? 127 : -1};
		background_write(job, BACKGROUND_STDERR, err.text, strlen(err.text));
	}
	if (*r->advice)
		background_write(job, BACKGROUND_STDERR, r->advice, strlen(r->advice));
	background_finish(job, &end);
	log_info("tools", "background task=%s ended: exit=%d ms=%llu turn=%lld", background_id(job),
	    end.exit_code, (unsigned long long)background_ms(job), (long long)r->turn);
	note_end(t, r, &end);
}

static void free_words(char **words)
{
	for (char **word = words; *word; word++)
		free(*word);
	free(words);
}

static void job_free(void *arg)
{
	struct running *r = arg;

	epoch_leave(r->epoch);
	free_words(r->argv);
	free_words(r->env);
	free(r->workspace);
	free(r->dir);
	free(r->shown);
	free(r);
}

static char **copy_words(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	char **copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(words[i]);
	return copy;
}

/* Settings and the sandbox stay valid until it has ended. */
static struct running *copy_running(
    const struct tool_call *call, const struct shell_request *request, const struct running *r)
{
	struct running *copy = xmemdup(r, sizeof(*r));

	copy->argv = copy_words(request->argv);
	copy->env = copy_words(r->run.env);
	copy->workspace = xstrdup(r->run.workspace);
	copy->dir = xstrdup(r->run.dir);
	copy->shown = xstrdup(request->shown);
	copy->store = call->store;
	copy->turn = call->turn;
	copy->epoch = epoch_enter();
	copy->run.argv = (const char *const *)copy->argv;
	copy->run.env = (const char *const *)copy->env;
	copy->run.workspace = copy->workspace;
	copy->run.dir = copy->dir;
	copy->run.sink_arg = copy;
	return copy;
}

static struct json_object *start_in_background(
    struct task *t, const struct tool_call *call, const struct shell_request *request, struct running *r)
{
	struct background_limits limits = limits_of(call);
	struct error err = {0};

	if (!call->background || !call->chat)
		return tool_failure(call->tool->name, "UNAVAILABLE", "NO_CHAT",
		    "Only a conversation with the gateway has background tasks. Run it without "
		    "run_in_background.");
	if (sandbox_prove(t, r->sandbox, &err) < 0)
		return not_started(call->tool->name, request->argv[0], &err);
	const struct background_work work = {.run = job_run,
	    .free = job_free,
	    .arg = copy_running(call, request, r),
	    .what = request->shown,
	    .person = call->person};
	struct background_job *job = background_start(call->background, call->chat, &limits, &work);
	if (!job)
		return too_many(call, call->chat, &limits);
	struct json_object *o = json_object_new_object();
	json_set_str(o, "task_id", background_id(job));
	json_set_str(o, "status", "running");
	return o;
}

static void log_start(const struct tool_call *call, const struct shell_request *request)
{
	const char *description = json_get_str(request->args, "description");

	log_write(call->bus ? LOG_LEVEL_INFO : LOG_LEVEL_DEBUG, "tools",
	    "%s: %.*s description=\"%s\" turn=%lld", call->tool->name,
	    (int)utf8_cut(request->shown, strlen(request->shown), NOTED_CHARS, UTF8_CHARS), request->shown,
	    description ? description : "", (long long)call->turn);
}

static struct json_object *run_in(
    struct task *t, const struct tool_call *call, const struct shell_request *request, const char *dir)
{
	const struct tools_settings *s = &call->tools->settings;
	bool background = json_get_bool(request->args, "run_in_background", false);
	uint64_t life_s = (uint64_t)s->background_ms / 1000;
	char *path = xasprintf("PATH=%s", s->commands_path);
	const char *const env[] = {path, NULL};
	struct json_object *clamped = NULL, *o;
	struct running r = {.sandbox = tools_sandbox(call->tools),
	    .began = clock_now(),
	    .run = {.argv = request->argv,
		.env = env,
		.workspace = roots_workspace(call->tools->roots),
		.dir = dir,
		.network = s->commands_network,
		.keep_free = true,
		.quota = roots_quota(call->tools->roots),
		.grace_ms = GRACE_MS,
		.sink = sink}};

	r.run.sink_arg = &r;
	r.run.deadline_ms = background ?
	    shell_seconds(request->args, "timeout", life_s * 1000, life_s, &clamped) :
	    shell_seconds(request->args, "timeout", request->fallback_ms, SHELL_SECONDS_MAX, &clamped);
	o = background ? start_in_background(t, call, request, &r) : run_and_wait(t, call, request, &r);
	if (clamped)
		json_set(o, "clamped", clamped);
	free(path);
	return o;
}

struct json_object *shell_run(
    struct task *t, const struct tool_call *call, const struct shell_request *request)
{
	struct json_object *failure = NULL, *o;
	char *dir =
	    working_directory_find(t, call, json_get_str(request->args, "working_directory"), &failure);

	if (!dir)
		return failure;
	log_start(call, request);
	o = run_in(t, call, request, dir);
	free(dir);
	return o;
}
