#include "base/json/json.h"
#include "playground/spec/spec_internal.h"

/* Values that say nothing: null where it is allowed, else nothing of the first type. */
static struct json_object *nothing(const struct spec_type *t)
{
	struct json_object *o;

	for (const struct spec_type *one = t; one; one = one->next)
		if (one->kind == SPEC_NULL || one->kind == SPEC_ANY)
			return NULL;
	switch (t->kind) {
	case SPEC_BOOL:
		return json_object_new_boolean(0);
	case SPEC_TRUE:
		return json_object_new_boolean(1);
	case SPEC_INT:
	case SPEC_NUMBER:
		return json_object_new_int64(t->has_min && t->min > 0 ? t->min : 0);
	case SPEC_LITERAL:
		return t->text ? json_object_new_string(t->text) : json_object_new_int64(t->number);
	case SPEC_ID:
		return json_object_new_string("0");
	case SPEC_LIST:
		return json_object_new_array();
	case SPEC_MAP:
		return json_object_new_object();
	case SPEC_TIME:
		return json_object_new_string("1970-01-01T00:00:00.000000+00:00");
	case SPEC_NAMED:
		if (t->record->type)
			return nothing(t->record->type);
		o = json_object_new_object();
		spec_fill(t->record, o);
		return o;
	default:
		return json_object_new_string("");
	}
}

/* What is there may lack something, too. */
static void fill_value(const struct spec_type *t, struct json_object *v)
{
	struct judge j = {.rules = JUDGE_STRICT, .trial = true};

	if (!json_object_is_type(v, json_type_object) && !json_object_is_type(v, json_type_array))
		return;
	t = judge_choose(&j, t, v);
	if (!t)
		return;
	if (t->kind == SPEC_NAMED)
		spec_fill(t->record, v);
	for (size_t i = 0; t->kind == SPEC_LIST && i < json_count(v); i++)
		fill_value(t->of, json_at(v, i));
}

void spec_fill(const struct spec_record *r, struct json_object *o)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct spec_member *m = &r->members[i];
		struct json_object *v;

		if (json_object_object_get_ex(o, m->name, &v))
			fill_value(m->type, v);
		else if (m->flags & SPEC_REQUIRED)
			json_object_object_add(o, m->name, nothing(m->type));
	}
}
