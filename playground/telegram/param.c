#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/json.h"
#include "playground/telegram/method.h"
#include "playground/telegram/world.h"

static const char *const type_names[] = {
    [PARAM_BOOL] = "a Boolean", [PARAM_CHAT] = "an Integer or a String", [PARAM_FILE] = "a file",
    [PARAM_INT] = "an Integer", [PARAM_JSON] = "a JSON value",		 [PARAM_STRING] = "a String",
};

/* The value in the type of the row, new; NULL when it cannot be. Texts stand for numbers and
 * truth values in forms, and the platform takes them in JSON too. */
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

static struct json_object *convert_int(struct json_object *v)
{
	const char *s = json_object_get_string(v);
	char *end;
	long long n;

	if (json_object_is_type(v, json_type_int))
		return json_object_get(v);
	if (!json_object_is_type(v, json_type_string))
		return NULL;
	errno = 0;
	n = strtoll(s, &end, 10);
	return s[0] != '\0' && *end == '\0' && errno == 0 ? json_object_new_int64(n) : NULL;
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

static struct json_object *convert(const struct param *p, struct json_object *v)
{
	struct json_object *id;

	switch (p->type) {
	case PARAM_BOOL:
		return convert_bool(v);
	case PARAM_INT:
		return convert_int(v);
	case PARAM_CHAT:
		id = convert_int(v);
		return id != NULL ? id : json_object_is_type(v, json_type_string) ? json_object_get(v) : NULL;
	case PARAM_JSON:
		return convert_json(v);
	default:
		/* A NUL cannot be in a text; the platform cuts it off as a control character. */
		return json_object_is_type(v, json_type_string) &&
			       strlen(json_object_get_string(v)) == (size_t)json_object_get_string_len(v)
			   ? json_object_get(v)
			   : NULL;
	}
}

static const struct param *find(const struct method *m, const char *name)
{
	for (size_t i = 0; i < m->param_count; i++)
		if (strcmp(m->params[i].name, name) == 0)
			return &m->params[i];
	return NULL;
}

static int check_one(struct call *call, struct json_object *checked, const char *name, struct json_object *value)
{
	const struct param *p = find(call->method, name);
	struct json_object *v;

	if (p == NULL)
		return call_refuse(call, "%s has no parameter \"%.60s\"", call->method->name, name);
	if (value == NULL) /* null is as if it were absent */
		return 0;
	if (p->flags & PARAM_NOT_SIMULATED)
		return call_refuse(call, "parameter \"%s\" is not simulated", name);
	v = convert(p, value);
	if (v == NULL)
		return call_refuse(call, "parameter \"%s\" must be %s", name, type_names[p->type]);
	json_set(checked, name, v);
	return 0;
}

static bool is_empty_string(struct json_object *v)
{
	return json_object_is_type(v, json_type_string) && json_object_get_string_len(v) == 0;
}

static int check_required(struct call *call, struct json_object *checked)
{
	for (size_t i = 0; i < call->method->param_count; i++) {
		const struct param *p = &call->method->params[i];
		struct json_object *v = json_get(checked, p->name);

		if (!(p->flags & PARAM_REQUIRED) ||
		    (v != NULL && ((p->flags & PARAM_MAY_BE_EMPTY) || !is_empty_string(v))))
			continue;
		if (p->missing != NULL)
			return call_refuse(call, "%s", p->missing);
		return call_refuse(call, "parameter \"%s\" is required", p->name);
	}
	return 0;
}

int params_check(struct call *call)
{
	struct json_object *checked = json_object_new_object();

	json_object_object_foreach(call->params, name, value)
	{
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
