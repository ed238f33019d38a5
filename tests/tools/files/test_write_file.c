#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/files/path_error.h"
#include "tools/files/roots_internal.h"
#include "tools/tools_internal.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_put_text(&w, "extra/old.txt", "old");
	char *settings = xasprintf("roots = [\"%s/extra\"]; write_limit = \"64 KiB\";", w.dir);
	tools_fixture_open(&w, "", settings, NULL);
	free(settings);
	return 0;
}

static void a_backup_that_is_a_link_is_named(void **state)
{
	char *link = tools_fixture_path(&w, "ws/x.bak");

	(void)state;
	tools_fixture_put_text(&w, "ws/x", "old");
	assert_int_equal(symlink("x", link), 0);
	char *why =
	    tools_fixture_error(&w, "write_file", "{\"path\":\"x\",\"content\":\"new\",\"backup\":true}");
	assert_holds(why, "x.bak is a link");
	free(why);
	assert_int_equal(unlink(link), 0);
	free(link);
}

/* What the calls find, each anew: NULL for no such file. */
static const char *there_path, *there_text;

static void prepare(void)
{
	char *command = xasprintf("find '%s/ws' -mindepth 1 -delete", w.dir);

	assert_int_equal(system(command), 0);
	free(command);
	if (there_text)
		tools_fixture_put_text(&w, there_path, there_text);
}

static struct json_object *write_file(const char *path, const char *text, const char *arguments)
{
	there_path = path;
	there_text = text;
	return tools_fixture_run_each(&w, "write_file", arguments, prepare);
}

static void expect(
    const char *path, const char *text, const char *arguments, const char *result, const char *after)
{
	struct json_object *o = write_file(path, text, arguments);

	assert_json(o, result);
	assert_file(&w, path, after);
	json_object_put(o);
}

static void expect_refused(const char *path, const char *code, const char *cause, const char *says)
{
	char *arguments = xasprintf("{\"path\": \"%s\", \"content\": \"x\"}", path);
	struct json_object *o = write_file(NULL, NULL, arguments);

	assert_failure(o, code, cause);
	assert_holds(json_get_str(o, "error"), says);
	assert_str(json_get_object(o, "context"), "tool", "write_file");
	assert_str(json_get_object(o, "context"), "path", path);
	json_object_put(o);
	free(arguments);
}

static void the_examples_hold(void **state)
{
	char *test = tools_fixture_path(&w, "extra/test.txt"), *arguments;

	(void)state;
	expect("ws/a/b/c.txt", NULL, "{\"path\": \"a/b/c.txt\", \"content\": \"x\"}",
	    "{\"success\": true, \"message\": \"Wrote 1 bytes to a/b/c.txt\", \"bytes_written\": 1, "
	    "\"created\": true}",
	    "x");
	expect("ws/config/settings.toml", NULL,
	    "{\"path\": \"config/settings.toml\", \"content\": \"[server]\\nport = 8080\\n\"}",
	    "{\"success\": true, \"message\": \"Wrote 21 bytes to config/settings.toml\", \"bytes_written\": "
	    "21, \"created\": true}",
	    "[server]\nport = 8080\n");
	expect("ws/new_file.txt", NULL, "{\"path\": \"new_file.txt\", \"content\": \"Hello, world!\"}",
	    "{\"success\": true, \"message\": \"Wrote 13 bytes to new_file.txt\", \"bytes_written\": 13, "
	    "\"created\": true}",
	    "Hello, world!");
	expect("ws/config.toml", "the old one",
	    "{\"path\": \"config.toml\", \"content\": \"[settings]\\nkey = \\\"value\\\"\", \"backup\": "
	    "true}",
	    "{\"success\": true, \"message\": \"Wrote 24 bytes to config.toml\", \"bytes_written\": 24, "
	    "\"overwritten\": true, \"backup_created\": true}",
	    "[settings]\nkey = \"value\"");
	assert_file(&w, "ws/config.toml.bak", "the old one");
	expect_refused("/etc/passwd", "ACCESS_DENIED", "OUTSIDE_ROOTS",
	    "Access denied: /etc/passwd is outside allowed paths");
	expect_refused(
	    "/nonexistent/dir/file.txt", "ACCESS_DENIED", "OUTSIDE_ROOTS", "outside allowed paths");
	arguments = xasprintf("{\"path\": \"%s\", \"content\": \"Hello, world!\\n\"}", test);
	there_text = NULL;
	prepare();
	struct json_object *o = tools_fixture_run(&w, "file_write", arguments);
	assert_int(o, "bytes_written", 14);
	assert_file(&w, "extra/test.txt", "Hello, world!\n");
	json_object_put(o);
	expect("ws/empty", "old", "{\"path\": \"empty\", \"content\": \"\"}",
	    "{\"success\": true, \"message\": \"Wrote 0 bytes to empty\", \"bytes_written\": 0, "
	    "\"overwritten\": true}",
	    "");
	expect("ws/nonexistent/dir/file.txt", NULL,
	    "{\"path\": \"nonexistent/dir/file.txt\", \"content\": \"x\"}",
	    "{\"success\": true, \"message\": \"Wrote 1 bytes to nonexistent/dir/file.txt\", "
	    "\"bytes_written\": 1, \"created\": true}",
	    "x");
	expect("ws/output.txt", NULL, "{\"path\": \"output.txt\", \"content\": \"Hello, world!\"}",
	    "{\"success\": true, \"message\": \"Wrote 13 bytes to output.txt\", \"bytes_written\": 13, "
	    "\"created\": true}",
	    "Hello, world!");
	free(arguments);
	free(test);
}

