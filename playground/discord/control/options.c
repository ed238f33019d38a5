/* Options of commands, as people fill them in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/discord/control/control.h"

/* Discord: interactions/application-commands, Application Command Option Type. */
enum {
	SUBCOMMAND = 1,
	GROUP = 2,
	STRING = 3,
	INTEGER = 4,
	BOOLEAN = 5,
	USER = 6,
	CHANNEL = 7,
	ROLE = 8,
	MENTIONABLE = 9,
	NUMBER = 10,
	ATTACHMENT = 11
};

static int64_t type_of(struct json_object *row)
{
	return json_get_int(row, "type", STRING);
}

/* The value of a choice that is named or given. */
static struct json_object *find_choice(struct json_object *choices, const char *text)
{
	json_each(choices, o)
		if (strcmp(json_get_str(o, "name"), text) == 0 ||
		    strcmp(json_object_get_string(json_get(o, "value")), text) == 0)
			return json_get(o, "value");
	return NULL;
}

static int refuse(struct json_object *row, const char *why, struct error *err)
{
	return error_set(err, ERROR_OURS, "the option \"%.32s\" %s", json_get_str(row, "name"), why);
}

static int check_length(struct json_object *row, const char *text, struct error *err)
{
	int64_t n = (int64_t)utf8_count(text, strlen(text), UTF8_CHARS);

	if (n < json_get_int(row, "min_length", 0) || n > json_get_int(row, "max_length", 6000))
		return refuse(row, "is too short or too long", err);
	return 0;
}

static struct json_object *read_number(struct json_object *row, const char *text, struct error *err)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	if (end == text || *end != '\0' || errno != 0 ||
	    (type_of(row) == INTEGER && value != (double)(int64_t)value)) {
		refuse(row, type_of(row) == INTEGER ? "must be an integer" : "must be a number", err);
		return NULL;
	}
	if (value < json_get_double(row, "min_value", value) ||
	    value > json_get_double(row, "max_value", value)) {
		refuse(row, "is too small or too large", err);
		return NULL;
	}
	return type_of(row) == INTEGER ? json_object_new_int64((int64_t)value) :
					 json_object_new_double(value);
}

static struct json_object *read_id(const struct cord_context *s, struct json_object *row, const char *text,
    struct json_object *resolved, struct error *err)
{
	static const unsigned kinds[] = {[USER] = CORD_RESOLVE_USER,
	    [CHANNEL] = CORD_RESOLVE_CHANNEL,
	    [ROLE] = CORD_RESOLVE_ROLE,
	    [MENTIONABLE] = CORD_RESOLVE_USER | CORD_RESOLVE_ROLE};
	uint64_t id = cord_resolve(s, resolved, kinds[type_of(row)], text, err);

	return id != 0 ? cord_id_json(id) : NULL;
}

/* Returns the value in the type of the option; NULL with err set. */
static struct json_object *read_value(const struct cord_context *s, struct json_object *row,
    struct json_object *given, struct json_object *resolved, struct error *err)
{
	struct json_object *choices = json_get_array(row, "choices"), *chosen;
	const char *text = json_object_get_string(given);
	uint64_t id;

	if (choices && json_count(choices) > 0) {
		chosen = find_choice(choices, text);
		if (!chosen)
			refuse(row, "has no such choice", err);
		return json_object_get(chosen);
	}
	switch (type_of(row)) {
	case INTEGER:
	case NUMBER:
		return read_number(row, text, err);
	case BOOLEAN:
		if (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0)
			return json_object_new_boolean(strcasecmp(text, "true") == 0);
		refuse(row, "is true or false", err);
		return NULL;
	case USER:
	case CHANNEL:
	case ROLE:
	case MENTIONABLE:
		return read_id(s, row, text, resolved, err);
	case ATTACHMENT:
		if (!json_object_is_type(given, json_type_object)) {
			refuse(row, "is a file: an object with its name", err);
			return NULL;
		}
		id = cord_resolve_file(s, resolved, given, err);
		return id != 0 ? cord_id_json(id) : NULL;
	case STRING:
		return check_length(row, text, err) == 0 ? json_object_new_string(text) : NULL;
	default:
		refuse(row, "is of a type that people cannot give here", err);
		return NULL;
	}
}

