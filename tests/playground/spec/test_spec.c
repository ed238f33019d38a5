#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/spec/judge.h"
#include "playground/spec/spec.h"

static const char sample[] = "# A platform that sells tea.\n"
			     "\n"
			     "method brew returns=Pot simulated # for one\n"
			     "\tkind \"green\"|\"black\" required \"there is no \\\"kind\\\"\"\n"
			     "\tcups int(1..4)\n"
			     "\tguests [Guest](..2)\n"
			     "\tmilk Milk|null left_out # who would\n"
			     "\tmugs [int|null]\n"
			     "\tnote int|string(..5)\n"
			     "\tpicture file|string extra legacy\n"
			     "\t! no_water too_hot\n"
			     "\t! broken\n"
			     "method drink body={any}\n"
			     "method wash like=Tray\n"
			     "\tfull true\n"
			     "object Guest\n"
			     "\tname string(1..8) required\n"
			     "\tother Guest\n"
			     "\ttags {bool}(..1)\n"
			     "object Oat\n"
			     "\ttype \"oat\" required\n"
			     "\tsweet bool\n"
			     "object Cow\n"
			     "\ttype 7 required\n"
			     "\tfat number(0..9) required\n"
			     "type Milk Oat|Cow\n"
			     "object Pot\n"
			     "\tid id required\n"
			     "\tat time\n"
			     "\tlink url\n"
			     "object BigPot like=Pot\n"
			     "\tlink string\n"
			     "\tlitres int\n"
			     "object Tray\n"
			     "\tsize int(2..9) required\n"
			     "\tfull bool required\n"
			     "\tof string|null required\n"
			     "\tpots [Pot] required\n"
			     "\tfirst Pot required\n"
			     "\tkind \"round\"|\"square\" required\n"
			     "\tmilk Milk\n";

static struct spec *read_one(const char *text, struct error *err)
{
	const struct spec_text texts[] = {{"tea.table", text}, {NULL, NULL}};

	return spec_read(texts, err);
}

