#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "tools/files/disk_usage.h"
#include "tools/tools_fixture.h"

#define UNIT 4096

static struct tools_fixture w;
static char *top;

static int set_up(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	top = tools_fixture_path(&w, "ws");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(top);
	tools_fixture_clear(&w);
	return 0;
}

static struct disk_usage count(void)
{
	struct disk_usage used = {0};

	disk_usage_add_path(top, &used);
	return used;
}

static void each_name_counts_and_folders_do(void **state)
{
	(void)state;
	assert_int_equal(count().bytes, 0);
	tools_fixture_put_text(&w, "ws/empty", "");
	assert_int_equal(count().bytes, UNIT);
	tools_fixture_put_text(&w, "ws/one/two/three", "x");
	assert_int_equal(count().bytes, 4 * UNIT);
}

static void holes_take_nothing_and_two_names_are_one_file(void **state)
{
	char *one = tools_fixture_path(&w, "ws/one"), *other = tools_fixture_path(&w, "ws/other");
	char text[16 * UNIT];

	(void)state;
	memset(text, 'x', sizeof(text));
	tools_fixture_put(&w, "ws/one", text, sizeof(text));
	assert_int_equal(count().bytes, sizeof(text));
	assert_int_equal(truncate(one, 1 << 30), 0);
	assert_in_range(count().bytes, sizeof(text), sizeof(text) + UNIT);
	int64_t before = count().bytes;
	assert_int_equal(link(one, other), 0);
	assert_int_equal(count().bytes, before);
	assert_int_equal(disk_usage_of_length(0), UNIT);
	assert_int_equal(disk_usage_of_length(UNIT + 1), 2 * UNIT);
	free(one);
	free(other);
}

static void a_link_leads_nowhere(void **state)
{
	char *path = tools_fixture_path(&w, "ws/link");

	(void)state;
	assert_int_equal(symlink("/usr", path), 0);
	assert_int_equal(count().bytes, UNIT);
	free(path);
}

static void the_largest_are_named(void **state)
{
	char told[400], text[4 * UNIT], temporary[48];
	struct disk_usage used;

	(void)state;
	memset(text, 'x', sizeof(text));
	/* What this program itself is writing is nothing to remove. */
	snprintf(temporary, sizeof(temporary), "ws/.myna-%ld-1.tmp", (long)getpid());
	tools_fixture_put(&w, temporary, text, 4 * UNIT);
	tools_fixture_put(&w, "ws/d/second", text, 2 * UNIT);
	tools_fixture_put(&w, "ws/first", text, 3 * UNIT);
	for (int i = 0; i < 5; i++) {
		char name[32];
		snprintf(name, sizeof(name), "ws/small\n%d", i);
		tools_fixture_put(&w, name, text, 1);
	}
	used = count();
	assert_string_equal(used.largest[0].path, "first");
	assert_string_equal(used.largest[1].path, "d/second");
	assert_non_null(strstr(used.largest[2].path, "small "));
	disk_usage_describe(&used, UNIT, told, sizeof(told));
	assert_holds(told, "0.0 MiB are used (tools.workspace_quota)");
	assert_holds(told, "Largest: first (0.0 MiB), d/second (0.0 MiB), small ");
}

/* As deep as a program makes it, and not in a path that anyone can open. */
static void what_is_too_deep_is_too_much(void **state)
{
	int at = open(top, O_RDONLY | O_DIRECTORY);

	(void)state;
	for (int i = 0; i < DISK_USAGE_DEPTH_MAX + 1; i++) {
		assert_int_equal(mkdirat(at, "d", 0755), 0);
		int next = openat(at, "d", O_RDONLY | O_DIRECTORY);
		close(at);
		at = next;
		assert_int_equal(count().too_deep, i >= DISK_USAGE_DEPTH_MAX);
	}
	close(at);
	assert_true(count().bytes > (int64_t)1 << 50);
}

#define NEST 12
#define MANY 2500

/* Nothing is kept of those that wait: a quota has room for as many as use up all memory. */
static void many_folders_with_long_paths_take_no_memory(void **state)
{
	struct rusage before, after;
	char name[256];
	int at = open(top, O_RDONLY | O_DIRECTORY), status;
	pid_t pid;

	(void)state;
	for (int i = 0; i < NEST + MANY; i++) {
		snprintf(name, sizeof(name), "%0250d", i);
		assert_int_equal(mkdirat(at, name, 0755), 0);
		if (i >= NEST)
			continue;
		int next = openat(at, name, O_RDONLY | O_DIRECTORY);
		close(at);
		at = next;
	}
	close(at);
	pid = fork();
	if (pid == 0) {
		getrusage(RUSAGE_SELF, &before);
		bool whole = count().bytes >= (int64_t)(NEST + MANY) * UNIT;
		getrusage(RUSAGE_SELF, &after);
		_exit(!whole ? 2 : after.ru_maxrss - before.ru_maxrss > 4096);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_not_equal(WEXITSTATUS(status), 2);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
	assert_int_equal(WEXITSTATUS(status), 0);
#endif
}

/* A program hides files in a folder that it closes to itself. */
static void a_closed_folder_is_opened(void **state)
{
	char *closed = tools_fixture_path(&w, "ws/closed");
	static const mode_t modes[] = {0, 0300, 0600, 0400};

	(void)state;
	tools_fixture_put_text(&w, "ws/closed/file", "x");
	assert_int_equal(chmod(w.dir, 0755), 0);
	if (geteuid() == 0) {
		char *file = tools_fixture_path(&w, "ws/closed/file");
		assert_int_equal(chown(closed, 65534, 65534), 0);
		assert_int_equal(chown(file, 65534, 65534), 0);
		assert_int_equal(chmod(top, 0755), 0);
		assert_int_equal(chown(top, 65534, 65534), 0);
		assert_int_equal(seteuid(65534), 0);
		free(file);
	}
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		assert_int_equal(chmod(closed, modes[i]), 0);
		assert_int_equal(count().bytes, 2 * UNIT);
		assert_int_equal(chmod(top, modes[i]), 0);
		assert_int_equal(count().bytes, 2 * UNIT);
		assert_false(count().hidden);
	}
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	free(closed);
}

#define USAGE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    USAGE(each_name_counts_and_folders_do),
	    USAGE(holes_take_nothing_and_two_names_are_one_file),
	    USAGE(a_link_leads_nowhere),
	    USAGE(the_largest_are_named),
	    USAGE(what_is_too_deep_is_too_much),
	    USAGE(many_folders_with_long_paths_take_no_memory),
	    USAGE(a_closed_folder_is_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
