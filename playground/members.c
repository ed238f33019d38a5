#include "playground/members.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

int members_check(struct json_object *in, const char *const *names, struct error *err)
{
	json_object_object_foreach(in, name, value)
	{
		size_t i = 0;

		(void)value;
		while (names[i] != NULL && strcmp(names[i], name) != 0)
			i++;
		if (names[i] == NULL)
			return error_set(err, ERROR_OURS, "\"%.60s\" means nothing here", name);
	}
	return 0;
}

const char *members_string(struct json_object *in, const char *key)
{
	struct json_object *v = json_get(in, key);
	const char *text = json_get_str(in, key);
	char number[24];

	if (text != NULL)
		return text[0] != '\0' ? text : NULL;
	if (!json_object_is_type(v, json_type_int))
		return NULL;
	snprintf(number, sizeof(number), "%" PRId64, json_object_get_int64(v));
	json_set_str(in, key, number);
	return json_get_str(in, key);
}