static void arguments_are_checked_by_name(void **state)
{
	static const struct {
		const char *arguments, *cause, *says;
	} cases[] = {
	    {"{}", "MISSING",
		"missing 'path'. write_file takes path (string), content (string), backup?. Nothing was "
		"run."},
	    {"{\"path\": \"a\"}", "MISSING", "missing 'content'"},
	    {"{\"path\": 5, \"content\": \"x\"}", "TYPE", "'path' must be a string"},
	    {"{\"path\": \"a\", \"content\": []}", "TYPE", "'content' must be a string"},
	    {"{\"path\": \"a\", \"content\": \"x\", \"backup\": \"maybe\"}", "TYPE",
		"'backup' must be a boolean"},
	    {"{\"path\": \"a\", \"content\": \"x\", \"mode\": 1}", "UNKNOWN", "unknown 'mode'"},
	    {"{\"path\": \"a\\u0000b\", \"content\": \"x\"}", "TYPE", "'path' holds a NUL"},
	    {"{\"path\": \"\", \"content\": \"x\"}", "RANGE", "The path is empty."},
	    {"{\"path\": \"a\", \"file_path\": \"b\", \"content\": \"x\"}", NULL,
		"'path' and 'file_path' are one argument"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		there_text = NULL;
		prepare();
		struct json_object *o = tools_fixture_run(&w, "write_file", cases[i].arguments);
		assert_failure(o, "INVALID_ARGUMENT", cases[i].cause);
		assert_holds(json_get_str(o, "error"), cases[i].says);
		json_object_put(o);
	}
}

/* The lowest descriptor that is free. */
static int free_descriptor(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

static void a_folder_is_no_file(void **state)
{
	int before;

	(void)state;
	expect_refused(".", "INVALID_ARGUMENT", "IS_A_DIRECTORY", ". is a directory. Use list_directory.");
	expect_refused(
	    "a/", "INVALID_ARGUMENT", "IS_A_DIRECTORY", "a/ names a directory. Name a file in it.");
	there_path = "ws/f";
	there_text = "x";
	prepare();
	before = free_descriptor();
	tools_fixture_refused(&w, "write_file", "{\"path\": \"f/g\", \"content\": \"x\"}", "INVALID_ARGUMENT",
	    "NOT_A_DIRECTORY");
	tools_fixture_refused(&w, "write_file", "{\"path\": \"f/\", \"content\": \"x\"}", "INVALID_ARGUMENT",
	    "NOT_A_DIRECTORY");
	assert_int_equal(free_descriptor(), before);
	assert_file(&w, "ws/f", "x");
}

static void protected_files_are_not_made_nor_their_folders(void **state)
{
	char *folder = tools_fixture_path(&w, "ws/.ssh");
	struct stat st;

	(void)state;
	expect_refused(".ssh/id_rsa", "BLOCKED", "RULE", ".ssh/id_rsa is a protected file.");
	expect_refused(".//.ssh/./authorized_keys", "BLOCKED", "RULE", "is a protected file.");
	assert_int_equal(lstat(folder, &st), -1);
	expect_refused(".netrc", "BLOCKED", "RULE", ".netrc is a protected file.");
	free(folder);
}

static void content_over_the_limit_is_refused(void **state)
{
	struct buf arguments = BUF_INIT;

	(void)state;
	there_text = NULL;
	prepare();
	for (size_t more = 0; more < 2; more++) {
		buf_reset(&arguments);
		buf_addstr(&arguments, "{\"path\": \"f\", \"content\": \"");
		for (size_t i = 0; i < 65536 / 2; i++)
			buf_addstr(&arguments, "\xc3\xa9");
		buf_addf(&arguments, "%s\"}", more ? "x" : "");
		struct json_object *o = tools_fixture_run(&w, "write_file", arguments.data);
		if (more) {
			assert_failure(o, "LIMIT_REACHED", "TOO_LARGE");
			assert_str(o, "error",
			    "content has 65537 bytes, the limit is 65536. Write it in parts with exec_shell, "
			    "or as several files.");
		} else {
			assert_int(o, "bytes_written", 65536);
		}
		json_object_put(o);
	}
	buf_clear(&arguments);
}

static mode_t mode_of(const char *path, uid_t *owner)
{
	char *whole = tools_fixture_path(&w, path);
	struct stat st;

	assert_int_equal(stat(whole, &st), 0);
	if (owner)
		*owner = st.st_uid;
	free(whole);
	return st.st_mode & 07777;
}

static void mode_and_owner_are_kept(void **state)
{
	static const mode_t modes[][2] = {
	    {0600, 0600}, {0640, 0640}, {0755, 0755}, {0666, 0666}, {04755, 0755}};
	char *path = tools_fixture_path(&w, "ws/f");
	mode_t mask = umask(0027);
	uid_t owner;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		tools_fixture_put_text(&w, "ws/f", "old");
		/* Only root can give files away. */
		uid_t wanted = geteuid() == 0 ? 65534 : geteuid();
		assert_int_equal(chown(path, wanted, (gid_t)-1), 0);
		assert_int_equal(chmod(path, modes[i][0]), 0);
		struct json_object *o =
		    tools_fixture_run(&w, "write_file", "{\"path\": \"f\", \"content\": \"new\"}");
		assert_true(json_get_bool(o, "overwritten", false));
		assert_int_equal(mode_of("ws/f", &owner), modes[i][1]);
		assert_int_equal(owner, wanted);
		json_object_put(o);
	}
	json_object_put(tools_fixture_run(&w, "write_file", "{\"path\": \"d/g\", \"content\": \"new\"}"));
	assert_int_equal(mode_of("ws/d/g", NULL), 0640);
	assert_int_equal(mode_of("ws/d", NULL) & 0777, 0750);
	umask(mask);
	free(path);
}

static void assert_owner(const char *path, uid_t owner)
{
	char *full = tools_fixture_path(&w, path);
	struct stat st;

	assert_int_equal(stat(full, &st), 0);
	assert_int_equal(st.st_uid, owner);
	free(full);
}

/* Commands do not run as root, and use what file tools have made. */
static void new_files_of_root_belong_to_the_owner_of_the_folder(void **state)
{
	char *ws = tools_fixture_path(&w, "ws");

	(void)state;
	if (geteuid() == 0)
		assert_int_equal(chown(ws, 65534, 65534), 0);
	json_object_put(
	    tools_fixture_run(&w, "write_file", "{\"path\": \"new/below/f\", \"content\": \"x\"}"));
	assert_owner("ws/new", geteuid() == 0 ? 65534 : geteuid());
	assert_owner("ws/new/below", geteuid() == 0 ? 65534 : geteuid());
	assert_owner("ws/new/below/f", geteuid() == 0 ? 65534 : geteuid());
	if (geteuid() == 0)
		assert_int_equal(chown(ws, 0, 0), 0);
	free(ws);
}

static void the_backup_is_the_file_that_was(void **state)
{
	char *path = tools_fixture_path(&w, "ws/f");

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "first");
	assert_int_equal(chmod(path, 0600), 0);
	json_object_put(tools_fixture_run(
	    &w, "write_file", "{\"path\": \"f\", \"content\": \"second\", \"backup\": true}"));
	assert_file(&w, "ws/f", "second");
	assert_file(&w, "ws/f.bak", "first");
	assert_int_equal(mode_of("ws/f.bak", NULL), 0600);
	json_object_put(tools_fixture_run(
	    &w, "write_file", "{\"path\": \"f\", \"content\": \"third\", \"backup\": \"true\"}"));
	assert_file(&w, "ws/f.bak", "second");
	/* Nothing was there: nothing to keep. */
	struct json_object *o =
	    tools_fixture_run(&w, "write_file", "{\"path\": \"g\", \"content\": \"x\", \"backup\": true}");
	assert_json(o,
	    "{\"success\": true, \"message\": \"Wrote 1 bytes to g\", \"bytes_written\": 1, \"created\": "
	    "true}");
	json_object_put(o);
	free(path);
}

