#include "ops/diagnosis.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

static const char *const names[] = {
    [DIAGNOSIS_OK] = "ok", [DIAGNOSIS_WARNING] = "warning", [DIAGNOSIS_BAD] = "BAD"};

void diagnosis_add(struct json_object *list, enum diagnosis_level level, const char *about, const char *text,
    const char *advice)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "level", names[level]);
	json_set_str(o, "about", about);
	json_set_str(o, "text", text);
	json_set_str(o, "do", advice);
	json_object_array_add(list, o);
}

void diagnosis_add_lines(struct json_object *list, enum diagnosis_level level, const char *about,
    const char *text, const char *advice)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = xstrndup(text, len);
		if (len > 0)
			diagnosis_add(list, level, about, line, advice);
		free(line);
		text += len + (text[len] == '\n');
	}
}

static bool is_level(struct json_object *finding, enum diagnosis_level level)
{
	const char *name = json_get_str(finding, "level");

	return name && strcmp(name, names[level]) == 0;
}

bool diagnosis_any_bad(struct json_object *list)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (is_level(json_object_array_get_idx(list, i), DIAGNOSIS_BAD))
			return true;
	return false;
}

void diagnosis_describe(struct json_object *list, bool all, struct buf *out)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		const char *advice = json_get_str(o, "do");
		if (!all && is_level(o, DIAGNOSIS_OK))
			continue;
		buf_addf(out, "%-8s %s: %s\n", json_get_str(o, "level"), json_get_str(o, "about"),
		    json_get_str(o, "text"));
		if (advice)
			buf_addf(out, "         fix: %s\n", advice);
	}
}
