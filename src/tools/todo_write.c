#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/services.h"
#include "tools/tools_internal.h"

#define TODOS_MAX 50
/* Characters of one text. */
#define TEXT_MAX 200

static const char *const states[] = {
    [TOOL_STEP_PENDING] = "pending",
    [TOOL_STEP_IN_PROGRESS] = "in_progress",
    [TOOL_STEP_COMPLETED] = "completed",
};

static struct json_object *refuse(size_t i, const char *field, const char *cause, const char *what)
{
	return tool_failure("todo_write", "INVALID_ARGUMENT", cause,
	    "todos[%zu].%s %s. Each of the todos takes content, activeForm (texts of 1 to %d characters) and "
	    "status (pending, in_progress, completed). Nothing was changed.",
	    i, field, what, TEXT_MAX);
}

static bool is_text(struct json_object *value)
{
	const char *text = json_object_get_string(value);
	size_t len = (size_t)json_object_get_string_len(value);

	return json_object_is_type(value, json_type_string) && len == strlen(text) &&
	    text[strspn(text, " \t\r\n")] != '\0' && utf8_count(text, len, UTF8_CHARS) <= TEXT_MAX;
}

/* Returns NULL with *text, or the failure. */
static struct json_object *read_text(struct json_object *todo, size_t i, const char *field, const char **text)
{
	struct json_object *value = json_get(todo, field);

	if (!value)
		return refuse(i, field, "MISSING", "is missing");
	if (!is_text(value))
		return refuse(i, field, "RANGE", "is no text of 1 to 200 characters");
	*text = json_object_get_string(value);
	return NULL;
}

static struct json_object *read_state(struct json_object *todo, size_t i, enum tool_step_state *state)
{
	const char *name;
	struct json_object *o = read_text(todo, i, "status", &name);

	for (size_t k = 0; !o && k < ARRAY_LEN(states); k++) {
		if (strcmp(states[k], name) == 0) {
			*state = (enum tool_step_state)k;
			return NULL;
		}
	}
	return o ? o : refuse(i, "status", "RANGE", "is none of pending, in_progress, completed");
}

static const char *const fields[] = {"content", "activeForm", "status"};

static struct json_object *check_fields(struct json_object *todo, size_t i)
{
	json_object_object_foreach(todo, name, value) {
		bool known = false;
		(void)value;
		for (size_t k = 0; k < ARRAY_LEN(fields); k++)
			known = known || strcmp(fields[k], name) == 0;
		if (!known)
			return refuse(i, utf8_count(name, strlen(name), UTF8_CHARS) <= 40 ? name : "…",
			    "UNKNOWN", "is not known");
	}
	return NULL;
}

/* active_form is another name for activeForm. */
static struct json_object *rename_active(struct json_object *todo, size_t i)
{
	struct json_object *other = json_get(todo, "active_form"), *value = json_get(todo, "activeForm");

	if (!other)
		return NULL;
	if (value && !json_object_equal(value, other))
		return refuse(
		    i, "activeForm", "UNKNOWN", "and active_form are one field and have different values");
	json_set(todo, "activeForm", json_object_get(other));
	json_object_object_del(todo, "active_form");
	return NULL;
}

static struct json_object *read_step(struct json_object *todo, size_t i, struct tool_step *step)
{
	struct json_object *o = rename_active(todo, i);

	if (!o)
		o = check_fields(todo, i);
	if (!o)
		o = read_text(todo, i, "content", &step->content);
	if (!o)
		o = read_text(todo, i, "activeForm", &step->active);
	return o ? o : read_state(todo, i, &step->state);
}

static struct json_object *show(struct task *t, const struct tool_call *call, const struct tool_plan *plan)
{
	struct error err = {0};

	if (!call->services || !call->services->show_plan)
		return tool_failure("todo_write", "UNAVAILABLE", "NO_CHAT",
		    "There is no chat here that could show a plan. Go on without one.");
	if (call->services->show_plan(t, call->services->turn_owner, call, plan, &err) == 0)
		return NULL;
	if (err.kind == ERROR_CANCELLED)
		return tool_failure(
		    "todo_write", "INTERRUPTED", "STOPPED", "The turn was stopped while the plan was kept.");
	return tool_failure("todo_write", "UNAVAILABLE", NULL,
	    "The plan could not be kept: %s. Go on without one, or try later.", err.text);
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *todos = json_get_array(args, "todos"), *o = NULL;
	struct tool_step steps[TODOS_MAX];
	struct tool_plan plan = {.steps = steps, .count = json_object_array_length(todos)};

	for (size_t i = 0; i < plan.count && !o; i++)
		o = read_step(json_object_array_get_idx(todos, i), i, &steps[i]);
	if (!o)
		o = show(t, call, &plan);
	if (o)
		return o;
	o = json_object_new_object();
	json_set_bool(o, "success", true);
	json_set_int(o, "count", (int64_t)plan.count);
	return o;
}

const struct tool tool_todo_write = {
    .name = "todo_write",
    .flags = TOOL_WRITES | TOOL_RESUMABLE,
    .summary = "Keep the plan of a task with several steps: call it before you start, and whenever a step "
	       "begins or ends, with the whole list, which replaces the last one. The chat sees it as one "
	       "message that is edited. Returns: {success, count}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"todos\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"content\":{\"type\":"
	"\"string\",\"minLength\":1,\"maxLength\":200,\"description\":\"What is to be done: Write "
	"tests\"},\"activeForm\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":200,\"description\":"
	"\"The same while it is done: Writing tests\"},"
	"\"status\":{\"type\":\"string\",\"enum\":[\"pending\",\"in_progress\",\"completed\"],"
	"\"description\":\"How far it "
	"is\"}},\"required\":[\"content\",\"activeForm\",\"status\"]},\"maxItems\":50,\"description\":\"All "
	"steps in order, at most 50; an empty list clears the plan\"}},\"required\":[\"todos\"]}",
    .errors = "INTERRUPTED, UNAVAILABLE",
    .run = run,
};
