#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "list_limit = 2000; roots = [\"/dev\"];", NULL);
	return 0;
}

static void nothing(void) {}

static struct json_object *list(const char *arguments)
{
	return tools_fixture_run_each(&w, "list_directory", arguments, nothing);
}

static void expect(const char *arguments, const char *result)
{
	struct json_object *o = list(arguments);

	assert_json(o, result);
	json_object_put(o);
}

static void put_many(int count)
{
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("ws/many/%05d", i);
		tools_fixture_put(&w, path, "", 0);
		free(path);
	}
}

static void the_examples_hold(void **state)
{
	char *text = xmalloc(1234);

	(void)state;
	memset(text, 'x', 1234);
	tools_fixture_put(&w, "ws/src/main.rs", text, 1234);
	tools_fixture_put_text(&w, "ws/src/tests/a", "a");
	tools_fixture_put_text(&w, "ws/.hidden", "abc");
	expect("{\"path\": \"src\"}",
	    "{\"entries\": [{\"name\": \"main.rs\", \"is_dir\": false, \"size\": 1234}, {\"name\": "
	    "\"tests\", \"is_dir\": "
	    "true, \"size\": 0}], \"total\": 2}");
	expect("{\"path\": \".\"}",
	    "{\"entries\": [{\"name\": \".hidden\", \"is_dir\": false, \"size\": 3}, {\"name\": \"src\", "
	    "\"is_dir\": true, "
	    "\"size\": 0}], \"total\": 2}");
	free(text);
}

static void an_empty_folder_has_no_entries(void **state)
{
	(void)state;
	expect("{\"path\": \".\"}", "{\"entries\": [], \"total\": 0}");
}

static void what_is_neither_file_nor_folder_has_a_type(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *fifo = tools_fixture_path(&w, "ws/fifo"), *link_path = tools_fixture_path(&w, "ws/link");
	char *socket_path = tools_fixture_path(&w, "ws/sock");
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("/etc", link_path), 0);
	assert_int_equal(str_copy(address.sun_path, sizeof(address.sun_path), socket_path), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	expect("{\"path\": \".\"}",
	    "{\"entries\": [{\"name\": \"fifo\", \"is_dir\": false, \"size\": 0, \"type\": \"fifo\"}, "
	    "{\"name\": \"link\", "
	    "\"is_dir\": false, \"size\": 0, \"type\": \"symlink\"}, {\"name\": \"sock\", \"is_dir\": false, "
	    "\"size\": 0, "
	    "\"type\": \"socket\"}], \"total\": 3}");
	struct json_object *o = list("{\"path\": \"/dev\"}");
	assert_holds(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN),
	    "{\"name\":\"null\",\"is_dir\":false,\"size\":0,\"type\":\"device\"}");
	json_object_put(o);
	close(fd);
	free(fifo);
	free(link_path);
	free(socket_path);
}

static void names_are_in_order_of_their_bytes(void **state)
{
	static const char *const names[] = {"-", "A", "Z", "_", "a", "aa", "b", "\xc3\xa9"};
	struct json_object *entries;

	(void)state;
	for (size_t i = ARRAY_LEN(names); i-- > 0;) {
		char *path = xasprintf("ws/%s", names[i]);
		tools_fixture_put(&w, path, "", 0);
		free(path);
	}
	struct json_object *o = list("{\"path\": \".\"}");
	entries = json_get_array(o, "entries");
	assert_int_equal(json_object_array_length(entries), ARRAY_LEN(names));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_str(json_object_array_get_idx(entries, i), "name", names[i]);
	json_object_put(o);
}

static void expect_page(
    const char *arguments, size_t count, const char *first, bool truncated, int64_t clamped)
{
	struct json_object *o = list(arguments), *entries = json_get_array(o, "entries");

	assert_int_equal(json_object_array_length(entries), count);
	assert_int(o, "total", 2500);
	if (count > 0)
		assert_str(json_object_array_get_idx(entries, 0), "name", first);
	assert_int_equal(json_get_bool(o, "truncated", false), truncated);
	assert_int_equal(json_get_int(json_get_object(o, "clamped"), "limit", 0), clamped);
	json_object_put(o);
}

