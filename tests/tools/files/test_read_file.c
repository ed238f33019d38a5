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
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "tools/tools_fixture.h"

#define SECRET "correct-horse-battery-staple"

static struct tools_fixture w;

static int set_up(void **state)
{
	char *settings;

	(void)state;
	tools_fixture_init(&w);
	tools_fixture_put_text(&w, "etc/hostname", "myna\n");
	settings = xasprintf("roots = [\"%s/etc\", \"/dev\", \"/proc/self\"];", w.dir);
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

/* Reads by every name that the tool answers to, with path and file_path: they must not differ. */
static struct json_object *read_file(const char *path, const char *more)
{
	static const char *const names[] = {"read_file", "file_read", "read-file", "file-read"};
	static const char *const params[] = {"path", "file_path"};
	struct json_object *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(names) * ARRAY_LEN(params); i++) {
		char *args = xasprintf("{\"%s\": \"%s\"%s}", params[i / ARRAY_LEN(names)], path, more);
		struct json_object *o = tools_fixture_run(&w, names[i % ARRAY_LEN(names)], args);
		if (!first) {
			first = o;
		} else {
			assert_true(json_object_equal(o, first));
			json_object_put(o);
		}
		free(args);
	}
	return first;
}

static void expect_content(const char *path, const char *more, const char *content, int64_t lines)
{
	struct json_object *o = read_file(path, more);

	assert_str(o, "content", content);
	assert_int(o, "total_lines", lines);
	json_object_put(o);
}

static void expect_whole(const char *path, const char *content, int64_t lines)
{
	struct json_object *o = read_file(path, "");

	assert_str(o, "content", content);
	assert_int(o, "total_lines", lines);
	assert_int_equal(json_object_object_length(o), 2);
	json_object_put(o);
}

static void expect_refused(const char *path, const char *code, const char *cause, const char *says)
{
	struct json_object *o = read_file(path, "");

	assert_failure(o, code, cause);
	assert_holds(json_get_str(o, "error"), says);
	assert_str(json_get_object(o, "context"), "tool", "read_file");
	assert_str(json_get_object(o, "context"), "path", path);
	json_object_put(o);
}

static void the_examples_hold(void **state)
{
	static const char rust[] = "fn main() {\n    println!(\"Hello\");\n}";
	struct buf lib = BUF_INIT, part = BUF_INIT;
	char *hostname = tools_fixture_path(&w, "etc/hostname");

	(void)state;
	tools_fixture_put_text(&w, "ws/src/main.rs", rust);
	tools_fixture_put_text(&w, "ws/README.md", "# Hello\n");
	for (int i = 1; i <= 200; i++) {
		buf_addf(&lib, "// %d\n", i);
		if (i >= 50 && i < 60)
			buf_addf(&part, "// %d\n", i);
	}
	tools_fixture_put(&w, "ws/src/lib.rs", lib.data, lib.len);
	expect_whole("src/main.rs", rust, 3);
	expect_content("src/main.rs", ", \"line_numbers\": true",
	    "1: fn main() {\n2:     println!(\"Hello\");\n3: }", 3);
	struct json_object *o = read_file("src/lib.rs", ", \"offset\": 50, \"limit\": 10");
	assert_str(o, "content", part.data);
	assert_int(o, "total_lines", 200);
	assert_true(json_get_bool(o, "truncated", false));
	assert_int(o, "next_offset", 60);
	json_object_put(o);
	expect_whole("README.md", "# Hello\n", 1);
	expect_whole(hostname, "myna\n", 1);
	expect_refused("nonexistent.rs", "NOT_FOUND", "FILE_NOT_FOUND",
	    "File not found: nonexistent.rs. Check the name, or look for it with glob.");
	expect_refused("../../../etc/passwd", "ACCESS_DENIED", "OUTSIDE_ROOTS",
	    "Access denied: ../../../etc/passwd is outside allowed paths. Use a path inside the workspace; "
	    "an admin can add a root.");
	expect_refused("/etc/hostname", "ACCESS_DENIED", "OUTSIDE_ROOTS",
	    "Access denied: /etc/hostname is outside allowed paths");
	expect_refused("/etc/passwd", "ACCESS_DENIED", "OUTSIDE_ROOTS", "outside allowed paths");
	expect_refused("/dev/stdin", "ACCESS_DENIED", "SPECIAL_FILE",
	    "Access denied: /dev/stdin is a device. Name a regular file.");
	expect_refused("/dev/zero", "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: /dev/zero is a device.");
	/* A file whose reading fails, as on a bad disk. */
	expect_refused("/proc/self/mem", "IO_ERROR", "READ_FAILED",
	    "Failed to read file: /proc/self/mem: Input/output error. ");
	buf_clear(&lib);
	buf_clear(&part);
	free(hostname);
}

