/* Calls as people and models of other agents write them, each by the name that they use and by ours: one
 * line, one call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/tools_internal.h"
#include "tools/tools_fixture.h"

#define FILES_MAX 8

/* What there is before a call; @ in a path, and in arguments and results, stands for the folder of ws and
 * extra. */
struct file {
	const char *path;
	const char *text;
	int lines; /* instead: so many numbered lines, of which the last is text */
};

struct example {
	const char *name, *arguments;
	const char *want;         /* JSON: what the result holds at least; NULL: nothing in particular */
	const char *code, *cause; /* of a failure */
	const char *says;         /* how its sentence begins, or goes on */
	struct file before[FILES_MAX];
	struct file after;
};

static const struct example examples[] = {
    /* Any call. */
    {"no_such_tool", "{}", .code = "TOOL_NOT_FOUND", .says = "The nearest are: "},
    {"file-read", "{\"file_path\": \"README.md\"}", "{\"content\": \"# Hello\\n\"}",
	.before = {{"@/ws/README.md", "# Hello\n", 0}}},
    {"read_file", "{\"path\": \"a\", \"file_path\": \"b\"}", .code = "INVALID_ARGUMENT",
	.says = "'path' and 'file_path' are one argument, and differ"},

    {"read_file", "{\"path\": \"src/main.rs\"}", "{\"content\": \"fn main() {}\\n\", \"total_lines\": 1}",
	.before = {{"@/ws/src/main.rs", "fn main() {}\n", 0}}},
    {"read_file", "{\"path\": \"../../../etc/passwd\"}", .code = "ACCESS_DENIED", .cause = "OUTSIDE_ROOTS"},
    {"read_file", "{\"file_path\": \"src/main.rs\"}",
	"{\"content\": \"fn main() {\\n    println!(\\\"Hello\\\");\\n}\", \"total_lines\": 3}",
	.before = {{"@/ws/src/main.rs", "fn main() {\n    println!(\"Hello\");\n}", 0}}},
    {"read_file", "{\"file_path\": \"src/main.rs\", \"line_numbers\": true}",
	"{\"content\": \"1: fn main() {\\n2:     println!(\\\"Hello\\\");\\n3: }\"}",
	.before = {{"@/ws/src/main.rs", "fn main() {\n    println!(\"Hello\");\n}", 0}}},
    {"read_file", "{\"file_path\": \"src/lib.rs\", \"offset\": 50, \"limit\": 10}",
	"{\"content\": \"50\\n51\\n52\\n53\\n54\\n55\\n56\\n57\\n58\\n59\\n\", \"total_lines\": 200, "
	"\"truncated\": true, \"next_offset\": 60}",
	.before = {{"@/ws/src/lib.rs", "end\n", 200}}},
    {"read_file", "{\"file_path\": \"nonexistent.rs\"}", .code = "NOT_FOUND", .cause = "FILE_NOT_FOUND",
	.says = "File not found: nonexistent.rs"},
    {"file_read", "{\"file_path\": \"/etc/hostname\"}", .code = "ACCESS_DENIED", .cause = "OUTSIDE_ROOTS"},
    {"file_read", "{\"file_path\": \"@/extra/hostname\"}", "{\"content\": \"myna\\n\"}",
	.before = {{"@/extra/hostname", "myna\n", 0}}},
    {"file_read", "{\"file_path\": \"empty\"}", "{\"content\": \"\", \"total_lines\": 0}",
	.before = {{"@/ws/empty", "", 0}}},
    {"file_read", "{\"file_path\": \"short\", \"offset\": 9}", "{\"content\": \"\"}",
	.before = {{"@/ws/short", "one\n", 0}}},
    {"file_read", "{\"file_path\": \"@/extra/gone\"}", .code = "NOT_FOUND", .cause = "FILE_NOT_FOUND"},
    {"file_read", "{\"file_path\": \"/dev/stdin\"}", .code = "ACCESS_DENIED", .cause = "SPECIAL_FILE"},
    {"file_read", "{\"file_path\": \"/dev/zero\"}", .code = "ACCESS_DENIED", .cause = "SPECIAL_FILE"},
    {"read_file", "{\"path\": \"README.md\"}", "{\"content\": \"# Hello\\n\"}",
	.before = {{"@/ws/README.md", "# Hello\n", 0}}},
    {"read_file", "{\"path\": \"/etc/passwd\"}", .code = "ACCESS_DENIED", .cause = "OUTSIDE_ROOTS"},

    {"file_write", "{\"path\": \"a/b/c.txt\", \"content\": \"x\"}",
	"{\"created\": true, \"message\": \"Wrote 1 bytes to a/b/c.txt\"}",
	.after = {"@/ws/a/b/c.txt", "x", 0}},
    {"write_file", "{\"path\": \"config/settings.toml\", \"content\": \"[server]\\nport = 8080\\n\"}",
	"{\"bytes_written\": 21}", .after = {"@/ws/config/settings.toml", "[server]\nport = 8080\n", 0}},
    {"write_file", "{\"file_path\": \"new_file.txt\", \"content\": \"Hello, world!\"}",
	"{\"bytes_written\": 13, \"created\": true}", .after = {"@/ws/new_file.txt", "Hello, world!", 0}},
    {"write_file",
	"{\"file_path\": \"config.toml\", \"content\": \"[settings]\\nkey = \\\"value\\\"\", \"backup\": "
	"true}",
	"{\"bytes_written\": 24, \"overwritten\": true, \"backup_created\": true}",
	.before = {{"@/ws/config.toml", "old", 0}}, .after = {"@/ws/config.toml.bak", "old", 0}},
    {"write_file", "{\"file_path\": \"/etc/passwd\", \"content\": \"malicious\"}", .code = "ACCESS_DENIED",
	.cause = "OUTSIDE_ROOTS", .says = "Access denied: /etc/passwd is outside allowed paths"},
    {"file_write", "{\"file_path\": \"@/extra/test.txt\", \"content\": \"Hello, world!\\n\"}",
	"{\"bytes_written\": 14}", .after = {"@/extra/test.txt", "Hello, world!\n", 0}},
    {"file_write", "{\"file_path\": \"empty\", \"content\": \"\"}", "{\"bytes_written\": 0}",
	.after = {"@/ws/empty", "", 0}},
    {"file_write", "{\"file_path\": \"/nonexistent/dir/file.txt\", \"content\": \"x\"}",
	.code = "ACCESS_DENIED", .cause = "OUTSIDE_ROOTS"},
    {"file_write", "{\"file_path\": \"nonexistent/dir/file.txt\", \"content\": \"x\"}", "{\"created\": true}",
	.after = {"@/ws/nonexistent/dir/file.txt", "x", 0}},
    {"write_file", "{\"path\": \"output.txt\", \"content\": \"Hello, world!\"}", "{\"bytes_written\": 13}",
	.after = {"@/ws/output.txt", "Hello, world!", 0}},

    {"edit_file",
	"{\"path\": \"src/main.rs\", \"old_text\": \"fn main() {}\", \"new_text\": \"fn main() {\\n    "
	"println!(\\\"hello\\\");\\n}\"}",
	"{\"replacements\": 1}", .before = {{"@/ws/src/main.rs", "fn main() {}\n", 0}},
	.after = {"@/ws/src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n", 0}},
    {"edit",
	"{\"file_path\": \"src/lib.rs\", \"old_string\": \"let x = 5;\", \"new_string\": \"let x = 10;\"}",
	"{\"success\": true, \"replacements\": 1, \"file_size\": 11}",
	.before = {{"@/ws/src/lib.rs", "let x = 5;", 0}}, .after = {"@/ws/src/lib.rs", "let x = 10;", 0}},
    {"edit",
	"{\"file_path\": \"src/main.rs\", \"old_string\": \"println!\", \"new_string\": \"eprintln!\", "
	"\"replace_all\": true}",
	"{\"replacements\": 5}",
	.before = {{"@/ws/src/main.rs", "println! println!\nprintln! println! println!\n", 0}},
	.after = {"@/ws/src/main.rs", "eprintln! eprintln!\neprintln! eprintln! eprintln!\n", 0}},
    {"edit",
	"{\"file_path\": \"new_module.rs\", \"new_string\": \"pub fn init() {}\", \"create_if_not_exists\": "
	"true}",
	"{\"created\": true, \"replacements\": 0, \"file_size\": 16}",
	.after = {"@/ws/new_module.rs", "pub fn init() {}", 0}},
    {"edit", "{\"file_path\": \"src/lib.rs\", \"old_string\": \"let x\", \"new_string\": \"let y\"}",
	"{\"suggestions\": [\"let x = 5;\", \"let x = foo();\", \"let x: i32\"], \"context\": {\"count\": "
	"3}}",
	.code = "NOT_UNIQUE", .before = {{"@/ws/src/lib.rs", "let x = 5;\nlet x = foo();\nlet x: i32\n", 0}}},
    {"edit",
	"{\"file_path\": \"src/lib.rs\", \"old_string\": \"nonexistent code\", \"new_string\": "
	"\"replacement\"}",
	.code = "NOT_FOUND", .cause = "STRING_NOT_FOUND", .before = {{"@/ws/src/lib.rs", "let x = 5;\n", 0}}},
    {"file_edit",
	"{\"file_path\": \"@/extra/config.txt\", \"old_string\": \"debug = false\", \"new_string\": \"debug "
	"= true\"}",
	"{\"replacements\": 1}", .before = {{"@/extra/config.txt", "debug = false\n", 0}},
	.after = {"@/extra/config.txt", "debug = true\n", 0}},
    {"file_edit", "{\"file_path\": \"f\", \"old_string\": \"a\", \"new_string\": \"a\"}",
	.code = "INVALID_ARGUMENT", .says = "old_text and new_text are identical. Nothing would change.",
	.before = {{"@/ws/f", "a", 0}}},
    {"file_edit", "{\"file_path\": \"f\", \"old_string\": \"\", \"new_string\": \"a\"}",
	.code = "INVALID_ARGUMENT",
	.says = "old_text cannot be empty. Use write_file to replace the whole file.",
	.before = {{"@/ws/f", "a", 0}}},
    {"file_edit", "{\"file_path\": \"f\", \"old_string\": \"b\", \"new_string\": \"\"}",
	"{\"replacements\": 1}", .before = {{"@/ws/f", "abc", 0}}, .after = {"@/ws/f", "ac", 0}},
    {"file_edit",
	"{\"file_path\": \"f\", \"old_string\": \"x\", \"new_string\": \"y\", \"replace_all\": true}",
	"{\"success\": true, \"replacements\": 0}", .before = {{"@/ws/f", "abc", 0}}},
    {"file_edit", "{\"file_path\": \"f\", \"old_string\": \"x\", \"new_string\": \"y\"}", .code = "NOT_FOUND",
	.cause = "FILE_NOT_FOUND"},
    {"file_edit", "{\"file_path\": \"f\", \"old_string\": \"x\", \"new_string\": \"y\"}",
	.code = "NOT_UNIQUE", .before = {{"@/ws/f", "xxx", 0}}},

    {"list_directory", "{\"path\": \"src\"}",
	"{\"entries\": [{\"name\": \"main.rs\", \"is_dir\": false, \"size\": 4}, {\"name\": \"tests\", "
	"\"is_dir\": true}]}",
	.before = {{"@/ws/src/main.rs", "1234", 0}, {"@/ws/src/tests/a", "a", 0}}},
    {"list_files", "{\"path\": \".\"}",
	"{\"entries\": [{\"name\": \"README.md\", \"is_dir\": false, \"size\": 1}, {\"name\": \"src\", "
	"\"is_dir\": true}]}",
	.before = {{"@/ws/README.md", "x", 0}, {"@/ws/src/a", "a", 0}}},

    {"glob", "{\"pattern\": \"**/*.rs\"}", "{\"count\": 3, \"total_found\": 3, \"truncated\": false}",
	.before = {{"@/ws/src/main.rs", "", 0}, {"@/ws/src/lib.rs", "", 0}, {"@/ws/tests/a.rs", "", 0},
	    {"@/ws/a.c", "", 0}}},
    {"glob", "{\"pattern\": \"*.md\", \"directory\": \"docs\", \"sort\": \"modified\"}",
	"{\"matches\": [\"docs/TOOLS.md\", \"docs/TEXT_RENDERING.md\"]}",
	.before = {{"@/ws/docs/TEXT_RENDERING.md", "", 0}, {"@/ws/docs/TOOLS.md", "", 0}}},
    {"glob", "{\"pattern\": \"**/*.xyz\"}",
	.want = "{\"matches\": [], \"count\": 0, \"total_found\": 0, \"truncated\": false}"},
    {"glob", "{\"pattern\": \"*.txt\", \"path\": \"@/extra\"}",
	"{\"matches\": [\"@/extra/file1.txt\", \"@/extra/file2.txt\", \"@/extra/notes.txt\"], \"count\": 3}",
	.before = {{"@/extra/file1.txt", "", 0}, {"@/extra/file2.txt", "", 0}, {"@/extra/notes.txt", "", 0},
	    {"@/extra/x.c", "", 0}}},
    {"glob", "{\"pattern\": \"[abc\"}", .code = "INVALID_ARGUMENT", .cause = "INVALID_PATTERN"},

    {"grep", "{\"pattern\": \"fn\\\\s+\\\\w+\", \"type\": \"rs\", \"output_mode\": \"content\"}",
	"{\"matches\": [{\"file\": \"src/main.rs\", \"line\": 10, \"content\": \"fn main() {\"}], \"count\": "
	"1, \"total_found\": 1}",
	.before = {{"@/ws/src/main.rs", "fn main() {", 10}, {"@/ws/src/main.c", "fn main() {", 0}}},
    {"grep", "{\"pattern\": \"TODO\", \"output_mode\": \"files_with_matches\"}",
	"{\"matches\": [\"src/lib.rs\", \"src/tools/bash.rs\"], \"count\": 2}",
	.before = {{"@/ws/src/lib.rs", "TODO\nTODO\n", 0}, {"@/ws/src/tools/bash.rs", "TODO\n", 0},
	    {"@/ws/src/a", "done\n", 0}}},
    {"grep", "{\"pattern\": \"error\", \"case_insensitive\": true, \"context\": 2}",
	"{\"matches\": [{\"file\": \"a\", \"line\": 3, \"content\": \"An ERROR\", \"before\": [\"1\", "
	"\"2\"], \"after\": [\"x\", \"y\"]}]}",
	.before = {{"@/ws/a", "1\n2\nAn ERROR\nx\ny\nz\n", 0}}},
    {"grep", "{\"pattern\": \"unwrap\\\\(\\\\)\", \"type\": \"rs\", \"output_mode\": \"count\"}",
	"{\"matches\": [{\"file\": \"src/lib.rs\", \"count\": 2}, {\"file\": \"src/main.rs\", \"count\": "
	"5}], \"count\": 2, \"total_found\": 7}",
	.before = {{"@/ws/src/lib.rs", "unwrap()\nunwrap()\n", 0},
	    {"@/ws/src/main.rs", "unwrap()\nunwrap()\nunwrap()\nunwrap()\nunwrap()\n", 0}}},
    {"grep", "{\"pattern\": \"import\", \"directory\": \"src/components\", \"file_pattern\": \"*.tsx\"}",
	"{\"count\": 5, \"total_found\": 5}",
	.before = {{"@/ws/src/components/a.tsx", "import a\nimport b\nimport c\n", 0},
	    {"@/ws/src/components/b.tsx", "import a\nimport b\n", 0},
	    {"@/ws/src/components/c.ts", "import a\n", 0}, {"@/ws/src/d.tsx", "import a\n", 0}}},
    {"grep", "{\"pattern\": \"TODO\", \"glob\": \"*.c\", \"path\": \"src\"}",
	"{\"matches\": [{\"file\": \"src/main.c\", \"line\": 42, \"content\": \"// TODO: implement error "
	"handling\"}, {\"file\": \"src/util.c\", \"line\": 15, \"content\": \"// TODO: optimize this\"}], "
	"\"count\": 2}",
	.before = {{"@/ws/src/main.c", "// TODO: implement error handling", 42},
	    {"@/ws/src/util.c", "// TODO: optimize this", 15}, {"@/ws/src/a.h", "TODO", 0}}},
    {"grep", "{\"pattern\": \"(\"}", .code = "INVALID_ARGUMENT", .cause = "INVALID_PATTERN",
	.says = "Invalid pattern: "},

    {"memory_read", "{\"query\": \"database schema\"}",
	"{\"matches\": [\"The database schema is in db.\"], \"count\": 1}",
	.before = {{"@/state/memory/chat/telegram%3A-1/MEMORY.md",
	    "# Project\n\nThe database schema is in db.\n\nMore.\n", 0}}},
    {"memory_read", "{\"query\": \"authentication\"}",
	"{\"matches\": [\"Decided to use JWT tokens for authentication in the API.\"], \"count\": 1}",
	.before = {{"@/state/memory/chat/telegram%3A-1/MEMORY.md",
	    "# Project\n\nDecided to use JWT tokens for authentication in the API.\n", 0}}},
    {"memory_read", "{}", "{\"content\": \"# All\\n\"}",
	.before = {{"@/state/memory/chat/telegram%3A-1/MEMORY.md", "# All\n", 0}}},
    {"memory_read", "{}", .want = "{\"content\": \"\", \"message\": \"No memory file found\"}"},
    {"memory_write",
	"{\"content\": \"## Decision\\n\\nUse PostgreSQL for the primary datastore.\", \"mode\": \"append\"}",
	.want = "{\"message\": \"Successfully wrote 54 bytes to memory (mode: append)\"}"},
};

