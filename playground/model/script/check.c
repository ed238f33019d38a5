#include "playground/model/script/script_internal.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "playground/server/fault.h"

struct member {
	const char *name;
	enum json_type type;
};

/* The table ends with a row without a name. */
static int check_members(
    struct json_object *o, const struct member *members, const char *what, struct error *err)
{
	if (!json_object_is_type(o, json_type_object))
		return error_set(err, ERROR_OURS, "%s must be an object", what);
	json_object_object_foreach(o, name, value) {
		size_t i = 0;

		while (members[i].name && strcmp(members[i].name, name) != 0)
			i++;
		if (!members[i].name)
			return error_set(err, ERROR_OURS, "%s has no member \"%.60s\"", what, name);
		if (!json_object_is_type(value, members[i].type))
			return error_set(err, ERROR_OURS, "%s: \"%s\" must be of type %s", what, name,
			    json_type_to_name(members[i].type));
	}
	return 0;
}

static int check_pace(struct json_object *o, const char *what, struct error *err)
{
	if (json_get_int(o, "delay_ms", 0) < 0 || json_get_int(o, "chunk_ms", 0) < 0 ||
	    json_get_int(o, "chunk", 1) < 1)
		return error_set(err, ERROR_OURS,
		    "%s: delay_ms and chunk_ms must not be negative, chunk at least 1", what);
	return 0;
}

static int check_call(struct json_object *o, struct error *err)
{
	static const struct member members[] = {
	    {"arguments", json_type_object},
	    {"arguments_text", json_type_string},
	    {"name", json_type_string},
	    {NULL, json_type_null},
	};

	if (check_members(o, members, "a call", err) != 0)
		return -1;
	return json_get_str(o, "name") ? 0 : error_set(err, ERROR_OURS, "a call needs a name");
}

static int check_error(struct json_object *o, struct error *err)
{
	static const struct member members[] = {
	    {"code", json_type_string},
	    {"message", json_type_string},
	    {"retry_after", json_type_int},
	    {"status", json_type_int},
	    {"times", json_type_int},
	    {"type", json_type_string},
	    {NULL, json_type_null},
	};
	int64_t status = json_get_int(o, "status", 0);

	if (check_members(o, members, "an error", err) != 0)
		return -1;
	return status >= 400 && status <= 599 ?
	    0 :
	    error_set(err, ERROR_OURS, "the status of an error is from 400 to 599");
}

static int check_fault(struct json_object *o, struct error *err)
{
	static const struct member members[] = {
	    {"at_byte", json_type_int},
	    {"failure", json_type_string},
	    {"kind", json_type_string},
	    {"model", json_type_string},
	    {"quirks", json_type_array},
	    {"retry_after", json_type_int},
	    {"retry_after_ms", json_type_int},
	    {"seconds", json_type_int},
	    {"status", json_type_int},
	    {"text", json_type_string},
	    {NULL, json_type_null},
	};
	struct fault f;

	return check_members(o, members, "a fault", err) == 0 ? fault_read(&f, o, err) : -1;
}

static int check_step(struct json_object *o, struct error *err)
{
	static const struct member members[] = {
	    {"calls", json_type_array},
	    {"chunk", json_type_int},
	    {"chunk_ms", json_type_int},
	    {"delay_ms", json_type_int},
	    {"error", json_type_object},
	    {"fault", json_type_object},
	    {"finish_reason", json_type_string},
	    {"obey", json_type_boolean},
	    {"text", json_type_string},
	    {"thinking", json_type_string},
	    {NULL, json_type_null},
	};
	struct json_object *calls = json_get_array(o, "calls"), *error = json_get_object(o, "error"),
			   *fault = json_get_object(o, "fault");

	if (check_members(o, members, "a step", err) != 0 || check_pace(o, "a step", err) != 0)
		return -1;
	if (!json_get_str(o, "text") && !calls && !error && !fault)
		return error_set(err, ERROR_OURS, "a step needs text, calls, an error or a fault");
	if (fault && check_fault(fault, err) != 0)
		return -1;
	for (size_t i = 0; calls && i < json_object_array_length(calls); i++)
		if (check_call(json_object_array_get_idx(calls, i), err) != 0)
			return -1;
	return error ? check_error(error, err) : 0;
}

static int check_steps(struct json_object *rule, struct error *err)
{
	struct json_object *steps = json_get_array(rule, "steps");

	if (!steps || json_object_array_length(steps) == 0)
		return error_set(err, ERROR_OURS, "a rule needs steps");
	for (size_t i = 0; i < json_object_array_length(steps); i++)
		if (check_step(json_object_array_get_idx(steps, i), err) != 0)
			return error_prefix(err, "step %zu", i + 1);
	return 0;
}

static int check_strings(struct json_object *rule, struct error *err)
{
	struct json_object *tools = json_get_array(rule, "tools"), *recall = json_get_object(rule, "recall");

	for (size_t i = 0; tools && i < json_object_array_length(tools); i++)
		if (!json_object_is_type(json_object_array_get_idx(tools, i), json_type_string))
			return error_set(err, ERROR_OURS, "tools are names");
	if (!recall)
		return 0;
	json_object_object_foreach(recall, name, pattern) {
		if (!json_object_is_type(pattern, json_type_string))
			return error_set(
			    err, ERROR_OURS, "what is recalled as \"%.40s\" must be a pattern", name);
	}
	return 0;
}

static int check_rule(struct json_object *rule, struct error *err)
{
	static const struct member members[] = {
	    {"name", json_type_string},
	    {"recall", json_type_object},
	    {"repeat", json_type_boolean},
	    {"steps", json_type_array},
	    {"tools", json_type_array},
	    {"when", json_type_string},
	    {NULL, json_type_null},
	};

	if (check_members(rule, members, "a rule", err) != 0 || check_strings(rule, err) != 0)
		return -1;
	return check_steps(rule, err);
}

int script_check(struct json_object *script, struct error *err)
{
	static const struct member members[] = {
	    {"about", json_type_string},
	    {"chunk", json_type_int},
	    {"chunk_ms", json_type_int},
	    {"delay_ms", json_type_int},
	    {"else", json_type_object},
	    {"rules", json_type_array},
	    {"skip", json_type_string},
	    {NULL, json_type_null},
	};
	struct json_object *rules = json_get_array(script, "rules");

	if (check_members(script, members, "a script", err) != 0 || check_pace(script, "a script", err) != 0)
		return -1;
	if (!json_get_object(script, "else"))
		return error_set(err, ERROR_OURS, "a script needs \"else\": what it does when no rule fits");
	for (size_t i = 0; rules && i < json_object_array_length(rules); i++)
		if (check_rule(json_object_array_get_idx(rules, i), err) != 0)
			return error_prefix(err, "rule %zu", i + 1);
	return check_rule(json_get_object(script, "else"), err) == 0 ? 0 : error_prefix(err, "else");
}
