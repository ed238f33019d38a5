#include "playground/world/json_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"

#define NAME_MAX_LEN 64

struct format {
	const char *start, *at;
	va_list args;
};

_Noreturn static void wrong(const struct format *f)
{
	fprintf(stderr, "a wrong JSON format at \"%s\": %s\n", f->at, f->start);
	abort();
}

static bool take(struct format *f, const char *word)
{
	size_t len = strlen(word);

	f->at += strspn(f->at, " ");
	if (strncmp(f->at, word, len) != 0)
		return false;
	f->at += len;
	return true;
}

/* Copies what ends before one of the characters. */
static void take_until(struct format *f, const char *ends, char out[NAME_MAX_LEN])
{
	size_t len;

	f->at += strspn(f->at, " ");
	len = strcspn(f->at, ends);
	if (len >= NAME_MAX_LEN || f->at[len] == '\0')
		wrong(f);
	memcpy(out, f->at, len);
	out[len] = '\0';
	f->at += len + 1;
}

/* Invalid UTF-8 is sanitized. */
static struct json_object *new_text(const char *text)
{
	struct buf clean = BUF_INIT;
	struct json_object *o;

	if (!text)
		return NULL;
	if (!utf8_valid(text, strlen(text)))
		utf8_sanitize(&clean, text, strlen(text));
	o = json_object_new_string(clean.data ? clean.data : text);
	buf_clear(&clean);
	return o;
}

static struct json_object *read_text(struct format *f)
{
	char text[NAME_MAX_LEN];

	take_until(f, "'", text);
	return json_object_new_string(text);
}

static struct json_object *read_number(struct format *f)
{
	char *end;
	int64_t n = strtoll(f->at, &end, 10);

	if (end == f->at)
		wrong(f);
	f->at = end;
	return json_object_new_int64(n);
}

static void read_members(struct format *f, struct json_object *o, char end);
static struct json_object *read_array(struct format *f);

/* Returns the value, new; *absent: a string that is NULL. */
static struct json_object *read_value(struct format *f, bool *absent)
{
	struct json_object *o;
	const char *text;

	*absent = false;
	if (take(f, "%s")) {
		text = va_arg(f->args, const char *);
		*absent = !text;
		return new_text(text);
	}
	if (take(f, "%d"))
		return json_object_new_int64(va_arg(f->args, int));
	if (take(f, "%jd"))
		return json_object_new_int64(va_arg(f->args, int64_t));
	if (take(f, "%zu"))
		return json_object_new_int64((int64_t)va_arg(f->args, size_t));
	if (take(f, "%i"))
		return json_object_new_boolean(va_arg(f->args, int) != 0);
	if (take(f, "%p"))
		return va_arg(f->args, struct json_object *);
	if (take(f, "'"))
		return read_text(f);
	if (take(f, "["))
		return read_array(f);
	if (take(f, "true"))
		return json_object_new_boolean(true);
	if (take(f, "false"))
		return json_object_new_boolean(false);
	if (take(f, "null"))
		return NULL;
	if (!take(f, "{"))
		return read_number(f);
	o = json_object_new_object();
	read_members(f, o, '}');
	return o;
}

static struct json_object *read_array(struct format *f)
{
	struct json_object *array = json_object_new_array(), *value;
	bool absent;

	while (!take(f, "]")) {
		value = read_value(f, &absent);
		if (!absent)
			json_object_array_add(array, value);
		take(f, ",");
	}
	return array;
}

/* Reads up to the end, which it takes unless it is that of the format. */
static void read_members(struct format *f, struct json_object *o, char end)
{
	char name[NAME_MAX_LEN];
	struct json_object *value;
	bool absent;

	for (f->at += strspn(f->at, " "); *f->at != end; f->at += strspn(f->at, ", ")) {
		take_until(f, ":", name);
		value = read_value(f, &absent);
		if (!absent)
			json_set(o, name, value);
	}
	f->at += end != '\0';
}

struct json_object *json_newf(const char *fmt, ...)
{
	struct format f = {.start = fmt, .at = fmt};
	struct json_object *o;
	bool absent;

	va_start(f.args, fmt);
	o = read_value(&f, &absent);
	va_end(f.args);
	if (*f.at != '\0')
		wrong(&f);
	return o;
}

void json_setf(struct json_object *o, const char *fmt, ...)
{
	struct format f = {.start = fmt, .at = fmt};

	va_start(f.args, fmt);
	read_members(&f, o, '\0');
	va_end(f.args);
}
