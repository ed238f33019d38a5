#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/files/glob_pattern.h"

/* What a path below the pattern's start is. */
static unsigned fit(const struct glob_pattern *p, const char *path)
{
	struct glob_pattern_state at, next;
	unsigned found = GLOB_PATTERN_ENTER;
	char name[256];

	glob_pattern_begin(p, &at);
	for (size_t len; *path && (found & GLOB_PATTERN_ENTER); path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		found = glob_pattern_step(p, &at, name, &next);
		at = next;
		if (path[len] == '\0')
			return found;
	}
	return 0;
}

static void a_path_fits_as_the_signs_say(void **state)
{
	static const struct {
		const char *pattern, *path;
		unsigned fit;
	} cases[] = {
	    {"*.c", "a.c", GLOB_PATTERN_FILE},
	    {"*.c", "a.h", 0},
	    {"*.c", ".c", 0},
	    {".*", ".c", GLOB_PATTERN_FILE},
	    {"\\.*", ".c", GLOB_PATTERN_FILE},
	    {"[.]c", ".c", 0},
	    {"?.c", "\xc3\xa9.c", GLOB_PATTERN_FILE},
	    {"?.c", "\xff.c", GLOB_PATTERN_FILE},
	    {"??.c", "\xc3\xa9.c", 0},
	    {"[a-c]x", "bx", GLOB_PATTERN_FILE},
	    {"[a-c]x", "dx", 0},
	    {"[!a-c]x", "dx", GLOB_PATTERN_FILE},
	    {"[^a-c]x", "ax", 0},
	    {"[]x]", "]", GLOB_PATTERN_FILE},
	    {"[a-]", "-", GLOB_PATTERN_FILE},
	    {"[\\]]", "]", GLOB_PATTERN_FILE},
	    {"[\xc3\xa0-\xc3\xa9]", "\xc3\xa5", GLOB_PATTERN_FILE},
	    {"\\*", "*", GLOB_PATTERN_FILE},
	    {"\\*", "a", 0},
	    {"a**b", "axxb", GLOB_PATTERN_FILE},
	    {"**/*.c", "a.c", GLOB_PATTERN_FILE},
	    {"**/*.c", "x/y/a.c", GLOB_PATTERN_FILE},
	    {"**/*.c", ".x/a.c", 0},
	    {"**/.x/*.c", "y/.x/a.c", GLOB_PATTERN_FILE},
	    {"*/**/z", "a/z", GLOB_PATTERN_FILE},
	    {"*/**/z", "a/b/c/z", GLOB_PATTERN_FILE},
	    {"*/**/z", "z", 0},
	    {"?/**", "a/b/c", GLOB_PATTERN_FILE},
	    {"**", "a", GLOB_PATTERN_FILE},
	    {"**/", "a", GLOB_PATTERN_FOLDER},
	    {"*/", "a", GLOB_PATTERN_FOLDER},
	    {"?*/b", "a", GLOB_PATTERN_ENTER},
	    {"{a,b}.c", "b.c", GLOB_PATTERN_FILE},
	    {"{a,b}.c", "c.c", 0},
	    {"{a,b/c}/d", "b/c/d", GLOB_PATTERN_FILE},
	    {"x{,y}", "x", GLOB_PATTERN_FILE},
	    {"{a,b{c,d}}{1,2}", "bd2", GLOB_PATTERN_FILE},
	    {"{a,b{c,d}}{1,2}", "b2", 0},
	    {"\\{a,b}", "{a,b}", GLOB_PATTERN_FILE},
	    {"[{]a", "{a", GLOB_PATTERN_FILE},
	    {"a}", "a}", GLOB_PATTERN_FILE},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf problem = BUF_INIT;
		struct glob_pattern *p = glob_pattern_new(cases[i].pattern, false, &problem);
		assert_string_equal(problem.data, "");
		unsigned found = fit(p, cases[i].path),
			 shown = cases[i].fit == GLOB_PATTERN_ENTER ? ~0u : ~(unsigned)GLOB_PATTERN_ENTER;
		if ((found & shown) != cases[i].fit)
			fail_msg("%s against %s: %u", cases[i].pattern, cases[i].path, found);
		glob_pattern_free(p);
		buf_clear(&problem);
	}
}

