#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "playground/model/script/script_internal.h"

#define ORDER      "CALL "
#define ORDERS_MAX 8
/* Stop after this many answers to one message: a result may contain the instruction again. */
#define ANSWERS_MAX 4

struct orders {
	struct script_call *calls;
	size_t count;
};

/* Returns the length of the JSON object at s; 0 when there is none, or it does not end. Braces in names
 * become parentheses. */
static size_t object_length(const char *s)
{
	char open = s[0], close = open == '(' ? ')' : '}';
	bool quoted = false;
	size_t depth = 0;

	for (size_t i = 0; s[i] && (open == '{' || open == '('); i++) {
		if (quoted && s[i] == '\\' && s[i + 1])
			i++;
		else if (s[i] == '"')
			quoted = !quoted;
		else if (!quoted && s[i] == open)
			depth++;
		else if (!quoted && s[i] == close && --depth == 0)
			return i + 1;
	}
	return 0;
}

static void take_order(struct orders *o, const char *name, size_t len, size_t size)
{
	struct script_call *call = &o->calls[o->count++];

	call->name = xstrndup(name, len);
	call->arguments = xstrndup(name + len + 1, size);
	call->arguments[0] = '{';
	call->arguments[size - 1] = '}';
}

static void take_text(struct orders *o, const char *text)
{
	for (const char *at = text; o->count < ORDERS_MAX && (at = strstr(at, ORDER));) {
		const char *name = at + strlen(ORDER);
		size_t len = strcspn(name, " \n"),
		       size = name[len] == ' ' ? object_length(name + len + 1) : 0;

		at = name;
		if (len == 0 || size == 0)
			continue;
		take_order(o, name, len, size);
		at = name + len + 1 + size;
	}
}

static void take_strings(struct orders *o, struct json_object *json)
{
	if (json_object_is_type(json, json_type_string)) {
		take_text(o, json_object_get_string(json));
	} else if (json_object_is_type(json, json_type_array)) {
		json_each(json, item)
			take_strings(o, item);
	} else if (json_object_is_type(json, json_type_object)) {
		json_object_object_foreach(json, name, value) {
			take_text(o, name);
			take_strings(o, value);
		}
	}
}

static void take_result(struct orders *o, const char *text)
{
	struct json_object *json = json_parse(text, strlen(text), NULL);

	if (!json)
		take_text(o, text);
	take_strings(o, json);
	json_object_put(json);
}

size_t injection_find_calls(const struct conversation *d, struct script_call **calls)
{
	struct orders o = {.calls = xcalloc(ORDERS_MAX, sizeof(*o.calls))};

	*calls = o.calls;
	if (d->steps >= ANSWERS_MAX)
		return 0;
	for (size_t i = 0; i < d->result_count; i++)
		take_result(&o, d->results[i]);
	if (d->result_count > 0)
		return o.count;
	for (size_t i = 0; i < d->note_count; i++)
		take_text(&o, d->notes[i]);
	for (size_t i = 0; i < conversation_tool_count(d); i++) {
		const char *description = conversation_tool(d, i, "description");

		take_text(&o, description ? description : "");
	}
	take_text(&o, conversation_user(d));
	return o.count;
}