static struct json_object *option_json(struct json_object *row, struct json_object *value)
{
	struct json_object *o = json_newf("{name: %s, type: %jd}", json_get_str(row, "name"), type_of(row));

	if (value)
		json_set(o, "value", value);
	return o;
}

/* The values of a request: how many there are, and how many are used. */
struct given {
	struct json_object *text, *options;
	const char *focused; /* the option that is being typed; NULL: none */
	size_t used, count;
};

static struct json_object *take(struct given *g, struct json_object *row)
{
	const char *name = json_get_str(row, "name");
	struct json_object *value = json_get(g->options, name);
	bool focused = g->focused && strcmp(g->focused, name) == 0;

	if (!value && g->text && (g->focused ? focused : type_of(row) == STRING)) {
		value = g->text;
		g->text = NULL;
	}
	g->used += value != NULL;
	return value;
}

/* The options of a command or subcommand itself. */
static struct json_object *read_leaf(const struct cord_context *s, struct json_object *rows, struct given *g,
    struct json_object *resolved, struct error *err)
{
	struct json_object *array = json_object_new_array(), *value, *o;

	json_each(rows, row) {
		struct json_object *given = take(g, row);
		bool focused = g->focused && strcmp(g->focused, json_get_str(row, "name")) == 0;

		if (focused && !json_get_bool(row, "autocomplete", false)) {
			refuse(row, "is not completed by the bot", err);
			goto fail;
		}
		if (!given && !focused) {
			if (!g->focused && json_get_bool(row, "required", false)) {
				refuse(row, "is required", err);
				goto fail;
			}
			continue;
		}
		value = focused ? json_object_new_string(given ? json_object_get_string(given) : "") :
				  read_value(s, row, given, resolved, err);
		if (!value)
			goto fail;
		o = option_json(row, value);
		if (focused)
			json_set_bool(o, "focused", true);
		json_object_array_add(array, o);
	}
	if (g->used == g->count)
		return array;
	error_set(err, ERROR_OURS, "the command has no such options");
fail:
	json_object_put(array);
	return NULL;
}

static struct json_object *find_row(struct json_object *rows, const char *word, size_t len)
{
	json_each(rows, row) {
		const char *name = json_get_str(row, "name");

		if (type_of(row) <= GROUP && strlen(name) == len && strncmp(name, word, len) == 0)
			return row;
	}
	return NULL;
}

static struct json_object *read_level(const struct cord_context *s, struct json_object *rows,
    const char *path, struct given *g, struct json_object *resolved, struct error *err)
{
	struct json_object *first = rows ? json_at(rows, 0) : NULL, *row, *inner, *array, *o;
	size_t len = strcspn(path, " ");

	if (!first || type_of(first) > GROUP) {
		if (path[0] == '\0')
			return read_leaf(s, rows, g, resolved, err);
		error_set(err, ERROR_OURS, "the command has no subcommand \"%.64s\"", path);
		return NULL;
	}
	row = find_row(rows, path, len);
	if (!row) {
		error_set(err, ERROR_OURS, "the command has no subcommand \"%.*s\": say it after the name",
		    (int)len, path);
		return NULL;
	}
	path += len;
	inner = read_level(s, json_get_array(row, "options"), path + strspn(path, " "), g, resolved, err);
	if (!inner)
		return NULL;
	o = option_json(row, NULL);
	json_set(o, "options", inner);
	array = json_object_new_array();
	json_object_array_add(array, o);
	return array;
}

struct json_object *cord_options_read(const struct cord_context *s, struct json_object *rows,
    const char *path, struct json_object *in, struct json_object *resolved, struct error *err)
{
	struct given g = {.text = json_get(in, "text"),
	    .options = json_get_object(in, "options"),
	    .focused = json_get_str(in, "autocomplete")};

	g.count = (g.text != NULL) + (g.options ? (size_t)json_object_object_length(g.options) : 0);
	return read_level(s, rows, path, &g, resolved, err);
}
