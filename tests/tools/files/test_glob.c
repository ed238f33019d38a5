#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;

static void open_with(const char *settings)
{
	tools_fixture_init(&w);
	char *extra = tools_fixture_path(&w, "extra"),
	     *text = xasprintf("roots = [\"%s\"]; %s", extra, settings);
	assert_int_equal(mkdir(extra, 0700), 0);
	tools_fixture_open(&w, "", text, NULL);
	free(text);
	free(extra);
}

static int set_up(void **state)
{
	*state = &w;
	open_with("");
	return 0;
}

static void nothing(void) {}

/* By every name and spelling; DIR in the texts stands for the folder of the test. */
static void expect(const char *arguments, const char *result)
{
	struct buf texts[2] = {BUF_INIT, BUF_INIT};
	const char *given[] = {arguments, result};

	for (size_t i = 0; i < 2; i++) {
		const char *at = given[i], *next;
		for (; (next = strstr(at, "DIR")); at = next + 3)
			buf_addf(&texts[i], "%.*s%s", (int)(next - at), at, w.dir);
		buf_addstr(&texts[i], at);
	}
	struct json_object *o = tools_fixture_run_each(&w, "glob", texts[0].data, nothing);
	assert_json(o, texts[1].data);
	json_object_put(o);
	buf_clear(&texts[0]);
	buf_clear(&texts[1]);
}

static void put(const char *const *paths)
{
	for (; *paths; paths++)
		tools_fixture_put_text(&w, *paths, "x");
}

static void put_many(int count)
{
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("ws/many/%d/%05d.ts", i % 3, i);
		tools_fixture_put(&w, path, "", 0);
		free(path);
	}
}

static void set_time(const char *path, time_t when)
{
	const struct timespec times[2] = {{.tv_sec = when}, {.tv_sec = when}};
	char *whole = tools_fixture_path(&w, path);

	assert_int_equal(utimensat(AT_FDCWD, whole, times, 0), 0);
	free(whole);
}

static void the_examples_hold(void **state)
{
	static const char *const paths[] = {"ws/src/main.rs", "ws/src/lib.rs", "ws/tests/a.rs",
	    "ws/docs/TOOLS.md", "ws/docs/TEXT_RENDERING.md", "extra/file1.txt", "extra/file2.txt",
	    "extra/notes.txt", NULL};

	(void)state;
	put(paths);
	set_time("ws/docs/TEXT_RENDERING.md", 1000);
	set_time("ws/docs/TOOLS.md", 2000);
	expect("{\"pattern\": \"**/*.rs\"}",
	    "{\"matches\": [\"src/lib.rs\", \"src/main.rs\", \"tests/a.rs\"], \"count\": 3, \"total_found\": "
	    "3, \"truncated\": false}");
	expect("{\"pattern\": \"*.md\", \"directory\": \"docs\", \"sort\": \"modified\"}",
	    "{\"matches\": [\"docs/TOOLS.md\", \"docs/TEXT_RENDERING.md\"], \"count\": 2, \"total_found\": "
	    "2, \"truncated\": false}");
	expect("{\"pattern\": \"**/*.xyz\"}",
	    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": false}");
	expect("{\"pattern\": \"*.txt\", \"directory\": \"DIR/extra\"}",
	    "{\"matches\": [\"DIR/extra/file1.txt\", \"DIR/extra/file2.txt\", \"DIR/extra/notes.txt\"], "
	    "\"count\": 3, \"total_found\": 3, \"truncated\": false}");
	tools_fixture_refused(&w, "glob", "{\"pattern\": \"[abc\"}", "INVALID_ARGUMENT", "INVALID_PATTERN");
}

static void the_order_is_that_of_the_bytes_of_the_paths(void **state)
{
	static const char *const paths[] = {
	    "ws/a.c", "ws/a/b", "ws/a-b", "ws/B", "ws/a0", "ws/\xc3\xa9", NULL};

	(void)state;
	put(paths);
	expect("{\"pattern\": \"**\"}",
	    "{\"matches\": [\"B\", \"a-b\", \"a.c\", \"a/b\", \"a0\", \"\xc3\xa9\"], \"count\": 6, "
	    "\"total_found\": 6, \"truncated\": false}");
}