static void pages_continue_where_the_last_one_stopped(void **state)
{
	(void)state;
	put_many(2500);
	expect_page("{\"path\": \"many\", \"limit\": 3}", 3, "00000", true, 0);
	expect_page("{\"path\": \"many\", \"limit\": \"3\", \"offset\": 3}", 3, "00003", true, 0);
	expect_page("{\"path\": \"many\", \"limit\": 10, \"offset\": 2495}", 5, "02495", false, 0);
	expect_page("{\"path\": \"many\", \"offset\": 2500}", 0, NULL, false, 0);
	expect_page("{\"path\": \"many\", \"offset\": 9223372036854775807}", 0, NULL, false, 0);
	expect_page("{\"path\": \"many\", \"limit\": 2001, \"offset\": 2000}", 500, "02000", false, 2000);
	tools_fixture_refused(
	    &w, "list_directory", "{\"path\": \"many\", \"limit\": 0}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(
	    &w, "list_directory", "{\"path\": \"many\", \"offset\": -1}", "INVALID_ARGUMENT", "RANGE");
}

static void a_list_that_is_too_long_for_a_result_loses_entries_from_its_end(void **state)
{
	(void)state;
	put_many(2500);
	struct json_object *o = list("{\"path\": \"many\"}"), *entries = json_get_array(o, "entries");
	size_t count = json_object_array_length(entries);
	assert_true(count > 1000 && count < 2000);
	char *last = xasprintf("%05zu", count - 1);
	assert_str(json_object_array_get_idx(entries, count - 1), "name", last);
	free(last);
	assert_true(json_get_bool(o, "truncated", false));
	assert_int(o, "total", 2500);
	json_object_put(o);
}

static void refusals_name_the_folder(void **state)
{
	static const struct {
		const char *path, *code, *cause, *says;
	} cases[] = {
	    {"f", "INVALID_ARGUMENT", "NOT_A_DIRECTORY", "f is a file. Use read_file."},
	    {"fifo", "INVALID_ARGUMENT", "NOT_A_DIRECTORY", "fifo is not a directory. Name a folder."},
	    {"nothing", "NOT_FOUND", "FILE_NOT_FOUND",
		"File not found: nothing. Check the name, or look for it with glob."},
	    {"..", "ACCESS_DENIED", "OUTSIDE_ROOTS", "Access denied: .. is outside allowed paths."},
	    {"/etc", "ACCESS_DENIED", "OUTSIDE_ROOTS", "Access denied: /etc is outside allowed paths."},
	    {"", "INVALID_ARGUMENT", "RANGE", "The path is empty."},
	};
	char *fifo = tools_fixture_path(&w, "ws/fifo");

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "x");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *arguments = xasprintf("{\"path\": \"%s\"}", cases[i].path);
		struct json_object *o = list(arguments);
		assert_failure(o, cases[i].code, cases[i].cause);
		assert_holds(json_get_str(o, "error"), cases[i].says);
		json_object_put(o);
		free(arguments);
	}
	tools_fixture_refused(&w, "list_directory", "{}", "INVALID_ARGUMENT", "MISSING");
	free(fifo);
}

#define LIST_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    LIST_TEST(the_examples_hold),
	    LIST_TEST(an_empty_folder_has_no_entries),
	    LIST_TEST(what_is_neither_file_nor_folder_has_a_type),
	    LIST_TEST(names_are_in_order_of_their_bytes),
	    LIST_TEST(pages_continue_where_the_last_one_stopped),
	    LIST_TEST(a_list_that_is_too_long_for_a_result_loses_entries_from_its_end),
	    LIST_TEST(refusals_name_the_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
