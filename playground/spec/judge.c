#include "playground/spec/spec_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define UNKNOWN_WEIGHT 1000

void judge_enter(struct judge *j, const char *name, size_t index)
{
	if (j->depth < JUDGE_DEPTH) {
		j->place[j->depth].name = name;
		j->place[j->depth].index = index;
	}
	j->depth++;
}

void judge_leave(struct judge *j)
{
	j->depth--;
}

static void fault(struct judge *j, enum judge_fault what, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	/* In a trial, a member that it does not have tells most that it is another object. */
	j->faults += j->trial && what == JUDGE_UNKNOWN ? UNKNOWN_WEIGHT : 1;
	if (!j->trial)
		j->fault(j, what, m, t, v);
}

/* Reports the fault of a value that matches no alternative. Returns whether the value can stay: it is an
 * object of an unknown kind. */
static bool no_type(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *v)
{
	const struct spec_type *first = t;

	if (judge_count_objects(t) > 1 && json_object_is_type(v, json_type_object)) {
		fault(j, JUDGE_CHOICE, m, t, v);
		return true;
	}
	while (first->kind == SPEC_NAMED && first->record->type)
		first = first->record->type;
	/* A value of the right kind is a wrong one of its kind. */
	if (first->kind == SPEC_LITERAL &&
	    (first->text ? judge_is_text(v) : json_object_is_type(v, json_type_int)))
		fault(j, JUDGE_CHOICE, m, first, v);
	else
		fault(j, JUDGE_TYPE, m, t->next ? t : first, v);
	return false;
}

static void check_limits(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, double n, struct json_object *v)
{
	if (!(j->rules & JUDGE_LIMITS))
		return;
	if (t->has_max && n > (double)t->max)
		fault(j, JUDGE_LONG, m, t, v);
	else if (t->has_min && n < (double)t->min)
		fault(j, JUDGE_SHORT, m, t, v);
}

/* Does what it judges stay as it is? */
static bool keeps(const struct judge *j)
{
	return j->trial || (j->rules & JUDGE_STRICT);
}

static struct json_object *judge_list(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *array)
{
	const struct spec_type *none;
	size_t count = json_count(array);

	check_limits(j, m, t, (double)count, array);
	if ((j->rules & JUDGE_LIMITS) && t->has_max && count > (size_t)t->max)
		count = (size_t)t->max;
	for (size_t i = 0; i < count; i++) {
		struct json_object *v = json_at(array, i), *is;

		judge_enter(j, NULL, i);
		is = judge_value(j, NULL, t->of, v);
		if (is != v && is && !j->trial)
			json_object_array_put_idx(array, i, is);
		else if (is != v)
			json_object_put(is);
		judge_leave(j);
	}
	none = keeps(j) ? NULL : judge_choose(j, t->of, NULL);
	for (size_t i = count; none && none->kind == SPEC_NULL && i-- > 0;)
		if (!json_at(array, i))
			json_object_array_del_idx(array, i, 1);
	return array;
}

static struct json_object *judge_map(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *o)
{
	check_limits(j, m, t, json_object_object_length(o), o);
	if (t->of->kind == SPEC_ANY)
		return o;
	json_object_object_foreach(o, name, v) {
		struct json_object *is;

		judge_enter(j, name, 0);
		is = judge_value(j, NULL, t->of, v);
		if (is != v && is && !j->trial)
			json_object_object_add(o, name, is);
		else if (is != v)
			json_object_put(is);
		judge_leave(j);
	}
	return o;
}

static bool is_time(const char *s)
{
	int year, month, day, hour, minute;

	return sscanf(s, "%4d-%2d-%2dT%2d:%2d", &year, &month, &day, &hour, &minute) == 5;
}

static bool is_url(const char *s)
{
	static const char *const schemes[] = {
	    "http://", "https://", "attachment://", "discord://", "ws://", "wss://"};

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
		if (strncmp(schemes[i], s, strlen(schemes[i])) == 0)
			return true;
	return false;
}

static struct json_object *judge_text(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *v)
{
	const char *s = json_object_get_string(v);
	enum utf8_unit unit = t->kind == SPEC_BYTES ? UTF8_BYTES : UTF8_CHARS;

	if ((t->kind == SPEC_TIME && !is_time(s)) || (t->kind == SPEC_URL && !is_url(s))) {
		fault(j, JUDGE_TYPE, m, t, v);
		return NULL;
	}
	if (t->has_min || t->has_max)
		check_limits(j, m, t, (double)utf8_count(s, strlen(s), unit), v);
	return judge_is_text(v) ? v : json_object_new_string(s);
}

/* Judges a value that fits. Returns it, or a new one of the type, or NULL. */
static struct json_object *judge_as(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *v)
{
	int64_t n;
	double d;
	bool b;

