/* What was typed before, on disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "chat/history.h"

static char dir[64], *path;
static struct buf last = BUF_INIT;
static size_t taken;

static int make_place(void **state)
{
	(void)state;
	str_copy(dir, sizeof(dir), "/tmp/myna-history-XXXXXX");
	assert_non_null(mkdtemp(dir));
	setenv("XDG_STATE_HOME", dir, 1);
	path = chat_history_path();
	return 0;
}

static int remove_place(void **state)
{
	char *rm = xasprintf("rm -rf '%s'", dir);
	int rc = system(rm);

	(void)state;
	free(rm);
	free(path);
	buf_clear(&last);
	return rc;
}

static void take(void *arg, const char *text)
{
	(void)arg;
	taken++;
	buf_reset(&last);
	buf_addstr(&last, text);
}

static void load(void)
{
	taken = 0;
	chat_history_load(path, take, NULL);
}

static void what_was_typed_comes_back(void **state)
{
	struct stat st;

	(void)state;
	load();
	assert_int_equal(taken, 0);
	chat_history_add(path, "hello");
	chat_history_add(path, "two\nlines and a \\ backslash \\n");
	load();
	assert_int_equal(taken, 2);
	assert_string_equal(last.data, "two\nlines and a \\ backslash \\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void only_the_newest_are_kept(void **state)
{
	struct stat before, after;

	(void)state;
	for (size_t i = 0; i < 2 * CHAT_HISTORY_MAX + 5; i++) {
		char *text = xasprintf("message %zu", i);
		chat_history_add(path, text);
		free(text);
	}
	assert_int_equal(stat(path, &before), 0);
	load();
	assert_int_equal(taken, CHAT_HISTORY_MAX);
	assert_string_equal(last.data, "message 2004");
	assert_int_equal(stat(path, &after), 0);
	assert_true(after.st_size < before.st_size * 2 / 3);
	load();
	assert_int_equal(taken, CHAT_HISTORY_MAX);
	assert_string_equal(last.data, "message 2004");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_was_typed_comes_back, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(only_the_newest_are_kept, make_place, remove_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