static void other_kinds_of_files_are_named(void **state)
{
	char *fifo = tools_fixture_path(&w, "ws/fifo");

	(void)state;
	assert_int_equal(mkfifo(fifo, 0644), 0);
	tools_fixture_put_text(&w, "ws/sub/a", "x");
	tools_fixture_put_text(&w, "ws/.ssh/id_rsa", "x");
	expect_refused(
	    "fifo", "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: fifo is a pipe. Name a regular file.");
	expect_refused(
	    "sub", "INVALID_ARGUMENT", "IS_A_DIRECTORY", "sub is a directory. Use list_directory.");
	expect_refused("sub/a/b", "INVALID_ARGUMENT", "NOT_A_DIRECTORY",
	    "sub/a/b leads through something that is not a directory.");
	expect_refused("", "INVALID_ARGUMENT", "RANGE", "The path is empty. Name a file.");
	expect_refused(".ssh/id_rsa", "BLOCKED", "RULE", ".ssh/id_rsa is a protected file.");
	struct json_object *o = read_file(".ssh/id_rsa", "");
	assert_str(json_get_object(o, "context"), "rule", "protected-files");
	json_object_put(o);
	tools_fixture_refused(&w, "read_file", "{\"path\": \"a\\u0000b\"}", "INVALID_ARGUMENT", "TYPE");
	free(fifo);
}

static void a_workspace_file_may_have_other_hard_links(void **state)
{
	char *from = tools_fixture_path(&w, "ws/a"), *to = tools_fixture_path(&w, "ws/b");

	(void)state;
	tools_fixture_put_text(&w, "ws/a", "x\n");
	assert_int_equal(link(from, to), 0);
	expect_whole("b", "x\n", 1);
	free(from);
	free(to);
}

static void newlines_stay_exactly_as_stored(void **state)
{
	static const struct {
		const char *text;
		int64_t lines;
	} cases[] = {
	    {"", 0},
	    {"\n", 1},
	    {"\n\n\n", 3},
	    {"a", 1},
	    {"a\n", 1},
	    {"a\nb", 2},
	    {"a\nb\n", 2},
	    {"a\r\nb\r\n", 2},
	    {"a\rb", 1},
	    {"\r\n\r\n", 2},
	    {"\n\na", 3},
	    {"a\n\nb\n\n", 4},
	    {"\xef\xbb\xbf"
	     "a\n",
		1},
	    {"a\xe2\x80\xa8"
	     "b\n",
		1},
	    {"\t\"\\/\n", 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		tools_fixture_put_text(&w, "ws/f", cases[i].text);
		expect_whole("f", cases[i].text, cases[i].lines);
	}
}

static void offset_and_limit_choose_whole_lines(void **state)
{
	static const struct {
		const char *more, *content;
		int64_t next; /* 0: nothing is left */
	} cases[] = {
	    {"", "1\n2\n3\n4\n5", 0},
	    {", \"offset\": 1", "1\n2\n3\n4\n5", 0},
	    {", \"offset\": 2", "2\n3\n4\n5", 0},
	    {", \"offset\": 5", "5", 0},
	    {", \"limit\": 1", "1\n", 2},
	    {", \"limit\": 4", "1\n2\n3\n4\n", 5},
	    {", \"limit\": 5", "1\n2\n3\n4\n5", 0},
	    {", \"limit\": 6", "1\n2\n3\n4\n5", 0},
	    {", \"offset\": 2, \"limit\": 2", "2\n3\n", 4},
	    {", \"offset\": 4, \"limit\": 2", "4\n5", 0},
	    {", \"offset\": \"2\", \"limit\": \"1\"", "2\n", 3},
	    {", \"offset\": null, \"limit\": null", "1\n2\n3\n4\n5", 0},
	    {", \"limit\": 9223372036854775807", "1\n2\n3\n4\n5", 0},
	    {", \"offset\": 2, \"limit\": 9223372036854775807", "2\n3\n4\n5", 0},
	    {", \"line_numbers\": true, \"offset\": 4", "4: 4\n5: 5", 0},
	    {", \"line_numbers\": \"true\", \"limit\": 2", "1: 1\n2: 2\n", 3},
	    {", \"line_numbers\": false, \"limit\": 1", "1\n", 2},
	};

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "1\n2\n3\n4\n5");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *o = read_file("f", cases[i].more);
		assert_str(o, "content", cases[i].content);
		assert_int(o, "total_lines", 5);
		assert_int_equal(json_get_int(o, "next_offset", 0), cases[i].next);
		assert_int_equal(json_get_bool(o, "truncated", false), cases[i].next != 0);
		assert_null(json_get(o, "message"));
		json_object_put(o);
	}
}

