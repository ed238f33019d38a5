/* Tables of methods and types, and what is judged by them: up to a line "---" a table, or the name of a
 * platform whose tables are built in; behind it the rules in a line, and JSON. What the judge has put right
 * is right. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "fuzz/fuzz.h"
#include "playground/spec/judge.h"
#include "playground/spec/spec.h"

/* Tables that are built in have hundreds: so many, from the place that the JSON's first byte gives. */
#define METHODS_MAX 16

#define RULES 128 /* all combinations of them */

struct found {
	struct judge judge;
	struct buf text;
};

static void note_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	struct found *f = (struct found *)j;

	(void)m;
	(void)v;
	HOLDS(!j->trial);
	buf_reset(&f->text);
	judge_sentence(j, fault, t, &f->text);
	fuzz_hold_sentence(f->text.data);
}

static size_t judge_by(unsigned rules, const struct spec_record *r, struct json_object *o)
{
	struct found f = {.judge = {.rules = rules, .fault = note_fault}, .text = BUF_INIT};
	size_t faults = judge_members(&f.judge, r, o);

	HOLDS(f.judge.depth == 0);
	HOLDS(faults == f.judge.faults);
	buf_clear(&f.text);
	return faults;
}

static void judge_json(const struct spec *s, unsigned rules, const char *json, size_t len)
{
	size_t count;
	const struct spec_record *const *all = spec_methods(s, &count);

	for (size_t i = 0; i < count && i < METHODS_MAX; i++) {
		const struct spec_record *r = all[(i + rules) % count];
		struct json_object *o = json_parse_object(json, len, NULL), *body = json_object_get(o);
		struct found f = {.judge = {.rules = rules % RULES, .fault = note_fault}, .text = BUF_INIT};

		HOLDS(spec_method(s, r->name) != NULL);
		if (o && judge_by(rules % RULES, r, o) == 0)
			HOLDS(judge_by(rules % RULES, r, o) == 0);
		if (body && r->body)
			judge_value(&f.judge, NULL, r->body, body);
		HOLDS(f.judge.depth == 0);
		buf_clear(&f.text);
		json_object_put(body);
		json_object_put(o);
	}
}

/* The text up to a line "---"; the rest stays in *text. */
static char *take_table(char **text)
{
	char *table = *text, *end = strncmp(table, "---\n", 4) == 0 ? table : strstr(table, "\n---\n");

	*text = end ? strchr(end + 1, '\n') : table + strlen(table);
	if (end && end != table)
		*text = end + 5;
	if (end)
		*end = '\0';
	return table;
}

static bool is_platform(const char *name)
{
	return strcmp(name, "discord") == 0 || strcmp(name, "slack") == 0 || strcmp(name, "telegram") == 0;
}

void fuzz_spec(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *whole = fuzz_rest(&in, &len), *rest = whole, *table = take_table(&rest);
	const struct spec_text texts[] = {{"a.table", table}, {NULL, NULL}};
	struct error err = {0};
	struct spec *own = NULL;
	const struct spec *s;
	unsigned rules = (unsigned)strtoul(rest, &rest, 10);

	s = is_platform(table) ? spec_of(table) : (own = spec_read(texts, &err));
	if (!s)
		fuzz_hold_sentence(err.text);
	else
		judge_json(s, rules, rest, strlen(rest));
	spec_free(own);
	free(whole);
}

FUZZ_PROGRAM(fuzz_spec)
