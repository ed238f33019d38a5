#include "playground/model/api.h"

#include <inttypes.h>

#include "base/json/json.h"
#include "playground/spec/spec.h"

bool model_is_of_type(struct json_object *v, const struct spec_type *t)
{
	static const enum json_type types[] = {
	    [SPEC_BOOL] = json_type_boolean,
	    [SPEC_INT] = json_type_int,
	    [SPEC_LIST] = json_type_array,
	    [SPEC_MAP] = json_type_object,
	    [SPEC_NUMBER] = json_type_double,
	    [SPEC_STRING] = json_type_string,
	};

	return t->kind == SPEC_ANY || json_object_is_type(v, types[t->kind]) ||
	    (t->kind == SPEC_NUMBER && json_object_is_type(v, json_type_int));
}

static int check_value(const struct spec_member *m, struct json_object *v, struct refusal *r)
{
	static const char *const names[] = {
	    [SPEC_BOOL] = "a boolean",
	    [SPEC_INT] = "an integer",
	    [SPEC_LIST] = "an array",
	    [SPEC_MAP] = "an object",
	    [SPEC_NUMBER] = "a decimal",
	    [SPEC_STRING] = "a string",
	};
	bool whole = m->type->kind == SPEC_INT;
	double n = json_object_get_double(v);

	if (!model_is_of_type(v, m->type))
		return refuse(r, "invalid_type", m->name,
		    "Invalid type for '%s': expected %s, but got %s instead.", m->name, names[m->type->kind],
		    json_type_to_name(json_object_get_type(v)));
	if (m->type->has_min && n < (double)m->type->min)
		return refuse(r, whole ? "integer_below_min_value" : "decimal_below_min_value", m->name,
		    "Invalid '%s': below minimum value. Expected a value >= %" PRId64 ", but got %g instead.",
		    m->name, m->type->min, n);
	if (m->type->has_max && n > (double)m->type->max)
		return refuse(r, whole ? "integer_above_max_value" : "decimal_above_max_value", m->name,
		    "Invalid '%s': above maximum value. Expected a value <= %" PRId64 ", but got %g instead.",
		    m->name, m->type->max, n);
	return 0;
}

int model_params_check(struct json_object *request, const char *object, struct refusal *r)
{
	const struct spec_record *params = spec_type(spec_of("model"), object);

	json_object_object_foreach(request, name, value) {
		const struct spec_member *m = spec_member(params, name);

		if (!m)
			return refuse(r, "unknown_parameter", name, "Unknown parameter: '%.100s'.", name);
		if (value && check_value(m, value, r) != 0)
			return -1;
	}
	return 0;
}
