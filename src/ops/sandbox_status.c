#include "ops/sandbox_status.h"

#include "base/buf.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/task.h"
#include "ops/diagnosis.h"
#include "config/gateway_config.h"
#include "net/loop.h"
#include "tools/sandbox/sandbox.h"
#include "tools/tools.h"

struct json_object *sandbox_status_object(const struct gateway_config *gc)
{
	struct json_object *o = json_object_new_object();
	const struct sandbox *s = tools_sandbox(gc->tools);
	const char *reason = "";
	enum sandbox_level level = sandbox_level(s, &reason);
	bool proved = sandbox_is_proved(s);

	json_set_str(o, "level", proved ? sandbox_level_name(level) : "unproved");
	json_set_int(o, "number", level);
	json_set_str(o, "required", sandbox_level_name(sandbox_required(s)));
	json_set_bool(o, "proved", proved);
	json_set_bool(o, "enough", proved && level >= sandbox_required(s));
	json_set_str(o, "reason", reason);
	return o;
}

void sandbox_status_describe(struct json_object *sandbox, bool details, struct buf *out)
{
	const char *level = json_get_str(sandbox, "level"), *reason = json_get_str(sandbox, "reason");

	if (!sandbox)
		return;
	if (!json_get_bool(sandbox, "proved", false)) {
		if (details)
			buf_addstr(out, "sandbox: is being proved\n");
		return;
	}
	buf_addf(out, "sandbox: %s", level);
	if (!json_get_bool(sandbox, "enough", false))
		buf_addf(out, ", required %s: tools start no programs", json_get_str(sandbox, "required"));
	if (details && *reason)
		buf_addf(out, " (%s)", reason);
	buf_addch(out, '\n');
}

void sandbox_status_add_finding(struct task *t, struct json_object *list, const struct gateway_config *gc)
{
	struct epoch *e = epoch_enter();
	struct buf text = BUF_INIT;

	sandbox_prove(t, tools_sandbox(gc->tools), NULL);
	struct json_object *sandbox = sandbox_status_object(gc);
	bool enough = json_get_bool(sandbox, "enough", false);
	const char *reason = json_get_str(sandbox, "reason");
	buf_addf(&text, "%s is proved, %s is required%s%s", json_get_str(sandbox, "level"),
	    json_get_str(sandbox, "required"), *reason ? ": " : "", reason);
	diagnosis_add(list, enough ? DIAGNOSIS_OK : DIAGNOSIS_WARNING, "sandbox", text.data,
	    enough ?
		NULL :
		"Tools that start programs are off until then. docs/security.md says what each level needs.");
	buf_clear(&text);
	json_object_put(sandbox);
	epoch_leave(e);
}

struct proving {
	const struct gateway_config *config;
	struct json_object *object;
	struct buf *acts;
};

static void prove_here(struct task *t, void *arg)
{
	struct proving *p = arg;
	struct error err = {0};

	if (tools_open(p->config->tools, &err) < 0) {
		buf_addf(p->acts, "%s\n", err.text);
		return;
	}
	struct sandbox *s = tools_sandbox(p->config->tools);
	sandbox_prove(t, s, NULL);
	buf_addstr(p->acts, sandbox_acts(s));
	p->object = sandbox_status_object(p->config);
}

struct json_object *sandbox_status_prove_here(const struct gateway_config *gc, struct buf *acts)
{
	struct proving p = {.config = gc, .acts = acts};

	loop_init();
	task_run("sandbox", prove_here, &p);
	return p.object;
}
