/* The tools of requests, whose texts are kept from one request to the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "llm/formats/tool_list.h"
#include "llm/tokens.h"

static int written; /* tools */

static void write_one(struct buf *out, const struct llm_tool *tool, bool last)
{
	written++;
	buf_addf(out, "<%s|%s|%s%s>", tool->name, tool->summary, tool->schema, last ? "|last" : "");
}

static void write_other(struct buf *out, const struct llm_tool *tool, bool last)
{
	(void)last;
	written++;
	buf_addf(out, "(%s)", tool->name);
}

static struct llm_tool counted(const char *name, const char *summary, const char *schema)
{
	struct llm_tool tool = {.name = name, .summary = summary, .schema = schema};

	llm_tool_count(&tool);
	return tool;
}

static void assert_list(const struct llm_tool *tools, size_t count, tool_list_fn *write, const char *want)
{
	const struct llm_request req = {.tools = tools, .tool_count = count};
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{");
	tool_list_add(&out, &req, write);
	assert_string_equal(out.data, want);
	buf_clear(&out);
}

static void no_tools_are_no_member(void **state)
{
	(void)state;
	assert_list(NULL, 0, write_one, "{");
}

static void a_list_is_written_once(void **state)
{
	const struct llm_tool tools[] = {counted("a", "b", "c"), counted("d", "e", "f")};

	(void)state;
	written = 0;
	assert_list(tools, 2, write_one, "{,\"tools\":[<a|b|c>,<d|e|f|last>]");
	assert_int_equal(written, 2);
	assert_list(tools, 2, write_one, "{,\"tools\":[<a|b|c>,<d|e|f|last>]");
	assert_int_equal(written, 2);
}

static void another_format_and_another_list_are_others(void **state)
{
	const struct llm_tool tools[] = {counted("a", "bc", ""), counted("d", "", "e")},
			      moved[] = {counted("ab", "c", ""), counted("", "d", "e")};

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_list(tools, 2, write_one, "{,\"tools\":[<a|bc|>,<d||e|last>]");
		assert_list(tools, 2, write_other, "{,\"tools\":[(a),(d)]");
		assert_list(tools, 1, write_one, "{,\"tools\":[<a|bc||last>]");
		assert_list(moved, 2, write_one, "{,\"tools\":[<ab|c|>,<|d|e|last>]");
	}
}

/* A source that is scanned again may have its new texts where the old ones were. */
static void a_text_that_changes_in_its_place_is_seen(void **state)
{
	char text[] = "old";

	(void)state;
	for (int i = 0; i < 2; i++) {
		memcpy(text, i == 0 ? "old" : "new", 3);
		const struct llm_tool tool = counted("n", text, "{}");
		char *want = xasprintf("{,\"tools\":[<n|%s|{}|last>]", text);

		assert_list(&tool, 1, write_one, want);
		free(want);
	}
}

static void a_list_with_a_tool_without_id_is_not_kept(void **state)
{
	struct llm_tool tools[] = {counted("a", "b", "c"), {.name = "d", .summary = "e", .schema = "f"}};

	(void)state;
	assert_list(tools, 2, write_one, "{,\"tools\":[<a|b|c>,<d|e|f|last>]");
	tools[1].summary = "changed";
	assert_list(tools, 2, write_one, "{,\"tools\":[<a|b|c>,<d|changed|f|last>]");
}

static void more_lists_than_are_kept_are_right(void **state)
{
	(void)state;
	for (int i = 0; i < 90; i++) {
		char *name = xasprintf("tool%d", i % 30),
		     *want = xasprintf("{,\"tools\":[<%s|s|{}|last>]", name);
		const struct llm_tool tool = counted(name, "s", "{}");

		assert_list(&tool, 1, write_one, want);
		assert_list(&tool, 1, write_one, want);
		free(name);
		free(want);
	}
}

static void a_long_list_is_not_kept(void **state)
{
	size_t len = 300 * 1024;
	char *schema = xcalloc(1, len + 1), *want;
	struct llm_tool tool;

	(void)state;
	memset(schema, 'x', len);
	tool = counted("a", "b", schema);
	want = xasprintf("{,\"tools\":[<a|b|%s|last>]", schema);
	written = 0;
	assert_list(&tool, 1, write_one, want);
	assert_list(&tool, 1, write_one, want);
	assert_int_equal(written, 2);
	free(schema);
	free(want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_tools_are_no_member),
	    cmocka_unit_test(a_list_is_written_once),
	    cmocka_unit_test(another_format_and_another_list_are_others),
	    cmocka_unit_test(a_text_that_changes_in_its_place_is_seen),
	    cmocka_unit_test(a_list_with_a_tool_without_id_is_not_kept),
	    cmocka_unit_test(more_lists_than_are_kept_are_right),
	    cmocka_unit_test(a_long_list_is_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
