#include "playground/discord/http/errors.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "playground/server/exchange.h"
#include "playground/world/json_format.h"

void cord_errors_enter(struct cord_errors *e, const char *key)
{
	judge_enter(&e->judge, key, 0);
}

void cord_errors_enter_index(struct cord_errors *e, size_t index)
{
	judge_enter(&e->judge, NULL, index);
}

void cord_errors_leave(struct cord_errors *e)
{
	judge_leave(&e->judge);
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
	char index[24];
	va_list ap;

	if (!e->tree)
		e->tree = json_object_new_object();
	o = e->tree;
	for (size_t i = 0; i < e->judge.depth && i < JUDGE_DEPTH; i++) {
		snprintf(index, sizeof(index), "%zu", e->judge.place[i].index);
		o = descend(o, e->judge.place[i].name ? e->judge.place[i].name : index);
	}
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
	json_setf(row, "code: %s, message: %s", code, text.data);
	json_object_array_add(list, row);
	buf_clear(&text);
}

void cord_errors_clear(struct cord_errors *e)
{
	json_object_put(e->tree);
	json_object_put(e->remarks);
	*e = (struct cord_errors){0};
}

static void remark(struct cord_errors *e, const char *what)
{
	struct buf text = BUF_INIT;

	judge_place(&e->judge, &text);
	buf_addf(&text, " %s", what);
	if (!e->remarks)
		e->remarks = json_object_new_array();
	json_object_array_add(e->remarks, json_object_new_string(text.data));
	buf_clear(&text);
}

void cord_errors_remark(struct cord_errors *e, struct exchange *ex)
{
	json_each(e->remarks, item)
		exchange_remark(ex, "%s", json_object_get_string(item));
	json_object_put(e->remarks);
	e->remarks = NULL;
}

