/* Runs one tool call: from the name to the result. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "base/worker.h"
#include "llm/formats/arguments.h"
#include "tools/sanitize.h"
#include "tools/result_limit.h"
#include "tools/guard.h"
#include "tools/tools_internal.h"
#include "tools/schema.h"
#include "tools/source.h"
#include "tools/source_internal.h"

/* Bytes of an unknown name that are repeated, and the number of similar names suggested. */
#define CALL_NAME_SHOWN  64
#define CALL_SIMILAR_MAX 3
/* Longer argument texts are not repeated in a failure. */
#define CALL_ASKED_MAX 256
/* The source of a server's tools, before its name. */
#define MCP_ORIGIN "mcp:"

/* A running tool call, in its own task so that the deadline can cancel only that. */
struct running {
	const struct tool *tool;
	const struct tool_call *call;
	struct json_object *args, *result;
	struct task_group group;
	bool timed_out;
};

static size_t distance_of(const struct tool *tool, const char *name)
{
	size_t least = suggest_distance(name, tool->name);

	for (const char *const *alias = tool->aliases; alias && *alias; alias++) {
		size_t distance = suggest_distance(name, *alias);
		least = distance < least ? distance : least;
	}
	return least;
}

/* Finds the tools with the most similar names, the most similar first. Returns their number. */
static size_t find_similar(const struct tool_call *call, const char *name, const struct tool **near)
{
	size_t distances[CALL_SIMILAR_MAX], count = 0;

	for (const struct tool *tool = NULL; (tool = tools_next(call->tools, tool));) {
		size_t distance = distance_of(tool, name), at = count;
		if (tool_is_gone(tool) || !tools_allow(tool, call))
			continue;
		count += count < CALL_SIMILAR_MAX;
		for (; at > 0 && distances[at - 1] > distance; at--) {
			if (at < CALL_SIMILAR_MAX) {
				distances[at] = distances[at - 1];
				near[at] = near[at - 1];
			}
		}
		if (at < CALL_SIMILAR_MAX) {
			distances[at] = distance;
			near[at] = tool;
		}
	}
	return count;
}

/* Returns a failure when the name is one of an MCP server that offers nothing now, for a reason. */
static struct json_object *server_down(const struct tool_call *call, const char *name)
{
	const char *end = strstr(name, "__");
	size_t count, len = end ? (size_t)(end - name) : 0;
	struct tool_absent *absent = tools_absent(call->tools, call, &count);
	struct json_object *o = NULL;

	for (size_t i = 0; len > 0 && !o && i < count; i++) {
		const char *source = absent[i].source;
		if (!absent[i].name && strncmp(source, MCP_ORIGIN, strlen(MCP_ORIGIN)) == 0 &&
		    strncmp(source + strlen(MCP_ORIGIN), name, len) == 0 &&
		    source[strlen(MCP_ORIGIN) + len] == '\0')
			o = tool_failure(name, "UNAVAILABLE", "SERVER_DOWN",
			    "The MCP server %s is not available: %s Try again later, or do without it.",
			    source + strlen(MCP_ORIGIN), absent[i].reason);
	}
	free(absent);
	return o;
}

static struct json_object *not_found(const struct tool_call *call, const char *name)
{
	struct json_object *down = server_down(call, name);

	if (down)
		return down;
	const struct tool *near[CALL_SIMILAR_MAX];
	size_t n = find_similar(call, name, near);
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%s%s", i ? ", " : " The nearest are: ", near[i]->name);
	struct json_object *o = tool_failure(name, "TOOL_NOT_FOUND", NULL,
	    "There is no tool '%.*s'.%s%s Call one of those that are offered.",
	    (int)utf8_cut(name, strlen(name), CALL_NAME_SHOWN, UTF8_BYTES), name, text.data, n ? "." : "");
	buf_clear(&text);
	return o;
}

static struct json_object *not_parsed(const struct tool *tool, const char *problem)
{
	return tool_failure(tool->name, "INVALID_ARGUMENT", "TYPE",
	    "The arguments are no JSON object: %s. Nothing was run; call again with valid JSON.", problem);
}

