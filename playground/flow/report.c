#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/control/report.h"
#include "playground/flow/run.h"
#include "playground/platform.h"
#include "playground/playground.h"

#define SHOWN 8 /* messages of a chat that are shown after a failure */

struct json_object *flow_transcript(struct flow_run *run)
{
	struct json_object *in = json_object_new_object(), *o = NULL;
	struct buf out = BUF_INIT;

	json_set_str(in, "chat", run->current->chat);
	if (run->current->platform_instance->platform->transcript(
		run->current->platform_instance->self, in, &out, NULL) == 0)
		o = json_parse_object(out.data, out.len, NULL);
	json_object_put(in);
	buf_clear(&out);
	return o;
}

static void write_message(struct json_object *m, struct buf *out)
{
	const char *from = json_get_str(m, "from"), *text = json_get_str(m, "text");
	struct json_object *buttons = json_get_array(m, "buttons");
	size_t count = json_count(buttons);

	buf_addf(out, "    %s%s: %s", json_get_bool(m, "bot", false) ? "(bot) " : "", from ? from : "?",
	    text ? text : "");
	for (size_t i = 0; i < count; i++) {
		const char *label = json_get_str(json_at(buttons, i), "label");

		buf_addf(out, " [%s]", label ? label : "");
	}
	buf_addstr(out, json_get_bool(m, "deleted", false) ? " (deleted)\n" : "\n");
}

static void write_chat(struct flow_run *run, struct buf *out)
{
	struct json_object *o = flow_transcript(run), *messages = json_get_array(o, "messages");
	size_t count = json_count(messages);

	buf_addf(out, "  %s, %s:%s\n", run->current->platform_instance->platform->name, run->current->chat,
	    count == 0 ? " nobody has written anything" : "");
	for (size_t i = count > SHOWN ? count - SHOWN : 0; i < count; i++)
		write_message(json_at(messages, i), out);
	json_object_put(o);
}

static const struct record *refused_on(const struct platform_instance *s)
{
	for (size_t i = s->log.count; i > 0; i--) {
		const struct record *r = &s->log.ring[(s->log.first + i - 1) % RECORD_MAX];

		if (r->refused && !r->fault)
			return r;
	}
	return NULL;
}

char *flow_refusal(struct flow_run *run)
{
	for (const struct platform_instance *s = run->pg->platform_instances; s->platform; s++) {
		const struct record *r = refused_on(s);

		if (r)
			return xasprintf("%s refused %s: %s", s->platform->name, r->method,
			    r->problems[0] != '\0' ? r->problems : "it was not let in");
	}
	return NULL;
}

static void write_case(const struct flow *f, size_t i, size_t failed, const char *why, struct buf *out)
{
	const struct flow_step *step = &f->steps[i];

	buf_addstr(out, "    <testcase classname=\"");
	report_write_xml(out, f->path);
	buf_addf(out, "\" name=\"%zu: ", step->line);
	report_write_xml(out, step->source);
	buf_addstr(out, "\">");
	if (i == failed) {
		buf_addf(out, "<failure message=\"line %zu\">", step->line);
		report_write_xml(out, why);
		buf_addstr(out, "</failure>");
	} else if (i > failed) {
		buf_addstr(out, "<skipped/>");
	}
	buf_addstr(out, "</testcase>\n");
}

void flow_write_suite(const struct flow *f, size_t failed, const char *why, struct buf *out)
{
	buf_addstr(out, "  <testsuite name=\"");
	report_write_xml(out, f->path);
	buf_addf(out, "\" tests=\"%zu\" failures=\"%d\" skipped=\"%zu\">\n", f->count, failed < f->count,
	    failed < f->count ? f->count - failed - 1 : 0);
	for (size_t i = 0; i < f->count; i++)
		write_case(f, i, failed, why, out);
	buf_addstr(out, "  </testsuite>\n");
}

void flow_write_report(struct flow_run *run, struct buf *out)
{
	char *refusal = flow_refusal(run);

	if (run->current)
		write_chat(run, out);
	if (refusal)
		buf_addf(out, "  %s\n", refusal);
	free(refusal);
}
