#include "session/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "tools/services.h"

static const struct {
	const char *name, *mark;
} states[] = {
    [TOOL_STEP_PENDING] = {"pending", "☐"},
    [TOOL_STEP_IN_PROGRESS] = {"in_progress", "◐"},
    [TOOL_STEP_COMPLETED] = {"completed", "☑"},
};

bool plan_is_over(const struct tool_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->steps[i].state != TOOL_STEP_COMPLETED)
			return false;
	return true;
}

char *plan_write(const struct tool_plan *plan)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < plan->count; i++) {
		const struct tool_step *step = &plan->steps[i];
		struct json_object *o = json_object_new_object();
		json_set_str(o, "content", step->content);
		json_set_str(o, "activeForm", step->active);
		json_set_str(o, "status", states[step->state].name);
		json_object_array_add(list, o);
	}
	char *text = json_text(list);
	json_object_put(list);
	return text;
}

static enum tool_step_state state_of(struct json_object *step)
{
	const char *name = json_get_str(step, "status");

	for (size_t i = 0; name && i < ARRAY_LEN(states); i++)
		if (strcmp(states[i].name, name) == 0)
			return (enum tool_step_state)i;
	return TOOL_STEP_PENDING;
}

static void add_step(struct buf *out, struct json_object *step, size_t most)
{
	enum tool_step_state state = state_of(step);
	const char *text = json_get_str(step, state == TOOL_STEP_IN_PROGRESS ? "activeForm" : "content");
	size_t len = text ? strlen(text) : 0, cut = utf8_cut(text ? text : "", len, most, UTF8_CHARS);
	char *line = xasprintf("%.*s%s", (int)cut, text ? text : "", cut < len ? "…" : "");

	for (char *c = line; *c; c++)
		*c = *c == '\n' || *c == '\r' ? ' ' : *c;
	buf_addf(out, "\n%s ", states[state].mark);
	escape_markdown(out, line);
	free(line);
}

char *plan_text(const char *steps, size_t most)
{
	struct json_object *list = json_parse(steps, strlen(steps), NULL);
	size_t count =
	    list && json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
	struct buf out = BUF_INIT;

	buf_addstr(&out, count > 0 ? "**Plan**" : "The plan was dropped.");
	for (size_t i = 0; i < count; i++)
		add_step(&out, json_object_array_get_idx(list, i), most);
	json_object_put(list);
	return buf_take(&out);
}
