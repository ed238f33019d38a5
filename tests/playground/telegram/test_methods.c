#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <glob.h>

#include "config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/world/file.h"
#include "playground/flow/run.h"
#include "playground/spec/spec.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/telegram.h"
#include "playground/telegram/world/update.h"

/* The machine-readable tables: in $MYNA_SPECS, else in a folder beside the source tree. */
static char *specs_file(const char *name)
{
	const char *dir = getenv("MYNA_SPECS");
	char *pattern = dir ? xasprintf("%s/telegram/%s", dir, name) :
			      xasprintf("%s/../*/reference/specs/telegram/%s", SOURCE_DIR, name);
	char *file = NULL;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0)
		file = xstrdup(found.gl_pathv[0]);
	globfree(&found);
	free(pattern);
	return file;
}

static struct json_object *load_specs(const char *name)
{
	char *file = specs_file(name);
	struct buf text = BUF_INIT;
	struct json_object *o;

	if (!file)
		skip();
	assert_int_equal(file_read(file, &text, NULL), 0);
	o = json_parse_object(text.data, text.len, NULL);
	assert_non_null(o);
	buf_clear(&text);
	free(file);
	return o;
}

/* What generate.py makes of a type, read by another rule here. */
static bool fits(const struct spec_type *t, const char *spec)
{
	static const struct {
		const char *spec;
		enum spec_kind kind;
	} kinds[] = {
	    {"F", SPEC_FILE},
	    {"F | string", SPEC_FILE},
	    {"LanguageCode", SPEC_STRING},
	    {"ParseMode", SPEC_STRING},
	    {"boolean", SPEC_BOOL},
	    {"number", SPEC_INT},
	    {"number | string", SPEC_INT},
	    {"string", SPEC_STRING},
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].spec, spec) != 0)
			continue;
		if (strstr(spec, "| string") && (!t->next || t->next->kind != SPEC_STRING))
			return false;
		/* It has one word for whole and other numbers, and for texts that have limits in bytes. */
		return t->kind == kinds[i].kind || (t->kind == SPEC_NUMBER && kinds[i].kind == SPEC_INT) ||
		    (t->kind == SPEC_BYTES && kinds[i].kind == SPEC_STRING);
	}
	if (strncmp(spec, "0x", 2) == 0 || spec[0] == '"' || strchr("0123456789", spec[0]) ||
	    strstr(spec, "| \""))
		return t->kind == SPEC_LITERAL;
	if (strstr(spec, "[]") || strncmp(spec, "ReadonlyArray<", 14) == 0 ||
	    strncmp(spec, "readonly ", 9) == 0)
		return t->kind == SPEC_LIST;
	return t->kind == SPEC_NAMED || t->kind == SPEC_MAP;
}

/* There is one description of 10.3, and a more careful one of 10.1: where they contradict each other, ours is
 * this. */
static bool is_contradicted(const char *method, const char *param)
{
	return strcmp(method, "editStory") == 0 && strcmp(param, "areas") == 0;
}

static void compare(const struct spec_record *m, struct json_object *spec)
{
	struct json_object *params = json_get_object(spec, "params");

	json_object_object_foreach(params, name, theirs) {
		const struct spec_member *p = spec_member(m, name);

		if (!p)
			fail_msg("%s has no parameter %s", m->name, name);
		if (p->flags & SPEC_DIFFERS)
			continue;
		if (json_get_bool(theirs, "required", false) != ((p->flags & SPEC_REQUIRED) != 0))
			fail_msg("%s: %s differs in being required", m->name, name);
		if (!is_contradicted(m->name, name) && !fits(p->type, json_get_str(theirs, "type")))
			fail_msg("%s: %s differs in type, the platform has %s", m->name, name,
			    json_get_str(theirs, "type"));
	}
	for (size_t i = 0; i < m->count; i++)
		if (!(m->members[i].flags & SPEC_EXTRA) != !!json_get(params, m->members[i].name))
			fail_msg("%s: %s is the platform's or extra", m->name, m->members[i].name);
}

static void methods_have_the_parameters_of_bot_api_10_3(void **state)
{
	struct json_object *specs = load_specs("telegram-methods-10.3.json"), *theirs;
	size_t count;

	(void)state;
	theirs = json_get_object(specs, "methods");
	spec_methods(spec_of("telegram"), &count);
	assert_int_equal(count, json_object_object_length(theirs));
	json_object_object_foreach(theirs, name, spec) {
		const struct spec_record *m = spec_method(spec_of("telegram"), name);

		if (!m || strcmp(m->name, name) != 0)
			fail_msg("%s is not known", name);
		compare(m, spec);
	}
	json_object_put(specs);
}

