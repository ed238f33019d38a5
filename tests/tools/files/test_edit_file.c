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
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "tools/files/edit_match.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;

static int set_up(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	tools_fixture_put_text(&w, "extra/x", "x");
	char *settings = xasprintf("roots = [\"%s/extra\"]; edit_limit = \"16 KiB\";", w.dir);
	tools_fixture_open(&w, "", settings, NULL);
	free(settings);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	secret_forget_all();
	return 0;
}

/* What the calls find, each anew; text NULL: no such file. */
static const char *there_path, *there_text;

static void prepare(void)
{
	char *command = xasprintf("find '%s/ws' -mindepth 1 -delete", w.dir);

	assert_int_equal(system(command), 0);
	free(command);
	if (there_text)
		tools_fixture_put_text(&w, there_path, there_text);
}

static struct json_object *edit(const char *path, const char *text, const char *arguments)
{
	there_path = path;
	there_text = text;
	return tools_fixture_run_each(&w, "edit_file", arguments, prepare);
}

static void expect(
    const char *path, const char *text, const char *arguments, const char *result, const char *after)
{
	struct json_object *o = edit(path, text, arguments);

	assert_json(o, result);
	assert_file(&w, path, after);
	json_object_put(o);
}

/* The failure, with the file as it was. */
static struct json_object *refused(const char *path, const char *text, const char *arguments,
    const char *code, const char *cause, const char *says)
{
	struct json_object *o = edit(path, text, arguments);

	assert_failure(o, code, cause);
	assert_holds(json_get_str(o, "error"), says);
	assert_str(json_get_object(o, "context"), "tool", "edit_file");
	if (text)
		assert_file(&w, path, text);
	return o;
}

static void expect_refused(const char *path, const char *text, const char *arguments, const char *code,
    const char *cause, const char *says)
{
	json_object_put(refused(path, text, arguments, code, cause, says));
}

static void the_examples_hold(void **state)
{
	(void)state;
	expect("ws/src/main.rs", "fn main() {}\n",
	    "{\"path\": \"src/main.rs\", \"old_text\": \"fn main() {}\", \"new_text\": \"fn main() {\\n    "
	    "println!(\\\"hello\\\");\\n}\"}",
	    "{\"success\": true, \"message\": \"Replaced 1 occurrences in src/main.rs\", \"replacements\": "
	    "1, \"file_size\": 37}",
	    "fn main() {\n    println!(\"hello\");\n}\n");
	expect("ws/src/lib.rs", "let x = 5;\n",
	    "{\"path\": \"src/lib.rs\", \"old_text\": \"let x = 5;\", \"new_text\": \"let x = 10;\"}",
	    "{\"success\": true, \"message\": \"Replaced 1 occurrences in src/lib.rs\", \"replacements\": 1, "
	    "\"file_size\": 12}",
	    "let x = 10;\n");
	expect("ws/src/main.rs", "println!(1);\nprintln!(2); println!(3);\nprintln!(4);\nprintln!",
	    "{\"path\": \"src/main.rs\", \"old_text\": \"println!\", \"new_text\": \"eprintln!\", "
	    "\"replace_all\": true}",
	    "{\"success\": true, \"message\": \"Replaced 5 occurrences in src/main.rs\", \"replacements\": "
	    "5, \"file_size\": 65}",
	    "eprintln!(1);\neprintln!(2); eprintln!(3);\neprintln!(4);\neprintln!");
	expect("ws/new_module.rs", NULL,
	    "{\"path\": \"new_module.rs\", \"new_text\": \"pub fn init() {}\", \"create_if_not_exists\": "
	    "true}",
	    "{\"success\": true, \"message\": \"Created new_module.rs with 16 bytes\", \"replacements\": 0, "
	    "\"file_size\": 16, \"created\": true}",
	    "pub fn init() {}");
	struct json_object *o =
	    refused("ws/src/lib.rs", "let x = 5;\nlet y = 1;\nlet x = foo();\n\nlet x: i32",
		"{\"path\": \"src/lib.rs\", \"old_text\": \"let x\", \"new_text\": \"let y\"}", "NOT_UNIQUE",
		NULL, "String matches 3 locations. Give more surrounding text, or set replace_all.");
	assert_json(json_get(o, "suggestions"), "[\"let x = 5;\", \"let x = foo();\", \"let x: i32\"]");
	assert_int(json_get_object(o, "context"), "count", 3);
	assert_json(json_get(json_get_object(o, "context"), "lines"), "[1, 3, 5]");
	json_object_put(o);
	expect_refused("ws/src/lib.rs", "let x = 5;\n",
	    "{\"path\": \"src/lib.rs\", \"old_text\": \"nonexistent code\", \"new_text\": \"replacement\"}",
	    "NOT_FOUND", "STRING_NOT_FOUND",
	    "String not found in file src/lib.rs. Read it again and copy the text exactly.");
}