static void say_type(struct cord_errors *e, const struct spec_type *t, struct json_object *v)
{
	const char *s = json_object_get_string(v);

	switch (t->kind) {
	case SPEC_BOOL:
	case SPEC_TRUE:
		cord_errors_add(e, NULL, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
		break;
	case SPEC_ID:
		cord_errors_add(e, NULL, "NUMBER_TYPE_COERCE", "Value \"%.40s\" is not snowflake.", s);
		break;
	case SPEC_INT:
	case SPEC_NUMBER:
		cord_errors_add(e, NULL, "NUMBER_TYPE_COERCE", "Value \"%.40s\" is not %s.", s,
		    t->kind == SPEC_INT ? "int" : "float");
		break;
	case SPEC_LIST:
		cord_errors_add(e, NULL, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
		break;
	case SPEC_MAP:
		cord_errors_add(e, NULL, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
		break;
	case SPEC_NAMED:
		cord_errors_add(
		    e, NULL, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
		break;
	case SPEC_TIME:
		cord_errors_add(e, NULL, "DATE_TIME_TYPE_PARSE", "Could not parse %.40s. Should be ISO8601.",
		    s ? s : "null");
		break;
	case SPEC_URL:
		if (json_object_is_type(v, json_type_string)) {
			cord_errors_add(e, NULL, "URL_TYPE_INVALID_SCHEME",
			    "Scheme \"%.20s\" is not supported. Scheme must be one of ('http', 'https').", s);
			break;
		}
		/* fall through */
	default:
		cord_errors_add(
		    e, NULL, "STRING_TYPE_CONVERT", "Could not interpret \"%.40s\" as string.", s);
	}
}

static void say_limit(struct cord_errors *e, bool too_large, const struct spec_type *t)
{
	if (t->kind == SPEC_INT || t->kind == SPEC_NUMBER)
		cord_errors_add(e, NULL, too_large ? "NUMBER_TYPE_MAX" : "NUMBER_TYPE_MIN",
		    "%s value should be %s than or equal to %" PRId64 ".",
		    t->kind == SPEC_INT ? "int" : "float", too_large ? "less" : "greater",
		    too_large ? t->max : t->min);
	else if (t->has_min && t->min > 0 && t->has_max)
		cord_errors_add(e, NULL, "BASE_TYPE_BAD_LENGTH",
		    "Must be between %" PRId64 " and %" PRId64 " in length.", t->min, t->max);
	else
		cord_errors_add(e, NULL, too_large ? "BASE_TYPE_MAX_LENGTH" : "BASE_TYPE_MIN_LENGTH",
		    "Must be %" PRId64 " or %s in length.", too_large ? t->max : t->min,
		    too_large ? "fewer" : "more");
}

/* Appends the values that tell the objects of a union from each other. */
static void write_kinds(const struct spec_type *t, struct buf *out)
{
	for (; t; t = t->next) {
		const struct spec_member *m;

		if (t->kind != SPEC_NAMED)
			continue;
		if (t->record->type) {
			write_kinds(t->record->type, out);
			continue;
		}
		m = spec_member(t->record, "type");
		for (const struct spec_type *one = m ? m->type : NULL; one; one = one->next)
			if (one->kind == SPEC_LITERAL && !one->text)
				buf_addf(out, "%s%" PRId64, out->len > 0 ? ", " : "", one->number);
	}
}

static void write_choices(const struct spec_type *t, struct buf *out)
{
	for (; t; t = t->next)
		if (t->kind == SPEC_LITERAL && t->text)
			buf_addf(out, "%s'%s'", out->len > 0 ? ", " : "", t->text);
		else if (t->kind == SPEC_LITERAL)
			buf_addf(out, "%s%" PRId64, out->len > 0 ? ", " : "", t->number);
}

static void say_choice(struct cord_errors *e, const struct spec_type *t, struct json_object *v)
{
	struct buf text = BUF_INIT;

	if (json_object_is_type(v, json_type_object)) {
		write_kinds(t, &text);
		cord_errors_add(e, "type", "UNION_TYPE_CHOICES",
		    "Value of field \"type\" must be one of (%.200s).", text.data);
	} else {
		write_choices(t, &text);
		cord_errors_add(e, NULL, "BASE_TYPE_CHOICES", "Value must be one of %s%.200s%s.",
		    t->text ? "(" : "{", text.data, t->text ? ")" : "}");
	}
	buf_clear(&text);
}

/* Words of a table are a code and a sentence. */
static void say(struct cord_errors *e, const char *words)
{
	const char *blank = strchr(words, ' ');
	char code[64];

	snprintf(code, sizeof(code), "%.*s", (int)(blank ? blank - words : 0), words);
	cord_errors_add(e, NULL, code, "%s", blank ? blank + 1 : words);
}

static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	struct cord_errors *e = (struct cord_errors *)j;

	if (fault == JUDGE_UNKNOWN)
		remark(e, "means nothing here: it is ignored");
	else if (fault == JUDGE_LEFT_OUT && (m->flags & SPEC_NO_EFFECT))
		remark(e, "is not simulated by the playground: it has no effect");
	else if (fault == JUDGE_LEFT_OUT)
		cord_errors_add(e, NULL, "NOT_SIMULATED", "This field is not simulated by the playground.");
	else if (m && m->error_text)
		say(e, m->error_text);
	else if (fault == JUDGE_MISSING || !v)
		cord_errors_add(e, NULL, "BASE_TYPE_REQUIRED", "This field is required");
	else if (fault == JUDGE_LONG || fault == JUDGE_SHORT)
		say_limit(e, fault == JUDGE_LONG, t);
	else if (fault == JUDGE_CHOICE)
		say_choice(e, t, v);
	else
		say_type(e, t, v);
}

static void on_object(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	json_object_object_foreach(o, name, value) {
		const struct spec_member *m = spec_member(r, name);

		if (!value || !m || !(m->flags & SPEC_LEGACY))
			continue;
		judge_enter(j, name, 0);
		remark((struct cord_errors *)j, "is deprecated");
		judge_leave(j);
	}
	cord_check_object(j, r, o);
}

static struct judge *judge_of(struct cord_errors *e)
{
	e->judge.rules = JUDGE_TEXTS | JUDGE_LIMITS | (e->parts ? JUDGE_PARTS : 0);
	e->judge.fault = on_fault;
	e->judge.object = on_object;
	return &e->judge;
}

void cord_judge(struct cord_errors *e, const struct spec_type *t, struct json_object *v)
{
	judge_value(judge_of(e), NULL, t, v);
}

void cord_judge_members(struct cord_errors *e, const struct spec_record *r, struct json_object *o)
{
	judge_members(judge_of(e), r, o);
}