static void an_offset_past_the_end_says_how_many_lines_there_are(void **state)
{
	static const char *const offsets[] = {"6", "7", "9223372036854775807", "18446744073709551615"};

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "1\n2\n3\n4\n5");
	tools_fixture_put_text(&w, "ws/empty", "");
	for (size_t i = 0; i < ARRAY_LEN(offsets); i++) {
		char *more = xasprintf(", \"offset\": %s", offsets[i]);
		struct json_object *o = read_file("f", more);
		assert_str(o, "content", "");
		assert_int(o, "total_lines", 5);
		assert_str(o, "message", "The file has 5 lines.");
		assert_null(json_get(o, "truncated"));
		json_object_put(o);
		o = read_file("empty", more);
		assert_str(o, "content", "");
		assert_str(o, "message", "The file has 0 lines.");
		json_object_put(o);
		free(more);
	}
}

static void limits_and_offsets_below_one_are_refused(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/f", "1\n");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"offset\": 0}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"offset\": -1}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"limit\": 0}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"limit\": \"many\"}", "INVALID_ARGUMENT", "TYPE");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"line_numbers\": 1}", "INVALID_ARGUMENT", "TYPE");
	tools_fixture_refused(&w, "read_file", "{\"offset\": 1}", "INVALID_ARGUMENT", "MISSING");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"encoding\": \"utf-8\"}", "INVALID_ARGUMENT", "UNKNOWN");
	tools_fixture_refused(
	    &w, "read_file", "{\"path\": \"f\", \"file_path\": \"g\"}", "INVALID_ARGUMENT", NULL);
}

static void without_a_limit_there_are_2000_lines(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 1; i <= 2001; i++)
		buf_addf(&text, "%d\n", i);
	tools_fixture_put(&w, "ws/f", text.data, text.len);
	struct json_object *o = read_file("f", "");
	assert_int(o, "total_lines", 2001);
	assert_int(o, "next_offset", 2001);
	assert_int_equal(json_object_get_string_len(json_get(o, "content")), text.len - strlen("2001\n"));
	json_object_put(o);
	tools_fixture_put(&w, "ws/f", text.data, text.len - strlen("2001\n"));
	o = read_file("f", "");
	assert_null(json_get(o, "truncated"));
	assert_null(json_get(o, "next_offset"));
	json_object_put(o);
	buf_clear(&text);
}

