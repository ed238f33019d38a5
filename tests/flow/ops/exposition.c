#include "flow/ops/exposition.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"

struct reading {
	char family[128], type[16];  /* whose lines these are */
	struct buf families, series; /* of all before, one a line, the first line empty */
	double bucket, inf;
	const char *line;
};

static void bad(const struct reading *r, const char *what)
{
	fail_msg("%s: %.*s", what, (int)strcspn(r->line, "\n"), r->line);
}

static size_t name_len(const char *at)
{
	size_t n = 0;

	if (!isalpha((unsigned char)*at) && *at != '_' && *at != ':')
		return 0;
	while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == ':')
		n++;
	return n;
}

/* "# HELP NAME TEXT" opens a family, which "# TYPE NAME KIND" follows at once. */
static void take_comment(struct reading *r)
{
	static const char *const kinds[] = {"counter", "gauge", "histogram"};
	char mark[140];
	bool known = false;
	size_t n;

	if (strncmp(r->line, "# HELP ", 7) == 0) {
		n = name_len(r->line + 7);
		if (n == 0 || r->line[7 + n] != ' ' || strcspn(r->line + 8 + n, "\n") == 0)
			bad(r, "HELP needs name and text");
		snprintf(r->family, sizeof(r->family), "%.*s", (int)n, r->line + 7);
		snprintf(mark, sizeof(mark), "\n%s\n", r->family);
		if (strstr(r->families.data, mark))
			bad(r, "a family in two places");
		buf_addstr(&r->families, mark + 1);
		r->type[0] = '\0';
		return;
	}
	n = strlen(r->family);
	if (strncmp(r->line, "# TYPE ", 7) != 0 || strncmp(r->line + 7, r->family, n) != 0 ||
	    r->line[7 + n] != ' ' || r->type[0])
		bad(r, "neither HELP nor the TYPE that follows it");
	snprintf(r->type, sizeof(r->type), "%.*s", (int)strcspn(r->line + 8 + n, "\n"), r->line + 8 + n);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		known |= strcmp(r->type, kinds[i]) == 0;
	if (!known)
		bad(r, "unknown TYPE");
	if (strcmp(r->type, "counter") == 0 && (n < 6 || strcmp(r->family + n - 6, "_total") != 0))
		bad(r, "a counter whose name does not end in _total");
	r->bucket = -1;
	r->inf = -1;
}

/* Behind {…}, or where it stands when there is none. */
static const char *skip_labels(const struct reading *r, const char *at)
{
	if (*at != '{')
		return at;
	do {
		at++;
		size_t n = name_len(at);
		if (n == 0 || at[n] != '=' || at[n + 1] != '"')
			bad(r, "a label that is none");
		for (at += n + 2; *at != '"'; at++) {
			if (*at == '\\' && !strchr("\\\"n", *++at))
				bad(r, "a label with an unknown escape");
			if (*at == '\n' || *at == '\0')
				bad(r, "a label without an end");
		}
		at++;
	} while (*at == ',');
	if (*at != '}')
		bad(r, "labels without an end");
	return at + 1;
}

static void take_bucket(struct reading *r, const char *suffix, double value)
{
	if (strcmp(suffix, "_bucket") == 0) {
		if (value < r->bucket)
			bad(r, "a bucket that is smaller than the one before");
		r->bucket = value;
		if (strstr(r->line, "le=\"+Inf\"") && strstr(r->line, "le=\"+Inf\"") < strchr(r->line, '\n'))
			r->inf = value;
	} else if (strcmp(suffix, "_count") == 0) {
		if (value != r->inf)
			bad(r, "a count that is not that of the bucket +Inf");
	} else if (strcmp(suffix, "_sum") != 0) {
		bad(r, "a histogram has _bucket, _sum and _count");
	}
}

static void remember(struct reading *r, size_t len)
{
	char *mark = xasprintf("\n%.*s\n", (int)len, r->line);

	if (strstr(r->series.data, mark))
		bad(r, "a series twice");
	buf_addstr(&r->series, mark + 1);
	free(mark);
}

static void take_sample(struct reading *r)
{
	size_t n = name_len(r->line), family = strlen(r->family);
	char suffix[32] = "", *end;

	if (n == 0 || !r->type[0] || n < family || strncmp(r->line, r->family, family) != 0)
		bad(r, "a sample outside of its family");
	snprintf(suffix, sizeof(suffix), "%.*s", (int)(n - family), r->line + family);
	const char *at = skip_labels(r, r->line + n);
	remember(r, (size_t)(at - r->line));
	if (*at != ' ')
		bad(r, "no blank before the value");
	double value = strtod(at + 1, &end);
	if (end == at + 1 || *end != '\n')
		bad(r, "a value that is no number");
	if (strcmp(r->type, "histogram") == 0)
		take_bucket(r, suffix, value);
	else if (suffix[0])
		bad(r, "a sample outside of its family");
}

void exposition_check(const char *text)
{
	struct reading r = {.families = BUF_INIT, .series = BUF_INIT};

	buf_addch(&r.families, '\n');
	buf_addch(&r.series, '\n');
	for (r.line = text; *r.line; r.line = strchr(r.line, '\n') + 1) {
		if (!strchr(r.line, '\n'))
			bad(&r, "the last line has no end");
		if (*r.line == '#')
			take_comment(&r);
		else
			take_sample(&r);
	}
	buf_clear(&r.families);
	buf_clear(&r.series);
}

double exposition_value(const char *text, const char *series)
{
	char *mark = xasprintf("\n%s ", series), *at = strstr(text, mark);
	double value = 0;

	if (at)
		value = strtod(at + strlen(mark), NULL);
	else
		fail_msg("no series %s", series);
	free(mark);
	return value;
}
