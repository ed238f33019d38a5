/* No path, and no link that is swapped in while a tool works, leads out of the workspace. MYNA_SWAPS: how
 * many swaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "tools/files/outside_files.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define SWAPS_USUAL 50000

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	outside_files_init(&w);
	return 0;
}

/* Each tool that takes a path, in each of its parameters that are one. */
static const struct {
	const char *tool, *format;
} calls[] = {
    {"edit_file", "{\"path\": \"%s\", \"old_text\": \"idd\", \"new_text\": \"in\"}"},
    {"edit_file", "{\"path\": \"%s\", \"new_text\": \"in\", \"create_if_not_exists\": true}"},
    {"glob", "{\"pattern\": \"**/*\", \"directory\": \"%s\"}"},
    {"glob", "{\"pattern\": \"%s\"}"},
    {"grep", "{\"pattern\": \"h[i]dden\", \"directory\": \"%s\"}"},
    {"list_directory", "{\"path\": \"%s\"}"},
    {"read_file", "{\"path\": \"%s\"}"},
    {"send_file", "{\"path\": \"%s\"}"},
    {"write_file", "{\"path\": \"%s\", \"content\": \"in\"}"},
};

/* The same path in other letters. */
static const char *const shapes[] = {"%s", "./%s", "sub/../%s", "%s/", "%s/.", ".//./%s", "sub/.././%s"};

/* What no result may show: what hidden files hold, and the names of what is outside. */
static void check_shows_nothing(const char *tool, const char *arguments, struct json_object *o)
{
	const char *text = json_object_to_json_string(o);

	if (strstr(text, "hidden") || strstr(text, "\"name\": \"secret.txt\"") ||
	    strstr(text, "outside/folder/file\",") || strstr(text, "root:x:0"))
		fail_msg("%s %s: %s", tool, arguments, text);
}

static size_t run_shapes(size_t call, const char *path)
{
	char *whole = outside_files_path(&w, path);
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		char *shaped = NULL, *arguments = NULL;
		/* An absolute path stays one. */
		if (*whole == '/' && i > 0 && shapes[i][0] != '%')
			continue;
		assert_true(asprintf(&shaped, shapes[i], whole) >= 0);
		assert_true(asprintf(&arguments, calls[call].format, shaped) > 0);
		struct json_object *o = tools_fixture_run(&w, calls[call].tool, arguments);
		check_shows_nothing(calls[call].tool, arguments, o);
		json_object_put(o);
		free(arguments);
		free(shaped);
		n++;
	}
	free(whole);
	return n;
}

static void five_hundred_hostile_paths_lead_no_tool_out(void **state)
{
	char *before = outside_files_list(&w);
	size_t n = 0;

	(void)state;
	for (size_t call = 0; call < ARRAY_LEN(calls); call++)
		for (size_t i = 0; i < outside_files_hostile_count; i++)
			n += run_shapes(call, outside_files_hostile[i]);
	char *after = outside_files_list(&w);
	assert_string_equal(after, before);
	assert_int_equal(access("/tmp/myna-new", F_OK), -1);
	printf("# %zu calls with %zu paths, 0 escapes\n", n, n / ARRAY_LEN(calls));
	assert_true(n / ARRAY_LEN(calls) >= 500);
	free(before);
	free(after);
}

static atomic_bool stop;
static atomic_uint swaps;

/* "door" is a folder of the workspace, or a link out of it, in turn. */
static void *swap(void *arg)
{
	int ws = open(arg, O_PATH | O_DIRECTORY);

	while (!stop) {
		if (renameat2(ws, "door", ws, "other", RENAME_EXCHANGE) < 0)
			abort();
		swaps++;
	}
	close(ws);
	return NULL;
}

static unsigned swaps_wanted(void)
{
	const char *text = getenv("MYNA_SWAPS");

	return text ? (unsigned)strtoul(text, NULL, 10) : SWAPS_USUAL;
}

/* Reads what the descriptor is open on; -1 is a refusal. True: it came from outside. */
static bool is_outside(int fd, unsigned *inside, unsigned *refused)
{
	char text[16] = "";
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	*refused += fd < 0;
	*inside += len > 0 && strcmp(text, "inside") == 0;
	if (fd >= 0)
		close(fd);
	return len > 0 && strcmp(text, "hidden") == 0;
}

static int open_ours(const char *ws)
{
	struct path_error why;

	(void)ws;
	return root_open_file(w.tools->roots, "door/f", &why);
}

/* How it must not be done: the path is resolved and looked at, and then opened. */
static int open_after_look(const char *ws)
{
	char *path = xasprintf("%s/door/f", ws), *real = realpath(path, NULL);
	bool fine = real && strncmp(real, ws, strlen(ws)) == 0;
	int fd = fine ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	free(real);
	free(path);
	return fd;
}

/* How often a reader got out, while the folder is swapped at least as often as wanted. */
static unsigned read_while_swapped(int (*open_file)(const char *ws), unsigned wanted, const char *who)
{
	char *ws = tools_fixture_path(&w, "ws");
	unsigned outside = 0, inside = 0, refused = 0;
	pthread_t thread;

	stop = false;
	swaps = 0;
	assert_int_equal(pthread_create(&thread, NULL, swap, ws), 0);
	while (swaps < wanted || inside < 20 || refused < 20) {
		outside += is_outside(open_file(ws), &inside, &refused);
		/* The wrong way has shown what it had to. */
		if (open_file == open_after_look && outside > 0)
			break;
	}
	stop = true;
	pthread_join(thread, NULL);
	printf("# %s: %u swaps, read %u times inside, refused %u times, %u escapes\n", who, swaps, inside,
	    refused, outside);
	free(ws);
	return outside;
}

static void a_folder_that_is_swapped_for_a_link_leads_no_reader_out(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/door/f", "inside");
	tools_fixture_put_text(&w, "outside/f", "hidden");
	outside_files_link(&w, "../outside", "ws/other");
	assert_int_equal(read_while_swapped(open_ours, swaps_wanted(), "beneath the root"), 0);
	roots_disable_openat2(w.tools->roots);
	assert_int_equal(read_while_swapped(open_ours, swaps_wanted(), "by walking"), 0);
	/* The test would notice. */
	assert_true(read_while_swapped(open_after_look, 10000000, "look, then open") > 0);
}

#define ESCAPE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    ESCAPE_TEST(five_hundred_hostile_paths_lead_no_tool_out),
	    ESCAPE_TEST(a_folder_that_is_swapped_for_a_link_leads_no_reader_out),
	};

	return cmocka_run_group_tests_name("escape", tests, NULL, NULL);
}