static void a_nul_in_the_first_8_kib_makes_a_file_binary(void **state)
{
	char data[9000];

	(void)state;
	memset(data, 'a', sizeof(data));
	data[8191] = '\0';
	tools_fixture_put(&w, "ws/f", data, sizeof(data));
	expect_refused("f", "BINARY_FILE", NULL,
	    "f is binary (9000 bytes). Use exec_shell with file, strings or xxd, or send_file.");
	data[8191] = 'a';
	data[8192] = '\0';
	data[8193] = '\x1b';
	tools_fixture_put(&w, "ws/f", data, sizeof(data));
	struct json_object *o = read_file("f", "");
	assert_int_equal(json_object_get_string_len(json_get(o, "content")), sizeof(data) - 2);
	assert_null(json_get(o, "replaced"));
	json_object_put(o);
	tools_fixture_put(&w, "ws/f", "", 1);
	expect_refused("f", "BINARY_FILE", NULL, "f is binary (1 bytes).");
}

static void other_bad_bytes_are_replaced_and_counted(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/f", "caf\xe9\n\xff\xfe\n\xc3\xa9 \xe2\x82\n\xed\xa0\x80");
	struct json_object *o = read_file("f", "");
	assert_str(o, "content",
	    "caf\xef\xbf\xbd\n\xef\xbf\xbd\xef\xbf\xbd\n\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\n"
	    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	assert_int(o, "replaced", 8);
	assert_int(o, "total_lines", 4);
	json_object_put(o);
	/* Only those in what is given back are counted. */
	o = read_file("f", ", \"offset\": 2, \"limit\": 1");
	assert_int(o, "replaced", 2);
	json_object_put(o);
}

/* A character whose bytes come in two reads of the file. */
static void characters_are_whole_wherever_a_read_ends(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 30000; i++)
		buf_addstr(&text, i % 50 ? "\xe2\x82\xac" : "\xf0\x9f\x98\x80\n");
	tools_fixture_put(&w, "ws/f", text.data, text.len);
	for (int64_t offset = 1, pages = 0; offset; pages++) {
		char *more = xasprintf(", \"offset\": %lld", (long long)offset);
		struct json_object *o = read_file("f", more);
		assert_null(json_get(o, "replaced"));
		offset = json_get_int(o, "next_offset", 0);
		assert_true(pages < 10);
		json_object_put(o);
		free(more);
	}
	buf_clear(&text);
}

static void add_random_line(struct buf *out, uint64_t *seed)
{
	static const char *const pieces[] = {"a", " ", "\t", "\"", "\\", "/", "\xc3\xa9", "\xe2\x82\xac",
	    "\xf0\x9f\x98\x80", "word ", "\r", "0123456789"};
	uint32_t length = any(seed, 8) == 0 ? any(seed, 900) : any(seed, 30);

	while (length-- > 0)
		buf_addstr(out, pieces[any(seed, ARRAY_LEN(pieces))]);
	buf_addstr(out, any(seed, 4) ? "\n" : "\r\n");
}

/* Reads page after page, as next_offset says, and puts them together. */
static void read_pages(struct buf *out, uint64_t *seed, bool numbers)
{
	int64_t offset = 1, lines = 0;

	while (offset) {
		char *args = any(seed, 2) ?
		    xasprintf("{\"path\": \"f\", \"offset\": %lld, \"limit\": %u, \"line_numbers\": %s}",
			(long long)offset, 1 + any(seed, 400), numbers ? "true" : "false") :
		    xasprintf("{\"path\": \"f\", \"offset\": %lld, \"line_numbers\": %s}", (long long)offset,
			numbers ? "true" : "false");
		struct json_object *o = tools_fixture_run(&w, "read_file", args);
		buf_addstr(out, json_get_str(o, "content"));
		int64_t next = json_get_int(o, "next_offset", 0);
		assert_int_equal(json_get_bool(o, "truncated", false), next != 0);
		assert_true(next == 0 || next > offset);
		assert_null(json_get(o, "message"));
		lines = json_get_int(o, "total_lines", -1);
		offset = next;
		json_object_put(o);
		free(args);
	}
	assert_true(lines >= 0);
}

