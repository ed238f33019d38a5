#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json/json.h"
#include "playground/spec/spec_internal.h"

bool judge_is_text(struct json_object *v)
{
	return json_object_is_type(v, json_type_string);
}

bool judge_is_number(struct json_object *v)
{
	return json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_double);
}

bool judge_is_nothing(struct json_object *v)
{
	if (json_object_is_type(v, json_type_array))
		return json_count(v) == 0;
	if (json_object_is_type(v, json_type_object))
		return json_object_object_length(v) == 0;
	return !json_object_get_boolean(v); /* json-c takes any text but the empty one as true */
}

bool judge_read_int(const struct judge *j, struct json_object *v, int64_t *n)
{
	const char *s = json_object_get_string(v);
	char *end;

	if (json_object_is_type(v, json_type_int)) {
		*n = json_object_get_int64(v);
		return true;
	}
	if (!(j->rules & JUDGE_TEXTS) || !judge_is_text(v) || s[0] == '\0' || isspace((unsigned char)s[0]))
		return false;
	errno = 0;
	*n = strtoll(s, &end, 10);
	return *end == '\0' && errno == 0;
}

bool judge_read_number(const struct judge *j, struct json_object *v, double *n)
{
	const char *s = json_object_get_string(v);
	char *end;

	if (judge_is_number(v)) {
		*n = json_object_get_double(v);
		return true;
	}
	if (!(j->rules & JUDGE_TEXTS) || !judge_is_text(v) || s[0] == '\0')
		return false;
	*n = strtod(s, &end);
	return *end == '\0' && isfinite(*n);
}

bool judge_read_bool(const struct judge *j, struct json_object *v, bool *b)
{
	static const char *const words[] = {"false", "true", "0", "1", "no", "yes", "", NULL};
	const char *s = json_object_get_string(v);

	*b = json_object_get_boolean(v);
	if (json_object_is_type(v, json_type_boolean))
		return true;
	if ((j->rules & JUDGE_BOOLS) && j->depth > 1)
		return false;
	for (size_t i = 0; (j->rules & JUDGE_TEXTS) && words[i]; i++) {
		*b = i % 2 == 1;
		if (strcasecmp(words[i], s) == 0)
			return true;
	}
	return false;
}

/* A snowflake: an unsigned number in a text; requests may have it without. */
static bool is_id(const struct judge *j, struct json_object *v)
{
	const char *s = json_object_get_string(v);
	size_t len = strlen(s);

	bool bare = json_object_is_type(v, json_type_int) && !(j->rules & JUDGE_STRICT);

	return (judge_is_text(v) || bare) && len > 0 && len <= 20 && strspn(s, "0123456789") == len;
}

static bool is_part(const struct judge *j, struct json_object *v)
{
	return (j->rules & JUDGE_PARTS) && j->depth == 1 && json_object_is_type(v, json_type_object);
}

static bool is_literal(const struct judge *j, const struct spec_type *t, struct json_object *v)
{
	int64_t n;

	if (t->text)
		return judge_is_text(v) && strcmp(json_object_get_string(v), t->text) == 0;
	return judge_read_int(j, v, &n) && n == t->number;
}

