#include "playground/discord/http/shape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/discord/world/snowflake.h"

void cord_errors_enter(struct cord_errors *e, const char *key)
{
	if (e->depth < CORD_PATH_MAX)
		str_copy(e->path[e->depth], sizeof(e->path[0]), key);
	e->depth++;
}

void cord_errors_enter_index(struct cord_errors *e, size_t index)
{
	char key[24];

	snprintf(key, sizeof(key), "%zu", index);
	cord_errors_enter(e, key);
}

void cord_errors_leave(struct cord_errors *e)
{
	e->depth--;
}

static struct json_object *descend(struct json_object *o, const char *key)
{
	struct json_object *next = json_get_object(o, key);

	if (!next) {
		next = json_object_new_object();
		json_set(o, key, next);
	}
	return next;
}

void cord_errors_add(struct cord_errors *e, const char *key, const char *code, const char *fmt, ...)
{
	struct json_object *o, *list, *row = json_object_new_object();
	struct buf text = BUF_INIT;
	va_list ap;

	e->count++;
	if (!e->tree)
		e->tree = json_object_new_object();
	o = e->tree;
	for (size_t i = 0; i < e->depth && i < CORD_PATH_MAX; i++)
		o = descend(o, e->path[i]);
	if (key)
		o = descend(o, key);
	list = json_get_array(o, "_errors");
	if (!list) {
		list = json_object_new_array();
		json_set(o, "_errors", list);
	}
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	json_set_str(row, "code", code);
	json_set_str(row, "message", text.data);
	json_object_array_add(list, row);
	buf_clear(&text);
}

void cord_errors_clear(struct cord_errors *e)
{
	json_object_put(e->tree);
	*e = (struct cord_errors){0};
}

const struct cord_field *cord_shape_field(const struct cord_shape *shape, const char *name)
{
	for (size_t i = 0; i < shape->count; i++)
		if (strcmp(shape->fields[i].name, name) == 0)
			return &shape->fields[i];
	return NULL;
}

/* Each returns a new value of its type; NULL after adding an error. */
static struct json_object *read_bool(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	const char *s = json_object_get_string(v);

	(void)f;
	if (json_object_is_type(v, json_type_boolean))
		return json_object_get(v);
	if (strcasecmp(s, "true") == 0 || strcmp(s, "1") == 0)
		return json_object_new_boolean(1);
	if (strcasecmp(s, "false") == 0 || strcmp(s, "0") == 0)
		return json_object_new_boolean(0);
	cord_errors_add(e, NULL, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
	return NULL;
}

static bool read_number(struct json_object *v, int64_t *out)
{
	const char *s = json_object_get_string(v);
	char *end;

	if (json_object_is_type(v, json_type_int)) {
		*out = json_object_get_int64(v);
		return true;
	}
	if (!json_object_is_type(v, json_type_string) || s[0] == '\0')
		return false;
	errno = 0;
	*out = strtoll(s, &end, 10);
	return *end == '\0' && errno == 0;
}

static struct json_object *read_int(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	int64_t n;

	if (!read_number(v, &n)) {
		cord_errors_add(
		    e, NULL, "NUMBER_TYPE_COERCE", "Value \"%.40s\" is not int.", json_object_get_string(v));
		return NULL;
	}
	if (f->max != 0 && n > f->max)
		cord_errors_add(e, NULL, "NUMBER_TYPE_MAX",
		    "int value should be less than or equal to %" PRId64 ".", f->max);
	if (f->max != 0 && n < f->min)
		cord_errors_add(e, NULL, "NUMBER_TYPE_MIN",
		    "int value should be greater than or equal to %" PRId64 ".", f->min);
	return json_object_new_int64(n);
}

static struct json_object *read_float(
    const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	double n = json_object_get_double(v);

	if (!json_object_is_type(v, json_type_int) && !json_object_is_type(v, json_type_double)) {
		cord_errors_add(e, NULL, "NUMBER_TYPE_COERCE", "Value \"%.40s\" is not float.",
		    json_object_get_string(v));
		return NULL;
	}
	if (f->max != 0 && (n < (double)f->min || n > (double)f->max))
		cord_errors_add(e, NULL, "NUMBER_TYPE_MAX",
		    "float value should be from %" PRId64 " to %" PRId64 ".", f->min, f->max);
	return json_object_get(v);
}

static struct json_object *read_id(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	uint64_t id;

	(void)f;
	if ((json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_string)) &&
	    (cord_snowflake_read(json_object_get_string(v), &id) ||
		strcmp(json_object_get_string(v), "0") == 0))
		return json_object_new_string(json_object_get_string(v));
	cord_errors_add(
	    e, NULL, "NUMBER_TYPE_COERCE", "Value \"%.40s\" is not snowflake.", json_object_get_string(v));
	return NULL;
}

static void check_length(const struct cord_field *f, size_t n, struct cord_errors *e)
{
	if (f->max == 0 || ((int64_t)n >= f->min && (int64_t)n <= f->max))
		return;
	if (f->min > 0)
		cord_errors_add(e, NULL, "BASE_TYPE_BAD_LENGTH",
		    "Must be between %" PRId64 " and %" PRId64 " in length.", f->min, f->max);
	else
		cord_errors_add(
		    e, NULL, "BASE_TYPE_MAX_LENGTH", "Must be %" PRId64 " or fewer in length.", f->max);
}

static struct json_object *read_string(
    const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	const char *s = json_object_get_string(v);
	size_t len = (size_t)json_object_get_string_len(v);

	if ((f->flags & CORD_STRINGY) && json_object_is_type(v, json_type_int))
		return json_object_get(v);
	if (!json_object_is_type(v, json_type_string) || strlen(s) != len) {
		cord_errors_add(
		    e, NULL, "STRING_TYPE_CONVERT", "Could not interpret \"%.40s\" as string.", s);
		return NULL;
	}
	check_length(f, utf8_count(s, len, UTF8_CHARS), e);
	return json_object_get(v);
}

