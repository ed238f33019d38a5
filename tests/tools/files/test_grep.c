#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "walk_time = \"1 h\";", NULL);
	return 0;
}

static int set_up_with_little_time(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "walk_time = \"100 ms\"; walk_cpu = \"1 h\";", NULL);
	return 0;
}

static int set_up_with_little_cpu(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "walk_time = \"1 h\"; walk_cpu = \"100 ms\";", NULL);
	return 0;
}

static void nothing(void) {}

static struct json_object *grep(const char *arguments)
{
	return tools_fixture_run_each(&w, "grep", arguments, nothing);
}

static void expect(const char *arguments, const char *result)
{
	struct json_object *o = grep(arguments);

	assert_json(o, result);
	json_object_put(o);
}

static void expect_none(const char *arguments)
{
	expect(arguments, "{\"matches\": [], \"count\": 0, \"total_found\": 0}");
}

static void lines_in_latin_1_are_found(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/latin", "caf\xe9 au lait\nna\xefve\n");
	expect("{\"pattern\": \"caf. au\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"latin\", \"count\": 1}], \"count\": 1, \"total_found\": 1}");
	expect("{\"pattern\": \"café\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"latin\", \"count\": 1}], \"count\": 1, \"total_found\": 1}");
	expect("{\"pattern\": \"^na\\\\wve$\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"latin\", \"count\": 1}], \"count\": 1, \"total_found\": 1}");
}

static void a_byte_order_mark_is_no_part_of_the_first_line(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/marked",
	    "\xef\xbb\xbf"
	    "first\nsecond\n");
	expect("{\"pattern\": \"^first\", \"output_mode\": \"content\"}",
	    "{\"matches\": [{\"file\": \"marked\", \"line\": 1, \"content\": \"first\"}], \"count\": 1, "
	    "\"total_found\": 1}");
}

/* A file of count lines, of which those that say what comes after "N:" for their number are set. */
static void put_lines(const char *path, int count, int at, const char *line)
{
	struct buf text = BUF_INIT;

	for (int i = 1; i <= count; i++)
		buf_addf(&text, "%s\n", i == at ? line : "");
	tools_fixture_put_text(&w, path, text.data);
	buf_clear(&text);
}

static void the_examples_hold(void **state)
{
	(void)state;
	put_lines("ws/src/main.rs", 12, 10, "fn main() {");
	tools_fixture_put_text(&w, "ws/src/main.py", "fn main() {\n");
	expect("{\"pattern\": \"fn\\\\s+\\\\w+\", \"type\": \"rs\", \"output_mode\": \"content\"}",
	    "{\"matches\": [{\"file\": \"src/main.rs\", \"line\": 10, \"content\": \"fn main() {\"}], "
	    "\"count\": 1, \"total_found\": 1}");
	tools_fixture_put_text(&w, "ws/src/lib.rs", "// TODO\n// TODO twice\nx.unwrap();\ny.unwrap();\n");
	tools_fixture_put_text(&w, "ws/src/tools/bash.rs", "TODO");
	tools_fixture_put_text(&w, "ws/src/other.rs", "unwrap()unwrap()\na.unwrap();\nunwrap\n");
	expect("{\"pattern\": \"TODO\", \"output_mode\": \"files_with_matches\"}",
	    "{\"matches\": [\"src/lib.rs\", \"src/tools/bash.rs\"], \"count\": 2, \"total_found\": 2}");
	expect("{\"pattern\": \"unwrap\\\\(\\\\)\", \"type\": \"rs\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"src/lib.rs\", \"count\": 2}, {\"file\": \"src/other.rs\", "
	    "\"count\": 2}], \"count\": 2, \"total_found\": 4}");
	put_lines("ws/src/main.c", 50, 42, "/* TODO */");
	put_lines("ws/src/util.c", 20, 15, "TODO");
	expect("{\"pattern\": \"TODO\", \"file_pattern\": \"*.c\", \"directory\": \"src\"}",
	    "{\"matches\": [{\"file\": \"src/main.c\", \"line\": 42, \"content\": \"/* TODO */\"}, "
	    "{\"file\": \"src/util.c\", \"line\": 15, \"content\": \"TODO\"}], \"count\": 2, "
	    "\"total_found\": 2}");
	char *error = tools_fixture_error(&w, "grep", "{\"pattern\": \"(\"}");
	assert_holds(error, "Invalid pattern: ");
	free(error);
	tools_fixture_refused(&w, "grep", "{\"pattern\": \"(\"}", "INVALID_ARGUMENT", "INVALID_PATTERN");
}

