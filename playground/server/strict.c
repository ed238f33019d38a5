#include "playground/server/strict.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "playground/spec/judge.h"
#include "playground/world/json_format.h"

#define VALUE_SHOWN 200 /* bytes of a wrong value */

struct judging {
	struct judge judge;
	struct strict *strict;
	const char *platform, *what;
};

static bool is_known(const struct strict *s, struct json_object *o)
{
	json_each(s->violations, item)
		if (json_object_equal(item, o))
			return true;
	return false;
}

void strict_note(struct strict *s, const char *platform, const char *what, const char *fmt, ...)
{
	struct json_object *o = json_object_new_object();
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	json_setf(o, "platform: %s, what: %s, problem: %s", platform, what, text.data);
	if (is_known(s, o)) {
		json_object_put(o);
	} else {
		if (!s->violations)
			s->violations = json_object_new_array();
		json_object_array_add(s->violations, o);
		fprintf(stderr, "strict: %s %s: %s\n", platform, what, text.data);
	}
	buf_clear(&text);
}

/* Indexes say nothing of what is wrong: they would make one violation many. */
static void forget_indexes(struct judge *j)
{
	for (size_t i = 0; i < j->depth && i < JUDGE_DEPTH; i++)
		if (!j->place[i].name)
			j->place[i].index = 0;
}

static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	struct judging *g = (struct judging *)j;
	struct judge copy = *j;
	struct buf text = BUF_INIT;

	if (fault == JUDGE_LEFT_OUT)
		return;
	(void)m;
	forget_indexes(&copy);
	judge_sentence(&copy, fault, t, &text);
	if (fault != JUDGE_MISSING && fault != JUDGE_UNKNOWN)
		buf_addf(&text, ", and is %.*s", VALUE_SHOWN,
		    json_object_get_string(v) ? json_object_get_string(v) : "null");
	strict_note(g->strict, g->platform, g->what, "%s", text.data);
	buf_clear(&text);
}

void strict_judge(struct strict *s, const char *platform, const char *what, const struct spec_type *t,
    struct json_object *v)
{
	struct judging g = {.judge = {.rules = JUDGE_STRICT | JUDGE_LIMITS, .fault = on_fault},
	    .strict = s,
	    .platform = platform,
	    .what = what};

	if (s->on && t)
		judge_value(&g.judge, NULL, t, v);
	else if (s->on && v)
		strict_note(s, platform, what, "there must be no answer");
}

void strict_judge_text(struct strict *s, const char *platform, const char *what, const struct spec_type *t,
    const char *json, size_t len)
{
	struct json_object *v;

	if (!s->on)
		return;
	v = json_parse(json, len, NULL);
	strict_judge(s, platform, what, t, v);
	json_object_put(v);
}

void strict_judge_object(struct strict *s, const char *platform, const char *type, struct json_object *o)
{
	struct spec_type t = {.kind = SPEC_NAMED};

	if (!s->on)
		return;
	t.record = spec_type(spec_of(platform), type);
	if (!t.record) {
		strict_note(s, platform, type, "no table has %s", type);
		return;
	}
	strict_judge(s, platform, type, t.record->type ? t.record->type : &t, o);
}

void strict_judge_message(
    struct strict *s, const char *platform, const char *type, const char *json, size_t len)
{
	struct json_object *o = s->on ? json_parse(json, len, NULL) : NULL;

	strict_judge_object(s, platform, type, o);
	json_object_put(o);
}

void strict_clear(struct strict *s)
{
	json_object_put(s->violations);
	s->violations = NULL;
}
