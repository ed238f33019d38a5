#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/spec/judge.h"

#define NAME_SHOWN 60 /* characters of a member's name */

void judge_place(const struct judge *j, struct buf *out)
{
	for (size_t i = 0; i < j->depth && i < JUDGE_DEPTH; i++) {
		const char *name = j->place[i].name;

		if (name)
			buf_addf(
			    out, "/%.*s", (int)utf8_cut(name, strlen(name), NAME_SHOWN, UTF8_CHARS), name);
		else
			buf_addf(out, "/%zu", j->place[i].index);
	}
}

static void name_one(const struct spec_type *t, struct buf *out)
{
	static const char *const names[] = {
	    [SPEC_ANY] = "anything",
	    [SPEC_BOOL] = "a boolean",
	    [SPEC_BYTES] = "a string",
	    [SPEC_FILE] = "a file",
	    [SPEC_ID] = "a snowflake",
	    [SPEC_INT] = "an integer",
	    [SPEC_LIST] = "an array",
	    [SPEC_MAP] = "an object",
	    [SPEC_NULL] = "null",
	    [SPEC_NUMBER] = "a number",
	    [SPEC_STRING] = "a string",
	    [SPEC_TIME] = "an ISO 8601 time",
	    [SPEC_TRUE] = "true",
	    [SPEC_URL] = "a URL",
	};

	if (t->kind == SPEC_NAMED)
		buf_addf(out, "%s %s", strchr("AEIOU", t->record->name[0]) ? "an" : "a", t->record->name);
	else if (t->kind == SPEC_LITERAL && t->text)
		buf_addf(out, "\"%s\"", t->text);
	else if (t->kind == SPEC_LITERAL)
		buf_addf(out, "%" PRId64, t->number);
	else
		buf_addstr(out, names[t->kind]);
}

void judge_type_name(const struct spec_type *t, struct buf *out)
{
	size_t start = out->len;

	for (; t && out->len - start < 100; t = t->next) {
		if (out->len > start)
			buf_addstr(out, t->next ? ", " : " or ");
		name_one(t, out);
	}
	if (t)
		buf_addstr(out, ", …");
}

static void write_limit(enum judge_fault fault_of, const struct spec_type *t, struct buf *out)
{
	static const char *const units[] = {[SPEC_BYTES] = " bytes",
	    [SPEC_LIST] = " elements",
	    [SPEC_MAP] = " members",
	    [SPEC_STRING] = " characters"};
	const char *unit = t->kind < ARRAY_LEN(units) ? units[t->kind] : NULL;

	buf_addf(out, "must %s %s %" PRId64 "%s", unit ? "have" : "be",
	    fault_of == JUDGE_LONG ? "at most" : "at least", fault_of == JUDGE_LONG ? t->max : t->min,
	    unit ? unit : "");
}

void judge_sentence(
    const struct judge *j, enum judge_fault fault_is, const struct spec_type *t, struct buf *out)
{
	judge_place(j, out);
	buf_addstr(out, ": ");
	switch (fault_is) {
	case JUDGE_UNKNOWN:
		buf_addstr(out, "there is no such member");
		break;
	case JUDGE_LEFT_OUT:
		buf_addstr(out, "not simulated");
		break;
	case JUDGE_MISSING:
		buf_addstr(out, "is missing");
		break;
	case JUDGE_LONG:
	case JUDGE_SHORT:
		write_limit(fault_is, t, out);
		break;
	default:
		buf_addstr(out, "must be ");
		judge_type_name(t, out);
	}
}