static void the_refusals_of_the_table_hold(void **state)
{
	(void)state;
	expect_refused("ws/f", "abc", "{\"path\": \"f\", \"old_text\": \"b\", \"new_text\": \"b\"}",
	    "INVALID_ARGUMENT", "RANGE", "old_text and new_text are identical. Nothing would change.");
	expect_refused("ws/f", "abc", "{\"path\": \"f\", \"old_text\": \"\", \"new_text\": \"b\"}",
	    "INVALID_ARGUMENT", "RANGE",
	    "old_text cannot be empty. Use write_file to replace the whole file.");
	expect_refused("ws/f", "abc", "{\"path\": \"f\", \"new_text\": \"b\"}", "INVALID_ARGUMENT", "MISSING",
	    "old_text cannot be empty. Use write_file to replace the whole file.");
	expect_refused("ws/f", "abc",
	    "{\"path\": \"f\", \"new_text\": \"b\", \"create_if_not_exists\": true}", "INVALID_ARGUMENT",
	    "MISSING", "old_text cannot be empty.");
	expect("ws/f", "abc", "{\"path\": \"f\", \"old_text\": \"b\", \"new_text\": \"\"}",
	    "{\"success\": true, \"message\": \"Replaced 1 occurrences in f\", \"replacements\": 1, "
	    "\"file_size\": 2}",
	    "ac");
	expect("ws/f", "abc",
	    "{\"path\": \"f\", \"old_text\": \"x\", \"new_text\": \"y\", \"replace_all\": true}",
	    "{\"success\": true, \"message\": \"Replaced 0 occurrences in f: the text does not occur in "
	    "it\", \"replacements\": 0, \"file_size\": 3}",
	    "abc");
	expect_refused("ws/f", NULL, "{\"path\": \"f\", \"old_text\": \"a\", \"new_text\": \"b\"}",
	    "NOT_FOUND", "FILE_NOT_FOUND", "File not found: f. Check the name, or look for it with glob.");
	expect_refused("ws/f", NULL,
	    "{\"path\": \"d/f\", \"old_text\": \"a\", \"new_text\": \"b\", \"create_if_not_exists\": true}",
	    "NOT_FOUND", "FILE_NOT_FOUND", "File not found: d/f.");
	expect_refused("ws/f", "aaa", "{\"path\": \"f\", \"old_text\": \"aa\", \"new_text\": \"b\"}",
	    "NOT_UNIQUE", NULL, "String matches 2 locations.");
	expect_refused("ws/f", "abc", "{\"path\": \"f\", \"old_text\": \"a\"}", "INVALID_ARGUMENT", "MISSING",
	    "missing 'new_text'. edit_file takes path (string), old_text?, new_text (string), replace_all?, "
	    "create_if_not_exists?.");
	expect_refused("ws/f", "abc", "{\"path\": \"../f\", \"old_text\": \"a\", \"new_text\": \"b\"}",
	    "ACCESS_DENIED", "OUTSIDE_ROOTS", "Access denied: ../f is outside allowed paths.");
	expect("ws/a/b/c", NULL,
	    "{\"path\": \"a/b/c\", \"old_text\": \"\", \"new_text\": \"\", \"create_if_not_exists\": true}",
	    "{\"success\": true, \"message\": \"Created a/b/c with 0 bytes\", \"replacements\": 0, "
	    "\"file_size\": 0, \"created\": true}",
	    "");
}

