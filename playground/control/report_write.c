#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/control/report.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/world/json_format.h"

void report_write_json(const struct report *r, struct buf *out)
{
	struct json_object *o = json_object_new_object(), *findings = json_object_new_array();

	for (size_t i = 0; i < r->count; i++) {
		const struct report_finding *f = &r->findings[i];
		struct json_object *row =
		    json_newf("{level: %s, platform: %s, check: %s, method: %s, count: %jd}",
			f->warning ? "warning" : "problem", f->platform, f->check->name, f->method,
			(int64_t)f->count);

		if (f->first != 0)
			json_set_int(row, "first", (int64_t)f->first);
		else
			json_set(row, "first", NULL);
		json_setf(row, "text: %s, advice: %s", f->text, f->check->advice);
		json_object_array_add(findings, row);
	}
	json_setf(o, "ok: true, problems: %jd, warnings: %jd, findings: %p", (int64_t)report_count(r, false),
	    (int64_t)report_count(r, true), findings);
	json_write(out, o);
	json_object_put(o);
}

void report_write_xml(struct buf *out, const char *text)
{
	/* XML 1.0 has no control characters but white space, and no U+FFFE and U+FFFF, not even escaped. */
	for (; *text; text++)
		switch (*text) {
		case '\xef':
			if (text[1] == '\xbf' && (text[2] == '\xbe' || text[2] == '\xbf')) {
				buf_addch(out, ' ');
				text += 2;
			} else {
				buf_addch(out, *text);
			}
			break;
		case '&':
			buf_addstr(out, "&amp;");
			break;
		case '<':
			buf_addstr(out, "&lt;");
			break;
		case '>':
			buf_addstr(out, "&gt;");
			break;
		case '"':
			buf_addstr(out, "&quot;");
			break;
		default:
			buf_addch(out, (unsigned char)*text < ' ' && *text != '\n' ? ' ' : *text);
		}
}

static void write_findings(const struct report *r, const struct report_check *c, const char *platform,
    bool warnings, struct buf *out)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct report_finding *f = &r->findings[i];

		if (f->check != c || f->platform != platform || f->warning != warnings)
			continue;
		report_write_xml(out, f->method);
		buf_addf(out, ", %zu times", f->count);
		if (f->first != 0)
			buf_addf(out, ", first in request %" PRIu64, f->first);
		buf_addstr(out, ": ");
		report_write_xml(out, f->text);
		buf_addch(out, '\n');
	}
}

/* Returns whether it failed. */
static bool write_case(
    const struct report *r, const struct report_check *c, const char *platform, struct buf *out)
{
	struct buf problems = BUF_INIT, warnings = BUF_INIT;
	bool failed;

	write_findings(r, c, platform, false, &problems);
	write_findings(r, c, platform, true, &warnings);
	failed = problems.len > 0;
	buf_addf(out, "    <testcase classname=\"playground.%s\" name=\"%s\">", platform, c->rule);
	if (failed) {
		buf_addf(out, "<failure message=\"%s\">", c->advice);
		buf_add(out, problems.data, problems.len);
		buf_addstr(out, "</failure>");
	}
	if (warnings.len > 0) {
		buf_addf(out, "<system-out>%s\n", c->advice);
		buf_add(out, warnings.data, warnings.len);
		buf_addstr(out, "</system-out>");
	}
	buf_addstr(out, "</testcase>\n");
	buf_clear(&problems);
	buf_clear(&warnings);
	return failed;
}

static void write_suite(const struct report *r, const char *platform, struct buf *out)
{
	struct buf cases = BUF_INIT;
	size_t count = 0, failures = 0;

	for (const struct report_check *c = report_checks; c->name; c++, count++)
		failures += write_case(r, c, platform, &cases);
	buf_addf(
	    out, "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\">\n", platform, count, failures);
	buf_add(out, cases.data, cases.len);
	buf_addstr(out, "  </testsuite>\n");
	buf_clear(&cases);
}

static bool has_findings(const struct report *r, const char *platform)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->findings[i].platform == platform)
			return true;
	return false;
}

void report_begin_junit(struct buf *out)
{
	buf_addstr(
	    out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"myna-playground\">\n");
}

void report_end_junit(struct buf *out)
{
	buf_addstr(out, "</testsuites>\n");
}

void report_write_suites(struct playground *pg, struct buf *out)
{
	struct report r;

	report_make(pg, &r);
	for (const struct platform_instance *s = pg->platform_instances; s->platform; s++)
		if (s->log.last_n > 0 || has_findings(&r, s->platform->name))
			write_suite(&r, s->platform->name, out);
	report_clear(&r);
}