static void lines_around_a_match_come_with_it(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/log", "1\n2\n3 Error\n4\n5 error\n6\n7\n8\n");
	expect("{\"pattern\": \"error\", \"case_insensitive\": true, \"context\": 2}",
	    "{\"matches\": [{\"file\": \"log\", \"line\": 3, \"content\": \"3 Error\", \"before\": [\"1\", "
	    "\"2\"], \"after\": [\"4\", \"5 error\"]}, {\"file\": \"log\", \"line\": 5, \"content\": \"5 "
	    "error\", \"before\": [\"3 Error\", \"4\"], \"after\": [\"6\", \"7\"]}], \"count\": 2, "
	    "\"total_found\": 2}");
	expect("{\"pattern\": \"8|^1\", \"context\": 1, \"before_context\": 2}",
	    "{\"matches\": [{\"file\": \"log\", \"line\": 1, \"content\": \"1\", \"before\": [], \"after\": "
	    "[\"2\"]}, {\"file\": \"log\", \"line\": 8, \"content\": \"8\", \"before\": [\"6\", \"7\"], "
	    "\"after\": []}], \"count\": 2, \"total_found\": 2}");
	expect("{\"pattern\": \"5 error\", \"after_context\": 1}",
	    "{\"matches\": [{\"file\": \"log\", \"line\": 5, \"content\": \"5 error\", \"after\": [\"6\"]}], "
	    "\"count\": 1, \"total_found\": 1}");
	struct json_object *o = tools_fixture_run(&w, "grep", "{\"pattern\": \"1\", \"context\": 51}");
	assert_int(json_get_object(o, "clamped"), "context", 50);
	json_object_put(o);
}

static void a_pattern_sees_one_line_without_its_end(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a", "one\r\ntwo\nlast");
	tools_fixture_put_text(&w, "ws/empty", "");
	expect("{\"pattern\": \"e$\"}",
	    "{\"matches\": [{\"file\": \"a\", \"line\": 1, \"content\": \"one\"}], \"count\": 1, "
	    "\"total_found\": 1}");
	expect("{\"pattern\": \"^$|last\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"a\", \"count\": 1}], \"count\": 1, \"total_found\": 1}");
	expect_none("{\"pattern\": \"one\\\\s+two\"}");
	expect_none("{\"pattern\": \"one\\ntwo\"}");
	expect("{\"pattern\": \"(?!.*o)\", \"file_pattern\": \"a\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"a\", \"count\": 3}], \"count\": 1, \"total_found\": 3}");
}

static void letters_of_all_languages_are_letters(void **state)
{
	(void)state;
	tools_fixture_put_text(
	    &w, "ws/a", "caf\xc3\xa9\n\xd0\x9c\xd0\x98\xd0\xa0\nbad \xff\xfe caf\xc3\xa9\n");
	expect("{\"pattern\": \"^\\\\w{4}$\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"a\", \"count\": 1}], \"count\": 1, \"total_found\": 1}");
	expect("{\"pattern\": \"\xd0\xbc\xd0\xb8\xd1\x80\", \"case_insensitive\": true}",
	    "{\"matches\": [{\"file\": \"a\", \"line\": 2, \"content\": \"\xd0\x9c\xd0\x98\xd0\xa0\"}], "
	    "\"count\": 1, \"total_found\": 1}");
	expect("{\"pattern\": \"^bad .*caf\"}",
	    "{\"matches\": [{\"file\": \"a\", \"line\": 3, \"content\": \"bad \xef\xbf\xbd\xef\xbf\xbd "
	    "caf\xc3\xa9\"}], \"count\": 1, \"total_found\": 1}");
}

