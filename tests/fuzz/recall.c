#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "fuzz/client.h"

static struct json_object *find_member(struct json_object *o, const char *name)
{
	struct json_object *found = json_object_is_type(o, json_type_object) ? json_get(o, name) : NULL;

	if (json_object_is_type(o, json_type_object)) {
		json_object_object_foreach(o, key, value) {
			(void)key;
			found = found ? found : find_member(value, name);
		}
	}
	for (size_t i = 0; !found && json_object_is_type(o, json_type_array) && i < json_count(o); i++)
		found = find_member(json_at(o, i), name);
	return found;
}

/* name: "a.b". */
static struct json_object *recall_in(struct json_object *message, const char *name)
{
	char *copy = xstrdup(name), *at = copy, *one;
	struct json_object *found = message;

	while (found && (one = strsep(&at, ".")))
		found = find_member(found, one);
	free(copy);
	return found;
}

static struct json_object *recall(struct json_object *heard, const char *name)
{
	struct json_object *found = NULL;

	for (size_t i = json_count(heard); !found && i-- > 0;)
		found = recall_in(json_at(heard, i), name);
	return found;
}

char *fuzz_fill_text(struct json_object *heard, const char *text)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "");
	while (*text != '\0') {
		size_t len = *text == '$' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_.") : 0;
		char *name = xstrndup(text + 1, len);
		struct json_object *known = len > 0 ? recall(heard, name) : NULL;

		if (known)
			buf_addstr(&out, json_object_get_string(known));
		else
			buf_add(&out, text, len + 1);
		text += len + 1;
		free(name);
	}
	return buf_take(&out);
}

struct json_object *fuzz_fill(struct json_object *heard, struct json_object *o)
{
	struct json_object *made;
	char *text;

	if (json_object_is_type(o, json_type_string) && strchr(json_object_get_string(o), '$')) {
		text = fuzz_fill_text(heard, json_object_get_string(o));
		made = json_object_new_string(text);
		free(text);
	} else if (json_object_is_type(o, json_type_object)) {
		made = json_object_new_object();
		json_object_object_foreach(o, key, value) {
			json_object_object_add(made, key, fuzz_fill(heard, value));
		}
	} else if (json_object_is_type(o, json_type_array)) {
		made = json_object_new_array();
		json_each(o, item)
			json_object_array_add(made, fuzz_fill(heard, item));
	} else {
		made = json_object_get(o);
	}
	return made;
}