static struct tools_fixture w;
static const struct address chat = {"telegram", "-1", ""};

/* With the folder in place of each @; malloc'd. */
static char *placed(const char *text)
{
	struct buf out = BUF_INIT;

	for (; *text; text++) {
		if (*text == '@')
			buf_addstr(&out, w.dir);
		else
			buf_addch(&out, *text);
	}
	return buf_take(&out);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind;
	/* The folders themselves are open as roots. */
	return where->level == 0 ? 0 : remove(path);
}

static void empty(const char *folder)
{
	char *path = tools_fixture_path(&w, folder);

	assert_int_equal(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	free(path);
}

static void put(const struct file *f, int place)
{
	char *path = placed(f->path);
	struct buf text = BUF_INIT;

	for (int i = 1; i < f->lines; i++)
		buf_addf(&text, "%d\n", i);
	buf_addstr(&text, f->text);
	tools_fixture_put(&w, path + strlen(w.dir) + 1, text.data, text.len);
	/* Later ones are newer. */
	const struct timespec times[] = {{.tv_sec = 1000 + place}, {.tv_sec = 1000 + place}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	buf_clear(&text);
	free(path);
}

/* Every member of want is in have, to any depth; lists are the same. */
static bool holds(struct json_object *have, struct json_object *want)
{
	if (json_object_is_type(want, json_type_array)) {
		if (!json_object_is_type(have, json_type_array) ||
		    json_object_array_length(have) != json_object_array_length(want))
			return false;
		for (size_t i = 0; i < json_object_array_length(want); i++)
			if (!holds(json_object_array_get_idx(have, i), json_object_array_get_idx(want, i)))
				return false;
		return true;
	}
	if (!json_object_is_type(want, json_type_object))
		return json_object_equal(have, want);
	json_object_object_foreach(want, name, value)
		if (!holds(json_get(have, name), value))
			return false;
	return true;
}

static void check(const struct example *e, const char *name, struct json_object *o)
{
	const char *code = json_get_str(o, "error_code"),
		   *cause = json_get_str(json_get_object(o, "context"), "cause");
	const char *shown = json_object_to_json_string(o);

	if ((!code) != (!e->code) || (code && strcmp(code, e->code) != 0))
		fail_msg(
		    "%s %s: the code is not %s: %s", name, e->arguments, e->code ? e->code : "absent", shown);
	if (e->cause && (!cause || strcmp(cause, e->cause) != 0))
		fail_msg("%s %s: the cause is not %s: %s", name, e->arguments, e->cause, shown);
	if (e->says)
		assert_holds(json_get_str(o, "error"), e->says);
	if (!e->want)
		return;
	char *text = placed(e->want);
	struct json_object *want = json_parse(text, strlen(text), NULL);
	assert_non_null(want);
	if (!holds(o, want))
		fail_msg("%s %s: not %s: %s", name, e->arguments, text, shown);
	json_object_put(want);
	free(text);
}

static struct json_object *run(const struct example *e, const char *name)
{
	char *arguments = placed(e->arguments);

	empty("ws");
	empty("extra");
	empty("state/memory");
	for (int i = 0; i < FILES_MAX && e->before[i].path; i++)
		put(&e->before[i], i);
	struct json_object *o = tools_fixture_run(&w, name, arguments);
	check(e, name, o);
	if (e->after.path) {
		char *path = placed(e->after.path);
		assert_file(&w, path + strlen(w.dir) + 1, e->after.text);
		free(path);
	}
	free(arguments);
	return o;
}

static void each_call_has_its_result_by_both_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		const struct tool *tool = tools_find(w.tools, examples[i].name);
		struct json_object *theirs = run(&examples[i], examples[i].name);
		if (tool) {
			struct json_object *ours = run(&examples[i], tool->name);
			assert_true(json_object_equal(ours, theirs));
			json_object_put(ours);
		}
		json_object_put(theirs);
	}
}

