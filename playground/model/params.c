#include "playground/model/api.h"

#include <string.h>

#include "base/json/json.h"

static const char *const type_names[] = {
    [TYPE_ANY] = "anything",
    [TYPE_ARRAY] = "an array",
    [TYPE_BOOL] = "a boolean",
    [TYPE_INT] = "an integer",
    [TYPE_NUMBER] = "a decimal",
    [TYPE_OBJECT] = "an object",
    [TYPE_STRING] = "a string",
};

static bool has_type(struct json_object *v, enum param_type type)
{
	switch (type) {
	case TYPE_ARRAY:
		return json_object_is_type(v, json_type_array);
	case TYPE_BOOL:
		return json_object_is_type(v, json_type_boolean);
	case TYPE_INT:
		return json_object_is_type(v, json_type_int);
	case TYPE_NUMBER:
		return json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_double);
	case TYPE_OBJECT:
		return json_object_is_type(v, json_type_object);
	case TYPE_STRING:
		return json_object_is_type(v, json_type_string);
	default:
		return true;
	}
}

static int check_value(const struct model_param *p, struct json_object *v, struct refusal *r)
{
	double n;

	if (!has_type(v, p->type))
		return refuse(r, "invalid_type", p->name,
		    "Invalid type for '%s': expected %s, but got %s instead.", p->name, type_names[p->type],
		    json_type_to_name(json_object_get_type(v)));
	if ((p->type != TYPE_INT && p->type != TYPE_NUMBER) || !(p->min < p->max))
		return 0;
	n = json_object_get_double(v);
	if (n < p->min)
		return refuse(r, p->type == TYPE_INT ? "integer_below_min_value" : "decimal_below_min_value",
		    p->name, "Invalid '%s': below minimum value. Expected a value >= %g, but got %g instead.",
		    p->name, p->min, n);
	if (n > p->max)
		return refuse(r, p->type == TYPE_INT ? "integer_above_max_value" : "decimal_above_max_value",
		    p->name, "Invalid '%s': above maximum value. Expected a value <= %g, but got %g instead.",
		    p->name, p->max, n);
	return 0;
}

int model_params_check(
    struct json_object *request, const struct model_param *params, size_t count, struct refusal *r)
{
	json_object_object_foreach(request, name, value) {
		size_t i = 0;

		while (i < count && strcmp(params[i].name, name) != 0)
			i++;
		if (i == count)
			return refuse(r, "unknown_parameter", name, "Unknown parameter: '%.100s'.", name);
		if (value && check_value(&params[i], value, r) != 0)
			return -1;
	}
	return 0;
}
