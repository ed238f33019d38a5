#include <string.h>

#include "playground/slack/http/method.h"
#include "playground/spec/judge.h"

struct params {
	struct judge judge;
	struct slk_call *call;
};

/* Slack's own clients send the team with everything. */
static void ignore(struct params *p, const char *name)
{
	if (strcmp(name, "team_id") != 0)
		exchange_remark(
		    p->call->ex, "%s has no argument \"%.60s\": it is ignored", p->call->spec->name, name);
}

static void say_type(struct params *p, const struct spec_member *m, const struct spec_type *t)
{
	bool structure = t->kind == SPEC_LIST || t->kind == SPEC_MAP;
	struct buf text = BUF_INIT;

	judge_type_name(t, &text);
	slk_refuse(p->call, structure && m->error_text ? m->error_text : "invalid_arguments",
	    "must be %s [json-pointer:/%s]", text.data, m->name);
	buf_clear(&text);
}

/* The first fault is the error. */
static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	struct params *p = (struct params *)j;

	if (fault == JUDGE_UNKNOWN)
		ignore(p, j->place[0].name);
	else if (p->call->error)
		return;
	else if (fault == JUDGE_MISSING)
		slk_refuse(p->call, m->error_text ? m->error_text : "invalid_arguments",
		    "missing required field: %s", m->name);
	else if (fault == JUDGE_LEFT_OUT && judge_is_nothing(v))
		return;
	else if (fault == JUDGE_LEFT_OUT && (m->flags & SPEC_NO_EFFECT))
		exchange_remark(
		    p->call->ex, "\"%s\" is not simulated by the playground: it has no effect", m->name);
	else if (fault == JUDGE_LEFT_OUT)
		slk_refuse(p->call, "invalid_arguments",
		    "\"%s\" is not simulated by the playground [json-pointer:/%s]", m->name, m->name);
	else
		say_type(p, m, t);
}

int slk_params_judge(struct slk_call *call)
{
	struct params p = {
	    .judge = {.rules = JUDGE_TEXTS | JUDGE_JSON_IN_TEXT, .fault = on_fault}, .call = call};

	judge_members(&p.judge, call->spec, call->params);
	return call->error ? -1 : 0;
}
