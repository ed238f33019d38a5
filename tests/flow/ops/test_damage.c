/* A database that was damaged while the gateway was away, after clean and unclean stops: it is set aside, the
 * operator is told, and chats go on. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	return 0;
}

static int open_file(const char *name, struct stat *st)
{
	char *path = xasprintf("%s/state/%s", f.dir, name);
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		assert_int_equal(fstat(fd, st), 0);
	free(path);
	return fd;
}

static void overwrite(const char *name, off_t at, int byte, size_t len)
{
	struct stat st;
	int fd = open_file(name, &st);
	char *bytes = xmalloc(len);

	assert_true(fd >= 0);
	memset(bytes, byte, len);
	assert_int_equal(pwrite(fd, bytes, len, at), len);
	free(bytes);
	close(fd);
}

static void zero_a_page(void)
{
	overwrite("myna.db", 4096, 0, 4096);
}

static void spoil_the_header(void)
{
	overwrite("myna.db", 0, 'x', 100);
}

static void cut_in_half(void)
{
	struct stat st;
	int fd = open_file("myna.db", &st);

	assert_int_equal(ftruncate(fd, st.st_size / 2 / 4096 * 4096), 0);
	close(fd);
}

static void spoil_most_pages(void)
{
	struct stat st;

	close(open_file("myna.db", &st));
	overwrite("myna.db", 8192, 0x5a, (size_t)st.st_size - 8192);
}

static void spoil_the_log(void)
{
	overwrite("myna.db-wal", 4096, 0x5a, 64);
}

static const struct {
	const char *name;
	void (*spoil)(void);
	int signo; /* how the gateway was ended before */
	const char *told;
} cases[] = {
    {"a page of zeros, after a kill", zero_a_page, SIGKILL, NULL},
    {"a header of rubbish, after a stop", spoil_the_header, SIGTERM, "damaged"},
    {"a header of rubbish, after a kill", spoil_the_header, SIGKILL, NULL},
    {"cut in half, after a stop", cut_in_half, SIGTERM, NULL},
    {"cut in half, after a kill", cut_in_half, SIGKILL, NULL},
    {"most pages spoilt, after a kill", spoil_most_pages, SIGKILL, NULL},
    {"the log spoilt, after a kill", spoil_the_log, SIGKILL, "damaged"},
};

static bool tells(const char *text)
{
	struct json_object *status = flow_status(&f);
	bool found = status && strstr(json_object_to_json_string(json_get_array(status, "notices")), text);

	json_object_put(status);
	return found;
}

static void play(size_t i)
{
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "77", 0, "42");
	/* A stop in good order empties the log into the file; before a kill that is done too, where the file
	 * is to be spoilt. */
	if (cases[i].signo == SIGKILL && cases[i].spoil != spoil_the_log) {
		assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
		flow_gateway(&f, true);
	}
	flow_gateway_end(&f, cases[i].signo);
	cases[i].spoil();
	flow_gateway(&f, true);
	if (cases[i].told && !tells(cases[i].told))
		fail_msg("%s: the operator was not told", cases[i].name);
	flow_say(&f, "77", "77", "what is 3*3", "private");
	size_t next = flow_bot_messages(&f, "77");
	flow_await(&f, "77", next + (next < 2));
	for (size_t k = 1; k < flow_bot_messages(&f, "77"); k++) {
		char *got = flow_bot_text(&f, "77", k);
		print_message("%s: \"%s\"\n", cases[i].name, got);
		free(got);
	}
	flow_expect(&f, "77", flow_bot_messages(&f, "77") - 1, "9");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

#define CASE(n)                            \
	static void case_##n(void **state) \
	{                                  \
		(void)state;               \
		play(n);                   \
	}
CASE(0)
CASE(1)
CASE(2)
CASE(3)
CASE(4)
CASE(5)
CASE(6)

/* clang-format off */
#define FLOW(name, test) {#name, test, begin, flow_end, &f}
/* clang-format on */

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_page_of_zeros_after_a_kill_is_survived, case_0),
	    FLOW(a_header_of_rubbish_after_a_stop_is_survived, case_1),
	    FLOW(a_header_of_rubbish_after_a_kill_is_survived, case_2),
	    FLOW(a_file_cut_in_half_after_a_stop_is_survived, case_3),
	    FLOW(a_file_cut_in_half_after_a_kill_is_survived, case_4),
	    FLOW(most_pages_spoilt_after_a_kill_are_survived, case_5),
	    FLOW(a_log_spoilt_after_a_kill_is_survived, case_6),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
