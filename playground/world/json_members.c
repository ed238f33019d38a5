#include "playground/world/json_members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"

const char *members_other(struct json_object *o, const char *const *names)
{
	if (!json_object_is_type(o, json_type_object))
		return NULL;
	json_object_object_foreach(o, name, value) {
		size_t i = 0;

		(void)value;
		while (names[i] && strcmp(names[i], name) != 0)
			i++;
		if (!names[i])
			return name;
	}
	return NULL;
}

bool members_has_word(const char *words, const char *name)
{
	size_t len = strlen(name);

	for (; *words != '\0'; words += strspn(words, " ")) {
		size_t n = strcspn(words, " ");

		if (n == len && memcmp(words, name, n) == 0)
			return true;
		words += n;
	}
	return false;
}

int members_check(struct json_object *in, const char *words, struct error *err)
{
	json_object_object_foreach(in, name, value) {
		(void)value;
		if (!members_has_word(words, name))
			return error_set(err, ERROR_OURS, "\"%.60s\" means nothing here", name);
	}
	return 0;
}

const char *members_string(struct json_object *in, const char *key)
{
	struct json_object *v = json_get(in, key);
	const char *text = json_get_str(in, key);
	char number[24];

	if (text)
		return text[0] != '\0' ? text : NULL;
	if (!json_object_is_type(v, json_type_int))
		return NULL;
	snprintf(number, sizeof(number), "%" PRId64, json_object_get_int64(v));
	json_set_str(in, key, number);
	return json_get_str(in, key);
}

void members_set_bytes(struct json_object *out, const char *key, const void *data, size_t len)
{
	char *zeros = !data ? xcalloc(1, len + 1) : NULL;
	struct buf text = BUF_INIT;

	base64_encode(&text, zeros ? zeros : data, len);
	json_set_str(out, key, text.data);
	buf_clear(&text);
	free(zeros);
}