static struct json_object *read_time(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	int year, month, day;

	(void)f;
	if (json_object_is_type(v, json_type_string) &&
	    sscanf(json_object_get_string(v), "%4d-%2d-%2dT", &year, &month, &day) == 3)
		return json_object_get(v);
	cord_errors_add(e, NULL, "DATE_TIME_TYPE_PARSE", "Could not parse %.40s. Should be ISO8601.",
	    json_object_get_string(v));
	return NULL;
}

static struct json_object *read_url(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	static const char *const schemes[] = {"http://", "https://", "attachment://", "discord://"};
	struct json_object *s = read_string(f, v, e);

	for (size_t i = 0; s && i < ARRAY_LEN(schemes); i++)
		if (strncmp(json_object_get_string(s), schemes[i], strlen(schemes[i])) == 0)
			return s;
	if (s)
		cord_errors_add(e, NULL, "URL_TYPE_INVALID_SCHEME",
		    "Scheme \"%.20s\" is not supported. Scheme must be one of ('http', 'https').",
		    json_object_get_string(s));
	json_object_put(s);
	return NULL;
}

static struct json_object *read_map(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	(void)f;
	if (json_object_is_type(v, json_type_object))
		return json_object_get(v);
	cord_errors_add(e, NULL, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
	return NULL;
}

static struct json_object *read_object(
    const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	if (!json_object_is_type(v, json_type_object)) {
		cord_errors_add(
		    e, NULL, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
		return NULL;
	}
	cord_shape_check(f->shape, v, e);
	return json_object_get(v);
}

static struct json_object *read_value(
    const struct cord_field *f, struct json_object *v, struct cord_errors *e);

static void read_entry(const struct cord_field *f, struct json_object *array, size_t i, struct cord_errors *e)
{
	struct cord_field one = {.type = f->shape ? CORD_OBJECT : f->each, .shape = f->shape};
	struct json_object *v = json_object_array_get_idx(array, i);

	cord_errors_enter_index(e, i);
	if (!v) {
		cord_errors_add(e, NULL, "BASE_TYPE_REQUIRED", "This field is required");
	} else {
		v = read_value(&one, v, e);
		if (v)
			json_object_array_put_idx(array, i, v);
	}
	cord_errors_leave(e);
}

static struct json_object *read_list(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	size_t count;

	if (!json_object_is_type(v, json_type_array)) {
		cord_errors_add(e, NULL, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
		return NULL;
	}
	count = json_object_array_length(v);
	check_length(f, count, e);
	for (size_t i = 0; i < count && (f->max == 0 || (int64_t)i < f->max); i++)
		read_entry(f, v, i, e);
	return json_object_get(v);
}

static struct json_object *read_any(const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	(void)f;
	(void)e;
	return json_object_get(v);
}

static struct json_object *read_value(
    const struct cord_field *f, struct json_object *v, struct cord_errors *e)
{
	static struct json_object *(*const readers[])(
	    const struct cord_field *f, struct json_object *v, struct cord_errors *e) = {
	    [CORD_ANY] = read_any,
	    [CORD_BOOL] = read_bool,
	    [CORD_ID] = read_id,
	    [CORD_INT] = read_int,
	    [CORD_LIST] = read_list,
	    [CORD_MAP] = read_map,
	    [CORD_NUMBER] = read_float,
	    [CORD_OBJECT] = read_object,
	    [CORD_TIME] = read_time,
	    [CORD_STRING] = read_string,
	    [CORD_URL] = read_url,
	};

	return readers[f->type](f, v, e);
}

static void check_member(const struct cord_shape *shape, struct json_object *o, const char *name,
    struct json_object *value, struct cord_errors *e)
{
	const struct cord_field *f = cord_shape_field(shape, name);
	struct json_object *v = NULL;

	if ((!f && shape->loose) || (f && (f->flags & CORD_PASSED_OVER)))
		return;
	cord_errors_enter(e, name);
	if (!f) {
		cord_errors_add(e, NULL, "UNKNOWN_FIELD", "The platform knows no such field here.");
	} else if (value) {
		if (f->flags & CORD_NOT_SIMULATED)
			cord_errors_add(e, NULL, "NOT_SIMULATED", "This field is not simulated.");
		v = read_value(f, value, e);
	}
	cord_errors_leave(e);
	if (value && v) /* a null is kept: edits distinguish it from an absent member */
		json_set(o, name, v);
}

void cord_shape_check(const struct cord_shape *shape, struct json_object *o, struct cord_errors *e)
{
	struct json_object *given = json_object_new_object();
	size_t before = e->count;

	json_object_object_foreach(o, key, member) {
		json_object_object_add(given, key, json_object_get(member));
	}
	json_object_object_foreach(given, name, value) {
		check_member(shape, o, name, value, e);
	}
	for (size_t i = 0; i < shape->count; i++)
		if ((shape->fields[i].flags & CORD_REQUIRED) && !json_get(given, shape->fields[i].name))
			cord_errors_add(
			    e, shape->fields[i].name, "BASE_TYPE_REQUIRED", "This field is required");
	json_object_put(given);
	if (e->count == before && shape->check) /* members are checked together only when each is valid */
		shape->check(o, e);
}

void cord_shape_check_list(
    const struct cord_shape *shape, struct json_object *array, size_t max, struct cord_errors *e)
{
	struct cord_field f = {.type = CORD_LIST, .max = (int64_t)max, .shape = shape};

	json_object_put(read_list(&f, array, e));
}
