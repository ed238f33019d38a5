#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/prompt/skills.h"
#include "tools/files/trusted_file.h"

struct skill_job {
	struct worker_job job;
	struct skills_scan scan;
	struct untrusted_user by;
	char *name, *file;
	/* Results. */
	struct path_error why;
	struct skill_list list;
	struct buf text;
};

static void job_free(struct worker_job *job)
{
	struct skill_job *j = (struct skill_job *)job;

	skills_scan_clear(&j->scan);
	skill_list_clear(&j->list);
	untrusted_user_clear(&j->by);
	buf_clear(&j->text);
	free(j->name);
	free(j->file);
	free(j);
}

static void job_run(struct worker_job *job)
{
	struct skill_job *j = (struct skill_job *)job;

	untrusted_user_find(&j->by);
	skills_scan_run(&j->scan, &j->by, NULL, &j->list);
	const struct skill *skill = skill_find(&j->list, j->name);
	if (skill)
		skill_read(&j->scan, &j->by, skill, j->file ? j->file : SKILL_FILE, &j->text, &j->why);
}

static struct json_object *not_found(const struct skill_job *j)
{
	struct buf known = BUF_INIT;

	for (size_t i = 0; i < j->list.count; i++)
		if (!j->list.items[i].problem)
			buf_addf(&known, "%s%s", known.len ? ", " : "", j->list.items[i].name);
	struct json_object *o = tool_failure("skill", "NOT_FOUND", "SKILL_NOT_FOUND",
	    "There is no skill '%.64s'. Known: %s.", j->name, known.len ? known.data : "none");
	buf_clear(&known);
	return o;
}

static struct json_object *result_of(const struct skill_job *j)
{
	const struct skill *skill = skill_find(&j->list, j->name);

	if (!skill)
		return not_found(j);
	if (j->why.code)
		return tool_path_failure("skill", &j->why);
	struct json_object *o = json_object_new_object();
	json_set_str(o, "name", skill->name);
	json_set_str(o, "file", j->file);
	json_set_str(o, "origin", skill->workspace ? "workspace" : "operator");
	json_set(o, "content", json_object_new_string_len(j->text.data, (int)j->text.len));
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct error err = {0};

	if (!call->tools->roots)
		return tool_failure(
		    "skill", "UNAVAILABLE", NULL, "There are no folders to look in. Go on without skills.");
	struct skill_job *j = xcalloc(1, sizeof(*j));
	j->job = (struct worker_job){.run = job_run, .free = job_free};
	skills_scan_init(&j->scan, call->tools);
	j->by.user = xstrdup(call->tools->settings.run_as);
	j->name = xstrdup(json_get_str(args, "name"));
	j->file = xstrdup(json_get_str(args, "file"));
	buf_init(&j->text);
	if (tool_worker_await(t, call, &j->job, &err) < 0)
		return tool_failure(
		    "skill", "INTERRUPTED", "STOPPED", "The turn was stopped while the skill was read.");
	struct json_object *o = result_of(j);
	job_free(&j->job);
	return o;
}

const struct tool tool_skill = {
    .name = "skill",
    .summary = "Read a skill: how the operator of this assistant wants a kind of work done. Read it before "
	       "you start such work. Returns: {name, content, origin, file?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"The name in "
	      "the list of "
	      "skills\"},\"file\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1024,\"description\":"
	      "\"Another file in its folder that the skill refers to (default: "
	      "SKILL.md)\"}},\"required\":[\"name\"]}",
    .errors = "ACCESS_DENIED, IO_ERROR, LIMIT_REACHED, NOT_FOUND, UNAVAILABLE",
    .run = run,
};
