/* The rows of the tools, written out. */
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
    "Printed by `myna tool list --markdown` from the rows that run them. `myna tool run NAME JSON` runs one "
    "and prints what a\nmodel would get; `myna tool list --json` prints names, parameters and flags for "
    "programs. How large things may be is\nset under `tools` in the [configuration](configuration.md).\n\n"
    "## Every call\n\n"
    "- A tool answers to its name and to its aliases, with `-` for `_` as well. A parameter is taken by its "
    "name or an alias;\n  both with different values are refused.\n"
    "- Arguments are one JSON object. One that is missing, unknown or of another type is INVALID_ARGUMENT "
    "with the name of the\n  field, and nothing runs. `null` is absent; a string that is wholly a number or "
    "boolean is taken for one; a number\n  above its most is clamped, and `clamped` in the result says so.\n"
    "- A result is one JSON object of at most `result_limit` bytes, in valid UTF-8, with secrets redacted. "
    "What had to be cut\n  says `truncated: true`.\n"
    "- A failure is `{error, error_code, context}`: `error` is a sentence that says what to do, `context` "
    "holds `tool`, mostly a\n  `cause`, and what was asked. An object is a failure exactly when it has "
    "`error_code`.\n"
    "- Relative paths start at the workspace; absolute ones are accepted under it or under one of `roots`. "
    "Nothing leads out of\n  these, neither `..` nor a link. Only regular files are opened. Protected files "
    "(keys, password files, the own\n  configuration and state) are BLOCKED. Files are written whole: after "
    "a crash the old or the new one is there.\n"
    "- A tool that writes runs alone, and never twice: after a crash, one that had begun is reported as "
    "INTERRUPTED.\n";

static const struct {
	const char *code, *when;
} codes[] = {
    {"ACCESS_DENIED",
	"A boundary: outside of the roots, no permission, a link, another hard link, a device, pipe or "
	"socket; a recipient or role that is not allowed."},
    {"BINARY_FILE", "The file is no text."},
    {"BLOCKED",
	"A rule: `context.rule` names it. Or a person said no (`context.cause` DECLINED), or nothing in time "
	"(NO_ANSWER)."},
    {"INTERRUPTED", "Stopped, never begun, or begun before a crash with an outcome that is not known."},
    {"INVALID_ARGUMENT",
	"An argument is missing, unknown, of another type or out of range; a folder where a file is wanted, "
	"or the reverse."},
    {"INVALID_OUTPUT", "An external tool printed something else than one JSON object."},
    {"INVALID_PARAMS", "An external tool did not take its arguments."},
    {"IO_ERROR", "The system failed to open, read or write; the disk is full."},
    {"LIMIT_REACHED", "Too large, too often, or the same call again and again."},
    {"NEEDS_CONFIRMATION", "It needs a person's yes, and nobody who may give it can be asked."},
    {"NOT_FOUND", "No such file, text, target or chat."},
    {"NOT_UNIQUE", "The text stands in several places: `context.count` and `context.lines` say where."},
    {"TIMEOUT", "It did not end in time."},
    {"TOOL_CRASHED",
	"An external tool ended with another exit code than 0: `exit_code`, 128 + N for signal N."},
    {"TOOL_FAILED", "The platform refused, with its words."},
    {"TOOL_NOT_FOUND", "There is no tool of this name; the nearest names are given. Or its program is gone."},
    {"TOOL_TIMEOUT", "An external tool or a server did not end in time, and was stopped."},
    {"UNAVAILABLE", "What it needs is not there: a daemon, a chat, a setting."},
};

static const struct {
	unsigned flag;
	const char *name, *says;
} flags[] = {
    {TOOL_WRITES, "writes", "It has side effects."},
    {TOOL_NETWORK, "network", "It uses the network."},
    {TOOL_ASKS, "asks", "It waits for a person."},
    {TOOL_ADMIN, "admin", "It is for admins."},
    {TOOL_DAEMON, "daemon", "On the command line the running daemon is asked for it."},
    {TOOL_RESUMABLE, "again", "A crash while it runs changes nothing: it goes on from what is stored."},
};

static void add_codes(struct buf *out)
{
	buf_addstr(out, "\n## Error codes\n\n| error_code | When |\n| --- | --- |\n");
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		buf_addf(out, "| `%s` | %s |\n", codes[i].code, codes[i].when);
	buf_addstr(out,
	    "\nAny call may answer ACCESS_DENIED, BLOCKED, INTERRUPTED, INVALID_ARGUMENT, LIMIT_REACHED, "
	    "NEEDS_CONFIRMATION, TIMEOUT\nor TOOL_NOT_FOUND; the others are named with the tools.\n");
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
	    "Guards against slips, in commands and requests. They are no boundary: what slips through meets "
	    "the roots and the\n"
	    "sandbox. A command is split as a shell would, so that `echo please reboot` runs and `cat "
	    "\"/etc/passwd\"` does not;\n"
	    "case does not count. What is asked waits for a person's button in the chat; where nobody can be "
	    "asked, the answer is\n"
	    "NEEDS_CONFIRMATION, and at the operator's terminal `\"confirmed\": true` is a yes. `rules_off` "
	    "takes rules away,\n"
	    "`rules` adds some: see the [configuration](configuration.md).\n\n| Rule | Hits | Then |\n| --- "
	    "| --- | --- |\n");
	rules_document(out);
}

void tools_document(const struct tools *ts, struct buf *out)
{
	buf_addstr(out, intro);
	add_codes(out);
	add_rules(out);
	for (size_t i = 0; i < ts->builtin_count; i++)
		add_tool(out, ts->builtins[i].tool, ts->builtins[i].schema);
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
		json_object_array_add(offered, describe(ts->entries[i].tool, ts->entries[i].schema));
	json_set(o, "tools", offered);
	json_set(o, "absent", list);
	free(absent);
	return o;
}
