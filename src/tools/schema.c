#include "tools/schema.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/tools.h"

/* Bytes of an unknown name that are repeated. */
#define SCHEMA_NAME_SHOWN 64

/* The check of one call's arguments. */
struct check {
	const struct tool *tool;
	struct json_object *schema, *properties, *args;
	struct json_object *clamped; /* created when needed */
	struct buf what;             /* the error, as the start of a sentence */
};

/* Converts a string, or a number written another way, to the type; NULL when it cannot be one. */
static struct json_object *to_boolean(struct json_object *value);
static struct json_object *to_integer(struct json_object *value);
static struct json_object *to_number(struct json_object *value);

static const struct type {
	const char *name, *article;
	enum json_type json;
	struct json_object *(*convert)(struct json_object *value);
} types[] = {
    {"array", "an", json_type_array, NULL},
    {"boolean", "a", json_type_boolean, to_boolean},
    {"integer", "an", json_type_int, to_integer},
    {"number", "a", json_type_double, to_number},
    {"object", "an", json_type_object, NULL},
    {"string", "a", json_type_string, NULL},
};

static const struct type *find_type(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}

/* Returns the number if the string consists of one, else NULL. */
static struct json_object *number_in(struct json_object *value)
{
	const char *s = json_object_get_string(value);
	size_t len = (size_t)json_object_get_string_len(value);

	if (!json_object_is_type(value, json_type_string) || len == 0 || !strchr("-0123456789", s[0]) ||
	    !strchr("0123456789", s[len - 1]))
		return NULL;
	return json_parse(s, len, NULL);
}

static struct json_object *to_boolean(struct json_object *value)
{
	const char *s = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";

	return strcmp(s, "true") == 0 || strcmp(s, "false") == 0 ? json_object_new_boolean(*s == 't') : NULL;
}

static struct json_object *to_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) ? json_object_get(value) : number_in(value);
}

static struct json_object *to_integer(struct json_object *value)
{
	struct json_object *number =
	    json_object_is_type(value, json_type_double) ? json_object_get(value) : number_in(value);

	if (!json_object_is_type(number, json_type_double))
		return number;
	double d = json_object_get_double(number);
	json_object_put(number);
	/* 2^63 itself is beyond int64_t. */
	return d > -0x1p63 && d < 0x1p63 && (double)(int64_t)d == d ? json_object_new_int64((int64_t)d) :
								      NULL;
}

bool schema_requires(struct json_object *schema, const char *name)
{
	return json_array_has(json_get_array(schema, "required"), name);
}

/* A foreign schema decides itself whether other arguments are allowed. */
static bool allows_other_arguments(const struct check *c)
{
	struct json_object *others = json_get(c->schema, "additionalProperties");

	return c->tool->flags & TOOL_UNTRUSTED_SCHEMA &&
	    !(json_object_is_type(others, json_type_boolean) && !json_object_get_boolean(others));
}

/* Appends "web_fetch takes url (string), method?, ...". */
static void add_takes(struct buf *out, const struct check *c)
{
	size_t n = 0;

	buf_addf(out, " %s takes ", c->tool->name);
	if (!c->properties || json_object_object_length(c->properties) == 0) {
		buf_addstr(out, "no arguments.");
		return;
	}
	json_object_object_foreach(c->properties, name, property) {
		buf_addf(out, "%s%s", n++ ? ", " : "", name);
		const char *type = json_get_str(property, "type");
		if (!schema_requires(c->schema, name))
			buf_addch(out, '?');
		else if (type)
			buf_addf(out, " (%s)", type);
	}
	buf_addch(out, '.');
}

/* Completes the sentence that c->what begins. */
static struct json_object *refuse(struct check *c, const char *cause)
{
	buf_addch(&c->what, '.');
	add_takes(&c->what, c);
	return tool_failure(c->tool->name, "INVALID_ARGUMENT", cause, "%s Nothing was run.", c->what.data);
}

static struct json_object *rename_aliases(struct check *c)
{
	for (const struct tool_alias *a = c->tool->param_aliases; a && a->alias; a++) {
		struct json_object *given = json_get(c->args, a->alias), *own = json_get(c->args, a->name);
		if (given && own && !json_object_equal(own, given)) {
			buf_addf(&c->what, "'%s' and '%s' are one argument, and differ: give one of them",
			    a->name, a->alias);
			return refuse(c, NULL);
		}
		if (given && !own)
			json_set(c->args, a->name, json_object_get(given));
		json_object_object_del(c->args, a->alias);
	}
	return NULL;
}

