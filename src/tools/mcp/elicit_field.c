#include "tools/mcp/elicit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/civil.h"

#define CHOICES_MAX 100
#define BLANKS      " \t\r\n"

static const char *const boolean_labels[] = {"Yes", "No"};

static bool is_text(struct json_object *o)
{
	return json_object_is_type(o, json_type_string) &&
	    strlen(json_object_get_string(o)) == (size_t)json_object_get_string_len(o);
}

static const char *text_at(struct json_object *list, size_t i)
{
	struct json_object *o = list ? json_object_array_get_idx(list, i) : NULL;

	return is_text(o) ? json_object_get_string(o) : NULL;
}

/* A list is enum, perhaps with enumNames, or a oneOf or anyOf of constants with titles. */
static int init_list(struct mcp_field *f, struct json_object *schema)
{
	f->values = json_get_array(schema, "enum");
	f->names = json_get_array(schema, "enumNames");
	if (!f->values)
		f->values = json_get_array(schema, "oneOf");
	if (!f->values)
		f->values = json_get_array(schema, "anyOf");
	f->count = f->values ? json_object_array_length(f->values) : 0;
	if (f->count == 0 || f->count > CHOICES_MAX)
		return -1;
	for (size_t i = 0; i < f->count; i++)
		if (!text_at(f->values, i) && !json_get_str(json_object_array_get_idx(f->values, i), "const"))
			return -1;
	return 0;
}

static const char *value_of(const struct mcp_field *f, size_t i)
{
	const char *text = text_at(f->values, i);

	return text ? text : json_get_str(json_object_array_get_idx(f->values, i), "const");
}

static bool is_listed_value(const struct mcp_field *f, struct json_object *value)
{
	for (size_t i = 0; is_text(value) && i < f->count; i++)
		if (strcmp(value_of(f, i), json_object_get_string(value)) == 0)
			return true;
	return false;
}

/* A default of another type does not count. */
static bool is_default(const struct mcp_field *f, struct json_object *value)
{
	switch (f->kind) {
	case MCP_FIELD_TEXT:
		return is_text(value);
	case MCP_FIELD_NUMBER:
		return json_object_is_type(value, json_type_int) ||
		    json_object_is_type(value, json_type_double);
	case MCP_FIELD_INTEGER:
		return json_object_is_type(value, json_type_int);
	case MCP_FIELD_BOOLEAN:
		return json_object_is_type(value, json_type_boolean);
	case MCP_FIELD_CHOICE:
		return is_listed_value(f, value);
	case MCP_FIELD_CHOICES:
		break;
	}
	if (!json_object_is_type(value, json_type_array))
		return false;
	for (size_t i = 0; i < json_object_array_length(value); i++)
		if (!is_listed_value(f, json_object_array_get_idx(value, i)))
			return false;
	return true;
}

int mcp_field_init(struct mcp_field *f, const char *name, struct json_object *schema, bool required)
{
	static const struct {
		const char *type;
		enum mcp_field_kind kind;
	} types[] = {
	    {"string", MCP_FIELD_TEXT},
	    {"number", MCP_FIELD_NUMBER},
	    {"integer", MCP_FIELD_INTEGER},
	    {"boolean", MCP_FIELD_BOOLEAN},
	    {"array", MCP_FIELD_CHOICES},
	};
	const char *type = json_get_str(schema, "type");
	size_t i = 0;

	*f = (struct mcp_field){.name = name, .schema = schema, .required = required};
	while (i < ARRAY_LEN(types) && (!type || strcmp(types[i].type, type) != 0))
		i++;
	if (i == ARRAY_LEN(types))
		return -1;
	f->kind = types[i].kind;
	if (f->kind == MCP_FIELD_TEXT && (json_get(schema, "enum") || json_get(schema, "oneOf")))
		f->kind = MCP_FIELD_CHOICE;
	if ((f->kind == MCP_FIELD_CHOICE && init_list(f, schema) < 0) ||
	    (f->kind == MCP_FIELD_CHOICES && init_list(f, json_get_object(schema, "items")) < 0))
		return -1;
	if (f->kind == MCP_FIELD_BOOLEAN)
		f->count = ARRAY_LEN(boolean_labels);
	struct json_object *fallback = json_get(schema, "default");
	f->fallback = is_default(f, fallback) ? fallback : NULL;
	return 0;
}

