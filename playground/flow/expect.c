#include "playground/flow/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/task.h"
#include "playground/control/control.h"
#include "playground/control/report.h"
#include "playground/world/pattern.h"

static bool fits(const struct flow_step *step, struct json_object *m)
{
	const char *text = json_get_str(m, "text");

	if (!json_get_bool(m, "bot", false) || json_get_bool(m, "deleted", false) || !text)
		return false;
	return step->pattern ? pattern_match(step->pattern, text, strlen(text), NULL, 0) :
			       strstr(text, step->text) != NULL;
}

/* Returns the index of the first matching message from that one on; -1 for none. */
static long find(struct flow_run *run, const struct flow_step *step, size_t from)
{
	struct json_object *transcript = flow_transcript(run),
			   *messages = json_get_array(transcript, "messages");
	size_t count = json_count(messages);
	long found = -1;

	for (size_t i = from; found < 0 && i < count; i++)
		if (fits(step, json_at(messages, i)))
			found = (long)i;
	json_object_put(transcript);
	return found;
}

static int has_come(struct flow_run *run, const struct flow_step *step)
{
	long i = find(run, step, run->current->seen);

	if (i >= 0)
		run->current->seen = (size_t)i + 1;
	return i >= 0;
}

static int is_shown(struct flow_run *run, const struct flow_step *step)
{
	return find(run, step, 0) >= 0;
}

static int missing(struct flow_run *run, const struct flow_step *step, const char *what, struct error *err)
{
	const char *quote = step->pattern ? "/" : "\"";

	return error_set(err, ERROR_OURS, "%s %s%.100s%s within %g s%s", what, quote, step->text, quote,
	    (double)run->within_ms / 1000,
	    control_has_bot(run->pg, run->current->platform_instance) ?
		"" :
		", and no bot has come to the platform");
}

int flow_expect(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	int ret = flow_await(t, run, has_come, step, err);

	return ret == 1 ? missing(run, step, "the bot has not said", err) : ret;
}

int flow_shows(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	int ret = flow_await(t, run, is_shown, step, err);

	return ret == 1 ? missing(run, step, "no message of the bot shows", err) : ret;
}

static size_t said(struct flow_run *run)
{
	struct json_object *transcript = flow_transcript(run),
			   *messages = json_get_array(transcript, "messages");
	size_t count = json_count(messages), n = 0;

	for (size_t i = 0; i < count; i++)
		n += json_get_bool(json_at(messages, i), "bot", false);
	json_object_put(transcript);
	return n;
}

int flow_silence(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	size_t before = said(run);

	if (task_sleep(t, step->ms, err) != 0)
		return -1;
	return said(run) == before ? 0 : error_set(err, ERROR_OURS, "the bot has said something meanwhile");
}

int flow_clean(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	struct report r;
	int ret = 0;

	(void)t;
	(void)step;
	report_make(run->pg, &r);
	if (report_count(&r, false) > 0) /* they come first */
		ret = error_set(err, ERROR_OURS, "%s %s: %s. %s", r.findings[0].platform,
		    r.findings[0].method, r.findings[0].text, r.findings[0].check->advice);
	report_clear(&r);
	return ret;
}

int flow_accepted(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	char *refusal = flow_refusal(run);

	(void)t;
	(void)step;
	if (!refusal)
		return 0;
	error_set(err, ERROR_OURS, "%.230s", refusal);
	free(refusal);
	return -1;
}
