#include "playground/world/settings.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"

int setting_set(
    const struct setting *rows, void *fields, const char *name, struct json_object *value, struct error *err)
{
	const struct setting *s = rows;
	int64_t n = json_object_get_int64(value);
	void *field;

	while (s->name && strcmp(s->name, name) != 0)
		s++;
	if (!s->name)
		return error_set(err, ERROR_OURS, "\"%.60s\" means nothing here", name);
	field = (char *)fields + s->at;
	if (s->type == SETTING_BOOL) {
		if (!json_object_is_type(value, json_type_boolean))
			return error_set(err, ERROR_OURS, "%s must be true or false", name);
		*(bool *)field = json_object_get_boolean(value);
	} else if (s->type == SETTING_NUMBER) {
		if (!json_object_is_type(value, json_type_int) || n < s->min || n > s->max)
			return error_set(err, ERROR_OURS, "%s must be a number from %" PRId64 " to %" PRId64,
			    name, s->min, s->max);
		*(int64_t *)field = n;
	} else if (!json_object_is_type(value, json_type_string) ||
	    str_copy(field, (size_t)s->max, json_object_get_string(value)) != 0) {
		return error_set(
		    err, ERROR_OURS, "%s must be a text of at most %" PRId64 " bytes", name, s->max - 1);
	}
	return 0;
}

int settings_set(
    const struct setting *rows, void *fields, size_t size, struct json_object *in, struct error *err)
{
	void *fresh = memcpy(xmalloc(size), fields, size);
	int ret = 0;

	json_object_object_foreach(in, name, value) {
		if (ret == 0)
			ret = setting_set(rows, fresh, name, value, err);
	}
	if (ret == 0)
		memcpy(fields, fresh, size);
	free(fresh);
	return ret;
}

void settings_write(const struct setting *rows, const void *fields, struct json_object *out)
{
	for (; rows->name; rows++) {
		const void *field = (const char *)fields + rows->at;

		if (rows->type == SETTING_BOOL)
			json_set_bool(out, rows->name, *(const bool *)field);
		else if (rows->type == SETTING_NUMBER)
			json_set_int(out, rows->name, *(const int64_t *)field);
		else
			json_set_str(out, rows->name, field);
	}
}