/* Reports arguments that the model wrote and we could not parse, with the parser's message. */
static struct json_object *check_unparsed(const struct tool *tool, struct json_object *args)
{
	const char *kept = json_get_str(args, LLM_ARGUMENTS_UNPARSED);
	struct error err = {.text = "it was not understood"};

	if (!kept)
		return NULL;
	json_object_put(json_parse_object(kept, strlen(kept), &err));
	return not_parsed(tool, err.text);
}

/* Empty text and null count as no arguments. */
static const char *text_or_empty(const char *arguments)
{
	static const char blank[] = " \t\r\n";
	const char *text = arguments ? arguments + strspn(arguments, blank) : "";

	if (strncmp(text, "null", 4) == 0 && text[4 + strspn(text + 4, blank)] == '\0')
		return "{}";
	return *text ? text : "{}";
}

/* Returns NULL with *args, which the caller frees; else the failure. */
static struct json_object *parse(
    const struct tool_call *call, const struct tool *tool, const char *arguments, struct json_object **args)
{
	const char *text = text_or_empty(arguments);
	size_t len = strlen(text), most = (size_t)call->tools->settings.arguments_bytes;
	struct error err = {0};

	if (len > most)
		return tool_failure(tool->name, "LIMIT_REACHED", "TOO_LARGE",
		    "The arguments have %zu bytes, the limit is %zu. Nothing was run; call in parts.", len,
		    most);
	*args = json_parse_object(text, len, &err);
	return *args ? check_unparsed(tool, *args) : not_parsed(tool, err.text);
}

int tool_worker_await(struct task *t, const struct tool_call *call, struct worker_job *job, struct error *err)
{
	struct address chat = call->chat ? *call->chat : (struct address){0};
	char client[ADDRESS_TEXT_MAX];

	chat.thread[0] = '\0'; /* anyone can begin threads */
	return worker_await_client(t, address_format(&chat, client), job, err);
}

static void run_tool(struct task *t, void *arg)
{
	struct running *r = arg;

	r->result = r->tool->run(t, r->call, r->args);
}

static void on_deadline(struct clock_timer *timer, void *arg)
{
	struct running *r = arg;

	(void)timer;
	r->timed_out = true;
	task_group_cancel(&r->group);
}

/* Returns the result of a tool that was cut short: a success stands, and so does a failure that says
 * INTERRUPTED. */
static struct json_object *cut_short(struct task *t, struct running *r)
{
	const char *code = json_get_str(r->result, "error_code");
	const char *doubt =
	    r->tool->flags & TOOL_WRITES ? " Its outcome is unknown: check before doing it again." : "";

	if (!code || (!r->timed_out && !task_is_cancelled(t)) ||
	    (!r->timed_out && strcmp(code, "INTERRUPTED") == 0))
		return r->result;
	json_object_put(r->result);
	if (!r->timed_out)
		return tool_failure(
		    r->tool->name, "INTERRUPTED", "STOPPED", "The turn was stopped while this ran.%s", doubt);
	return tool_failure(r->tool->name, "TIMEOUT", NULL, "%s did not end within %lld s.%s", r->tool->name,
	    (long long)r->call->tools->settings.deadline_ms / 1000,
	    *doubt ? doubt : " Ask for less, or try later.");
}

static struct json_object *run_within_deadline(struct task *t, const struct tool_call *call,
    const struct tool *tool, struct json_object *args, struct json_object *facts)
{
	struct tool_call own = *call;
	struct running r = {.tool = tool, .call = &own, .args = args};
	struct clock_timer timer = {0};

	own.tool = tool;
	own.facts = facts;
	task_group_init(&r.group);
	task_start(&r.group, tool->name, run_tool, &r);
	if (!(tool->flags & (TOOL_ASKS | TOOL_TIMED)))
		clock_timer_start(&timer, (uint64_t)call->tools->settings.deadline_ms, on_deadline, &r);
	if (task_group_wait(t, &r.group, NULL) < 0)
		task_group_finish(t, &r.group);
	clock_timer_stop(&timer);
	return cut_short(t, &r);
}

