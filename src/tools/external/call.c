/* Calls an external tool. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/external/external_internal.h"
#include "tools/external/program.h"
#include "tools/shell/shell.h"
#include "tools/tools_internal.h"

/* Bytes of each stream in a failure. */
#define STREAM_SHOWN 4096

/* {tool_success: false, error, error_code, exit_code?, stdout?, stderr?, context}. */
__attribute__((format(printf, 4, 5))) static struct json_object *fail(
    const struct tool_call *call, const struct external_output *out, const char *code, const char *fmt, ...)
{
	struct json_object *o = json_object_new_object(), *context = json_object_new_object();
	size_t shown = out->out.len < STREAM_SHOWN ? out->out.len : STREAM_SHOWN;
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	json_set_bool(o, "tool_success", false);
	json_set_str(o, "error", text.data);
	json_set_str(o, "error_code", code);
	if (out->status >= 0 && !out->timed_out && !out->overflown)
		json_set_int(o, "exit_code", out->status);
	if (shown > 0)
		json_set(o, "stdout", json_object_new_string_len(out->out.data, (int)shown));
	if (out->err.len > 0)
		json_set(o, "stderr", json_object_new_string_len(out->err.data, (int)out->err.len));
	json_set_str(context, "tool", call->tool->name);
	json_set(o, "context", context);
	buf_clear(&text);
	return o;
}

/* The program did not start. */
static struct json_object *not_run(const struct tool_call *call, const struct error *err)
{
	if (err->kind == ERROR_CANCELLED)
		return tool_failure(call->tool->name, "INTERRUPTED", "STOPPED",
		    "The turn was stopped while this ran.%s",
		    call->tool->flags & TOOL_WRITES ?
			" Its outcome is unknown: check before doing it again." :
			"");
	if (err->kind == ERROR_REFUSED)
		return tool_failure(
		    call->tool->name, "UNAVAILABLE", "SANDBOX", "Programs cannot be run here: %s", err->text);
	if (err->kind == ERROR_LIMITED)
		return tool_failure(call->tool->name, "LIMIT_REACHED", "DISK", "%s", err->text);
	/* The error's sentence contains paths of the host. */
	return tool_failure(call->tool->name, "IO_ERROR", "SPAWN_FAILED",
	    "It could not be started: %s. Try again later.",
	    err->code ? strerror(err->code) : "no process could be begun");
}

static struct json_object *judge(const struct tool_call *call, const struct external_output *out)
{
	const char *name = call->tool->name;
	const struct tools_settings *s = &call->tools->settings;
	struct error err = {0};

	if (out->missing)
		return fail(call, out, "TOOL_NOT_FOUND",
		    "The program of '%s' is gone. Do without it, or ask an admin.", name);
	if (out->timed_out)
		return fail(call, out, "TOOL_TIMEOUT",
		    "Tool '%s' did not end within %g s and was stopped. Ask for less, or try later.", name,
		    (double)s->external_ms / 1000);
	if (out->overflown)
		return fail(call, out, "INVALID_OUTPUT",
		    "Tool '%s' printed more than %lld bytes and was stopped. Ask for less.", name,
		    (long long)s->external_bytes);
	if (out->limit)
		return fail(call, out, "TOOL_CRASHED",
		    "Tool '%s' crashed with exit code %d: its limit of %s was reached%s%s", name, out->status,
		    out->limit, *out->advice ? ". " : "", out->advice);
	if (out->status != 0)
		return fail(
		    call, out, "TOOL_CRASHED", "Tool '%s' crashed with exit code %d", name, out->status);
	struct json_object *result = external_result(out->out.data, out->out.len, &err);
	if (result)
		return result;
	if (out->input_unread && out->out.len == 0)
		return fail(call, out, "INVALID_PARAMS",
		    "Tool '%s' did not read its arguments. Ask an admin to mend it.", name);
	return fail(call, out, "INVALID_OUTPUT",
	    "Tool '%s' did not print one JSON object: %s. Do without it, or ask an admin to mend it.", name,
	    err.text);
}

struct json_object *external_result(const char *text, size_t len, struct error *err)
{
	struct json_object *result = json_parse_foreign(text, len, err);

	if (!result)
		return NULL;
	struct json_object *o = json_object_new_object();
	json_set_bool(o, "tool_success", true);
	json_set(o, "result", result);
	return o;
}

/* Returns the folder of the programs: the path without this program's name. */
static char *folder_of(const char *path)
{
	return xstrndup(path, (size_t)(strrchr(path, '/') - path));
}

struct json_object *external_run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const struct tools_settings *s = &call->tools->settings;
	struct json_object *failure = NULL;
	/* Makes the chat's folder if it is the first use of it. */
	char *dir = working_directory_find(t, call, NULL, &failure);

	if (!dir)
		return failure;
	char *folder = folder_of(call->tool->context);
	struct buf input = BUF_INIT;
	struct external_output out;
	struct error err = {0};

	json_write(&input, args);
	const struct external_options start = {.path = call->tool->context,
	    .folder = folder,
	    .input = &input,
	    .deadline_ms = (uint64_t)s->external_ms,
	    .most = (size_t)s->external_bytes,
	    .network = call->tool->flags & TOOL_NETWORK};
	int rc = external_program_run(t, call->tools, &start, &out, &err);
	struct json_object *result = rc == 0 ? judge(call, &out) : not_run(call, &err);
	external_output_clear(&out);
	buf_clear(&input);
	free(folder);
	free(dir);
	return result;
}