static struct json_object *check_names(struct check *c)
{
	json_object_object_foreach(c->args, name, value) {
		(void)value;
		if (json_get(c->properties, name) || allows_other_arguments(c))
			continue;
		buf_addf(&c->what, "unknown '%.*s'",
		    (int)utf8_cut(name, strlen(name), SCHEMA_NAME_SHOWN, UTF8_BYTES), name);
		return refuse(c, "UNKNOWN");
	}
	return NULL;
}

static bool holds_nul(struct json_object *value)
{
	return json_object_is_type(value, json_type_string) &&
	    memchr(json_object_get_string(value), '\0', (size_t)json_object_get_string_len(value));
}

/* Converts *value, which belongs to the argument, to the type if possible; the arguments own the new
 * value. */
static bool check_type(struct check *c, const char *name, const struct type *type, struct json_object **value)
{
	if (!json_object_is_type(*value, type->json)) {
		struct json_object *converted = type->convert ? type->convert(*value) : NULL;
		if (!converted) {
			buf_addf(&c->what, "'%s' must be %s %s", name, type->article, type->name);
			return false;
		}
		json_set(c->args, name, converted);
		*value = converted;
	}
	if (json_object_is_type(*value, json_type_double) && !isfinite(json_object_get_double(*value))) {
		buf_addf(&c->what, "'%s' is no number that can be counted with", name);
		return false;
	}
	if (holds_nul(*value))
		buf_addf(&c->what, "'%s' holds a NUL character", name);
	return c->what.len == 0;
}

static bool check_items(
    struct check *c, const char *name, struct json_object *property, struct json_object *value)
{
	const struct type *type = find_type(json_get_str(json_get_object(property, "items"), "type"));

	if (!type || !json_object_is_type(value, json_type_array))
		return true;
	for (size_t i = 0; i < json_object_array_length(value); i++) {
		struct json_object *item = json_object_array_get_idx(value, i);
		if (json_object_is_type(item, type->json) && !holds_nul(item))
			continue;
		buf_addf(&c->what, "'%s' must hold %ss only", name, type->name);
		return false;
	}
	return true;
}

static bool check_enum(
    struct check *c, const char *name, struct json_object *property, struct json_object *value)
{
	struct json_object *choices = json_get_array(property, "enum");

	for (size_t i = 0; choices && i < json_object_array_length(choices); i++)
		if (json_object_equal(json_object_array_get_idx(choices, i), value))
			return true;
	if (!choices)
		return true;
	buf_addf(&c->what, "'%s' must be one of ", name);
	json_write(&c->what, choices);
	return false;
}

static bool check_length(
    struct check *c, const char *name, struct json_object *property, struct json_object *value)
{
	bool list = json_object_is_type(value, json_type_array);
	int64_t have, least = json_get_int(property, list ? "minItems" : "minLength", 0);
	int64_t most = json_get_int(property, list ? "maxItems" : "maxLength", INT64_MAX);

	if (list)
		have = (int64_t)json_object_array_length(value);
	else if (json_object_is_type(value, json_type_string))
		have = (int64_t)utf8_count(
		    json_object_get_string(value), (size_t)json_object_get_string_len(value), UTF8_CHARS);
	else
		return true;
	if (have >= least && have <= most)
		return true;
	const char *unit = list ? "entries" : "characters";
	if (have < least)
		buf_addf(&c->what, "'%s' has %lld %s, and must have at least %lld", name, (long long)have,
		    unit, (long long)least);
	else
		buf_addf(&c->what, "'%s' has %lld %s, and may have at most %lld", name, (long long)have, unit,
		    (long long)most);
	return false;
}

/* Returns -1, 0 or 1, as strcmp; compares integers exactly. */
static int compare(struct json_object *a, struct json_object *b)
{
	double x = json_object_get_double(a), y = json_object_get_double(b);

	if (json_object_is_type(a, json_type_int) && json_object_is_type(b, json_type_int)) {
		int64_t i = json_object_get_int64(a), k = json_object_get_int64(b);
		return (i > k) - (i < k);
	}
	return (x > y) - (x < y);
}

