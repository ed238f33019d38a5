#include "tools/sanitize.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"

size_t sanitize_text(struct buf *out, const char *s, size_t len)
{
	struct buf valid = BUF_INIT;
	/* Dropped bytes first: they may be inside a secret. */
	size_t replaced = utf8_sanitize(&valid, s, len);

	secret_redact(out, valid.data, valid.len);
	buf_clear(&valid);
	return replaced;
}

static struct json_object *sanitize_string(struct json_object *o)
{
	const char *s = json_object_get_string(o);
	size_t len = (size_t)json_object_get_string_len(o);
	struct buf text = BUF_INIT;

	sanitize_text(&text, s, len);
	struct json_object *made = text.len == len && memcmp(text.data, s, len) == 0 ?
	    json_object_get(o) :
	    json_object_new_string_len(text.data, (int)text.len);
	buf_clear(&text);
	return made;
}

static struct json_object *sanitize_array(struct json_object *o)
{
	struct json_object *made = json_object_new_array();

	for (size_t i = 0; i < json_object_array_length(o); i++)
		json_object_array_add(made, sanitize_json(json_object_array_get_idx(o, i)));
	return made;
}

static struct json_object *sanitize_object(struct json_object *o)
{
	struct json_object *made = json_object_new_object();
	struct buf name = BUF_INIT;

	json_object_object_foreach(o, key, value) {
		buf_reset(&name);
		sanitize_text(&name, key, strlen(key));
		json_set(made, name.data, sanitize_json(value));
	}
	buf_clear(&name);
	return made;
}

struct json_object *sanitize_json(struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_string:
		return sanitize_string(o);
	case json_type_array:
		return sanitize_array(o);
	case json_type_object:
		return sanitize_object(o);
	default:
		return json_object_get(o);
	}
}
