#include <string.h>

#include "playground/model/script/script_internal.h"
#include "playground/spec/judge.h"

struct checking {
	struct judge judge;
	struct error *err; /* of the first fault */
};

/* Sets the error: "rule 2: step 1: ", the member, and what is wrong. */
static void say(struct checking *c, const char *what)
{
	const struct judge *j = &c->judge;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < j->depth; i++) {
		const char *name = j->place[i].name;

		if (!name)
			buf_addf(&text, "%.*s %zu: ", (int)strlen(j->place[i - 1].name) - 1,
			    j->place[i - 1].name, j->place[i].index + 1);
		else if (i + 1 == j->depth)
			buf_addf(&text, "\"%.60s\" ", name);
		else if (j->place[i + 1].name)
			buf_addf(&text, "%.60s: ", name);
	}
	if (c->err->kind == ERROR_NONE)
		error_set(c->err, ERROR_OURS, "%s%s", text.data, what);
	buf_clear(&text);
}

static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	struct judge here = *j;
	struct buf text = BUF_INIT;

	(void)v;
	here.depth = 0;
	judge_sentence(&here, fault, t, &text);
	say((struct checking *)j, m && m->error_text ? m->error_text : text.data + strlen(": "));
	buf_clear(&text);
}

/* What its members alone do not tell. */
static void on_object(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	struct error err = {0};
	struct fault f;

	if (strcmp(r->name, "Step") == 0 && !json_get(o, "text") && !json_get(o, "calls") &&
	    !json_get(o, "error") && !json_get(o, "fault"))
		say((struct checking *)j, "a step needs text, calls, an error or a fault");
	if (strcmp(r->name, "Fault") == 0 && fault_read(&f, o, &err) != 0)
		say((struct checking *)j, err.text);
}

int script_check(struct json_object *script, struct error *err)
{
	struct error first = {0};
	struct checking c = {
	    .judge = {.rules = JUDGE_STRICT | JUDGE_LIMITS, .fault = on_fault, .object = on_object},
	    .err = err ? err : &first};

	*c.err = (struct error){0};
	judge_members(&c.judge, spec_type(spec_of("model"), "Script"), script);
	return c.err->kind == ERROR_NONE ? 0 : -1;
}