static void a_backup_is_not_put_over_what_is_no_file(void **state)
{
	char *backup = tools_fixture_path(&w, "ws/f.bak");

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "old");
	assert_int_equal(symlink("../extra/old.txt", backup), 0);
	tools_fixture_refused(&w, "write_file", "{\"path\": \"f\", \"content\": \"new\", \"backup\": true}",
	    "ACCESS_DENIED", "SYMLINK");
	assert_file(&w, "ws/f", "old");
	assert_file(&w, "extra/old.txt", "old");
	free(backup);
}

static void links_are_not_written_through(void **state)
{
	char *link_path = tools_fixture_path(&w, "ws/link"), *from = tools_fixture_path(&w, "ws/f"),
	     *to = tools_fixture_path(&w, "ws/g");
	char *folder = tools_fixture_path(&w, "ws/inner");

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "old");
	tools_fixture_put_text(&w, "ws/sub/h", "old");
	assert_int_equal(symlink("f", link_path), 0);
	assert_int_equal(symlink("sub", folder), 0);
	char *text = tools_fixture_error(&w, "write_file", "{\"path\": \"link\", \"content\": \"new\"}");
	assert_string_equal(text, "Access denied: link is a link. Name its target.");
	free(text);
	assert_int_equal(link(from, to), 0);
	tools_fixture_refused(
	    &w, "write_file", "{\"path\": \"g\", \"content\": \"new\"}", "ACCESS_DENIED", "HARD_LINK");
	text = tools_fixture_error(
	    &w, "edit_file", "{\"path\": \"f\", \"old_text\": \"old\", \"new_text\": \"new\"}");
	assert_string_equal(
	    text, "Access denied: f has other hard links. Copy it first, and write the copy.");
	free(text);
	assert_file(&w, "ws/f", "old");
	/* A link on the way stays inside. */
	json_object_put(tools_fixture_run(&w, "write_file", "{\"path\": \"inner/h\", \"content\": \"new\"}"));
	assert_file(&w, "ws/sub/h", "new");
	free(link_path);
	free(folder);
	free(from);
	free(to);
}

