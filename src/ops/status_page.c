#include "ops/status_page.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/html.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/duration.h"

const char status_page_style[] =
    ":root { color-scheme: light dark; }\n"
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }\n"
    "h1 { margin: 0; } h2 { margin: 1.5rem 0 0.25rem; font-size: 1.15rem; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px "
    "solid #8886;\n"
    "  overflow-wrap: anywhere; }\n"
    "td.number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.5rem; border: 1px solid #8886; }\n"
    ".good { color: light-dark(#116329, #7ee2a8); } .bad { color: light-dark(#a40e26, #ff9da4); font-weight: "
    "bold; }\n";

static void begin(struct buf *out, const char *id, const char *title)
{
	buf_addf(out, "<section aria-labelledby=\"%s\"><h2 id=\"%s\">%s</h2>\n", id, id, title);
}

static void end(struct buf *out)
{
	buf_addstr(out, "</section>\n");
}

/* titles: of the columns, NULL-terminated. */
static void begin_table(struct buf *out, const char *const *titles)
{
	buf_addstr(out, "<table><thead><tr>");
	for (; *titles; titles++)
		buf_addf(out, "<th scope=\"col\">%s</th>", *titles);
	buf_addstr(out, "</tr></thead><tbody>\n");
}

static void end_table(struct buf *out)
{
	buf_addstr(out, "</tbody></table>\n");
}

/* <bdi> keeps foreign text from changing the direction of its surroundings. */
static void add_foreign(struct buf *out, const char *text)
{
	buf_addstr(out, "<bdi>");
	html_add(out, text);
	buf_addstr(out, "</bdi>");
}

static void add_cell(struct buf *out, const char *text)
{
	buf_addstr(out, "<td>");
	add_foreign(out, text);
	buf_addstr(out, "</td>");
}

static void add_number(struct buf *out, const char *name, int64_t value)
{
	buf_addf(out, "<tr><th scope=\"row\">%s</th><td class=\"number\">%lld</td></tr>\n", name,
	    (long long)value);
}

static size_t length(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static void add_head(struct buf *out, const struct status_page *p)
{
	bool ready = json_get_bool(p->status, "ready", false) && length(p->reasons) == 0;
	const char *word = ready ? "ready" : "not ready";

	buf_addf(out,
	    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\"><title>Myna is %s</title><link "
	    "rel=\"stylesheet\" href=\"/status.css\"></head>\n<body><header><h1>Myna is <span "
	    "class=\"%s\">%s</span></h1>\n<p>Version ",
	    word, ready ? "good" : "bad", word);
	html_add(out, json_get_str(p->status, "version"));
	buf_addstr(out, ", up for ");
	duration_add(out, json_get_int(p->status, "uptime_ms", 0));
	buf_addstr(out,
	    p->still ? ". <a href=\"/\">Reload this page every 15 seconds</a>" :
		       ". This page reloads every 15 seconds. <a href=\"/?still=1\">Keep it still</a>");
	buf_addstr(out, "</p></header>\n<main>\n");
}

static void add_reasons(struct buf *out, const struct status_page *p)
{
	struct json_object *notices = json_get_array(p->status, "notices");
	const char *broken = json_get_str(p->status, "config_errors");

	if (length(p->reasons) + length(notices) == 0 && !broken)
		return;
	begin(out, "attention", "Needs a person");
	buf_addstr(out, "<ul>\n");
	for (size_t i = 0; i < length(p->reasons); i++) {
		struct json_object *r = json_object_array_get_idx(p->reasons, i);
		buf_addstr(out, "<li><strong>");
		html_add(out, json_get_str(r, "what"));
		buf_addstr(out, "</strong> ");
		add_foreign(out, json_get_str(r, "name"));
		buf_addstr(out, ": ");
		add_foreign(out, json_get_str(r, "text"));
		buf_addstr(out, "</li>\n");
	}
	for (size_t i = 0; i < length(notices); i++) {
		buf_addstr(out, "<li>");
		add_foreign(out, json_object_get_string(json_object_array_get_idx(notices, i)));
		buf_addstr(out, "</li>\n");
	}
	buf_addstr(out, "</ul>\n");
	if (broken) {
		buf_addstr(out,
		    "<p>Safe mode: the configuration is broken, and the last good one is in force.</p><pre>");
		html_add(out, broken);
		buf_addstr(out, "</pre>\n");
	}
	end(out);
}

static void add_channels(struct buf *out, const struct status_page *p)
{
	static const char *const titles[] = {"Channel", "Platform", "State", "Since", "What it says", NULL};
	struct json_object *channels = json_get_array(p->status, "channels");

	begin(out, "channels", "Channels");
	begin_table(out, titles);
	for (size_t i = 0; i < length(channels); i++) {
		struct json_object *c = json_object_array_get_idx(channels, i);
		const char *state = json_get_str(c, "status"), *warning = json_get_str(c, "warning");
		buf_addstr(out, "<tr><th scope=\"row\">");
		add_foreign(out, json_get_str(c, "name"));
		buf_addstr(out, "</th>");
		add_cell(out, json_get_str(c, "type"));
		buf_addf(out, "<td class=\"%s\">", state && strcmp(state, "ready") == 0 ? "good" : "bad");
		html_add(out, state);
		buf_addstr(out, "</td><td>");
		duration_add(out, p->now_ms - json_get_int(c, "since_ms", p->now_ms));
		buf_addstr(out, "</td><td>");
		add_foreign(out, json_get_str(c, "text"));
		if (warning) {
			buf_addstr(out, "<br>Warning: ");
			add_foreign(out, warning);
		}
		buf_addstr(out, "</td></tr>\n");
	}
	end_table(out);
	end(out);
}

/* The figures that are members of the status. */
static const struct {
	const char *title, *group, *key;
} figures[] = {
    {"Turns that run", NULL, "turns_running"},
    {"Turns that wait for a model", "model", "turns_waiting"},
    {"Messages that wait for an answer", "queue", "inbox_pending"},
    {"Calls that wait for a person's yes", "queue", "approvals_open"},
    {"Messages to be sent", "queue", "outbox_queued"},
    {"Messages of which nobody knows whether they arrived", "queue", "outbox_uncertain"},
    {"Messages that could not be delivered", "queue", "outbox_failed"},
    {"Turns that were given up", "queue", "turns_dead"},
    {"Conversations", "queue", "sessions"},
    {"Bytes of the database", "queue", "db_bytes"},
};

static void add_work(struct buf *out, const struct status_page *p)
{
	static const char *const titles[] = {"What", "How many", NULL};

	begin(out, "work", "Work");
	begin_table(out, titles);
	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		struct json_object *o =
		    figures[i].group ? json_get_object(p->status, figures[i].group) : p->status;
		if (json_get(o, figures[i].key))
			add_number(out, figures[i].title, json_get_int(o, figures[i].key, 0));
	}
	end_table(out);
	end(out);
}

