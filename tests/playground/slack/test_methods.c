#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <glob.h>

#include "config.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/world/file.h"
#include "playground/slack/http/method.h"

/* What the platform documents of each method: in $MYNA_SPECS, else in a folder beside the source tree. */
static char *specs_file(const char *method)
{
	const char *dir = getenv("MYNA_SPECS");
	char *pattern = dir ?
	    xasprintf("%s/slack/*/methods/%s.json", dir, method) :
	    xasprintf("%s/../*/reference/specs/slack/*/methods/%s.json", SOURCE_DIR, method);
	char *file = NULL;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0)
		file = xstrdup(found.gl_pathv[0]);
	globfree(&found);
	free(pattern);
	return file;
}

static struct json_object *load_spec(const char *method)
{
	char *file = specs_file(method);
	struct buf text = BUF_INIT;
	struct json_object *o;

	if (!file)
		return NULL;
	assert_int_equal(file_read(file, &text, NULL), 0);
	o = json_parse_object(text.data, text.len, NULL);
	assert_non_null(o);
	buf_clear(&text);
	free(file);
	return o;
}

static const struct slk_param *find_param(const struct slk_method *m, const char *name)
{
	for (size_t i = 0; i < m->param_count; i++)
		if (strcmp(m->params[i].name, name) == 0)
			return &m->params[i];
	return NULL;
}

/* The documentation is of two minds about these: chunks stand in for the text, and prompts are an array. */
static bool is_exception(const char *method, const char *param)
{
	return strcmp(method, "chat.appendStream") == 0 && strcmp(param, "markdown_text") == 0;
}

static void compare_param(const struct slk_method *m, const struct slk_param *p, struct json_object *theirs)
{
	static const char *const names[] = {[SLK_STRING] = "string",
	    [SLK_BOOL] = "boolean",
	    [SLK_INT] = "integer",
	    [SLK_ARRAY] = "array",
	    [SLK_OBJECT] = "object"};
	const char *type = json_get_str(theirs, "type");

	if (json_get_bool(theirs, "required", false) != ((p->flags & SLK_REQUIRED) != 0) &&
	    !is_exception(m->name, p->name))
		fail_msg("%s: %s differs in being required", m->name, p->name);
	if (type && strcmp(type, "number") == 0)
		type = "integer";
	/* blocks of files.completeUploadExternal are JSON in a string. */
	if (type && strcmp(type, names[p->type]) != 0 &&
	    !(p->type == SLK_ARRAY && strcmp(type, "string") == 0))
		fail_msg("%s: %s differs in type, the platform has %s", m->name, p->name, type);
}

static void compare_tier(const struct slk_method *m, struct json_object *spec)
{
	const char *label = json_get_str(json_get_object(spec, "rate_limit"), "label");
	unsigned tier = label && strncmp(label, "Tier ", 5) == 0 ? (unsigned)(label[5] - '0') : 0;

	if (tier != 0 ? m->tier != (enum slk_tier)(SLK_TIER_1 + tier - 1) : m->tier != SLK_TIER_SPECIAL)
		fail_msg("%s: the platform has %s", m->name, label);
}

static bool has_scope(struct json_object *spec, const char *scope)
{
	struct json_object *list = json_get_array(json_get_object(spec, "scopes"), "bot");

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		if (strcmp(json_get_str(json_object_array_get_idx(list, i), "name"), scope) == 0)
			return true;
	return false;
}

static void methods_have_the_parameters_tiers_and_scopes_of_the_documentation(void **state)
{
	(void)state;
	for (size_t i = 0; slk_methods[i]; i++) {
		const struct slk_method *m = slk_methods[i];
		struct json_object *spec = load_spec(m->name), *args;

		if (!spec)
			skip();
		args = json_get_object(spec, "args");
		if ((size_t)json_object_object_length(args) != m->param_count)
			fail_msg("%s: %zu parameters, the platform has %d", m->name, m->param_count,
			    json_object_object_length(args));
		for (size_t j = 0; j < m->param_count; j++) {
			if (!json_get(args, m->params[j].name))
				fail_msg("%s: the platform has no parameter %s", m->name, m->params[j].name);
			compare_param(m, &m->params[j], json_get_object(args, m->params[j].name));
		}
		compare_tier(m, spec);
		if (m->scope && !has_scope(spec, m->scope))
			fail_msg("%s: the platform does not want %s", m->name, m->scope);
		json_object_put(spec);
	}
}

static void every_method_of_the_documentation_is_known(void **state)
{
	char *any = specs_file("*");
	glob_t found;
	char *dir;

	(void)state;
	if (!any)
		skip();
	*strrchr(any, '/') = '\0';
	dir = xasprintf("%s/*.json", any);
	assert_int_equal(glob(dir, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *name = xstrdup(strrchr(found.gl_pathv[i], '/') + 1);

		name[strlen(name) - strlen(".json")] = '\0';
		if (!slk_method_is_known(name))
			fail_msg("%s is not known", name);
		free(name);
	}
	globfree(&found);
	free(dir);
	free(any);
	assert_false(slk_method_is_known("chat.unheardOf"));
}

static void the_table_is_in_order_and_rows_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; slk_methods[i]; i++) {
		const struct slk_method *m = slk_methods[i];

		assert_non_null(m->run);
		assert_ptr_equal(slk_method_find(m->name), m);
		if (i > 0 && strcmp(slk_methods[i - 1]->name, m->name) >= 0)
			fail_msg("%s stands after %s", m->name, slk_methods[i - 1]->name);
		for (size_t j = 0; j < m->param_count; j++)
			assert_ptr_equal(find_param(m, m->params[j].name), &m->params[j]);
	}
	assert_null(slk_method_find("views.open"));
	assert_true(slk_method_is_known("views.open"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(methods_have_the_parameters_tiers_and_scopes_of_the_documentation),
	    cmocka_unit_test(every_method_of_the_documentation_is_known),
	    cmocka_unit_test(the_table_is_in_order_and_rows_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
