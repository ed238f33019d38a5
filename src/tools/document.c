/* Writes the registry as JSON and as the page docs/tools.md. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/schema.h"
#include "tools/tools_internal.h"
#include "tools/source.h"
#include "tools/rules/rules.h"

static const char intro[] =
    "# Tools\n\n"
    "Look up a tool: its parameters, its errors and its limits. `myna tool list --markdown` prints this page "
    "from the tables that\ndefine the tools. `myna tool run NAME JSON` runs a tool and prints what a model "
    "would get; `myna tool list --json` prints\nnames, parameters and flags for programs. The settings "
    "under `tools` in the [configuration](configuration.md) set the limits.\n\n"
    "## Every call\n\n"
    "- You can call a tool by its name or an alias, also with `-` instead of `_`. A parameter, too, has a "
    "name "
    "and may have aliases;\n  giving it twice with different values is an error.\n"
    "- Arguments are one JSON object. If one is missing, unknown or of the wrong type, the tool does not "
    "run, "
    "and the answer is\n  INVALID_ARGUMENT with the name of the field. `null` counts as absent. Myna "
    "converts a "
    "string that holds only a number or a\n  boolean, and clamps a number above its maximum; `clamped` in "
    "the "
    "result says so.\n"
    "- A result is one JSON object of at most `result_limit` bytes, in valid UTF-8, with secrets redacted. A "
    "shortened result\n  has `truncated: true`.\n"
    "- A failure is `{error, error_code, context}`: `error` is a sentence that says what to do, and "
    "`context` "
    "holds `tool`,\n  usually a `cause`, and the requested values. Only a failure has `error_code`.\n"
    "- Relative paths start at the workspace; absolute paths must be under it or under one of `roots`. "
    "Neither "
    "`..` nor a link\n  leads out of these. Tools open only regular files. Protected files (keys, password "
    "files, Myna's own configuration and\n  state) are BLOCKED. Tools replace files atomically: after a "
    "crash "
    "either the old or the new file is there.\n"
    "- A tool that writes runs alone, and never twice: after a crash, a call that had begun is reported as "
    "INTERRUPTED.\n";

static const struct {
	const char *code, *when;
} codes[] = {
    {"ACCESS_DENIED",
	"A boundary: a path outside of the roots, no permission, a link, a file with another hard link, a "
	"device, pipe or socket; a recipient or role that is not allowed."},
    {"BINARY_FILE", "The file is not text."},
    {"BLOCKED",
	"A safety rule blocked it: `context.rule` names the rule. Or a person rejected it (`context.cause` "
	"DECLINED) or did not answer in time (NO_ANSWER)."},
    {"INTERRUPTED",
	"The call was stopped, never began, or began before a crash and its outcome is not known."},
    {"INVALID_ARGUMENT",
	"An argument is missing, unknown, of the wrong type or out of range; or the path is a folder where a "
	"file is expected, or the reverse."},
    {"INVALID_OUTPUT", "An external tool did not print exactly one JSON object."},
    {"INVALID_PARAMS", "An external tool did not read its arguments."},
    {"IO_ERROR", "Opening, reading or writing failed, or the disk is full."},
    {"LIMIT_REACHED", "Too large, too many, or the same call repeated too often."},
    {"NEEDS_CONFIRMATION", "A person must approve the call, and nobody who may do so can be asked."},
    {"NOT_FOUND", "There is no such file, text, target or chat."},
    {"NOT_UNIQUE", "The text occurs more than once: `context.count` and `context.lines` say where."},
    {"TIMEOUT", "It did not end in time."},
    {"TOOL_CRASHED",
	"An external tool exited with a code other than 0: `exit_code`; 128 + N stands for signal N."},
    {"TOOL_FAILED", "The platform refused; the error holds its message."},
    {"TOOL_NOT_FOUND",
	"There is no tool with this name; the answer suggests similar names. Or the tool's program is gone."},
    {"TOOL_TIMEOUT", "An external tool or an MCP server did not finish in time and was stopped."},
    {"UNAVAILABLE", "Something that the call needs is missing: a running gateway, a chat, a setting."},
};

static const struct {
	unsigned flag;
	const char *name, *says;
} flags[] = {
    {TOOL_WRITES, "writes", "It has side effects."},
    {TOOL_NETWORK, "network", "It uses the network."},
    {TOOL_ASKS, "asks", "It waits for a person."},
    {TOOL_ADMIN, "admin", "It is for admins."},
    {TOOL_DAEMON, "daemon", "On the command line, the running gateway carries it out."},
    {TOOL_RESUMABLE, "again", "It survives a crash: it resumes from what is stored."},
};

static void add_codes(struct buf *out)
{
	buf_addstr(out, "\n## Error codes\n\n| error_code | When |\n| --- | --- |\n");
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		buf_addf(out, "| `%s` | %s |\n", codes[i].code, codes[i].when);
	buf_addstr(out,
	    "\nAny call may return ACCESS_DENIED, BLOCKED, INTERRUPTED, INVALID_ARGUMENT, LIMIT_REACHED, "
	    "NEEDS_CONFIRMATION, TIMEOUT\nor TOOL_NOT_FOUND. Each tool lists its other codes.\n");
}

static void add_param_aliases(struct buf *out, const struct tool *tool, const char *name)
{
	for (const struct tool_alias *a = tool->param_aliases; a && a->alias; a++)
		if (strcmp(a->name, name) == 0)
			buf_addf(out, ", `%s`", a->alias);
}

static void add_params(struct buf *out, const struct tool *tool, struct json_object *schema)
{
	struct json_object *properties = json_get_object(schema, "properties");

	buf_addstr(out, "\n| Parameter | Type | Meaning |\n| --- | --- | --- |\n");
	json_object_object_foreach(properties, name, property) {
		struct json_object *choices = json_get_array(property, "enum");
		buf_addf(out, "| `%s`", name);
		add_param_aliases(out, tool, name);
		buf_addf(out, " | %s%s | %s", json_get_str(property, "type"),
		    schema_requires(schema, name) ? ", required" : "", json_get_str(property, "description"));
		for (size_t i = 0; choices && i < json_object_array_length(choices); i++)
			buf_addf(out, "%s`%s`", i ? ", " : ". One of ",
			    json_object_get_string(json_object_array_get_idx(choices, i)));
		buf_addstr(out, " |\n");
	}
}

static void add_flags(struct buf *out, const struct tool *tool)
{
	const char *before = "\n";

	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (tool->flags & flags[i].flag) {
			buf_addf(out, "%s%s", before, flags[i].says);
			before = " ";
		}
	}
	if (*before == ' ')
		buf_addch(out, '\n');
}

static void add_tool(struct buf *out, const struct tool *tool, struct json_object *schema)
{
	buf_addf(out, "\n## `%s`\n\n%s\n", tool->name, tool->summary);
	add_flags(out, tool);
	add_params(out, tool, schema);
	for (const char *const *alias = tool->aliases; alias && *alias; alias++)
		buf_addf(out, "%s`%s`%s", alias == tool->aliases ? "\nAliases: " : ", ", *alias,
		    alias[1] ? "" : ".\n");
	if (tool->errors)
		buf_addf(out, "\nErrors: %s.\n", tool->errors);
}

static void add_rules(struct buf *out)
{
	buf_addstr(out,
	    "\n## Safety rules\n\n"
	    "These rules guard against slips in commands and requests. They are not a security boundary: the "
	    "roots and the sandbox\nare. Myna splits a command as a shell does, so `echo please reboot` runs "
	    "and "
	    "`cat \"/etc/passwd\"` does not. Case does not\nmatter. *Asked* means that a person must press a "
	    "button "
	    "in the chat first; if Myna can ask nobody, the answer is\nNEEDS_CONFIRMATION. At the operator's "
	    "terminal `\"confirmed\": true` approves the call. The setting `rules_off` switches\nrules off, "
	    "and "
	    "`rules` adds some: see the [configuration](configuration.md).\n\n| Rule | Matches | Action |\n| "
	    "--- "
	    "| --- | --- |\n");
	rules_document(out);
}

void tools_document(const struct tools *ts, struct buf *out)
{
	buf_addstr(out, intro);
	add_codes(out);
	add_rules(out);
	for (size_t i = 0; i < ts->builtin_count; i++)
		add_tool(out, ts->builtins[i].tool, tools_schema(ts, ts->builtins[i].tool));
}

static struct json_object *describe(const struct tool *tool, struct json_object *schema)
{
	struct json_object *o = json_object_new_object(), *aliases = json_object_new_array();
	struct json_object *param_aliases = json_object_new_object(), *named = json_object_new_array();

	for (const char *const *alias = tool->aliases; alias && *alias; alias++)
		json_object_array_add(aliases, json_object_new_string(*alias));
	for (const struct tool_alias *a = tool->param_aliases; a && a->alias; a++)
		json_set_str(param_aliases, a->alias, a->name);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (tool->flags & flags[i].flag)
			json_object_array_add(named, json_object_new_string(flags[i].name));
	json_set_str(o, "name", tool->name);
	json_set(o, "aliases", aliases);
	json_set_str(o, "summary", tool->summary);
	json_set(o, "parameters", json_object_get(schema));
	json_set(o, "parameter_aliases", param_aliases);
	json_set(o, "flags", named);
	json_set_str(o, "errors", tool->errors);
	json_set_str(o, "source", tool->origin);
	return o;
}

struct json_object *tools_listing(const struct tools *ts)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	struct json_object *offered = json_object_new_array();
	size_t count;
	struct tool_absent *absent = tools_absent(ts, NULL, &count);

	for (size_t i = 0; i < count; i++) {
		struct json_object *row = json_object_new_object();
		json_set_str(row, "source", absent[i].source);
		json_set_str(row, "name", absent[i].name);
		json_set_str(row, "reason", absent[i].reason);
		json_object_array_add(list, row);
	}
	for (size_t i = 0; i < ts->count; i++)
		json_object_array_add(
		    offered, describe(ts->entries[i].tool, tools_schema(ts, ts->entries[i].tool)));
	json_set(o, "tools", offered);
	json_set(o, "absent", list);
	free(absent);
	return o;
}