static void folders_without_wildcards_are_where_it_starts(void **state)
{
	static const struct {
		const char *pattern, *start;
	} cases[] = {{"*.c", ""}, {"a.c", ""}, {"src/a.c", "src"}, {"src/a/*.c", "src/a"},
	    {"src//a//*.c", "src//a"}, {"/tmp/*.c", "/tmp"}, {"/*.c", "/"}, {"../*", ".."}, {"src/", ""},
	    {"a/b/", "a"}, {"a/{b/c,d}/e", "a"}, {"a\\b/c", ""}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf problem = BUF_INIT;
		struct glob_pattern *p = glob_pattern_new(cases[i].pattern, false, &problem);
		assert_non_null(p);
		assert_string_equal(glob_pattern_start(p), cases[i].start);
		glob_pattern_free(p);
	}
}

static void a_name_is_looked_for_in_any_folder_only_when_asked(void **state)
{
	struct buf problem = BUF_INIT;
	struct glob_pattern *deep = glob_pattern_new("*.c", true, &problem),
			    *here = glob_pattern_new("?/*.c", true, &problem);

	(void)state;
	assert_true(fit(deep, "x/y/a.c") & GLOB_PATTERN_FILE);
	assert_true(fit(deep, "a.c") & GLOB_PATTERN_FILE);
	assert_int_equal(fit(here, "x/y/a.c"), 0);
	assert_int_equal(fit(here, "x/a.c"), GLOB_PATTERN_FILE);
	glob_pattern_free(deep);
	glob_pattern_free(here);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
	static const struct {
		const char *pattern, *says;
	} cases[] = {
	    {"[abc", "Invalid glob pattern: unclosed [ at 1. Close it or escape it."},
	    {"\xc3\xa9*[abc", "Invalid glob pattern: unclosed [ at 3. Close it or escape it."},
	    {"[a/b]", "Invalid glob pattern: unclosed [ at 1. Close it or escape it."},
	    {"a{b,c", "Invalid glob pattern: unclosed { at 2. Close it or escape it."},
	    {"{a,{b}", "Invalid glob pattern: unclosed { at 1. Close it or escape it."},
	    {"a\\", "Invalid glob pattern: nothing after the \\ at 2. Close it or escape it."},
	    {"{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,"
	     "2}",
		"Invalid glob pattern: its braces stand for more than 1024 parts. Search in several steps."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf problem = BUF_INIT;
		assert_null(glob_pattern_new(cases[i].pattern, false, &problem));
		assert_string_equal(problem.data, cases[i].says);
		buf_clear(&problem);
	}
}

/* Tried one after the other, what these stars can stand for would take longer than the sun lasts. */
static void many_stars_take_no_time(void **state)
{
	char part[256] = "", name[256];

	(void)state;
	for (int i = 0; i < 60; i++)
		memcpy(part + 2 * i, "*a", 3);
	memcpy(part + 120, "*b", 3);
	memset(name, 'a', 255);
	name[255] = '\0';
	clock_t began = clock();
	for (int i = 0; i < 100; i++)
		assert_false(glob_pattern_match_name(part, name));
	assert_true(clock() - began < 20 * CLOCKS_PER_SEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_fits_as_the_signs_say),
	    cmocka_unit_test(folders_without_wildcards_are_where_it_starts),
	    cmocka_unit_test(a_name_is_looked_for_in_any_folder_only_when_asked),
	    cmocka_unit_test(what_is_wrong_is_said_with_its_place),
	    cmocka_unit_test(many_stars_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