static struct spec *read_sample(void)
{
	struct error err = {0};
	struct spec *s = read_one(sample, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static void a_table_says_what_its_methods_take(void **state)
{
	struct spec *s = read_sample();
	const struct spec_record *brew = spec_method(s, "BREW");
	const struct spec_member *m;
	size_t count;

	(void)state;
	assert_non_null(brew);
	assert_null(spec_method(s, "bre"));
	assert_null(spec_method(s, "Pot"));
	assert_ptr_equal(spec_methods(s, &count)[0], brew);
	assert_int_equal(count, 3);
	assert_string_equal(brew->note, "for one");
	assert_true(spec_has(brew, "simulated"));
	assert_false(spec_has(spec_method(s, "drink"), "simulated"));
	assert_ptr_equal(brew->returns->record, spec_type(s, "Pot"));
	assert_int_equal(spec_method(s, "drink")->body->kind, SPEC_MAP);
	assert_int_equal(brew->count, 7);
	assert_string_equal(brew->members[0].name, "kind");
	m = spec_member(brew, "kind");
	assert_int_equal(m->flags, SPEC_REQUIRED);
	assert_string_equal(m->error_text, "there is no \"kind\"");
	assert_string_equal(m->type->next->text, "black");
	assert_int_equal(spec_member(brew, "cups")->type->max, 4);
	assert_int_equal(spec_member(brew, "picture")->flags, SPEC_EXTRA | SPEC_LEGACY);
	assert_int_equal(spec_member(brew, "milk")->flags, SPEC_LEFT_OUT);
	assert_null(spec_member(brew, "water"));
	assert_true(spec_has_error(brew, "too_hot") && spec_has_error(brew, "broken"));
	assert_false(spec_has_error(brew, "no_milk"));
	spec_free(s);
}

static void mistakes_in_a_table_name_their_line(void **state)
{
	static const struct {
		const char *text, *says;
	} wrong[] = {
	    {"\tname string", "tea.table:1: a member stands before all records"},
	    {"object A\n\n\tname", "tea.table:3: a member has no type: name"},
	    {"object A\n\tname [string", "tea.table:2: a bracket is not closed"},
	    {"object A\n\tname string(1..", "tea.table:2: limits are (MIN..MAX)"},
	    {"object A\n\tname string(1)", "tea.table:2: limits are (MIN..MAX)"},
	    {"object A\n\tname \"x", "tea.table:2: a text has no end"},
	    {"object A\n\tname string|", "tea.table:2: a type is missing"},
	    {"object A\n\tname string?", "tea.table:2: behind a type stands ?"},
	    {"object A\n\tname string wanted", "tea.table:2: there is no flag wanted"},
	    {"object A\n\tname string\n\tname int\n", "tea.table:4: stands twice: name"},
	    {"object A\n\tname [[[[[[[[[[int]]]]]]]]]]", "tea.table:2: a type is too deep"},
	    {"thing A", "tea.table:1: a record is a method, an object, or a type and what it is: thing"},
	    {"type A", "tea.table:1: a record is a method, an object, or a type and what it is: type"},
	    {"object A\n\tb B", "tea.table: there is no type B"},
	    {"object A\nobject A", "tea.table: there are two of A"},
	    {"object \xff", "tea.table:0: the table is not UTF-8"},
	    {"object A like=B", "tea.table: A cannot be like B"},
	    {"object A like=A", "tea.table: A cannot be like A"},
	    {"type A B|int\ntype B [B]|A", "tea.table: A is a name for a name and so on"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err = {0};

		assert_null(read_one(wrong[i].text, &err));
		assert_string_equal(err.text, wrong[i].says);
	}
}

/* The sentences that the judge found. */
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
	if (f->text.len > 0)
		buf_addstr(&f->text, "; ");
	judge_sentence(j, fault, t, &f->text);
}

/* Judges what a client sends; after it, the values are those of then. */
static void judge_brew(unsigned rules, const char *json, const char *says, const char *then)
{
	struct spec *s = read_sample();
	struct found f = {.judge = {.rules = rules, .fault = note_fault}, .text = BUF_INIT};
	struct json_object *o = json_parse_object(json, strlen(json), NULL);
	char *text;

	assert_non_null(o);
	judge_members(&f.judge, spec_method(s, "brew"), o);
	assert_string_equal(f.text.data, says);
	text = json_text(o);
	assert_string_equal(text, then ? then : json);
	free(text);
	json_object_put(o);
	buf_clear(&f.text);
	spec_free(s);
}

static void values_are_judged_by_their_types(void **state)
{
	(void)state;
	judge_brew(0, "{\"kind\":\"green\",\"cups\":2}", "", NULL);
	judge_brew(0, "{\"cups\":2}", "/kind: is missing", NULL);
	judge_brew(0, "{\"kind\":null}", "/kind: is missing", "{}");
	judge_brew(0, "{\"kind\":\"red\"}", "/kind: must be \"green\" or \"black\"", "{\"kind\":null}");
	judge_brew(0, "{\"kind\":3}", "/kind: must be \"green\" or \"black\"", "{\"kind\":null}");
	judge_brew(0, "{\"kind\":\"green\",\"cups\":\"2\"}", "/cups: must be an integer",
	    "{\"kind\":\"green\",\"cups\":null}");
	judge_brew(0, "{\"kind\":\"green\",\"sugar\":1}", "/sugar: there is no such member", NULL);
	judge_brew(0, "{\"kind\":\"green\",\"guests\":[{\"name\":\"Ann\",\"other\":{\"name\":4}}]}",
	    "/guests/0/other/name: must be a string", NULL);
	/* What nobody reads inside of an object is not kept. */
	judge_brew(0, "{\"kind\":\"green\",\"guests\":[{\"name\":\"Ann\",\"age\":4}]}",
	    "/guests/0/age: there is no such member", "{\"kind\":\"green\",\"guests\":[{\"name\":\"Ann\"}]}");
	judge_brew(0, "{\"kind\":\"green\",\"guests\":[null,3]}",
	    "/guests/0: must be a Guest; /guests/1: must be a Guest", NULL);
	judge_brew(0, "{\"kind\":\"green\",\"guests\":[{\"name\":\"Ann\",\"tags\":{\"vip\":1}}]}",
	    "/guests/0/tags/vip: must be a boolean", NULL);
}

static void a_null_is_kept_where_the_type_has_it(void **state)
{
	(void)state;
	judge_brew(0, "{\"kind\":\"green\",\"milk\":null}", "", NULL);
	judge_brew(0, "{\"kind\":\"green\",\"cups\":null,\"note\":null}", "", "{\"kind\":\"green\"}");
	judge_brew(0, "{\"kind\":\"green\",\"mugs\":[null,1,null,2,null]}", "",
	    "{\"kind\":\"green\",\"mugs\":[1,2]}");
}

static void an_object_is_told_by_its_type(void **state)
{
	(void)state;
	judge_brew(0, "{\"kind\":\"green\",\"milk\":{\"type\":7,\"fat\":1.5}}", "/milk: not simulated", NULL);
	judge_brew(0, "{\"kind\":\"green\",\"milk\":{\"type\":7}}",
	    "/milk: not simulated; /milk/fat: is missing", NULL);
	judge_brew(0, "{\"kind\":\"green\",\"milk\":{\"type\":\"soy\"}}",
	    "/milk: not simulated; /milk: must be a Milk or null", NULL);
	/* Without one, it is what it comes closest to. */
	judge_brew(0, "{\"kind\":\"green\",\"milk\":{\"sweet\":true}}",
	    "/milk: not simulated; /milk/type: is missing", NULL);
}

static void limits_are_judged_where_the_rules_say_so(void **state)
{
	(void)state;
	judge_brew(0, "{\"kind\":\"green\",\"cups\":9}", "", NULL);
	judge_brew(JUDGE_LIMITS, "{\"kind\":\"green\",\"cups\":9,\"note\":\"äöüäöü\"}",
	    "/cups: must be at most 4; /note: must have at most 5 characters", NULL);
	judge_brew(JUDGE_LIMITS, "{\"kind\":\"green\",\"cups\":0,\"note\":\"äöüäö\"}",
	    "/cups: must be at least 1", NULL);
	judge_brew(JUDGE_LIMITS, "{\"kind\":\"green\",\"guests\":[{\"name\":\"\"},{\"name\":\"a\"},{}]}",
	    "/guests: must have at most 2 elements; /guests/0/name: must have at least 1 characters", NULL);
}

static void texts_stand_for_numbers_where_the_rules_say_so(void **state)
{
	(void)state;
	judge_brew(JUDGE_TEXTS, "{\"kind\":\"green\",\"cups\":\"2\",\"note\":\"4\"}", "",
	    "{\"kind\":\"green\",\"cups\":2,\"note\":\"4\"}");
	judge_brew(JUDGE_TEXTS, "{\"kind\":\"green\",\"cups\":\"two\"}", "/cups: must be an integer",
	    "{\"kind\":\"green\",\"cups\":null}");
	/* In a form, a number is one, and a text may be JSON. */
	judge_brew(JUDGE_TEXTS | JUDGE_FORM | JUDGE_JSON_IN_TEXT,
	    "{\"kind\":\"green\",\"note\":\"4\",\"guests\":\"[{\\\"name\\\":5}]\"}", "",
	    "{\"kind\":\"green\",\"note\":4,\"guests\":[{\"name\":\"5\"}]}");
	judge_brew(JUDGE_JSON_IN_TEXT, "{\"kind\":\"green\",\"guests\":\"[{\"}", "/guests: must be an array",
	    "{\"kind\":\"green\",\"guests\":null}");
	judge_brew(JUDGE_JSON_IN_TEXT, "{\"kind\":\"green\",\"guests\":\"\"}", "", "{\"kind\":\"green\"}");
	judge_brew(JUDGE_EMPTY_IS_MISSING, "{\"kind\":\"\"}",
	    "/kind: is missing; /kind: must be \"green\" or \"black\"", "{\"kind\":null}");
	judge_brew(JUDGE_PARTS, "{\"kind\":\"green\",\"picture\":{\"bytes\":3}}", "", NULL);
	judge_brew(0, "{\"kind\":\"green\",\"picture\":{\"bytes\":3}}",
	    "/picture: must be a file or a string", "{\"kind\":\"green\",\"picture\":null}");
}

/* As the playground's own answers are judged. */
static void judge_pot(const char *json, const char *says)
{
	struct spec *s = read_sample();
	struct found f = {
	    .judge = {.rules = JUDGE_STRICT | JUDGE_LIMITS, .fault = note_fault}, .text = BUF_INIT};
	struct json_object *o = json_parse(json, strlen(json), NULL);

	judge_value(&f.judge, NULL, spec_method(s, "brew")->returns, o);
	assert_string_equal(f.text.data, says);
	json_object_put(o);
	buf_clear(&f.text);
	spec_free(s);
}

static void answers_are_judged_strictly(void **state)
{
	(void)state;
	judge_pot("{\"id\":\"12\",\"at\":\"2026-01-02T03:04:05Z\",\"link\":\"https://tea.example\"}", "");
	judge_pot("{\"id\":\"x\",\"at\":\"today\",\"link\":\"tea\"}",
	    "/id: must be a snowflake; /at: must be an ISO 8601 time; /link: must be a URL");
	judge_pot(
	    "{\"id\":12,\"at\":\"2026-01-02T\"}", "/id: must be a snowflake; /at: must be an ISO 8601 time");
	judge_pot("{\"id\":\"12\",\"at\":null}", "/at: must be an ISO 8601 time");
	judge_pot("[]", ": must be a Pot");
}

static void fill(const char *json, const char *then)
{
	struct spec *s = read_sample();
	struct json_object *o = json_parse_object(json, strlen(json), NULL);
	char *text;

	spec_fill(spec_type(s, "Tray"), o);
	text = json_text(o);
	assert_string_equal(text, then);
	free(text);
	json_object_put(o);
	spec_free(s);
}

static void what_must_be_there_is_filled_in(void **state)
{
	(void)state;
	fill("{}",
	    "{\"size\":2,\"full\":false,\"of\":null,\"pots\":[],\"first\":{\"id\":\"0\"},\"kind\":"
	    "\"round\"}");
	/* In what is there, too: the type tells which object it is. */
	fill("{\"size\":3,\"full\":true,\"of\":\"x\",\"kind\":\"round\",\"first\":{\"id\":\"7\"},\"milk\":{"
	     "\"type\":7},\"pots\":[{}]}",
	    "{\"size\":3,\"full\":true,\"of\":\"x\",\"kind\":\"round\",\"first\":{\"id\":\"7\"},"
	    "\"milk\":{\"type\":7,\"fat\":0},\"pots\":[{\"id\":\"0\"}]}");
}

static void a_record_has_the_members_of_the_object_that_it_is_like(void **state)
{
	struct spec *s = read_sample();
	const struct spec_record *big = spec_type(s, "BigPot"), *wash = spec_method(s, "wash");

	(void)state;
	assert_int_equal(big->count, 4);
	assert_int_equal(spec_member(big, "link")->type->kind, SPEC_STRING); /* its own goes before */
	assert_int_equal(spec_member(big, "id")->flags, SPEC_REQUIRED);
	assert_string_equal(big->members[0].name, "id"); /* by name: before its own */
	assert_int_equal(wash->count, 7);
	assert_int_equal(spec_member(wash, "full")->type->kind, SPEC_TRUE);
	spec_free(s);
}

static void the_tables_in_the_tree_are_whole(void **state)
{
	static const char *const platforms[] = {"discord", "slack", "telegram"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(platforms); i++) {
		size_t count;

		spec_methods(spec_of(platforms[i]), &count);
		assert_true(count > 80);
		assert_ptr_equal(spec_of(platforms[i]), spec_of(platforms[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_table_says_what_its_methods_take),
	    cmocka_unit_test(mistakes_in_a_table_name_their_line),
	    cmocka_unit_test(values_are_judged_by_their_types),
	    cmocka_unit_test(a_null_is_kept_where_the_type_has_it),
	    cmocka_unit_test(an_object_is_told_by_its_type),
	    cmocka_unit_test(limits_are_judged_where_the_rules_say_so),
	    cmocka_unit_test(texts_stand_for_numbers_where_the_rules_say_so),
	    cmocka_unit_test(answers_are_judged_strictly),
	    cmocka_unit_test(what_must_be_there_is_filled_in),
	    cmocka_unit_test(a_record_has_the_members_of_the_object_that_it_is_like),
	    cmocka_unit_test(the_tables_in_the_tree_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
