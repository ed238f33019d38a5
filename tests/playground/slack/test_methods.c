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
#include "playground/spec/spec.h"

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

static void compare_param(const struct spec_record *m, const char *name, struct json_object *theirs)
{
	static const struct {
		const char *name;
		enum spec_kind kind;
	} kinds[] = {{"array", SPEC_LIST}, {"boolean", SPEC_BOOL}, {"integer", SPEC_INT},
	    {"number", SPEC_INT}, {"string", SPEC_STRING}};
	const struct spec_member *p = spec_member(m, name);
	const char *type = json_get_str(theirs, "type");

	if (!p)
		fail_msg("%s has no argument %s", m->name, name);
	if (p->flags & SPEC_DIFFERS)
		return;
	if (json_get_bool(theirs, "required", false) != ((p->flags & SPEC_REQUIRED) != 0))
		fail_msg("%s: %s differs in being required", m->name, name);
	for (size_t i = 0; type && i < ARRAY_LEN(kinds); i++)
		/* JSON in a string is what it is. */
		if (strcmp(kinds[i].name, type) == 0 && kinds[i].kind != p->type->kind &&
		    !(kinds[i].kind == SPEC_STRING && p->type->kind != SPEC_BOOL))
			fail_msg("%s: %s differs in type, the platform has %s", m->name, name, type);
}

static bool has_scopes(const struct spec_record *m, struct json_object *spec)
{
	struct json_object *list = json_get_array(json_get_object(spec, "scopes"), "bot");
	const char *scopes = spec_value(m, "scopes"), *scope = spec_value(m, "scope");
	bool found = !scope;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		const char *name = json_get_str(json_object_array_get_idx(list, i), "name");

		if (!scopes || !strstr(scopes, name))
			return false;
		found = found || strcmp(scope, name) == 0;
	}
	return found && (list != NULL) == (scopes != NULL) &&
	    spec_has(m, "user_token") == (!list && json_get_array(json_get_object(spec, "scopes"), "user"));
}

/* Without those that the documentation at hand does not have yet. */
static size_t documented(const struct spec_record *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++)
		n += !(m->members[i].flags & SPEC_EXTRA);
	return n;
}

static void compare(const struct spec_record *m, struct json_object *spec)
{
	struct json_object *args = json_get_object(spec, "args");
	const char *label = json_get_str(json_get_object(spec, "rate_limit"), "label"),
		   *tier = spec_value(m, "tier");

	/* Some have words of their own. */
	if (label && (strncmp(label, "Tier ", 5) == 0 || strncmp(label, "Special", 7) == 0) &&
	    (!tier || (strncmp(label, "Tier ", 5) == 0 ? tier[0] != label[5] : strcmp(tier, "special") != 0)))
		fail_msg("%s: the platform has %s", m->name, label);
	if (!has_scopes(m, spec))
		fail_msg("%s differs in its scopes", m->name);
	if (!spec_has(m, "simulated"))
		return;
	json_object_object_foreach(args, name, theirs) {
		compare_param(m, name, theirs);
	}
	if (documented(m) != (size_t)json_object_object_length(args))
		fail_msg("%s has %zu arguments, the platform has %d", m->name, documented(m),
		    json_object_object_length(args));
	json_object_object_foreach(json_get_object(spec, "errors"), error, text) {
		(void)text;
		if (!spec_has_error(m, error) && !strpbrk(error, "\\<"))
			fail_msg("%s does not know the error %s", m->name, error);
	}
}

static void methods_have_the_arguments_tiers_scopes_and_errors_of_the_documentation(void **state)
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
		const struct spec_record *m;
		struct json_object *spec;

		name[strlen(name) - strlen(".json")] = '\0';
		m = spec_method(spec_of("slack"), name);
		if (!m || strcmp(m->name, name) != 0)
			fail_msg("%s is not known", name);
		spec = load_spec(name);
		compare(m, spec);
		json_object_put(spec);
		free(name);
	}
	/* The table has some that are newer, too. */
	assert_true(found.gl_pathc > 80);
	globfree(&found);
	free(dir);
	free(any);
}

static void the_table_says_what_is_simulated(void **state)
{
	const struct spec_record *const *all;
	size_t count, simulated = 0;

	(void)state;
	all = spec_methods(spec_of("slack"), &count);
	for (size_t i = 0; i < count; i++) {
		if (spec_has(all[i], "simulated") != (slk_method_find(all[i]) != NULL))
			fail_msg("%s is simulated, or is not, other than its row says", all[i]->name);
		simulated += spec_has(all[i], "simulated");
	}
	for (const struct slk_method *m = slk_methods; m->name; m++) {
		assert_non_null(spec_method(spec_of("slack"), m->name));
		assert_true(m == slk_methods || strcmp(m[-1].name, m->name) < 0);
	}
	assert_true(simulated >= 96);
	assert_null(slk_method_find(spec_method(spec_of("slack"), "conversations.inviteShared")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(methods_have_the_arguments_tiers_scopes_and_errors_of_the_documentation),
	    cmocka_unit_test(the_table_says_what_is_simulated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