static void what_is_no_text_file_is_skipped(void **state)
{
	char *fifo = tools_fixture_path(&w, "ws/fifo"), *link_path = tools_fixture_path(&w, "ws/link"),
	     *closed;

	(void)state;
	tools_fixture_put(&w, "ws/binary", "x\0x", 3);
	tools_fixture_put_text(&w, "ws/.hidden", "x");
	tools_fixture_put_text(&w, "ws/.git/config", "x");
	tools_fixture_put_text(&w, "ws/.ssh/id_rsa", "x");
	tools_fixture_put_text(&w, "ws/.netrc", "x");
	tools_fixture_put_text(&w, "outside", "x");
	tools_fixture_put_text(&w, "ws/sub/text", "x");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("../outside", link_path), 0);
	expect("{\"pattern\": \"x\"}",
	    "{\"matches\": [{\"file\": \"sub/text\", \"line\": 1, \"content\": \"x\"}], \"count\": 1, "
	    "\"total_found\": 1, \"skipped\": 1}");
	expect("{\"pattern\": \"x\", \"file_pattern\": \".{hidden,netrc,ssh/*,git/*}\", \"output_mode\": "
	       "\"files_with_matches\"}",
	    "{\"matches\": [\".git/config\", \".hidden\"], \"count\": 2, \"total_found\": 2, \"skipped\": "
	    "2}");
	closed = tools_fixture_path(&w, "ws/sub/text");
	if (geteuid() != 0) {
		assert_int_equal(chmod(closed, 0), 0);
		expect("{\"pattern\": \"x\", \"directory\": \"sub\"}",
		    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"skipped\": 1}");
	}
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"x\", \"directory\": \".netrc\"}", "BLOCKED", "RULE");
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"x\", \"directory\": \"link\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"x\", \"directory\": \"/etc\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"x\", \"directory\": \"fifo\"}", "ACCESS_DENIED", "SPECIAL_FILE");
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"x\", \"directory\": \"no\"}", "NOT_FOUND", "FILE_NOT_FOUND");
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"x\", \"file_pattern\": \"../*\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	free(fifo);
	free(link_path);
	free(closed);
}

static void files_are_chosen_by_pattern_type_or_by_name(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.tsx", "import\n");
	tools_fixture_put_text(&w, "ws/src/components/b.tsx", "import\nimport\n");
	tools_fixture_put_text(&w, "ws/src/components/deep/c.tsx", "import\n");
	tools_fixture_put_text(&w, "ws/src/components/d.c", "import\n");
	expect("{\"pattern\": \"import\", \"directory\": \"src/components\", \"file_pattern\": \"*.tsx\", "
	       "\"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"src/components/b.tsx\", \"count\": 2}, {\"file\": "
	    "\"src/components/deep/c.tsx\", \"count\": 1}], \"count\": 2, \"total_found\": 3}");
	expect("{\"pattern\": \"import\", \"file_pattern\": \"src/*/*.tsx\", \"output_mode\": "
	       "\"files_with_matches\"}",
	    "{\"matches\": [\"src/components/b.tsx\"], \"count\": 1, \"total_found\": 1}");
	expect("{\"pattern\": \"import\", \"file_pattern\": \"\", \"type\": \"c\", \"output_mode\": "
	       "\"files_with_matches\"}",
	    "{\"matches\": [\"src/components/d.c\"], \"count\": 1, \"total_found\": 1}");
	expect("{\"pattern\": \"import\", \"directory\": \"a.tsx\", \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"a.tsx\", \"count\": 1}], \"count\": 1, \"total_found\": 1}");
	tools_fixture_refused(&w, "grep", "{\"pattern\": \"x\", \"file_pattern\": \"[a\"}",
	    "INVALID_ARGUMENT", "INVALID_PATTERN");
	char *error = tools_fixture_error(&w, "grep", "{\"pattern\": \"x\", \"type\": \"cobol\"}");
	assert_holds(error, "There is no type 'cobol'.");
	assert_holds(error, " go, ");
	free(error);
}

static void pages_count_entries(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a", "x1\nx2\nx3\n");
	tools_fixture_put_text(&w, "ws/b", "x4\n");
	expect("{\"pattern\": \"x\", \"offset\": 1, \"head_limit\": 2}",
	    "{\"matches\": [{\"file\": \"a\", \"line\": 2, \"content\": \"x2\"}, {\"file\": \"a\", \"line\": "
	    "3, \"content\": \"x3\"}], \"count\": 2, \"total_found\": 4, \"truncated\": true}");
	expect("{\"pattern\": \"x\", \"offset\": 1, \"output_mode\": \"count\"}",
	    "{\"matches\": [{\"file\": \"b\", \"count\": 1}], \"count\": 1, \"total_found\": 4}");
	expect("{\"pattern\": \"x\", \"head_limit\": 1, \"output_mode\": \"files_with_matches\"}",
	    "{\"matches\": [\"a\"], \"count\": 1, \"total_found\": 2, \"truncated\": true}");
	expect("{\"pattern\": \"x\", \"offset\": 9}", "{\"matches\": [], \"count\": 0, \"total_found\": 4}");
}

