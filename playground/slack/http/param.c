#include <string.h>
#include <strings.h>

#include "base/json/json.h"
#include "playground/server/exchange.h"
#include "playground/server/form.h"
#include "playground/slack/http/method.h"

static const char *const type_names[] = {
    [SLK_STRING] = "a string",
    [SLK_BOOL] = "a boolean",
    [SLK_INT] = "an integer",
    [SLK_ARRAY] = "an array",
    [SLK_OBJECT] = "an object",
};

/* Each returns a new value of the row's type; NULL when it cannot be converted. In forms all values are
 * texts. */
static struct json_object *convert_bool(struct json_object *v)
{
	const char *s = json_object_get_string(v);

	if (json_object_is_type(v, json_type_boolean))
		return json_object_get(v);
	if (strcasecmp(s, "true") == 0 || strcmp(s, "1") == 0)
		return json_object_new_boolean(1);
	if (strcasecmp(s, "false") == 0 || strcmp(s, "0") == 0 || s[0] == '\0')
		return json_object_new_boolean(0);
	return NULL;
}

static struct json_object *convert_json(struct json_object *v, enum json_type type)
{
	if (json_object_is_type(v, type))
		return json_object_get(v);
	if (!json_object_is_type(v, json_type_string))
		return NULL;
	v = json_parse(json_object_get_string(v), (size_t)json_object_get_string_len(v), NULL);
	if (json_object_is_type(v, type))
		return v;
	json_object_put(v);
	return NULL;
}

static struct json_object *convert(const struct slk_param *p, struct json_object *v)
{
	switch (p->type) {
	case SLK_BOOL:
		return convert_bool(v);
	case SLK_INT:
		return form_int(v);
	case SLK_ARRAY:
		return convert_json(v, json_type_array);
	case SLK_OBJECT:
		return convert_json(v, json_type_object);
	default:
		return form_text(v);
	}
}

static const struct slk_param *find(const struct slk_method *m, const char *name)
{
	for (size_t i = 0; i < m->param_count; i++)
		if (strcmp(m->params[i].name, name) == 0)
			return &m->params[i];
	return NULL;
}

static bool is_empty(struct json_object *v)
{
	return json_object_is_type(v, json_type_string) && json_object_get_string_len(v) == 0;
}

/* The platform ignores unknown parameters; here a warning reports them. An empty text counts as an absent
 * array or object. */
static int check_one(
    struct slk_call *call, struct json_object *checked, const char *name, struct json_object *value)
{
	const struct slk_param *p = find(call->method, name);
	struct json_object *v;

	if (!p) {
		exchange_remark(call->ex, "%s has no argument \"%.60s\"", call->method->name, name);
		return 0;
	}
	if (!value || (p->type >= SLK_ARRAY && is_empty(value)))
		return 0;
	if (p->flags & SLK_NOT_SIMULATED)
		return slk_refuse(
		    call, "invalid_arguments", "\"%s\" is not simulated [json-pointer:/%s]", name, name);
	v = convert(p, value);
	if (!v)
		return slk_refuse(call, p->type >= SLK_ARRAY && p->error ? p->error : "invalid_arguments",
		    "must be %s [json-pointer:/%s]", type_names[p->type], name);
	json_set(checked, name, v);
	return 0;
}

static int check_required(struct slk_call *call, struct json_object *checked)
{
	for (size_t i = 0; i < call->method->param_count; i++) {
		const struct slk_param *p = &call->method->params[i];
		struct json_object *v = json_get(checked, p->name);

		if ((p->flags & SLK_REQUIRED) && !v)
			return slk_refuse(call, p->error ? p->error : "invalid_arguments",
			    "missing required field: %s", p->name);
	}
	return 0;
}

int slk_params_check(struct slk_call *call)
{
	struct json_object *checked = json_object_new_object();

	json_object_object_foreach(call->params, name, value) {
		if (check_one(call, checked, name, value) != 0)
			goto fail;
	}
	if (check_required(call, checked) != 0)
		goto fail;
	json_object_put(call->params);
	call->params = checked;
	return 0;

fail:
	json_object_put(checked);
	return -1;
}
