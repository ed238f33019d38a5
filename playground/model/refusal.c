#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "playground/model/api.h"
#include "playground/spec/spec.h"

int refuse(struct refusal *r, const char *code, const char *param, const char *fmt, ...)
{
	va_list ap;

	*r = (struct refusal){.status = 400, .type = "invalid_request_error", .code = code};
	if (param)
		str_copy(r->param, sizeof(r->param), param);
	va_start(ap, fmt);
	vsnprintf(r->message, sizeof(r->message), fmt, ap);
	va_end(ap);
	return -1;
}

int refuse_missing(struct refusal *r, const char *param, const char *member)
{
	return refuse(r, "missing_required_parameter", param, "Missing required parameter: '%s%s%s'.", param,
	    member ? "." : "", member ? member : "");
}

int refuse_unknown(struct refusal *r, const char *param, const char *member)
{
	return refuse(r, "unknown_parameter", param, "Unknown parameter: '%s.%.40s'.", param, member);
}

int refuse_empty(struct refusal *r, const char *array)
{
	return refuse(r, "empty_array", array,
	    "Invalid '%s': empty array. Expected an array with minimum length 1, but got an empty array "
	    "instead.",
	    array);
}

static void write_member(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, ",\"%s\":", name);
	if (!value || value[0] == '\0')
		buf_addstr(out, "null");
	else
		json_quote(out, value, strlen(value));
}

void refusal_write(const struct refusal *r, struct buf *out)
{
	buf_addstr(out, "{\"error\":{\"message\":");
	json_quote(out, r->message, strlen(r->message));
	write_member(out, "type", r->type);
	write_member(out, "param", r->param);
	write_member(out, "code", r->code);
	buf_addstr(out, "}}");
}

void refusal_answer(struct exchange *ex, const struct refusal *r)
{
	struct buf out = BUF_INIT;
	char header[48];

	snprintf(header, sizeof(header), "Retry-After: %u\r\n", r->retry_after);
	refusal_write(r, &out);
	exchange_answer(ex, r->status, "application/json", r->retry_after > 0 ? header : NULL, &out);
	buf_clear(&out);
}

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