static void what_does_not_fit_is_counted_all_the_same(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_addf(&text, "line %d\n", i);
	tools_fixture_put_text(&w, "ws/a", text.data);
	struct json_object *o = grep("{\"pattern\": \"line\"}");
	assert_int(o, "total_found", 100000);
	assert_int(o, "count", (int64_t)json_object_array_length(json_get_array(o, "matches")));
	assert_true(json_get_int(o, "count", 0) > 500);
	assert_true(json_get_bool(o, "truncated", false));
	json_object_put(o);
	o = grep("{\"pattern\": \"line 9999[89]$\"}");
	assert_int(json_object_array_get_idx(json_get_array(o, "matches"), 1), "line", 100000);
	json_object_put(o);
	buf_clear(&text);
}

static void a_long_line_is_cut_with_a_mark_and_never_within_a_secret(void **state)
{
	static const char secret[] = "correct-horse-battery-staple";
	struct buf text = BUF_INIT;

	(void)state;
	secret_register(secret);
	for (int i = 0; i < 1990; i++)
		buf_addstr(&text, "\xc3\xa9");
	buf_addstr(&text, secret);
	for (int i = 0; i < 3 * 1024 * 1024; i++)
		buf_addch(&text, 'x');
	buf_addstr(&text, "far away\nnext\n");
	tools_fixture_put_text(&w, "ws/a", text.data);
	struct json_object *o = grep("{\"pattern\": \"x\"}"),
			   *first = json_object_array_get_idx(json_get_array(o, "matches"), 0);
	assert_int(o, "total_found", 2);
	assert_true(json_get_bool(first, "cut", false));
	assert_null(strstr(json_get_str(first, "content"), "correct"));
	assert_in_range(strlen(json_get_str(first, "content")), 2000, 4000);
	json_object_put(o);
	o = grep("{\"pattern\": \"next\"}");
	assert_int(json_object_array_get_idx(json_get_array(o, "matches"), 0), "line", 2);
	json_object_put(o);
	buf_clear(&text);
}

/* Patterns that take exponential or cubic time on these lines. */
static void no_pattern_holds_the_thread(void **state)
{
	static const char *const patterns[] = {"(a+)+$", "(a|a)*$", "(a*)*b", "(.*)*x$", "a*a*a*a*[bc]",
	    "(?:a?){40}a{40}c", "(?=(a+))\\\\1*\\\\1*c", "^(([a-z])+.)+[A-Z]([a-z])+$"};
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_addstr(&text, "a");
	buf_addstr(&text, "!\nplain\n");
	tools_fixture_put_text(&w, "ws/a", text.data);
	tools_fixture_put_text(&w, "ws/b", text.data + 19950);
	tools_fixture_put_text(&w, "ws/c", "ab\n");
	/* As machine code, and as where that may not be made. */
	for (size_t i = 0; i < 2 * ARRAY_LEN(patterns); i++) {
		const char *pattern = patterns[i / 2];
		char *args = xasprintf("{\"pattern\": \"%s%s\"}", i % 2 ? "(*NO_JIT)" : "", pattern);
		struct json_object *o = tools_fixture_run(&w, "grep", args);
		assert_null(json_get_str(o, "error_code"));
		if (json_get_int(o, "skipped", 0) > 0)
			assert_holds(json_get_str(o, "message"), "takes too long");
		json_object_put(o);
		free(args);
	}
	struct json_object *o = tools_fixture_run(&w, "grep", "{\"pattern\": \"(a+)+$\"}");
	assert_true(json_get_int(o, "skipped", 0) > 0);
	json_object_put(o);
	buf_clear(&text);
}

