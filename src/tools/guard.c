#include "tools/guard.h"

#include <string.h>

#include "base/json/json.h"
#include "tools/files/path_error.h"
#include "tools/files/protected_files.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/rules/rules.h"

/* The boundary (the roots) comes before the rules. */
static struct json_object *refuse_folder(
    const struct tool_call *call, const struct tool *tool, struct json_object *args)
{
	const char *folder = json_get_str(args, "working_directory");
	bool runs = tool->guard == GUARD_SHELL || tool->guard == GUARD_PROGRAM;
	struct path_error why;

	if (!runs || !folder || !call->tools->roots || !roots_refuse(call->tools->roots, folder, &why))
		return NULL;
	return tool_path_failure(tool->name, &why);
}

struct json_object *guard_refusal(
    const struct tool_call *call, const struct tool *tool, struct json_object *args)
{
	struct json_object *o = refuse_folder(call, tool, args);

	if (o)
		return o;
	struct rule_hit hit = rules_check(call->tools->rules, call->tools->roots, tool, args);
	if (hit.action != RULE_BLOCK)
		return NULL;
	o = tool_failure(tool->name, "BLOCKED", "RULE", "Command blocked: %s", hit.why);
	json_set_str(json_get_object(o, "context"), "rule", hit.name);
	return o;
}

bool guard_allows_prompt_file(const struct tool_call *call)
{
	const char *rule = json_get_str(call->facts, "rule");

	return call->operator||(rule && strcmp(rule, PROMPT_FILES_RULE) == 0);
}

const char *guard_asks(const struct tool_call *call, const struct tool *tool, struct json_object *args)
{
	struct rule_hit hit = rules_check(call->tools->rules, call->tools->roots, tool, args);
	struct json_object *schema = tools_schema(call->tools, tool);
	bool can_confirm = json_get(json_get_object(schema, "properties"), "confirmed");

	if (hit.action != RULE_ASK)
		return NULL;
	/* Where the call cannot carry "confirmed", typing it at the terminal confirms it. */
	if (call->operator&&(!can_confirm || json_get_bool(args, "confirmed", false)))
		return NULL;
	return hit.name;
}
