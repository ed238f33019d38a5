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
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "bus/attachment.h"
#include "tools/files/incoming_files.h"
#include "tools/files/roots_internal.h"
#include "tools/tools_fixture.h"
#include "tools/tools_internal.h"

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	return 0;
}

static char *path_for(
    const char *chat, enum attachment_kind kind, const char *name, const char *mime, const char *key)
{
	struct attachment a = {.kind = kind, .name = xstrdup(name), .mime = xstrdup(mime)};
	struct address where;

	assert_int_equal(address_set(&where, "telegram", chat, NULL, NULL), 0);
	char *path = incoming_file_path(&where, &a, key);
	attachment_clear(&a);
	return path;
}

static void names_are_made_harmless(void **state)
{
	static const struct {
		const char *name, *mime;
		enum attachment_kind kind;
		const char *want; /* %s: the mark */
	} cases[] = {
	    {"report.pdf", NULL, ATTACHMENT_FILE, "report-%s.pdf"},
	    {"../../etc/passwd", NULL, ATTACHMENT_FILE, "passwd-%s"},
	    {"..\\..\\boot.ini", NULL, ATTACHMENT_FILE, "boot-%s.ini"},
	    {"/", NULL, ATTACHMENT_FILE, "file-%s"},
	    {"..", NULL, ATTACHMENT_FILE, "file-%s"},
	    {".bashrc", NULL, ATTACHMENT_FILE, "file-%s.bashrc"},
	    {"-rf", NULL, ATTACHMENT_FILE, "rf-%s"},
	    {"a b\tc\n[system]\x1b[31m.txt", NULL, ATTACHMENT_FILE, "a_b_c_system_31m-%s.txt"},
	    {"$(reboot);`x`.sh", NULL, ATTACHMENT_FILE, "reboot_x-%s.sh"},
	    {"con.txt", NULL, ATTACHMENT_FILE, "con-%s.txt"},
	    {"gpj.\xe2\x80\xae"
	     "exe",
		NULL, ATTACHMENT_FILE, "gpj.exe-%s"},
	    {"\xff\xfe.bin", NULL, ATTACHMENT_FILE, "file-%s.bin"},
	    {"r\xc3\xa9sum\xc3\xa9.pdf", NULL, ATTACHMENT_FILE, "r\xc3\xa9sum\xc3\xa9-%s.pdf"},
	    {"x.a ending that is none", NULL, ATTACHMENT_FILE, "x.a_ending_that_is_none-%s"},
	    {NULL, "image/jpeg", ATTACHMENT_IMAGE, "image-%s.jpg"},
	    {NULL, "audio/ogg", ATTACHMENT_VOICE, "voice-%s.ogg"},
	    {"", "application/x-unknown", ATTACHMENT_FILE, "file-%s"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *path = path_for("7", cases[i].kind, cases[i].name, cases[i].mime, "key"), mark[16] = "";
		const char *name = path + strlen("files/telegram-7/");
		struct buf want = BUF_INIT;

		assert_int_equal(strncmp(path, "files/telegram-7/", strlen("files/telegram-7/")), 0);
		memcpy(mark, strrchr(name, '-') + 1, 8);
		const char *at = strstr(cases[i].want, "%s");
		buf_add(&want, cases[i].want, (size_t)(at - cases[i].want));
		buf_addf(&want, "%s%s", mark, at + 2);
		assert_string_equal(name, want.data);
		buf_clear(&want);
		free(path);
	}
}

static void a_long_name_is_cut_between_characters(void **state)
{
	struct buf name = BUF_INIT;

	(void)state;
	for (int i = 0; i < 150; i++)
		buf_addstr(&name, "\xc3\xa9");
	buf_addstr(&name, ".pdf");
	char *path = path_for("7", ATTACHMENT_FILE, name.data, NULL, "key");
	assert_true(strlen(path) < 128);
	assert_true(utf8_valid(path, strlen(path)));
	assert_holds(path, ".pdf");
	free(path);
	buf_clear(&name);
}

static void the_same_file_has_the_same_path_and_another_another(void **state)
{
	char *a = path_for("7", ATTACHMENT_FILE, "x.txt", NULL, "e1 0"),
	     *b = path_for("7", ATTACHMENT_FILE, "x.txt", NULL, "e1 0");
	char *c = path_for("7", ATTACHMENT_FILE, "x.txt", NULL, "e1 1"),
	     *d = path_for("a:..b", ATTACHMENT_FILE, "x.txt", NULL, "e1 0");

	(void)state;
	assert_string_equal(a, b);
	assert_string_not_equal(a, c);
	assert_holds(d, "files/telegram-a___b/x-");
	free(a);
	free(b);
	free(c);
	free(d);
}

struct store_call {
	const char *path, *text;
	int64_t most;
	int rc, found;
	struct error err;
	struct buf back;
};

static void store_in(struct task *t, void *arg)
{
	struct store_call *c = arg;
	struct buf bytes = BUF_INIT;

	buf_addstr(&bytes, c->text);
	c->rc = incoming_file_store(t, w.tools, c->path, &bytes, c->most, &c->err);
	if (c->rc == 0)
		assert_string_equal(bytes.data, c->text);
	buf_clear(&bytes);
	buf_clear(&c->back);
	c->found = incoming_file_read(t, w.tools, c->path, 1000, &c->back, NULL);
}

static void store(struct store_call *c, const char *path, const char *text, int64_t most)
{
	c->path = path;
	c->text = text;
	c->most = most;
	task_run("store", store_in, c);
}

static void a_file_is_kept_and_found_again(void **state)
{
	struct store_call c = {.back = BUF_INIT};

	(void)state;
	store(&c, "files/telegram-7/a.txt", "hello", 0);
	assert_int_equal(c.rc, 0);
	assert_int_equal(c.found, 1);
	assert_string_equal(c.back.data, "hello");
	assert_file(&w, "ws/files/telegram-7/a.txt", "hello");
	buf_clear(&c.back);
}

static void what_is_there_is_never_overwritten(void **state)
{
	struct store_call c = {.back = BUF_INIT};

	(void)state;
	tools_fixture_put_text(&w, "ws/files/telegram-7/a.txt", "older");
	store(&c, "files/telegram-7/a.txt", "newer", 0);
	assert_int_equal(c.rc, 0);
	assert_file(&w, "ws/files/telegram-7/a.txt", "older");
	buf_clear(&c.back);
}

static void a_folder_that_is_full_takes_no_more(void **state)
{
	struct store_call c = {.back = BUF_INIT};

	(void)state;
	tools_fixture_put_text(&w, "ws/files/telegram-7/a.txt", "12345");
	store(&c, "files/telegram-7/b.txt", "67890", 9);
	assert_int_equal(c.rc, -1);
	assert_int_equal(c.err.kind, ERROR_REFUSED);
	assert_holds(c.err.text, "already have 5 of 9 bytes");
	assert_int_equal(c.found, 0);
	store(&c, "files/telegram-7/b.txt", "67890", 10);
	assert_int_equal(c.rc, 0);
	buf_clear(&c.back);
}

static void a_full_workspace_takes_no_more(void **state)
{
	struct store_call c = {.back = BUF_INIT};

	(void)state;
	tools_fixture_put_text(&w, "ws/files/telegram-7/a.txt", "12345");
	w.tools->roots->quota = 3 * 4096;
	store(&c, "files/telegram-7/b.txt", "67890", 0);
	assert_int_equal(c.rc, -1);
	assert_int_equal(c.err.kind, ERROR_REFUSED);
	assert_holds(c.err.text, "(tools.workspace_quota). Remove files, or ask an admin for more.");
	assert_int_equal(c.found, 0);
	w.tools->roots->quota = 4 * 4096;
	store(&c, "files/telegram-7/b.txt", "67890", 0);
	assert_int_equal(c.rc, 0);
	buf_clear(&c.back);
}

/* A folder that somebody put elsewhere is not followed out of the workspace. */
static void a_link_out_of_the_workspace_is_refused(void **state)
{
	struct store_call c = {.back = BUF_INIT};
	char *outside = tools_fixture_path(&w, "outside"), *link = tools_fixture_path(&w, "ws/files");

	(void)state;
	assert_int_equal(mkdir(outside, 0700), 0);
	assert_int_equal(symlink(outside, link), 0);
	store(&c, "files/telegram-7/a.txt", "x", 0);
	assert_int_equal(c.rc, -1);
	assert_int_equal(c.found, -1);
	free(outside);
	free(link);
	buf_clear(&c.back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_made_harmless),
	    cmocka_unit_test(a_long_name_is_cut_between_characters),
	    cmocka_unit_test(the_same_file_has_the_same_path_and_another_another),
	    cmocka_unit_test_setup_teardown(a_file_is_kept_and_found_again, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(
		what_is_there_is_never_overwritten, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_folder_that_is_full_takes_no_more, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(a_full_workspace_takes_no_more, set_up, tools_fixture_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_link_out_of_the_workspace_is_refused, set_up, tools_fixture_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