const char *mcp_field_label(const struct mcp_field *f, size_t i)
{
	if (f->kind == MCP_FIELD_BOOLEAN)
		return boolean_labels[i];
	const char *name = text_at(f->names, i),
		   *title = json_get_str(json_object_array_get_idx(f->values, i), "title");
	return name ? name : title ? title : value_of(f, i);
}

bool mcp_field_is_listed(const struct mcp_field *f)
{
	return f->kind == MCP_FIELD_CHOICES || f->count > MCP_FIELD_BUTTONS_MAX;
}

struct json_object *mcp_field_choose(const struct mcp_field *f, size_t i)
{
	return f->kind == MCP_FIELD_BOOLEAN ? json_object_new_boolean(i == 0) :
					      json_object_new_string(value_of(f, i));
}

static bool is_email(const char *s)
{
	const char *at = strchr(s, '@');

	return at && at != s && at[1] && !strchr(at + 1, '@') && !strpbrk(s, BLANKS);
}

static bool is_uri(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return n > 0 && s[n] == ':' && s[n + 1] && !strpbrk(s, BLANKS);
}

/* Returns the length of the date at s, 0 for none. */
static size_t date_length(const char *s)
{
	int year, month, day, n = 0;

	if (strspn(s, "0123456789-") < 10 || sscanf(s, "%4d-%2d-%2d%n", &year, &month, &day, &n) != 3 ||
	    n != 10)
		return 0;
	return month >= 1 && month <= 12 && day >= 1 && day <= civil_month_days(year, month) ? 10 : 0;
}

static bool is_date(const char *s)
{
	return date_length(s) > 0 && s[10] == '\0';
}

/* RFC 3339: a zone is part of it. */
static bool is_date_time(const char *s)
{
	int hour, minute, second, n = 0;

	if (date_length(s) == 0 || s[10] == '\0' || !strchr("Tt ", s[10]) ||
	    strspn(s + 11, "0123456789:") < 8 ||
	    sscanf(s + 11, "%2d:%2d:%2d%n", &hour, &minute, &second, &n) != 3 || n != 8 || hour > 23 ||
	    minute > 59 || second > 60)
		return false;
	s += 19;
	if (*s == '.')
		s += 1 + strspn(s + 1, "0123456789");
	if (strcasecmp(s, "Z") == 0)
		return true;
	n = 0;
	return *s != '\0' && strchr("+-", *s) && sscanf(s + 1, "%2d:%2d%n", &hour, &minute, &n) == 2 &&
	    n == 5 && s[6] == '\0';
}

static const struct {
	const char *name, *wanted;
	bool (*fits)(const char *s);
} formats[] = {
    {"email", "an e-mail address", is_email},
    {"uri", "a link", is_uri},
    {"date", "a date such as 2026-07-28", is_date},
    {"date-time", "a time such as 2026-07-28T18:30:00Z", is_date_time},
};

static struct json_object *read_text(const struct mcp_field *f, const char *words, struct buf *problem)
{
	int64_t length = (int64_t)utf8_count(words, strlen(words), UTF8_CHARS),
		min = json_get_int(f->schema, "minLength", 0),
		max = json_get_int(f->schema, "maxLength", INT64_MAX);
	const char *format = json_get_str(f->schema, "format");

	if (length < min)
		buf_addf(problem, "That is too short: at least %lld characters are wanted.", (long long)min);
	else if (length > max)
		buf_addf(problem, "That is too long: at most %lld characters are allowed.", (long long)max);
	for (size_t i = 0; format && i < ARRAY_LEN(formats); i++)
		if (problem->len == 0 && strcmp(formats[i].name, format) == 0 && !formats[i].fits(words))
			buf_addf(problem, "That is not %s.", formats[i].wanted);
	return problem->len > 0 ? NULL : json_object_new_string(words);
}

