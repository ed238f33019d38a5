/* Arguments as a model writes them: read, mended or kept, then held against the schemas of tools. Whatever
 * comes out of the schema is of the types that the tool relies on, and a failure says so. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "llm/formats/arguments.h"
#include "tools/sanitize.h"
#include "tools/result_limit.h"
#include "tools/tools_internal.h"
#include "tools/schema.h"

#define FIT_ROOM 600

/* It is an object, and reading it once more changes nothing. */
static void check_object(const char *text)
{
	struct json_object *o = fuzz_hold_json(text);
	char *again = llm_arguments_read(text, strlen(text), false);

	HOLDS(json_object_is_type(o, json_type_object));
	HOLDS(again && strcmp(again, text) == 0);
	free(again);
	json_object_put(o);
}

static struct json_object *read(const char *text, size_t len, bool mend)
{
	char *found = llm_arguments_read(text, len, mend), *strict = llm_arguments_read(text, len, false);
	struct json_object *o;

	/* Mending changes nothing that could be read without. */
	HOLDS(!strict || (found && strcmp(strict, found) == 0));
	if (!found)
		found = llm_arguments_wrap_invalid(text, len);
	check_object(found);
	o = fuzz_hold_json(found);
	free(strict);
	free(found);
	return o;
}

static bool has_type(struct json_object *value, const char *type)
{
	static const struct {
		const char *name;
		enum json_type type;
	} types[] = {
	    {"array", json_type_array},
	    {"boolean", json_type_boolean},
	    {"integer", json_type_int},
	    {"number", json_type_double},
	    {"object", json_type_object},
	    {"string", json_type_string},
	};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].name, type) == 0)
			return json_object_is_type(value, types[i].type);
	return false;
}

static void check_args(struct json_object *schema, struct json_object *args)
{
	struct json_object *properties = json_get_object(schema, "properties"),
			   *required = json_get_array(schema, "required");

	json_object_object_foreach(args, name, value) {
		struct json_object *property = json_get_object(properties, name);

		HOLDS(property && has_type(value, json_get_str(property, "type")));
		HOLDS(!json_object_is_type(value, json_type_string) || json_get_str(args, name));
		HOLDS(!json_object_is_type(value, json_type_int) ||
		    json_get_int(args, name, INT64_MIN) >= json_get_int(property, "minimum", INT64_MIN));
	}
	for (size_t i = 0; i < json_object_array_length(required); i++)
		HOLDS(json_get(args, json_object_get_string(json_object_array_get_idx(required, i))));
}

static void check_failure(const struct tool *tool, struct json_object *failure)
{
	struct json_object *clean = sanitize_json(failure), *cut;
	char *text;

	fuzz_hold_sentence(json_get_str(failure, "error"));
	HOLDS(strcmp(json_get_str(failure, "error_code"), "INVALID_ARGUMENT") == 0);
	HOLDS(strcmp(json_get_str(json_get_object(failure, "context"), "tool"), tool->name) == 0);
	text = result_limit_apply(clean, FIT_ROOM);
	HOLDS(strlen(text) <= FIT_ROOM);
	cut = fuzz_hold_json(text);
	HOLDS(json_get_str(cut, "error_code") && json_get_str(cut, "error"));
	json_object_put(cut);
	free(text);
	json_object_put(clean);
}

static void apply(const struct tool *tool, struct json_object *args)
{
	struct json_object *schema = fuzz_hold_json(tool->schema), *clamped = NULL, *own = NULL, *failure;
	char *before, *after;

	HOLDS(schema_check(schema, false, NULL) == 0);
	HOLDS(json_object_deep_copy(args, &own, NULL) == 0);
	failure = schema_apply(tool, schema, own, &clamped);
	if (failure) {
		check_failure(tool, failure);
	} else {
		check_args(schema, own);
		json_object_put(clamped);
		clamped = NULL;
		before = json_text(own);
		HOLDS(!schema_apply(tool, schema, own, &clamped) && !clamped);
		after = json_text(own);
		HOLDS(strcmp(before, after) == 0);
		free(before);
		free(after);
	}
	json_object_put(clamped);
	json_object_put(failure);
	json_object_put(own);
	json_object_put(schema);
}

/* Any result, however made, is cut to what a model may get. */
static void check_fit(struct json_object *o)
{
	struct json_object *clean = sanitize_json(o), *cut;
	char *text = result_limit_apply(clean, FIT_ROOM);

	HOLDS(strlen(text) <= FIT_ROOM && utf8_valid(text, strlen(text)));
	cut = fuzz_hold_json(text);
	HOLDS(json_object_is_type(cut, json_type_object));
	json_object_put(cut);
	free(text);
	json_object_put(clean);
}

void fuzz_arguments(const uint8_t *data, size_t size)
{
	extern const struct tool tool_message, tool_read_file;
	static const struct tool *const tools[] = {&tool_message, &tool_read_file};
	struct fuzz_input in = fuzz_open(data, size);
	bool mend = fuzz_below(&in, 2) == 0;
	size_t len;
	char *text = fuzz_rest(&in, &len);
	struct json_object *args = read(text, len, mend);

	for (size_t i = 0; i < ARRAY_LEN(tools); i++)
		apply(tools[i], args);
	check_fit(args);
	json_object_put(args);
	free(text);
}

FUZZ_PROGRAM(fuzz_arguments)