static size_t count_entries(const char *path)
{
	char *arguments = xasprintf("{\"path\": \"%s\"}", path);
	struct json_object *o = tools_fixture_run(&w, "list_directory", arguments);
	size_t n = (size_t)json_get_int(o, "total", -1);

	json_object_put(o);
	free(arguments);
	return n;
}

static void a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(void **state)
{
	struct rlimit limit, tight;
	struct buf arguments = BUF_INIT;

	(void)state;
	tools_fixture_put_text(&w, "ws/f", "old");
	buf_addstr(&arguments, "{\"path\": \"f\", \"content\": \"");
	for (size_t i = 0; i < 32768; i++)
		buf_addch(&arguments, 'x');
	buf_addstr(&arguments, "\"}");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	tight = limit;
	tight.rlim_cur = 20000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	struct json_object *o = tools_fixture_run(&w, "write_file", arguments.data);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_failure(o, "IO_ERROR", "WRITE_FAILED");
	assert_holds(json_get_str(o, "error"), "Failed to write file: f: File too large.");
	assert_file(&w, "ws/f", "old");
	assert_int_equal(count_entries("."), 1);
	json_object_put(o);
	buf_clear(&arguments);
}

static void what_a_write_says_has_its_code(void **state)
{
	static const struct {
		int number;
		const char *code, *cause, *says;
	} cases[] = {
	    {ENOSPC, "IO_ERROR", "NO_SPACE", "No space left on device: f. Free space, then try again."},
	    {EDQUOT, "IO_ERROR", "NO_SPACE", "No space left on device: f."},
	    {EACCES, "ACCESS_DENIED", "PERMISSION_DENIED", "Permission denied: f. Choose another file"},
	    {EROFS, "ACCESS_DENIED", "PERMISSION_DENIED", "Permission denied: f."},
	    {EIO, "IO_ERROR", "WRITE_FAILED", "Failed to write file: f: Input/output error."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct path_error why;
		errno = cases[i].number;
		assert_int_equal(path_error_write(&why, "f"), -1);
		assert_string_equal(why.code, cases[i].code);
		assert_string_equal(why.cause, cases[i].cause);
		assert_holds(why.text, cases[i].says);
	}
}

struct stopped {
	struct task_group group;
	struct json_object *result;
};

static void write_task(struct task *t, void *arg)
{
	struct stopped *s = arg;

	s->result = tools_fixture_run_in(t, &w, "write_file", "{\"path\": \"f\", \"content\": \"new\"}");
}

static void stop_task(struct task *t, void *arg)
{
	struct stopped *s = arg;

	task_group_init(&s->group);
	task_start(&s->group, "write", write_task, s);
	task_group_cancel(&s->group);
	task_group_finish(t, &s->group);
}

static void a_stopped_write_is_told_as_interrupted(void **state)
{
	struct stopped s = {0};

	(void)state;
	task_run("stop", stop_task, &s);
	assert_str(s.result, "error_code", "INTERRUPTED");
	json_object_put(s.result);
}

#define WRITE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

static void space_stays_free_on_the_disk(void **state)
{
	static const char asked[] = "{\"path\":\"a\",\"content\":\"x\"}";

	(void)state;
	w.tools->roots->disk_reserve = INT64_MAX / 2;
	tools_fixture_refused(&w, "write_file", asked, "LIMIT_REACHED", "DISK");
	char *path = tools_fixture_path(&w, "ws/a");
	assert_int_equal(access(path, F_OK), -1);
	w.tools->roots->disk_reserve = 1;
	json_object_put(tools_fixture_run(&w, "write_file", asked));
	assert_int_equal(access(path, F_OK), 0);
	free(path);
}

/* A small file takes 4 KiB, as does a folder. */
static void a_workspace_stays_within_its_quota(void **state)
{
	char *d = tools_fixture_path(&w, "ws/d"), *large = xmalloc(8193), *asked, *said;

	(void)state;
	memset(large, 'x', 8192);
	large[8192] = '\0';
	w.tools->roots->quota = 3 * 4096;
	json_object_put(tools_fixture_run(&w, "write_file", "{\"path\":\"a\",\"content\":\"x\"}"));
	asked = xasprintf("{\"path\":\"b\",\"content\":\"%s\"}", large);
	json_object_put(tools_fixture_run(&w, "write_file", asked));
	free(asked);
	tools_fixture_refused(
	    &w, "write_file", "{\"path\":\"c\",\"content\":\"\"}", "LIMIT_REACHED", "QUOTA");
	tools_fixture_refused(
	    &w, "write_file", "{\"path\":\"d/c\",\"content\":\"x\"}", "LIMIT_REACHED", "QUOTA");
	assert_int_equal(access(d, F_OK), -1);
	asked = xasprintf("{\"path\":\"a\",\"content\":\"%s\"}", large);
	tools_fixture_refused(&w, "write_file", asked, "LIMIT_REACHED", "QUOTA");
	said = tools_fixture_error(&w, "write_file", asked);
	assert_holds(said, "Not written: a. ");
	assert_holds(said, "tools.workspace_quota");
	assert_holds(said, "Largest: b (0.0 MiB)");
	free(said);
	free(asked);
	assert_file(&w, "ws/a", "x");
	tools_fixture_refused(
	    &w, "write_file", "{\"path\":\"a\",\"content\":\"y\",\"backup\":true}", "LIMIT_REACHED", "QUOTA");
	/* What takes no more, or less, is written. */
	json_object_put(tools_fixture_run(&w, "write_file", "{\"path\":\"a\",\"content\":\"y\"}"));
	json_object_put(tools_fixture_run(&w, "write_file", "{\"path\":\"b\",\"content\":\"\"}"));
	json_object_put(
	    tools_fixture_run(&w, "write_file", "{\"path\":\"a\",\"content\":\"z\",\"backup\":true}"));
	assert_file(&w, "ws/a.bak", "y");
	free(large);
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WRITE_TEST(the_examples_hold),
	    WRITE_TEST(a_backup_that_is_a_link_is_named),
	    WRITE_TEST(arguments_are_checked_by_name),
	    WRITE_TEST(a_folder_is_no_file),
	    WRITE_TEST(a_workspace_stays_within_its_quota),
	    WRITE_TEST(protected_files_are_not_made_nor_their_folders),
	    WRITE_TEST(content_over_the_limit_is_refused),
	    WRITE_TEST(mode_and_owner_are_kept),
	    WRITE_TEST(new_files_of_root_belong_to_the_owner_of_the_folder),
	    WRITE_TEST(the_backup_is_the_file_that_was),
	    WRITE_TEST(a_backup_is_not_put_over_what_is_no_file),
	    WRITE_TEST(links_are_not_written_through),
	    WRITE_TEST(a_write_that_fails_leaves_the_old_file_and_nothing_beside_it),
	    WRITE_TEST(space_stays_free_on_the_disk),
	    WRITE_TEST(what_a_write_says_has_its_code),
	    WRITE_TEST(a_stopped_write_is_told_as_interrupted),
	};

	signal(SIGXFSZ, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