static struct json_object *read_number(const struct mcp_field *f, const char *words, struct buf *problem)
{
	struct json_object *o = json_parse(words, strlen(words), NULL), *min = json_get(f->schema, "minimum"),
			   *max = json_get(f->schema, "maximum");
	double d = json_object_get_double(o);

	if (!json_object_is_type(o, json_type_int) &&
	    (f->kind == MCP_FIELD_INTEGER || !json_object_is_type(o, json_type_double)))
		buf_addf(
		    problem, "That is not a %s.", f->kind == MCP_FIELD_INTEGER ? "whole number" : "number");
	else if (min && d < json_object_get_double(min))
		buf_addf(problem, "That is less than %g.", json_object_get_double(min));
	else if (max && d > json_object_get_double(max))
		buf_addf(problem, "That is more than %g.", json_object_get_double(max));
	if (problem->len == 0)
		return o;
	json_object_put(o);
	return NULL;
}

/* The index of the choice that has this label, value or, in a list, number; -1. */
static int find(const struct mcp_field *f, const char *word)
{
	char *end;
	unsigned long n = strtoul(word, &end, 10);

	for (size_t i = 0; i < f->count; i++)
		if (strcasecmp(word, mcp_field_label(f, i)) == 0 ||
		    (f->values && strcmp(word, value_of(f, i)) == 0))
			return (int)i;
	if (!mcp_field_is_listed(f) || end == word || end[strspn(end, ".)")] || n < 1 || n > f->count)
		return -1;
	return (int)n - 1;
}

static struct json_object *read_choice(const struct mcp_field *f, const char *words, struct buf *problem)
{
	int i = find(f, words);

	if (i < 0)
		buf_addstr(problem, "That is not one of the choices.");
	return i < 0 ? NULL : mcp_field_choose(f, (size_t)i);
}

static struct json_object *read_choices(const struct mcp_field *f, const char *words, struct buf *problem)
{
	struct json_object *list = json_object_new_array();
	int64_t min = json_get_int(f->schema, "minItems", 0),
		max = json_get_int(f->schema, "maxItems", INT64_MAX), n = 0;
	bool taken[CHOICES_MAX] = {0};
	char *copy = xstrdup(words), *rest = copy, *word;

	while (problem->len == 0 && (word = strsep(&rest, ",\n"))) {
		word += strspn(word, BLANKS);
		for (size_t len = strlen(word); len > 0 && strchr(BLANKS, word[len - 1]); len--)
			word[len - 1] = '\0';
		int i = *word ? find(f, word) : -1;
		if (*word && i < 0)
			buf_addstr(problem, "A part of that is not one of the choices.");
		else if (i >= 0 && !taken[i])
			json_object_array_add(list, json_object_new_string(value_of(f, (size_t)i)));
		if (i >= 0)
			taken[i] = true;
	}
	n = (int64_t)json_object_array_length(list);
	if (problem->len == 0 && n < min)
		buf_addf(problem, "At least %lld choices are wanted.", (long long)min);
	else if (problem->len == 0 && n > max)
		buf_addf(problem, "At most %lld choices are allowed.", (long long)max);
	free(copy);
	if (problem->len == 0)
		return list;
	json_object_put(list);
	return NULL;
}

struct json_object *mcp_field_read(const struct mcp_field *f, const char *words, struct buf *problem)
{
	switch (f->kind) {
	case MCP_FIELD_TEXT:
		return read_text(f, words, problem);
	case MCP_FIELD_NUMBER:
	case MCP_FIELD_INTEGER:
		return read_number(f, words, problem);
	case MCP_FIELD_BOOLEAN:
	case MCP_FIELD_CHOICE:
		return read_choice(f, words, problem);
	case MCP_FIELD_CHOICES:
		break;
	}
	return read_choices(f, words, problem);
}