static void the_largest_or_newest_come_first_and_equal_ones_by_name(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a", "1");
	tools_fixture_put_text(&w, "ws/b", "1234");
	tools_fixture_put_text(&w, "ws/c", "12");
	tools_fixture_put_text(&w, "ws/d", "12");
	set_time("ws/a", 300);
	set_time("ws/b", 100);
	set_time("ws/c", 200);
	set_time("ws/d", 200);
	expect("{\"pattern\": \"*\", \"sort\": \"size\"}",
	    "{\"matches\": [\"b\", \"c\", \"d\", \"a\"], \"count\": 4, \"total_found\": 4, \"truncated\": "
	    "false}");
	expect("{\"pattern\": \"*\", \"sort\": \"modified\", \"head_limit\": 2, \"offset\": 1}",
	    "{\"matches\": [\"c\", \"d\"], \"count\": 2, \"total_found\": 4, \"truncated\": true}");
	expect("{\"pattern\": \"*\", \"sort\": \"size\", \"offset\": 9223372036854775807}",
	    "{\"matches\": [], \"count\": 0, \"total_found\": 4, \"truncated\": false}");
	tools_fixture_refused(
	    &w, "glob", "{\"pattern\": \"*\", \"sort\": \"colour\"}", "INVALID_ARGUMENT", "RANGE");
}

static void pages_continue_where_the_last_one_stopped(void **state)
{
	static const char *const sorts[] = {"name", "size"};

	(void)state;
	put_many(150);
	for (size_t i = 0; i < ARRAY_LEN(sorts); i++) {
		char *args = xasprintf(
		    "{\"pattern\": \"**/*.ts\", \"head_limit\": 10, \"offset\": 20, \"sort\": \"%s\"}",
		    sorts[i]);
		struct json_object *o = tools_fixture_run(&w, "glob", args);
		assert_int(o, "count", 10);
		assert_int(o, "total_found", 150);
		assert_true(json_get_bool(o, "truncated", false));
		assert_string_equal(
		    json_object_get_string(json_object_array_get_idx(json_get_array(o, "matches"), 0)),
		    "many/0/00060.ts");
		json_object_put(o);
		free(args);
	}
	struct json_object *o = tools_fixture_run(&w, "glob", "{\"pattern\": \"**/*.ts\", \"offset\": 145}");
	assert_int(o, "count", 5);
	assert_false(json_get_bool(o, "truncated", true));
	json_object_put(o);
}

static void what_does_not_fit_is_cut_and_counted(void **state)
{
	static const char *const sorts[] = {"name", "modified"};

	(void)state;
	put_many(6000);
	for (size_t i = 0; i < ARRAY_LEN(sorts); i++) {
		char *args = xasprintf("{\"pattern\": \"**\", \"sort\": \"%s\"}", sorts[i]);
		struct json_object *o = tools_fixture_run(&w, "glob", args);
		assert_int(o, "total_found", 6000);
		assert_true(json_get_bool(o, "truncated", false));
		assert_int(o, "count", (int64_t)json_object_array_length(json_get_array(o, "matches")));
		assert_true(json_get_int(o, "count", 0) > 2500);
		json_object_put(o);
		free(args);
	}
}

