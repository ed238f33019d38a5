#include "tools/sandbox.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"

struct sandbox {
	enum sandbox_level required;
};

struct sandboxed {
	struct child *child;
};

struct sandbox *sandbox_new(const struct sandbox_options *o)
{
	struct sandbox *s = xcalloc(1, sizeof(*s));

	s->required = o->required;
	return s;
}

void sandbox_free(struct sandbox *s)
{
	free(s);
}

int sandbox_prove(struct task *t, struct sandbox *s, struct error *err)
{
	if (task_check(t, err) < 0)
		return -1;
	return error_set(err, ERROR_REFUSED, "No level of the sandbox is proved here, and tools need %s.",
	    sandbox_level_name(s->required));
}

bool sandbox_may_run(const struct sandbox *s)
{
	(void)s;
	return false;
}

enum sandbox_level sandbox_level(const struct sandbox *s, const char **reason)
{
	(void)s;
	if (reason)
		*reason = "no level is proved";
	return SANDBOX_NONE;
}

enum sandbox_level sandbox_required(const struct sandbox *s)
{
	return s->required;
}

const char *sandbox_level_name(enum sandbox_level level)
{
	static const char *const names[] = {"none", "S0", "S1", "S2", "S3"};

	return names[level - SANDBOX_NONE];
}

struct sandboxed *sandbox_start(struct task *t, struct sandbox *s, const struct sandbox_run *run, struct error *err)
{
	(void)run;
	sandbox_prove(t, s, err);
	return NULL;
}

struct child *sandboxed_child(struct sandboxed *p)
{
	return p->child;
}

int sandboxed_wait(struct task *t, struct sandboxed *p, struct sandbox_end *end, struct error *err)
{
	*end = (struct sandbox_end){0};
	return child_wait(t, p->child, &end->child, err);
}

void sandboxed_free(struct task *t, struct sandboxed *p)
{
	if (!p)
		return;
	child_free(t, p->child);
	free(p);
}
