#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/source.h"
#include "tools/tools_internal.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	return 0;
}

static void the_page_is_what_the_rows_say(void **state)
{
	struct buf page = BUF_INIT, kept = BUF_INIT;
	char chunk[4096];
	FILE *in = fopen(SOURCE_DIR "/docs/tools.md", "r");
	size_t n;

	(void)state;
	assert_non_null(in);
	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_add(&kept, chunk, n);
	fclose(in);
	tools_document(w.tools, &page);
	if (strcmp(page.data, kept.data) != 0)
		fail_msg("docs/tools.md is out of date: myna tool list --markdown >docs/tools.md");
	buf_clear(&page);
	buf_clear(&kept);
}

static void expect_on_page(const struct buf *page, const char *format, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), format, name);
	if (!strstr(page->data, text))
		fail_msg("%s is not on the page", text);
}

static void every_name_is_on_the_page(void **state)
{
	struct buf page = BUF_INIT;

	(void)state;
	tools_document(w.tools, &page);
	for (size_t i = 0; builtin_tools[i]; i++) {
		const struct tool *tool = builtin_tools[i];
		expect_on_page(&page, "\n## `%s`\n", tool->name);
		for (const char *const *alias = tool->aliases; alias && *alias; alias++)
			expect_on_page(&page, "`%s`", *alias);
		for (const struct tool_alias *a = tool->param_aliases; a && a->alias; a++)
			expect_on_page(&page, ", `%s`", a->alias);
		json_object_object_foreach(
		    json_get_object(tools_schema(w.tools, tool), "properties"), name, property) {
			(void)property;
			expect_on_page(&page, "\n| `%s`", name);
		}
	}
	buf_clear(&page);
}

static void every_code_of_a_tool_is_explained(void **state)
{
	struct buf page = BUF_INIT;

	(void)state;
	tools_document(w.tools, &page);
	for (size_t i = 0; builtin_tools[i]; i++) {
		char *errors = xstrdup(builtin_tools[i]->errors), *rest = errors, *code;
		while ((code = strsep(&rest, ", ")))
			if (*code)
				expect_on_page(&page, "\n| `%s` |", code);
		free(errors);
	}
	buf_clear(&page);
}

static struct json_object *named(struct json_object *list, const char *name)
{
	size_t i = 0;

	while (strcmp(json_get_str(json_object_array_get_idx(list, i), "name"), name) != 0)
		i++;
	return json_object_array_get_idx(list, i);
}

static void the_list_for_programs_has_every_tool(void **state)
{
	struct json_object *listing = tools_listing(w.tools), *list = json_get_array(listing, "tools");

	(void)state;
	assert_non_null(list);
	for (size_t i = 0; builtin_tools[i]; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		assert_str(o, "name", builtin_tools[i]->name);
		assert_str(json_get_object(o, "parameters"), "type", "object");
	}
	struct json_object *edit = named(list, "edit_file");
	assert_json(json_get(edit, "aliases"), "[\"edit\", \"file_edit\"]");
	assert_json(json_get(edit, "flags"), "[\"writes\"]");
	assert_str(json_get_object(edit, "parameter_aliases"), "old_string", "old_text");
	json_object_put(listing);
}

#define DOCUMENT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    DOCUMENT_TEST(the_page_is_what_the_rows_say),
	    DOCUMENT_TEST(every_name_is_on_the_page),
	    DOCUMENT_TEST(every_code_of_a_tool_is_explained),
	    DOCUMENT_TEST(the_list_for_programs_has_every_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