static void a_pattern_that_is_too_hard_everywhere_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < 120; i++) {
		char *path = xasprintf("ws/%d", i);
		tools_fixture_put_text(
		    &w, path, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n");
		free(path);
	}
	char *error = tools_fixture_error(&w, "grep", "{\"pattern\": \"(a+)+$\"}");
	assert_holds(error, "the pattern takes too long");
	free(error);
	tools_fixture_refused(&w, "grep", "{\"pattern\": \"(a+)+$\"}", "LIMIT_REACHED", "BUDGET");
}

static void put_many_a(void)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 1000000; i++)
		buf_addch(&text, 'a');
	tools_fixture_put_text(&w, "ws/a", text.data);
	buf_clear(&text);
}

static void a_search_that_runs_out_of_time_says_so(void **state)
{
	static const char late[] =
	    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": true, "
	    "\"message\": \"The search ended early, after tools.walk_time. Name a narrower "
	    "directory or pattern.\"}";

	(void)state;
	put_many_a();
	expect("{\"pattern\": \"a{1,30000}b\"}", late);
	expect("{\"pattern\": \"a{1,30000}b\", \"directory\": \"a\"}", late);
}

static void a_search_has_little_processor_time(void **state)
{
	(void)state;
	put_many_a();
	char *error = tools_fixture_error(&w, "grep", "{\"pattern\": \"a{1,30000}b\"}");
	assert_holds(error, "tools.walk_cpu of processor time. Use a simpler pattern");
	free(error);
	tools_fixture_refused(
	    &w, "grep", "{\"pattern\": \"a{1,30000}b\", \"directory\": \"a\"}", "LIMIT_REACHED", "BUDGET");
}

/* A search that would run for long is stopped, and the task goes on at once. */
static void stop_it(struct clock_timer *timer, void *arg)
{
	(void)timer;
	task_group_cancel(arg);
}

static void run_hard(struct task *t, void *arg)
{
	struct json_object **o = arg;

	*o = tools_fixture_run_in(t, &w, "grep", "{\"pattern\": \"a*[bc]\"}");
}

static void stopping(struct task *t, void *arg)
{
	struct task_group group;
	struct clock_timer timer = {0};

	task_group_init(&group);
	task_start(&group, "grep", run_hard, arg);
	clock_timer_start(&timer, 50, stop_it, &group);
	task_group_wait(t, &group, NULL);
	task_group_finish(t, &group);
	clock_timer_stop(&timer);
}

static void a_stop_ends_it(void **state)
{
	struct json_object *o = NULL;
	struct buf text = BUF_INIT;

	(void)state;
	for (int line = 0; line < 1000; line++) {
		for (int i = 0; i < 20000; i++)
			buf_addch(&text, 'a');
		buf_addch(&text, '\n');
	}
	tools_fixture_put_text(&w, "ws/a", text.data);
	uint64_t began = clock_now();
	task_run("stop", stopping, &o);
	assert_failure(o, "INTERRUPTED", "STOPPED");
	/* task_run waits for the thread as well: without a stop that takes minutes. */
	assert_true(clock_now() - began < 20000);
	json_object_put(o);
	buf_clear(&text);
}

#define GREP_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    GREP_TEST(the_examples_hold),
	    GREP_TEST(lines_in_latin_1_are_found),
	    GREP_TEST(a_byte_order_mark_is_no_part_of_the_first_line),
	    GREP_TEST(lines_around_a_match_come_with_it),
	    GREP_TEST(a_pattern_sees_one_line_without_its_end),
	    GREP_TEST(letters_of_all_languages_are_letters),
	    GREP_TEST(what_is_no_text_file_is_skipped),
	    GREP_TEST(files_are_chosen_by_pattern_type_or_by_name),
	    GREP_TEST(pages_count_entries),
	    GREP_TEST(what_does_not_fit_is_counted_all_the_same),
	    GREP_TEST(a_long_line_is_cut_with_a_mark_and_never_within_a_secret),
	    GREP_TEST(no_pattern_holds_the_thread),
	    GREP_TEST(a_pattern_that_is_too_hard_everywhere_is_refused),
	    cmocka_unit_test_setup_teardown(
		a_search_has_little_processor_time, set_up_with_little_cpu, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_search_that_runs_out_of_time_says_so, set_up_with_little_time, tools_fixture_tear_down),
	    GREP_TEST(a_stop_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