static bool fits(const struct judge *j, const struct spec_type *t, struct json_object *v)
{
	int64_t n;
	double d;
	bool b;

	switch (t->kind) {
	case SPEC_ANY:
		return true;
	case SPEC_NULL:
		return !v;
	case SPEC_LITERAL:
		return v && is_literal(j, t, v);
	case SPEC_BOOL:
		return v && judge_read_bool(j, v, &b);
	case SPEC_TRUE:
		return v && judge_read_bool(j, v, &b) && b;
	case SPEC_INT:
		return v && judge_read_int(j, v, &n);
	case SPEC_NUMBER:
		return v && judge_read_number(j, v, &d);
	case SPEC_ID:
		return v && is_id(j, v);
	case SPEC_BYTES:
	case SPEC_STRING:
	case SPEC_TIME:
	case SPEC_URL:
		if (judge_is_text(v))
			return strlen(json_object_get_string(v)) == (size_t)json_object_get_string_len(v);
		return (j->rules & JUDGE_FORM) &&
		    (judge_is_number(v) || json_object_is_type(v, json_type_boolean));
	case SPEC_FILE:
		return is_part(j, v);
	case SPEC_LIST:
		return json_object_is_type(v, json_type_array);
	case SPEC_MAP:
		return json_object_is_type(v, json_type_object) && !is_part(j, v);
	case SPEC_NAMED:
		if (!t->record->type)
			return json_object_is_type(v, json_type_object) && !is_part(j, v);
		for (const struct spec_type *one = t->record->type; one; one = one->next)
			if (fits(j, one, v))
				return true;
		return false;
	}
	return false;
}

/* Is the JSON type the type's own, not one that stands for it? */
static bool is_exact(const struct spec_type *t, struct json_object *v)
{
	switch (t->kind) {
	case SPEC_BOOL:
	case SPEC_TRUE:
		return json_object_is_type(v, json_type_boolean);
	case SPEC_INT:
	case SPEC_NUMBER:
		return judge_is_number(v);
	default:
		return true;
	}
}

static bool is_all_literal(const struct spec_type *t)
{
	for (; t; t = t->next)
		if (t->kind != SPEC_LITERAL)
			return false;
	return true;
}

/* Do the members that tell the object from others of its union have its values? */
static bool is_told(const struct judge *j, const struct spec_record *r, struct json_object *o)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct spec_member *m = &r->members[i];
		struct json_object *v;
		bool found = false;

		if (!(m->flags & SPEC_REQUIRED) || !is_all_literal(m->type) || !(v = json_get(o, m->name)))
			continue;
		for (const struct spec_type *t = m->type; t && !found; t = t->next)
			found = is_literal(j, t, v);
		if (!found)
			return false;
	}
	return true;
}

struct choice {
	const struct spec_type *best;
	size_t faults;  /* of the best, when there are several objects */
	size_t objects; /* in the union */
};

size_t judge_count_objects(const struct spec_type *t)
{
	size_t n = 0;

	for (; t; t = t->next)
		if (t->kind == SPEC_NAMED)
			n += t->record->type ? judge_count_objects(t->record->type) : 1;
	return n;
}

static void choose_object(struct judge *j, const struct spec_type *t, struct json_object *v, struct choice *c)
{
	struct judge trial = *j;
	size_t n;

	if (!is_told(j, t->record, v))
		return;
	if (j->trial) { /* the first will do: trials within trials take too long */
		c->best = c->best ? c->best : t;
		return;
	}
	trial.trial = true;
	n = judge_members(&trial, t->record, v);
	if (!c->best || n < c->faults) {
		c->best = t;
		c->faults = n;
	}
}

static void choose_from(
    struct judge *j, const struct spec_type *t, struct json_object *v, bool exact, struct choice *c)
{
	for (; t; t = t->next) {
		if (!fits(j, t, v))
			continue;
		if (t->kind == SPEC_NAMED && t->record->type)
			choose_from(j, t->record->type, v, exact, c);
		else if (t->kind == SPEC_NAMED && c->objects > 1)
			choose_object(j, t, v, c);
		else if (!c->best && (!exact || is_exact(t, v)))
			c->best = t;
	}
}

/* The alternative that the value is of; NULL: of none. */
const struct spec_type *judge_choose(struct judge *j, const struct spec_type *t, struct json_object *v)
{
	struct choice c = {.objects = judge_count_objects(t)};

	if (!t->next && t->kind != SPEC_NAMED)
		return fits(j, t, v) ? t : NULL;
	/* In a form everything is a text: what a number can be is one. */
	choose_from(j, t, v, !(j->rules & JUDGE_FORM), &c);
	if (!c.best)
		choose_from(j, t, v, false, &c);
	return c.best;
}