static void add_model(struct buf *out, const struct status_page *p)
{
	static const char *const titles[] = {
	    "", "Requests", "Tokens in", "of those cached", "Tokens out", "Cost", NULL};
	static const char *const keys[] = {"requests", "input", "cached", "output"};
	static const char *const spans[] = {"today", "month", "total"};
	struct json_object *model = json_get_object(p->status, "model");

	begin(out, "model", "Model");
	if (json_get_bool(model, "down", false)) {
		buf_addstr(out, "<p class=\"bad\">No model answers, since ");
		duration_add(out, json_get_int(model, "down_ms", 0));
		buf_addstr(out, ": ");
		add_foreign(out, json_get_str(model, "text"));
		buf_addstr(out, "</p>\n");
	} else {
		buf_addstr(out, "<p class=\"good\">It answers, or was not asked.</p>\n");
	}
	if (p->usage)
		begin_table(out, titles);
	for (size_t i = 0; p->usage && i < ARRAY_LEN(spans); i++) {
		struct json_object *u = json_get_object(p->usage, spans[i]);
		buf_addf(out, "<tr><th scope=\"row\">%s</th>", spans[i]);
		for (size_t k = 0; k < ARRAY_LEN(keys); k++)
			buf_addf(
			    out, "<td class=\"number\">%lld</td>", (long long)json_get_int(u, keys[k], 0));
		add_cell(out, json_get_str(u, "cost"));
		buf_addstr(out, "</tr>\n");
	}
	if (p->usage)
		end_table(out);
	end(out);
}

static void add_sandbox(struct buf *out, const struct status_page *p)
{
	struct json_object *s = json_get_object(p->status, "sandbox");

	if (!s)
		return;
	begin(out, "sandbox", "Sandbox");
	buf_addstr(out, "<p>Level ");
	add_foreign(out, json_get_str(s, "level"));
	if (json_get_str(s, "reason")) {
		buf_addstr(out, ": ");
		add_foreign(out, json_get_str(s, "reason"));
	}
	buf_addstr(out, "</p>\n");
	end(out);
}

static void add_dead(struct buf *out, const struct status_page *p)
{
	static const char *const titles[] = {"Number", "Chat", "Ago", "How it begins", NULL};

	if (length(p->dead) == 0)
		return;
	begin(out, "dead", "Dead letters");
	buf_addstr(out,
	    "<p><code>myna dead retry NUMBER</code> answers one again, <code>myna dead drop NUMBER</code> is "
	    "done with it.</p>\n");
	begin_table(out, titles);
	for (size_t i = 0; i < length(p->dead); i++) {
		struct json_object *d = json_object_array_get_idx(p->dead, i);
		buf_addf(out, "<tr><th scope=\"row\">%lld</th>", (long long)json_get_int(d, "turn", 0));
		add_cell(out, json_get_str(d, "chat"));
		buf_addstr(out, "<td>");
		duration_add(out, p->now_ms - json_get_int(d, "ended_ms", p->now_ms));
		buf_addstr(out, "</td>");
		add_cell(out, json_get_str(d, "text"));
		buf_addstr(out, "</tr>\n");
	}
	end_table(out);
	end(out);
}

static void add_warnings(struct buf *out, const struct status_page *p)
{
	begin(out, "warnings", "Latest warnings and errors of the log");
	if (!p->warnings || *p->warnings == '\0') {
		buf_addstr(out, "<p>None since the start.</p>\n");
	} else {
		buf_addstr(out, "<pre>");
		html_add(out, p->warnings);
		buf_addstr(out, "</pre>\n");
	}
	end(out);
}

void status_page_write(struct buf *out, const struct status_page *p)
{
	static void (*const parts[])(struct buf * out, const struct status_page *p) = {
	    add_head, add_reasons, add_channels, add_work, add_model, add_sandbox, add_dead, add_warnings};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		parts[i](out, p);
	buf_addstr(out, "</main></body></html>\n");
}