static void the_mode_stays(void **state)
{
	char *path = tools_fixture_path(&w, "ws/f");
	struct stat st;

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "debug = false\n");
	assert_int_equal(chmod(path, 0600), 0);
	struct json_object *o = tools_fixture_run(&w, "file_edit",
	    "{\"file_path\": \"f\", \"old_string\": \"debug = false\", \"new_string\": \"debug = true\"}");
	assert_int(o, "replacements", 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_file(&w, "ws/f", "debug = true\n");
	json_object_put(o);
	free(path);
}

static void bytes_that_are_no_text_stay_as_they_are(void **state)
{
	static const char before[] = "\x00\xff\xfe"
				     "name\r\n\x00\x80",
			  after[] = "\x00\xff\xfe"
				    "title\r\n\x00\x80";
	char *path = tools_fixture_path(&w, "ws/f"), have[32];

	(void)state;
	tools_fixture_put(&w, "ws/f", before, sizeof(before));
	struct json_object *o = tools_fixture_run(
	    &w, "edit_file", "{\"path\": \"f\", \"old_text\": \"name\", \"new_text\": \"title\"}");
	assert_int(o, "file_size", sizeof(after));
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	assert_int_equal(fread(have, 1, sizeof(have), in), sizeof(after));
	assert_memory_equal(have, after, sizeof(after));
	fclose(in);
	json_object_put(o);
	free(path);
}

