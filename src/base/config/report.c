#include "base/config/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config_internal.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define SHOWN_BYTES 60
#define REPORTS_MAX 1000

struct config_report {
	unsigned line; /* of the text */
	size_t order;
	char *sentence;
};

void config_reports_init(struct config_reports *r)
{
	*r = (struct config_reports){0};
	config_text_init(&r->text);
}

void config_reports_clear(struct config_reports *r)
{
	for (size_t s = 0; s < CONFIG_SEVERITIES; s++) {
		for (size_t i = 0; i < r->found[s].count; i++)
			free(r->found[s].items[i].sentence);
		free(r->found[s].items);
	}
	config_text_clear(&r->text);
	config_reports_init(r);
}

/* Strings of the file may hold any character; a report is one line. */
static void flatten(struct buf *sentence)
{
	for (size_t i = 0; i < sentence->len; i++)
		if ((unsigned char)sentence->data[i] < ' ' || sentence->data[i] == 0x7f)
			sentence->data[i] = ' ';
}

static void found_add(struct config_found *f, unsigned line, const char *sentence)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->items[i].line == line && strcmp(f->items[i].sentence, sentence) == 0)
			return;
	if (f->count == REPORTS_MAX)
		sentence = "there is more than this. Correct what is named so far first.";
	f->items = xrealloc(f->items, (f->count + 1) * sizeof(*f->items));
	f->items[f->count] = (struct config_report){line, f->count, xstrdup(sentence)};
	f->count++;
}

void config_report_line(
    struct config_reports *r, enum config_severity severity, unsigned line, const char *fmt, ...)
{
	struct buf sentence = BUF_INIT;
	va_list ap;
	if (r->found[severity].count > REPORTS_MAX)
		return;
	va_start(ap, fmt);
	buf_vaddf(&sentence, fmt, ap);
	va_end(ap);
	flatten(&sentence);
	found_add(&r->found[severity], line, sentence.data);
	buf_clear(&sentence);
}

void config_report_path(struct buf *out, const struct config_setting_t *s)
{
	if (!s->parent)
		return;
	config_report_path(out, s->parent);
	if (!s->name)
		buf_addf(out, "[%d]", config_setting_index(s));
	else
		buf_addf(out, "%s%s", s->parent->parent ? "." : "", s->name);
}

void config_report(struct config_reports *r, enum config_severity severity, const struct config_setting_t *s,
    const char *fmt, ...)
{
	struct buf sentence = BUF_INIT;
	va_list ap;
	if (r->found[severity].count > REPORTS_MAX)
		return;
	config_report_path(&sentence, s);
	if (sentence.len > 0)
		buf_addstr(&sentence, ": ");
	va_start(ap, fmt);
	buf_vaddf(&sentence, fmt, ap);
	va_end(ap);
	flatten(&sentence);
	found_add(&r->found[severity], config_setting_source_line(s), sentence.data);
	buf_clear(&sentence);
}

void config_report_sanitize(struct buf *out, const char *text, size_t len)
{
	size_t shown = utf8_cut(text, len, SHOWN_BYTES, UTF8_BYTES);
	for (size_t i = 0; i < shown; i++)
		buf_addch(out, (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i]);
	if (shown < len)
		buf_addstr(out, "...");
}

void config_report_quote(struct buf *out, const char *text)
{
	buf_addch(out, '"');
	config_report_sanitize(out, text, strlen(text));
	buf_addch(out, '"');
}

static int by_line(const void *a, const void *b)
{
	const struct config_report *x = a, *y = b;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

void config_reports_write(const struct config_reports *r, enum config_severity severity, struct buf *out)
{
	const struct config_found *f = &r->found[severity];
	if (f->count == 0)
		return;
	struct config_report *sorted = xmemdup(f->items, f->count * sizeof(*sorted));
	qsort(sorted, f->count, sizeof(*sorted), by_line);
	for (size_t i = 0; i < f->count; i++)
		buf_addf(out, "%s:%u: %s\n", config_text_source(&r->text, sorted[i].line)->file,
		    config_text_origin(&r->text, sorted[i].line).line, sorted[i].sentence);
	free(sorted);
}
