#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json/json.h"
#include "playground/server/form.h"
#include "playground/telegram/http/method.h"

static const char *const type_names[] = {
    [PARAM_BOOL] = "a Boolean",
    [PARAM_CHAT] = "an Integer or a String",
    [PARAM_FILE] = "a file",
    [PARAM_FLOAT] = "a Float",
    [PARAM_MEDIA] = "a file or a String",
    [PARAM_INT] = "an Integer",
    [PARAM_JSON] = "a JSON value",
    [PARAM_STRING] = "a String",
};

/* Each returns a new value of the row's type; NULL when it cannot be converted. In forms, texts stand for
 * numbers and booleans; the platform accepts that in JSON, too. */
static struct json_object *convert_bool(struct json_object *v)
{
	const char *s = json_object_get_string(v);

	if (json_object_is_type(v, json_type_boolean))
		return json_object_get(v);
	if (strcasecmp(s, "true") == 0 || strcmp(s, "1") == 0 || strcasecmp(s, "yes") == 0)
		return json_object_new_boolean(1);
	if (strcasecmp(s, "false") == 0 || strcmp(s, "0") == 0 || strcasecmp(s, "no") == 0)
		return json_object_new_boolean(0);
	return NULL;
}

static struct json_object *convert_float(struct json_object *v)
{
	const char *s = json_object_get_string(v);
	char *end;
	double n;

	if (json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_double))
		return json_object_get(v);
	if (!json_object_is_type(v, json_type_string))
		return NULL;
	n = strtod(s, &end);
	return s[0] != '\0' && *end == '\0' && isfinite(n) ? json_object_new_double(n) : NULL;
}

static struct json_object *convert_json(struct json_object *v)
{
	if (json_object_is_type(v, json_type_object) || json_object_is_type(v, json_type_array))
		return json_object_get(v);
	if (!json_object_is_type(v, json_type_string))
		return NULL;
	v = json_parse(json_object_get_string(v), (size_t)json_object_get_string_len(v), NULL);
	if (json_object_is_type(v, json_type_object) || json_object_is_type(v, json_type_array))
		return v;
	json_object_put(v);
	return NULL;
}

static struct json_object *convert(const struct call *call, const struct param *p, struct json_object *v)
{
	bool part = call->multipart && json_object_is_type(v, json_type_object);
	struct json_object *id;

	switch (p->type) {
	case PARAM_BOOL:
		return convert_bool(v);
	case PARAM_INT:
		return form_int(v);
	case PARAM_CHAT:
		id = form_int(v);
		return id ? id : json_object_is_type(v, json_type_string) ? json_object_get(v) : NULL;
	case PARAM_JSON:
		return part ? NULL : convert_json(v);
	case PARAM_FLOAT:
		return convert_float(v);
	case PARAM_FILE:
		return part ? json_object_get(v) : NULL;
	case PARAM_MEDIA:
		return part ? json_object_get(v) : form_text(v);
	default:
		return form_text(v);
	}
}

const struct param *method_param(const struct method *m, const char *name)
{
	for (size_t i = 0; i < m->param_count; i++)
		if (strcmp(m->params[i].name, name) == 0)
			return &m->params[i];
	for (size_t i = 0; i < m->shared_count; i++)
		if (strcmp(m->shared[i].name, name) == 0)
			return &m->shared[i];
	return NULL;
}

/* Does v contain a value attach://name? */
static bool mentions_part(struct json_object *v, const char *name)
{
	size_t len = strlen("attach://");

	if (json_object_is_type(v, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(v); i++)
			if (mentions_part(json_object_array_get_idx(v, i), name))
				return true;
	} else if (json_object_is_type(v, json_type_object)) {
		json_object_object_foreach(v, key, member) {
			(void)key;
			if (mentions_part(member, name))
				return true;
		}
	} else if (json_object_is_type(v, json_type_string)) {
		const char *s = json_object_get_string(v);

		return strncmp(s, "attach://", len) == 0 && strcmp(s + len, name) == 0;
	}
	return false;
}

static bool is_attached(const struct call *call, struct json_object *value)
{
	return call->multipart && json_object_is_type(value, json_type_object);
}

static int check_one(
    struct call *call, struct json_object *checked, const char *name, struct json_object *value)
{
	const struct param *p = method_param(call->method, name);
	struct json_object *v;

	if (!p && is_attached(call, value)) /* checked when the others are known */
		return 0;
	if (!p)
		return call_refuse(call, "%s has no parameter \"%.60s\"", call->method->name, name);
	if (!value) /* null counts as absent */
		return 0;
	if (p->flags & PARAM_NOT_SIMULATED)
		return call_refuse(call, "parameter \"%s\" is not simulated", name);
	v = convert(call, p, value);
	if (!v)
		return call_refuse(call, "parameter \"%s\" must be %s", name, type_names[p->type]);
	json_set(checked, name, v);
	return 0;
}

static bool is_empty_string(struct json_object *v)
{
	return json_object_is_type(v, json_type_string) && json_object_get_string_len(v) == 0;
}

/* Keeps the file parts that other parameters refer to, and refuses the rest. */
static int check_attached(struct call *call, struct json_object *checked)
{
	json_object_object_foreach(call->params, name, value) {
		if (!is_attached(call, value) || method_param(call->method, name))
			continue;
		if (!mentions_part(checked, name))
			return call_refuse(call, "%s has no parameter \"%.60s\"", call->method->name, name);
		json_set(checked, name, json_object_get(value));
	}
	return 0;
}

static int check_required(
    struct call *call, const struct param *params, size_t count, struct json_object *checked)
{
	for (size_t i = 0; i < count; i++) {
		const struct param *p = &params[i];
		struct json_object *v = json_get(checked, p->name);

		if (!(p->flags & PARAM_REQUIRED) ||
		    (v && ((p->flags & PARAM_MAY_BE_EMPTY) || !is_empty_string(v))))
			continue;
		if (p->missing)
			return call_refuse(call, "%s", p->missing);
		return call_refuse(call, "parameter \"%s\" is required", p->name);
	}
	return 0;
}

int params_check(struct call *call)
{
	struct json_object *checked = json_object_new_object();

	json_object_object_foreach(call->params, name, value) {
		if (check_one(call, checked, name, value) != 0)
			goto fail;
	}
	if (check_attached(call, checked) != 0 ||
	    check_required(call, call->method->params, call->method->param_count, checked) != 0 ||
	    check_required(call, call->method->shared, call->method->shared_count, checked) != 0)
		goto fail;
	json_object_put(call->params);
	call->params = checked;
	return 0;

fail:
	json_object_put(checked);
	return -1;
}