static void clamp(struct check *c, const char *name, struct json_object *to)
{
	if (!c->clamped)
		c->clamped = json_object_new_object();
	json_set(c->clamped, name, json_object_get(to));
	json_set(c->args, name, json_object_get(to));
}

static bool check_range(
    struct check *c, const char *name, struct json_object *property, struct json_object *value)
{
	struct json_object *least = json_get(property, "minimum"), *most = json_get(property, "maximum");

	if (!json_object_is_type(value, json_type_int) && !json_object_is_type(value, json_type_double))
		return true;
	if (least && compare(value, least) < 0) {
		buf_addf(&c->what, "'%s' must be at least %s", name, json_object_get_string(least));
		return false;
	}
	if (most && compare(value, most) > 0) {
		clamp(c, name, most);
	} else if (json_object_is_type(value, json_type_int) && json_object_get_uint64(value) > INT64_MAX) {
		/* json-c keeps integers up to 2^64; larger ones than INT64_MAX are clamped. */
		struct json_object *largest = json_object_new_int64(INT64_MAX);
		clamp(c, name, largest);
		json_object_put(largest);
	}
	return true;
}

static struct json_object *check_value(struct check *c, const char *name, struct json_object *property)
{
	const struct type *type = find_type(json_get_str(property, "type"));
	struct json_object *value = json_get(c->args, name);

	if (!value) {
		if (!type && json_object_object_get_ex(c->args, name, NULL))
			return NULL;                   /* the tool decides whether null is allowed */
		json_object_object_del(c->args, name); /* null counts as absent */
		if (!schema_requires(c->schema, name))
			return NULL;
		buf_addf(&c->what, "missing '%s'", name);
		return refuse(c, "MISSING");
	}
	if ((type && !check_type(c, name, type, &value)) || !check_items(c, name, property, value))
		return refuse(c, "TYPE");
	if (!check_enum(c, name, property, value) || !check_length(c, name, property, value) ||
	    !check_range(c, name, property, value))
		return refuse(c, "RANGE");
	return NULL;
}

struct json_object *schema_apply(const struct tool *tool, struct json_object *schema,
    struct json_object *args, struct json_object **clamped)
{
	struct check c = {
	    .tool = tool,
	    .schema = schema,
	    .properties = json_get_object(schema, "properties"),
	    .args = args,
	    .what = BUF_INIT,
	};
	struct json_object *problem = rename_aliases(&c);

	if (!problem)
		problem = check_names(&c);
	if (!problem && c.properties) {
		json_object_object_foreach(c.properties, name, property) {
			problem = check_value(&c, name, property);
			if (problem)
				break;
		}
	}
	buf_clear(&c.what);
	*clamped = c.clamped;
	return problem;
}

/* A list of property names; a foreign schema may require properties that it does not describe. */
static bool holds_names(struct json_object *list, struct json_object *properties, bool foreign)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *name = json_object_array_get_idx(list, i);
		if (!json_object_is_type(name, json_type_string))
			return false;
		if (!foreign && !json_get(properties, json_object_get_string(name)))
			return false;
	}
	return true;
}

static int check_property(const char *name, struct json_object *property, bool foreign, struct error *err)
{
	if (foreign &&
	    (json_object_is_type(property, json_type_object) ||
		json_object_is_type(property, json_type_boolean)))
		return 0;
	if (!find_type(json_get_str(property, "type")))
		return error_set(err, ERROR_OURS, "The parameter '%.64s' has no type that is known.", name);
	if (!json_get_str(property, "description"))
		return error_set(err, ERROR_OURS, "The parameter '%.64s' has no description.", name);
	return 0;
}

int schema_check(struct json_object *schema, bool foreign, struct error *err)
{
	const char *root = json_get_str(schema, "type");
	struct json_object *properties = json_get_object(schema, "properties"),
			   *required = json_get(schema, "required");

	if (!root || strcmp(root, "object") != 0)
		return error_set(err, ERROR_OURS, "The schema's root is not of type object.");
	if (!properties && json_get(schema, "properties"))
		return error_set(err, ERROR_OURS, "The schema's properties are not an object.");
	if (required &&
	    !(json_object_is_type(required, json_type_array) && holds_names(required, properties, foreign)))
		return error_set(
		    err, ERROR_OURS, "What the schema requires is not a list of its properties' names.");
	if (!properties)
		return 0;
	json_object_object_foreach(properties, name, property)
		if (check_property(name, property, foreign, err) < 0)
			return -1;
	return 0;
}