	switch (t->kind) {
	case SPEC_LITERAL:
		return t->text || json_object_is_type(v, json_type_int) ? v :
									  json_object_new_int64(t->number);
	case SPEC_BOOL:
	case SPEC_TRUE:
		judge_read_bool(j, v, &b);
		return json_object_is_type(v, json_type_boolean) ? v : json_object_new_boolean(b);
	case SPEC_INT:
		judge_read_int(j, v, &n);
		check_limits(j, m, t, (double)n, v);
		return json_object_is_type(v, json_type_int) ? v : json_object_new_int64(n);
	case SPEC_NUMBER:
		judge_read_number(j, v, &d);
		check_limits(j, m, t, d, v);
		return judge_is_number(v) ? v : json_object_new_double(d);
	case SPEC_ID:
		return judge_is_text(v) ? v : json_object_new_string(json_object_get_string(v));
	case SPEC_BYTES:
	case SPEC_STRING:
	case SPEC_TIME:
	case SPEC_URL:
		return judge_text(j, m, t, v);
	case SPEC_LIST:
		return judge_list(j, m, t, v);
	case SPEC_MAP:
		return judge_map(j, m, t, v);
	case SPEC_NAMED:
		judge_members(j, t->record, v);
		return v;
	default:
		return v;
	}
}

static bool takes_json(const struct spec_type *t)
{
	for (; t; t = t->next)
		if (t->kind == SPEC_LIST || t->kind == SPEC_MAP ||
		    (t->kind == SPEC_NAMED && (!t->record->type || takes_json(t->record->type))))
			return true;
	return false;
}

/* The array or object that a text holds, new; NULL: none. */
static struct json_object *read_json(const struct judge *j, const struct spec_type *t, struct json_object *v)
{
	struct json_object *o;

	if (!(j->rules & JUDGE_JSON_IN_TEXT) || j->depth != 1 || !judge_is_text(v) || !takes_json(t))
		return NULL;
	o = json_parse(json_object_get_string(v), (size_t)json_object_get_string_len(v), NULL);
	if (json_object_is_type(o, json_type_array) || json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return NULL;
}

struct json_object *judge_value(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *v)
{
	struct json_object *held = read_json(j, t, v), *is = held ? held : v;
	const struct spec_type *alternative;
	unsigned rules = j->rules;

	if (held) /* the object in a text is no part */
		j->rules &= ~(unsigned)JUDGE_PARTS;
	alternative = judge_choose(j, t, is);
	j->rules = rules;
	if (!alternative) {
		if (no_type(j, m, t, is))
			return is;
		json_object_put(held);
		return NULL;
	}
	is = is ? judge_as(j, m, alternative, is) : NULL;
	if (held && is != held)
		json_object_put(held);
	return is;
}

/* Treats an empty text as nothing where JSON is expected. */
static bool is_absent(const struct judge *j, const struct spec_type *t, struct json_object *v)
{
	return !v ||
	    ((j->rules & JUDGE_JSON_IN_TEXT) && j->depth == 1 && judge_is_text(v) &&
		json_object_get_string_len(v) == 0 && takes_json(t));
}

static void judge_member(struct judge *j, const struct spec_record *r, struct json_object *o,
    const char *name, struct json_object *v)
{
	const struct spec_member *m = spec_member(r, name);
	bool inside = j->depth > 0, absent;
	struct json_object *is;

	judge_enter(j, name, 0);
	absent = m && is_absent(j, m->type, v);
	if (!m) {
		fault(j, JUDGE_UNKNOWN, NULL, NULL, v);
	} else if (!absent || (j->rules & JUDGE_STRICT)) {
		if (m->flags & (SPEC_LEFT_OUT | SPEC_NO_EFFECT))
			fault(j, JUDGE_LEFT_OUT, m, m->type, v);
		is = judge_value(j, m, m->type, v);
		/* A parameter of another type counts as absent; inside of an object it stays. */
		if (is != v && !keeps(j) && (is || !inside))
			json_object_object_add(o, name, is);
		else if (is != v)
			json_object_put(is);
	}
	judge_leave(j);
	/* What is kept has no trace of what nobody reads, nor the parameters of what says nothing. A null may
	 * say that something is taken away. */
	if (!keeps(j) && ((absent && (v || inside || !judge_choose(j, m->type, NULL))) || (!m && inside)))
		json_object_object_del(o, name);
}

static bool is_missing(const struct judge *j, const struct spec_member *m, struct json_object *o)
{
	struct json_object *v;

	if (!(m->flags & SPEC_REQUIRED))
		return false;
	if (!json_object_object_get_ex(o, m->name, &v) || (!v && !(j->rules & JUDGE_STRICT)))
		return true;
	return (j->rules & JUDGE_EMPTY_IS_MISSING) && !(m->flags & SPEC_MAY_BE_EMPTY) && judge_is_text(v) &&
	    json_object_get_string_len(v) == 0;
}

size_t judge_members(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	size_t before = j->faults;

	/* What is missing is so before values of other types are dropped. */
	for (size_t i = 0; i < r->count; i++) {
		if (!is_missing(j, &r->members[i], o))
			continue;
		judge_enter(j, r->members[i].name, 0);
		fault(j, JUDGE_MISSING, &r->members[i], r->members[i].type, NULL);
		judge_leave(j);
	}
	json_object_object_foreach(o, name, v) {
		judge_member(j, r, o, name, v);
	}
	if (j->faults == before && j->object && !j->trial)
		j->object(j, r, o);
	return j->faults - before;
}