static void pages_together_are_the_file(void **state)
{
	uint64_t seed = 11;

	(void)state;
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "result_limit = \"4 KiB\";", NULL);
	w.result_max = 4096;
	for (int round = 0; round < 25; round++) {
		struct buf text = BUF_INIT, pages = BUF_INIT;
		for (uint32_t n = any(&seed, 600); n > 0; n--)
			add_random_line(&text, &seed);
		if (any(&seed, 2) && text.len > 0)
			buf_truncate(&text, text.len - 1);
		tools_fixture_put(&w, "ws/f", text.data, text.len);
		read_pages(&pages, &seed, false);
		assert_int_equal(pages.len, text.len);
		assert_memory_equal(pages.data, text.data, text.len);
		buf_clear(&text);
		buf_clear(&pages);
	}
}

static void pages_with_line_numbers_count_on(void **state)
{
	struct buf text = BUF_INIT, want = BUF_INIT, pages = BUF_INIT;
	uint64_t seed = 5;

	(void)state;
	for (int i = 1; i <= 6000; i++) {
		buf_addf(&text, "line %d\n", i * 7);
		buf_addf(&want, "%d: line %d\n", i, i * 7);
	}
	tools_fixture_put(&w, "ws/f", text.data, text.len);
	read_pages(&pages, &seed, true);
	assert_string_equal(pages.data, want.data);
	buf_clear(&text);
	buf_clear(&want);
	buf_clear(&pages);
}

static void put_long_line(const char *before, size_t len, const char *after)
{
	struct buf text = BUF_INIT;

	buf_addstr(&text, before);
	for (size_t i = 0; i < len / 2; i++)
		buf_addstr(&text, "\xc3\xa9");
	buf_addstr(&text, after);
	tools_fixture_put(&w, "ws/f", text.data, text.len);
	buf_clear(&text);
}

static void expect_cut(const char *more, const char *begins, int64_t next, int64_t total)
{
	struct json_object *o = read_file("f", more);
	const char *content = json_get_str(o, "content");

	assert_int_equal(strncmp(content, begins, strlen(begins)), 0);
	assert_true(strlen(content) > 64000);
	assert_true(utf8_valid(content, strlen(content)));
	assert_true(json_get_bool(o, "truncated", false));
	assert_int_equal(json_get_int(o, "next_offset", 0), next);
	assert_holds(json_get_str(o, "message"), "only its beginning is here");
	assert_int(o, "total_lines", total);
	json_object_put(o);
}

static void of_a_line_that_is_too_long_there_is_the_beginning(void **state)
{
	(void)state;
	put_long_line("", 100000, "\nnext\n");
	expect_cut("", "\xc3\xa9\xc3\xa9", 2, 2);
	expect_content("f", ", \"offset\": 2", "next\n", 2);
	expect_cut(", \"line_numbers\": true", "1: \xc3\xa9", 2, 2);
	/* Nothing is left after it, so there is no next page. */
	put_long_line("x", 100000, "");
	expect_cut("", "x\xc3\xa9", 0, 1);
	put_long_line("x", 100000, "\n");
	expect_cut("", "x\xc3\xa9", 0, 1);
	/* Longer than what is kept at all. */
	put_long_line("", 2000000, "\nnext\n");
	expect_cut("", "\xc3\xa9", 2, 2);
	/* Lines before it come alone. */
	put_long_line("first\n", 100000, "\nnext\n");
	struct json_object *o = read_file("f", "");
	assert_str(o, "content", "first\n");
	assert_int(o, "next_offset", 2);
	assert_null(json_get(o, "message"));
	json_object_put(o);
	expect_cut(", \"offset\": 2", "\xc3\xa9", 3, 3);
}

static void a_long_line_of_bad_bytes_counts_those_that_are_shown(void **state)
{
	char *data = xmalloc(200000);

	(void)state;
	memset(data, 0xff, 200000);
	tools_fixture_put(&w, "ws/f", data, 200000);
	struct json_object *o = read_file("f", "");
	int64_t shown = json_object_get_string_len(json_get(o, "content")) / 3;
	assert_true(shown > 20000);
	assert_int(o, "replaced", shown);
	json_object_put(o);
	free(data);
}

static void put_secret_at(size_t at)
{
	struct buf text = BUF_INIT;

	while (text.len < at)
		buf_addch(&text, 'a');
	buf_addstr(&text, SECRET);
	while (text.len < 70000)
		buf_addch(&text, 'b');
	tools_fixture_put(&w, "ws/f", text.data, text.len);
	buf_clear(&text);
}