static void what_only_differs_in_line_ends_or_blanks_is_named(void **state)
{
	static const struct {
		const char *file, *old_text, *says;
	} cases[] = {
	    {"a\r\nb\r\n", "a\\nb",
		" The lines of the file end in CRLF, those of old_text in LF: write \\r\\n."},
	    {"a\nb\n", "a\\r\\nb",
		" The lines of the file end in LF, those of old_text in CRLF: leave out \\r."},
	    {"\tif (x)\n", "    if (x)", " It differs in tabs and blanks only."},
	    {"a  b\r\n\tc", "a b\\n  c", " It differs in tabs and blanks only."},
	    {"a b", "c d", "copy the text exactly."},
	    {"a\tb", " ", "copy the text exactly."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *arguments = xasprintf(
		    "{\"path\": \"f\", \"old_text\": \"%s\", \"new_text\": \"z\"}", cases[i].old_text);
		struct json_object *o =
		    refused("ws/f", cases[i].file, arguments, "NOT_FOUND", "STRING_NOT_FOUND", cases[i].says);
		const char *text = json_get_str(o, "error");
		assert_string_equal(text + strlen(text) - strlen(cases[i].says), cases[i].says);
		json_object_put(o);
		free(arguments);
	}
}

static void the_nearest_lines_are_suggested_nearest_first(void **state)
{
	static const char file[] =
	    "int main(void)\n{\n\tprintf(\"hello, world\");\n\tprintf(\"hello, world\\n\");\n"
	    "\treturn 0;\n}\n";

	(void)state;
	struct json_object *o = refused("ws/f", file,
	    "{\"path\": \"f\", \"old_text\": \"\\n  PRINTF(\\\"hello, world\\\")\\n  nonsense\", "
	    "\"new_text\": \"\"}",
	    "NOT_FOUND", "STRING_NOT_FOUND", "Read it again");
	struct json_object *suggestions = json_get_array(o, "suggestions");
	assert_non_null(suggestions);
	assert_int_equal(json_object_array_length(suggestions), 2);
	assert_string_equal(
	    json_object_get_string(json_object_array_get_idx(suggestions, 0)), "\tprintf(\"hello, world\");");
	assert_json(json_get(json_get_object(o, "context"), "lines"), "[3, 4]");
	json_object_put(o);
}

static void suggestions_show_no_secret_and_are_cut(void **state)
{
	struct buf file = BUF_INIT;

	(void)state;
	secret_register("correct-horse-battery-staple");
	for (int i = 0; i < 190; i++)
		buf_addch(&file, 'a');
	buf_addstr(&file, "correct-horse-battery-staple\n");
	for (int i = 0; i < 8; i++)
		buf_addstr(&file, "aaaa line\n");
	struct json_object *o =
	    refused("ws/f", file.data, "{\"path\": \"f\", \"old_text\": \"aaa\", \"new_text\": \"b\"}",
		"NOT_UNIQUE", NULL, "String matches ");
	assert_int_equal(json_object_array_length(json_get_array(o, "suggestions")), EDIT_SPOTS_MAX);
	assert_null(strstr(json_object_to_json_string(o), "correct"));
	json_object_put(o);
	buf_clear(&file);
}

static void files_over_the_limit_are_refused_before_and_after(void **state)
{
	struct buf file = BUF_INIT, arguments = BUF_INIT;

	(void)state;
	for (int i = 0; i < 16384; i++)
		buf_addch(&file, 'a');
	expect_refused("ws/f", file.data, "{\"path\": \"f\", \"old_text\": \"b\", \"new_text\": \"c\"}",
	    "NOT_FOUND", "STRING_NOT_FOUND", "String not found");
	expect_refused("ws/f", file.data,
	    "{\"path\": \"f\", \"old_text\": \"a\", \"new_text\": \"bc\", \"replace_all\": true}",
	    "LIMIT_REACHED", "TOO_LARGE",
	    "f would have 32768 bytes, the limit is 16384. Replace less at once.");
	buf_addch(&file, 'a');
	expect_refused("ws/f", file.data, "{\"path\": \"f\", \"old_text\": \"b\", \"new_text\": \"c\"}",
	    "LIMIT_REACHED", "TOO_LARGE", "f has 16385 bytes, the limit is 16384.");
	buf_addstr(&arguments, "{\"path\": \"g\", \"create_if_not_exists\": true, \"new_text\": \"");
	buf_addf(&arguments, "%s\"}", file.data);
	expect_refused(
	    "ws/g", NULL, arguments.data, "LIMIT_REACHED", "TOO_LARGE", "g would have 16385 bytes");
	buf_clear(&arguments);
	buf_clear(&file);
}

static size_t count_slowly(struct edit_text file, struct edit_text what)
{
	size_t n = 0;

	for (size_t i = 0; i + what.len <= file.len;) {
		bool same = memcmp(file.data + i, what.data, what.len) == 0;
		n += same;
		i += same ? what.len : 1;
	}
	return n;
}

static void replacing_is_what_a_slow_search_finds(void **state)
{
	uint64_t seed = 7;
	char file[40], what[4];

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct edit_text text = {file, any(&seed, sizeof(file))},
				 old_text = {what, 1 + any(&seed, sizeof(what) - 1)};
		struct buf out = BUF_INIT;
		for (size_t i = 0; i < text.len; i++)
			file[i] = "ab\n"[any(&seed, 3)];
		for (size_t i = 0; i < old_text.len; i++)
			what[i] = "ab\n"[any(&seed, 3)];
		size_t want = count_slowly(text, old_text), have = edit_count(text, old_text);
		assert_true(have == want || (want == 1 && have == 2));
		assert_int_equal(
		    edit_replace(&out, text, old_text, (struct edit_text){"xyz", 3}, SIZE_MAX), want);
		assert_int_equal(out.len, text.len + want * (3 - old_text.len));
		struct edit_spots spots = {0};
		edit_find_lines(text, old_text, &spots);
		assert_int_equal(spots.count > 0, want > 0);
		for (size_t i = 1; i < spots.count; i++)
			assert_true(spots.lines[i] > spots.lines[i - 1]);
		edit_spots_clear(&spots);
		edit_find_similar(text, old_text, &spots);
		edit_spots_clear(&spots);
		buf_clear(&out);
	}
}

#define EDIT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    EDIT_TEST(the_examples_hold),
	    EDIT_TEST(the_refusals_of_the_table_hold),
	    EDIT_TEST(the_mode_stays),
	    EDIT_TEST(bytes_that_are_no_text_stay_as_they_are),
	    EDIT_TEST(what_only_differs_in_line_ends_or_blanks_is_named),
	    EDIT_TEST(the_nearest_lines_are_suggested_nearest_first),
	    EDIT_TEST(suggestions_show_no_secret_and_are_cut),
	    EDIT_TEST(files_over_the_limit_are_refused_before_and_after),
	    cmocka_unit_test(replacing_is_what_a_slow_search_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