static void links_dotfiles_and_what_is_no_file_are_left_out(void **state)
{
	static const char *const paths[] = {
	    "ws/a", "ws/.git/config", "ws/.env", "ws/sub/b", "outside/secret", NULL};
	char *loop = tools_fixture_path(&w, "ws/loop"), *out = tools_fixture_path(&w, "ws/out"),
	     *fifo = tools_fixture_path(&w, "ws/fifo");
	char *away = tools_fixture_path(&w, "outside");

	(void)state;
	put(paths);
	assert_int_equal(symlink(".", loop), 0);
	assert_int_equal(symlink(away, out), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect("{\"pattern\": \"**\"}",
	    "{\"matches\": [\"a\", \"sub/b\"], \"count\": 2, \"total_found\": 2, \"truncated\": false}");
	expect("{\"pattern\": \".*\"}",
	    "{\"matches\": [\".env\"], \"count\": 1, \"total_found\": 1, \"truncated\": false}");
	expect("{\"pattern\": \".git/*\"}",
	    "{\"matches\": [\".git/config\"], \"count\": 1, \"total_found\": 1, \"truncated\": false}");
	expect("{\"pattern\": \"*/\"}",
	    "{\"matches\": [\"sub/\"], \"count\": 1, \"total_found\": 1, \"truncated\": false}");
	expect("{\"pattern\": \"sub/b\"}",
	    "{\"matches\": [\"sub/b\"], \"count\": 1, \"total_found\": 1, \"truncated\": false}");
	expect("{\"pattern\": \"./nosuch/b\"}",
	    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": false}");
	tools_fixture_refused(&w, "glob", "{\"pattern\": \"out/*\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(
	    &w, "glob", "{\"pattern\": \"*\", \"directory\": \"out\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	free(loop);
	free(out);
	free(fifo);
	free(away);
}

static void the_roots_are_not_left(void **state)
{
	static const char *const patterns[] = {"../*", "../../etc/*", "/etc/*", "/*", "sub/../../*"};

	(void)state;
	tools_fixture_put_text(&w, "ws/sub/b", "x");
	tools_fixture_put_text(&w, "extra/c", "x");
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		char *args = xasprintf("{\"pattern\": \"%s\"}", patterns[i]);
		tools_fixture_refused(&w, "glob", args, "ACCESS_DENIED", "OUTSIDE_ROOTS");
		free(args);
	}
	expect("{\"pattern\": \"*/../*\"}",
	    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": false}");
	expect("{\"pattern\": \"DIR/extra/*\"}",
	    "{\"matches\": [\"DIR/extra/c\"], \"count\": 1, \"total_found\": 1, \"truncated\": false}");
	tools_fixture_refused(&w, "glob", "{\"pattern\": \"/etc/*\", \"directory\": \"sub\"}",
	    "INVALID_ARGUMENT", "INVALID_PATTERN");
	tools_fixture_refused(
	    &w, "glob", "{\"pattern\": \"*\", \"directory\": \"nosuch\"}", "NOT_FOUND", "FILE_NOT_FOUND");
	tools_fixture_refused(&w, "glob", "{\"pattern\": \"*\", \"directory\": \"sub/b\"}",
	    "INVALID_ARGUMENT", "NOT_A_DIRECTORY");
	tools_fixture_refused(&w, "glob", "{\"pattern\": \"\"}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(&w, "glob", "{}", "INVALID_ARGUMENT", "MISSING");
	tools_fixture_refused(&w, "glob", "{\"pattern\": \"*\", \"directory\": \"a\", \"path\": \"b\"}",
	    "INVALID_ARGUMENT", NULL);
}

static void protected_and_unreadable_folders_are_counted(void **state)
{
	char *closed = tools_fixture_path(&w, "ws/closed");

	(void)state;
	tools_fixture_put_text(&w, "ws/.ssh/id_rsa", "x");
	tools_fixture_put_text(&w, "ws/closed/b", "x");
	expect("{\"pattern\": \"{.*,nosuch}/*\"}",
	    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": false, \"skipped\": 1}");
	if (geteuid() != 0) {
		assert_int_equal(chmod(closed, 0), 0);
		expect("{\"pattern\": \"**/b\"}",
		    "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": false, \"skipped\": "
		    "1}");
		assert_int_equal(chmod(closed, 0700), 0);
	}
	free(closed);
}

static void a_search_that_is_too_large_says_that_it_ended_early(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("walk_entries = 100; walk_depth = 2;");
	put_many(200);
	struct json_object *o = tools_fixture_run(&w, "glob", "{\"pattern\": \"many/**\"}");
	assert_true(json_get_bool(o, "truncated", false));
	assert_holds(json_get_str(o, "message"), "walk_entries");
	json_object_put(o);
	tools_fixture_put_text(&w, "ws/1/2/3/4/5", "x");
	o = tools_fixture_run(&w, "glob", "{\"pattern\": \"1/**\"}");
	assert_true(json_get_bool(o, "truncated", true));
	assert_holds(json_get_str(o, "message"), "walk_depth");
	json_object_put(o);
}

#define GLOB_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    GLOB_TEST(the_examples_hold),
	    GLOB_TEST(the_order_is_that_of_the_bytes_of_the_paths),
	    GLOB_TEST(the_largest_or_newest_come_first_and_equal_ones_by_name),
	    GLOB_TEST(pages_continue_where_the_last_one_stopped),
	    GLOB_TEST(what_does_not_fit_is_cut_and_counted),
	    GLOB_TEST(links_dotfiles_and_what_is_no_file_are_left_out),
	    GLOB_TEST(the_roots_are_not_left),
	    GLOB_TEST(protected_and_unreadable_folders_are_counted),
	    GLOB_TEST(a_search_that_is_too_large_says_that_it_ended_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