/* Cuts a line at every place around one. */
static void expect_no_part_seen(size_t first)
{
	for (size_t at = first; at < first + 80; at += 3) {
		put_secret_at(at);
		struct json_object *o = tools_fixture_run(&w, "read_file", "{\"path\": \"f\"}");
		const char *content = json_get_str(o, "content");
		assert_true(strlen(content) > first / 2);
		assert_null(strstr(content, "co"));
		json_object_put(o);
	}
}

/* Neither whole nor, where the line is cut, in halves. */
static void no_part_of_a_secret_is_seen(void **state)
{
	(void)state;
	secret_register(SECRET);
	tools_fixture_put_text(&w, "ws/f", "token=" SECRET "\nx\n");
	expect_whole("f", "token=[redacted]\nx\n", 2);
	expect_no_part_seen(64980);
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "read_limit = \"4 KiB\";", NULL);
	expect_no_part_seen(4060);
}

/* A hole of more than 64 MiB after some lines. */
static void put_sparse(off_t size)
{
	struct buf text = BUF_INIT;
	char *path = tools_fixture_path(&w, "ws/f");

	for (int i = 1; i <= 3000; i++)
		buf_addf(&text, "line %d\n", i);
	tools_fixture_put(&w, "ws/f", text.data, text.len);
	assert_int_equal(truncate(path, size), 0);
	int fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "\nlast\n", 6), 6);
	close(fd);
	buf_clear(&text);
	free(path);
}

static void of_a_large_file_lines_are_not_counted(void **state)
{
	(void)state;
	put_sparse(64 * 1024 * 1024);
	struct json_object *o = read_file("f", ", \"limit\": 2");
	assert_str(o, "content", "line 1\nline 2\n");
	assert_int(o, "size", 64 * 1024 * 1024 + 6);
	assert_null(json_get(o, "total_lines"));
	assert_int(o, "next_offset", 3);
	json_object_put(o);
	o = tools_fixture_run(&w, "read_file", "{\"path\": \"f\", \"offset\": 3002}");
	assert_str(o, "content", "last\n");
	assert_null(json_get(o, "truncated"));
	json_object_put(o);
	o = tools_fixture_run(&w, "read_file", "{\"path\": \"f\", \"offset\": 3003}");
	assert_str(o, "content", "");
	assert_str(o, "message", "The file has 3002 lines.");
	json_object_put(o);
	/* So large that reading it all would meet the deadline. */
	put_sparse(256LL * 1024 * 1024 * 1024);
	o = read_file("f", ", \"offset\": 2999, \"limit\": 2");
	assert_str(o, "content", "line 2999\nline 3000\n");
	json_object_put(o);
	/* One byte less is counted: the line of NULs, too. */
	put_sparse(64 * 1024 * 1024 - 6);
	o = tools_fixture_run(&w, "read_file", "{\"path\": \"f\", \"limit\": 1}");
	assert_int(o, "total_lines", 3002);
	assert_null(json_get(o, "size"));
	json_object_put(o);
}

static int read_forbidden(void)
{
	uv_loop_fork(uv_default_loop());
	struct json_object *o = tools_fixture_run(&w, "read_file", "{\"path\": \"forbidden\"}");
	const char *cause = json_get_str(json_get_object(o, "context"), "cause");

	return cause && strcmp(cause, "PERMISSION_DENIED") == 0 &&
		strcmp(json_get_str(o, "error_code"), "ACCESS_DENIED") == 0 ?
	    0 :
	    1;
}