static void the_table_says_what_is_simulated(void **state)
{
	const struct spec_record *const *all;
	size_t count, simulated = 0;

	(void)state;
	all = spec_methods(spec_of("telegram"), &count);
	for (size_t i = 0; i < count; i++) {
		if (spec_has(all[i], "simulated") != (method_find(all[i]) != NULL))
			fail_msg("%s is simulated, or is not, other than its row says", all[i]->name);
		simulated += spec_has(all[i], "simulated");
	}
	for (const struct method *m = methods; m->name; m++)
		assert_non_null(spec_method(spec_of("telegram"), m->name));
	assert_true(simulated >= 110);
}

static void every_kind_of_update_is_known(void **state)
{
	struct json_object *specs = load_specs("telegram-bot-api-10.1.json"), *fields,
			   *kinds = json_object_new_array();
	uint64_t set;

	(void)state;
	fields = json_get_array(json_get_object(json_get_object(specs, "types"), "Update"), "fields");
	for (size_t i = 0; i < json_object_array_length(fields); i++) {
		const char *name = json_get_str(json_object_array_get_idx(fields, i), "name");

		if (strcmp(name, "update_id") != 0)
			json_object_array_add(kinds, json_object_new_string(name));
	}
	assert_null(update_read_allowed(kinds, &set));
	json_object_put(kinds);
	json_object_put(specs);
}

/* The list stands in a sentence: each emoji in quotes, after "one of". */
static void every_reaction_is_known(void **state)
{
	struct json_object *specs = load_specs("telegram-bot-api-10.1.json"), *fields, *field;
	const char *open = NULL, *at;
	size_t count = 0;

	(void)state;
	fields =
	    json_get_array(json_get_object(json_get_object(specs, "types"), "ReactionTypeEmoji"), "fields");
	for (size_t i = 0; i < json_object_array_length(fields); i++) {
		field = json_object_array_get_idx(fields, i);
		if (strcmp(json_get_str(field, "name"), "emoji") == 0)
			open = strstr(json_get_str(field, "description"), "one of");
	}
	assert_non_null(open);
	for (at = strchr(open, '"'); at; at = strchr(at + 1, '"')) {
		const char *end = strchr(at + 1, '"');
		char *emoji = xstrndup(at + 1, (size_t)(end - at - 1));

		if (!reaction_is_known(emoji))
			fail_msg("the reaction %s is not known", emoji);
		free(emoji);
		count++;
		at = end;
	}
	assert_true(count > 50);
	json_object_put(specs);
}

static void a_reaction_is_one_whole_emoji(void **state)
{
	(void)state;
	assert_true(reaction_is_known("👀"));
	assert_true(reaction_is_known("🤷"));
	assert_true(reaction_is_known("❤‍🔥"));
	assert_false(reaction_is_known("🦊"));
	assert_false(reaction_is_known("❤ 👍"));
	assert_false(reaction_is_known(""));
	assert_false(reaction_is_known("x"));
}

/* docs/playground-testing.md names each step of a flow, playground-reference.md each action of people. */
static void the_pages_name_everything_that_people_do(void **state)
{
	struct buf page = BUF_INIT;

	(void)state;
	assert_int_equal(file_read(SOURCE_DIR "/docs/playground-reference.md", &page, NULL), 0);
	for (const struct platform_action *d = telegram_platform.people_actions; d->name; d++) {
		char *name = xasprintf("`POST %s`", d->name);

		if (!strstr(page.data, name))
			fail_msg("%s is missing on the page", d->name);
		free(name);
	}
	buf_clear(&page);
	assert_int_equal(file_read(SOURCE_DIR "/docs/playground-testing.md", &page, NULL), 0);
	for (const struct flow_verb *v = flow_verbs; v->name; v++) {
		char *name = xasprintf("`%s%s", v->name, v->usage[0] != '\0' ? " " : "`");

		if (!strstr(page.data, name))
			fail_msg("the step %s is missing on the page", v->name);
		free(name);
	}
	buf_clear(&page);
}

static void methods_are_found_in_any_case(void **state)
{
	const struct spec *spec = spec_of("telegram");

	(void)state;
	assert_ptr_equal(spec_method(spec, "SENDMESSAGE"), spec_method(spec, "sendMessage"));
	assert_non_null(method_find(spec_method(spec, "getme")));
	assert_null(method_find(spec_method(spec, "poststory")));
	assert_null(spec_method(spec, "sendMessages"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(methods_have_the_parameters_of_bot_api_10_3),
	    cmocka_unit_test(the_table_says_what_is_simulated),
	    cmocka_unit_test(every_kind_of_update_is_known),
	    cmocka_unit_test(every_reaction_is_known),
	    cmocka_unit_test(a_reaction_is_one_whole_emoji),
	    cmocka_unit_test(the_pages_name_everything_that_people_do),
	    cmocka_unit_test(methods_are_found_in_any_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