/* 150 files are too many for a row. */
static void a_page_of_many_files(void **state)
{
	(void)state;
	for (int i = 0; i < 150; i++) {
		char *path = xasprintf("ws/src/f%03d.ts", i);
		tools_fixture_put_text(&w, path, "");
		free(path);
	}
	struct json_object *o =
	    tools_fixture_run(&w, "glob", "{\"pattern\": \"**/*.ts\", \"head_limit\": 10, \"offset\": 20}");
	assert_int(o, "count", 10);
	assert_int(o, "total_found", 150);
	assert_true(json_get_bool(o, "truncated", false));
	assert_string_equal(
	    json_object_get_string(json_object_array_get_idx(json_get_array(o, "matches"), 0)),
	    "src/f020.ts");
	json_object_put(o);
}

/* Outside it is denied (above), and in a root it is blocked all the same. */
static void a_file_of_passwords_is_blocked_in_a_root_too(void **state)
{
	static const char *const names[] = {"read_file", "file_read"};

	(void)state;
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "roots = [\"/etc\"];", NULL);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct json_object *o = tools_fixture_run(&w, names[i], "{\"path\": \"/etc/passwd\"}");
		assert_failure(o, "BLOCKED", "RULE");
		assert_str(json_get_object(o, "context"), "rule", "protected-files");
		json_object_put(o);
	}
}

/* No example may be forgotten because nobody knows the name any more. */
static void every_name_but_one_is_known(void **state)
{
	size_t unknown = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		unknown += !tools_find(w.tools, examples[i].name);
	assert_int_equal(unknown, 1);
}

static int set_up(void **state)
{
	char *settings;

	*state = &w;
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	tools_fixture_init(&w);
	tools_fixture_put_text(&w, "extra/.keep", "");
	tools_fixture_put_text(&w, "state/memory/.keep", "");
	settings = xasprintf("roots = [\"%s/extra\", \"/dev\"];", w.dir);
	tools_fixture_open(&w, "", settings, NULL);
	w.call.chat = &chat;
	free(settings);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		each_call_has_its_result_by_both_names, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(a_page_of_many_files, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_file_of_passwords_is_blocked_in_a_root_too, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(every_name_but_one_is_known, set_up, tools_fixture_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
