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
#include "playground/flow/step.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/methods/reactions.h"
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

static enum param_type type_of(const char *spec)
{
	static const struct {
		const char *spec;
		enum param_type type;
	} types[] = {
	    {"F", PARAM_FILE},
	    {"F | string", PARAM_MEDIA},
	    {"LanguageCode", PARAM_STRING},
	    {"ParseMode", PARAM_STRING},
	    {"boolean", PARAM_BOOL},
	    {"number", PARAM_INT},
	    {"number | string", PARAM_CHAT},
	    {"string", PARAM_STRING},
	};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].spec, spec) == 0)
			return types[i].type;
	if (strncmp(spec, "0x", 2) == 0) /* one of some numbers */
		return PARAM_INT;
	return spec[0] == '"' ? PARAM_STRING : PARAM_JSON;
}

static void compare(const struct method *m, struct json_object *spec)
{
	struct json_object *params = json_get_object(spec, "params");

	if ((size_t)json_object_object_length(params) != m->param_count + m->shared_count)
		fail_msg("%s: %zu parameters, the platform has %d", m->name, m->param_count + m->shared_count,
		    json_object_object_length(params));
	for (size_t i = 0; i < m->param_count + m->shared_count; i++) {
		const struct param *p = i < m->param_count ? &m->params[i] : &m->shared[i - m->param_count];
		struct json_object *theirs = json_get_object(params, p->name);

		if (!theirs)
			fail_msg("%s: the platform has no parameter %s", m->name, p->name);
		if (json_get_bool(theirs, "required", false) != ((p->flags & PARAM_REQUIRED) != 0))
			fail_msg("%s: %s differs in being required", m->name, p->name);
		/* The table has one word for whole and other numbers. */
		if (type_of(json_get_str(theirs, "type")) != (p->type == PARAM_FLOAT ? PARAM_INT : p->type))
			fail_msg("%s: %s differs in type, the platform has %s", m->name, p->name,
			    json_get_str(theirs, "type"));
	}
}

static void simulated_methods_have_the_parameters_of_bot_api_10_3(void **state)
{
	struct json_object *specs = load_specs("telegram-methods-10.3.json");

	(void)state;
	for (size_t i = 0; methods[i]; i++) {
		struct json_object *spec =
		    json_get_object(json_get_object(specs, "methods"), methods[i]->name);

		if (!spec)
			fail_msg("the platform has no method %s", methods[i]->name);
		compare(methods[i], spec);
	}
	json_object_put(specs);
}

static void every_method_of_bot_api_10_3_is_known(void **state)
{
	struct json_object *specs = load_specs("telegram-methods-10.3.json");

	(void)state;
	json_object_object_foreach(json_get_object(specs, "methods"), name, spec) {
		(void)spec;
		if (!method_is_known(name))
			fail_msg("%s is not known", name);
	}
	assert_false(method_is_known("sendMessages"));
	json_object_put(specs);
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
	assert_int_equal(update_read_allowed(kinds, &set, NULL), 0);
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

/* docs/playground.md names each step of a flow, playground-reference.md each method and action of people. */
static void the_pages_name_everything_that_is_simulated(void **state)
{
	struct buf page = BUF_INIT;

	(void)state;
	assert_int_equal(file_read(SOURCE_DIR "/docs/playground-reference.md", &page, NULL), 0);
	for (size_t i = 0; methods[i]; i++) {
		char *name = xasprintf("`%s`", methods[i]->name);

		if (!strstr(page.data, name))
			fail_msg("%s is missing on the page", methods[i]->name);
		free(name);
	}
	for (const struct platform_action *d = telegram_platform.people_actions; d->name; d++) {
		char *name = xasprintf("`POST %s`", d->name);

		if (!strstr(page.data, name))
			fail_msg("%s is missing on the page", d->name);
		free(name);
	}
	buf_clear(&page);
	assert_int_equal(file_read(SOURCE_DIR "/docs/playground.md", &page, NULL), 0);
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
	(void)state;
	assert_ptr_equal(method_find("SENDMESSAGE"), method_find("sendMessage"));
	assert_non_null(method_find("getme"));
	assert_null(method_find("sendDice"));
	assert_true(method_is_known("senddice"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(simulated_methods_have_the_parameters_of_bot_api_10_3),
	    cmocka_unit_test(every_method_of_bot_api_10_3_is_known),
	    cmocka_unit_test(every_kind_of_update_is_known),
	    cmocka_unit_test(every_reaction_is_known),
	    cmocka_unit_test(a_reaction_is_one_whole_emoji),
	    cmocka_unit_test(the_pages_name_everything_that_is_simulated),
	    cmocka_unit_test(methods_are_found_in_any_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
