#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/http/http.h"
#include "playground/control/report.h"
#include "playground/world/file.h"

#define ASK_MS 30000

static int ask(struct task *t, const char *url, const char *query, struct buf *out, struct error *err)
{
	char *whole = xasprintf("%s%s/control/report%s", strstr(url, "://") ? "" : "http://", url, query);
	struct http_request req = {.method = "GET", .url = whole, .label = url, .idle_ms = ASK_MS};
	struct http_response res;
	int ret = http_perform(t, &req, &res, err);

	if (ret == 0 && res.status != 200)
		ret = error_set(
		    err, ERROR_OURS, "there is no playground at %s: it answered %d", url, res.status);
	else if (ret == 0)
		buf_add(out, res.body.data, res.body.len);
	http_response_clear(&res);
	free(whole);
	return ret;
}

static void print_finding(struct json_object *f)
{
	int64_t count = json_get_int(f, "count", 1), first = json_get_int(f, "first", 0);

	printf("%s: %s %s: %s (", json_get_str(f, "level"), json_get_str(f, "platform"),
	    json_get_str(f, "method"), json_get_str(f, "text"));
	if (first != 0)
		printf("request %" PRId64 ", ", first);
	printf("%" PRId64 " time%s)\n  %s\n", count, count == 1 ? "" : "s", json_get_str(f, "advice"));
}

/* Prints it; returns how many findings are a failure, or -1. */
static int64_t print_report(const struct buf *text, bool warnings_fail, struct error *err)
{
	struct json_object *o = json_parse_object(text->data, text->len, err),
			   *findings = json_get_array(o, "findings");
	int64_t problems = json_get_int(o, "problems", 0), warnings = json_get_int(o, "warnings", 0), ret;

	json_each(findings, item)
		print_finding(item);
	if (findings)
		printf("%" PRId64 " problem%s, %" PRId64 " warning%s\n", problems, problems == 1 ? "" : "s",
		    warnings, warnings == 1 ? "" : "s");
	ret = findings ? problems + (warnings_fail ? warnings : 0) :
			 error_set(err, ERROR_OURS, "what answers there is not a playground");
	json_object_put(o);
	return ret;
}

int report_ask(struct task *t, const char *url, const char *junit, bool warnings_fail, struct error *err)
{
	struct buf text = BUF_INIT, xml = BUF_INIT;
	int64_t failures = -1;

	if (ask(t, url, "", &text, err) != 0 || (junit && ask(t, url, "?format=junit", &xml, err) != 0) ||
	    (junit && file_replace(t, junit, xml.data, err) != 0))
		goto out;
	failures = print_report(&text, warnings_fail, err);
out:
	buf_clear(&text);
	buf_clear(&xml);
	return failures < 0 ? -1 : failures > 0;
}