/* Adds the short arguments to the context of a failure. */
static void add_asked(struct json_object *result, struct json_object *schema, struct json_object *args)
{
	struct json_object *context = json_get_object(result, "context");

	if (!context || !args || !json_get_str(result, "error_code"))
		return;
	json_object_object_foreach(args, name, value) {
		bool compound = json_object_is_type(value, json_type_array) ||
		    json_object_is_type(value, json_type_object);
		bool known =
		    json_get(json_get_object(schema, "properties"), name) && !json_get(context, name);
		if (value && known && !compound && json_object_get_string_len(value) <= CALL_ASKED_MAX)
			json_set(context, name, json_object_get(value));
	}
}

static struct json_object *not_allowed(const struct tool_call *call, const struct tool *tool)
{
	const char *why = "not to be used here";

	if (tool->flags & TOOL_ADMIN && !call->admin)
		why = "for admins";
	else if (call->guest)
		why = "not for guests";
	return tool_failure(tool->name, "ACCESS_DENIED", "ROLE", "%s is %s. Ask an admin.", tool->name, why);
}

struct json_object *tools_prepare(const struct tool_call *call, const struct tool *tool,
    const char *arguments, struct json_object **args, struct json_object **clamped)
{
	struct json_object *failure;

	if (!tools_allow(tool, call))
		return not_allowed(call, tool);
	failure = parse(call, tool, arguments, args);
	if (!failure)
		failure = schema_apply(tool, tools_schema(call->tools, tool), *args, clamped);
	/* A call that the role forbids needs no approval. */
	if (!failure && call->guest && tool->writes && tool->writes(*args))
		failure = tool_failure(tool->name, "ACCESS_DENIED", "ROLE",
		    "This call of %s can change something, which is not for guests. Ask an admin.",
		    tool->name);
	return failure ? failure : guard_refusal(call, tool, *args);
}

static struct json_object *run_call(
    struct task *t, const struct tool_call *call, const struct tool *tool, const char *arguments)
{
	struct json_object *args = NULL, *clamped = NULL, *facts = NULL;
	struct json_object *result = tools_prepare(call, tool, arguments, &args, &clamped);

	if (!result)
		result = approval_missing(t, call, tool, args, &facts);
	if (!result)
		result = run_within_deadline(t, call, tool, args, facts);
	add_asked(result, tools_schema(call->tools, tool), args);
	if (clamped)
		json_set(result, "clamped", clamped);
	json_object_put(facts);
	json_object_put(args);
	return result;
}

static struct json_object *answer(
    struct task *t, const struct tool_call *call, const char *name, const char *arguments)
{
	const struct tool *tool = tools_find(call->tools, name);

	if (task_check(t, NULL) < 0)
		return tool_failure(
		    name, "INTERRUPTED", "NOT_RUN", "The turn was stopped before this began.");
	if (!tool || tool_is_gone(tool))
		return not_found(call, name);
	tool_hold(tool);
	struct json_object *o = run_call(t, call, tool, arguments);
	tool_release(tool);
	return o;
}

/* Returns the error code of a failure, also of one that an external program reported. */
static const char *code_of(struct json_object *result)
{
	const char *code = json_get_str(result, "error_code");

	return code || !json_get_bool(result, "tool_success", false) ?
	    code :
	    json_get_str(json_get_object(result, "result"), "error_code");
}

bool tools_result_failed(struct json_object *result)
{
	return code_of(result);
}

char *tools_run(
    struct task *t, const struct tool_call *call, const char *name, const char *arguments, bool *is_error)
{
	uint64_t began = clock_now();
	struct json_object *raw = answer(t, call, name, arguments), *result = sanitize_json(raw);
	char *code = xstrdup(code_of(result));
	char *text = result_limit_apply(result, (size_t)call->tools->settings.result_bytes);

	*is_error = code;
	/* Without a gateway the operator's terminal shows the result. */
	log_write(call->bus ? LOG_LEVEL_INFO : LOG_LEVEL_DEBUG, "tools",
	    "tool=\"%.64s\" ms=%llu bytes=%zu code=%s turn=%lld", name,
	    (unsigned long long)(clock_now() - began), strlen(text), code ? code : "none",
	    (long long)call->turn);
	free(code);
	json_object_put(result);
	json_object_put(raw);
	return text;
}