static void a_file_without_permission_is_refused(void **state)
{
	char *path = tools_fixture_path(&w, "ws/forbidden"), *ws = tools_fixture_path(&w, "ws");
	int status;

	(void)state;
	tools_fixture_put_text(&w, "ws/forbidden", "x");
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(chmod(w.dir, 0755), 0);
	assert_int_equal(chmod(ws, 0755), 0);
	pid_t pid = fork();
	if (pid == 0) {
		/* Root may read everything. */
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(99);
		_exit(read_forbidden());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	free(path);
	free(ws);
}

static void read_until_cancelled(struct task *t, void *arg)
{
	struct json_object **result = arg;

	*result = tools_fixture_run_in(t, &w, "read_file", "{\"path\": \"f\", \"offset\": 4000}");
}

static void cancel_a_read(struct task *t, void *arg)
{
	struct task_group group;

	task_group_init(&group);
	task_start(&group, "reader", read_until_cancelled, arg);
	task_sleep(t, 5, NULL);
	task_group_finish(t, &group);
}

/* The thread goes on reading after the tools are gone, and must find what it needs. */
static void a_cancelled_read_answers_at_once_and_outlives_the_tools(void **state)
{
	for (off_t size = 1536LL * 1024 * 1024;; size *= 2) {
		struct json_object *o = NULL;

		put_sparse(size);
		task_run("canceller", cancel_a_read, &o);
		bool interrupted = json_get(o, "error_code");
		if (interrupted)
			assert_failure(o, "INTERRUPTED", "STOPPED");
		json_object_put(o);
		tools_free(w.tools);
		w.tools = NULL;
		if (interrupted && uv_loop_alive(uv_default_loop()))
			break;
		/* On a busy machine the thread was done before: that shows nothing. */
		assert_true(size < 64LL * 1024 * 1024 * 1024);
		tear_down(state);
		set_up(state);
	}
	while (uv_run(uv_default_loop(), UV_RUN_DEFAULT) != 0)
		;
}

static void a_home_is_not_expanded_and_it_says_so(void **state)
{
	(void)state;
	char *why = tools_fixture_error(&w, "read_file", "{\"path\":\"~/x\"}");
	assert_holds(why, "A leading ~ is not expanded");
	free(why);
}

/* Were it read to its end, the disk would be busy for minutes: the file is sparse after the start. */
static void a_line_without_an_end_is_read_as_far_as_it_is_kept(void **state)
{
	char *path = tools_fixture_path(&w, "ws/endless");
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 2 * 1024 * 1024; i++)
		buf_addch(&text, 'x');
	tools_fixture_put(&w, "ws/endless", text.data, text.len);
	assert_int_equal(truncate(path, INT64_C(1) << 40), 0);
	struct json_object *o = tools_fixture_run(&w, "read_file", "{\"path\":\"endless\"}");
	assert_true(json_get_bool(o, "truncated", false));
	assert_holds(json_get_str(o, "message"), "Line 1 is too long");
	json_object_put(o);
	buf_clear(&text);
	unlink(path);
	free(path);
}

#define READ_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    READ_TEST(the_examples_hold),
	    READ_TEST(a_home_is_not_expanded_and_it_says_so),
	    READ_TEST(a_line_without_an_end_is_read_as_far_as_it_is_kept),
	    READ_TEST(other_kinds_of_files_are_named),
	    READ_TEST(a_workspace_file_may_have_other_hard_links),
	    READ_TEST(newlines_stay_exactly_as_stored),
	    READ_TEST(offset_and_limit_choose_whole_lines),
	    READ_TEST(an_offset_past_the_end_says_how_many_lines_there_are),
	    READ_TEST(limits_and_offsets_below_one_are_refused),
	    READ_TEST(without_a_limit_there_are_2000_lines),
	    READ_TEST(a_nul_in_the_first_8_kib_makes_a_file_binary),
	    READ_TEST(other_bad_bytes_are_replaced_and_counted),
	    READ_TEST(characters_are_whole_wherever_a_read_ends),
	    READ_TEST(pages_together_are_the_file),
	    READ_TEST(pages_with_line_numbers_count_on),
	    READ_TEST(of_a_line_that_is_too_long_there_is_the_beginning),
	    READ_TEST(a_long_line_of_bad_bytes_counts_those_that_are_shown),
	    READ_TEST(no_part_of_a_secret_is_seen),
	    READ_TEST(of_a_large_file_lines_are_not_counted),
	    READ_TEST(a_file_without_permission_is_refused),
	    READ_TEST(a_cancelled_read_answers_at_once_and_outlives_the_tools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
