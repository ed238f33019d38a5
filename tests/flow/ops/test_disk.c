/* A disk that is full, fails or is read-only: what cannot be committed is not taken, and all goes on when it
 * can be again. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/weather.h"

#define PEOPLE       "allow = [\"77\", \"78\"];"
#define WRITES_LATER 8

static struct flow f;
static struct weather *weather;
static bool mounted; /* the state directory is a file system of its own */

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	weather = weather_new(&f);
	flow_config(&f, "", PEOPLE);
	return 0;
}

static int end(void **state)
{
	char dir[80];

	(void)state;
	snprintf(dir, sizeof(dir), "%s/state", f.dir);
	flow_gateway_end(&f, SIGTERM);
	if (mounted)
		umount2(dir, MNT_DETACH);
	mounted = false;
	flow_stop(&f);
	weather_free(weather);
	return 0;
}

/* The bot said exactly these texts to the chat, in any order. */
static void expect_all(const char *chat, const char *const *texts, size_t count)
{
	flow_await(&f, chat, count);
	for (size_t i = 0; i < count; i++) {
		size_t found = 0;
		for (size_t k = 0; k < count; k++) {
			char *got = flow_bot_text(&f, chat, k);
			found += got && strstr(got, texts[i]);
			free(got);
		}
		if (found != 1)
			fail_msg("chat %s got \"%s\" %zu times", chat, texts[i], found);
	}
	assert_int_equal(flow_bot_messages(&f, chat), count);
}

static void ask_in_two_chats(void)
{
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_say(&f, "78", "78", "what is 3*3", "private");
	flow_say(&f, "77", "77", "what is 17*23", "private");
}

static void expect_in_two_chats(void)
{
	static const char *const ann[] = {"42", "391"}, *const bea[] = {"9"};

	expect_all("77", ann, 2);
	expect_all("78", bea, 1);
}

static void expect_notice(const char *text)
{
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "status never told: %s", text)) {
		struct json_object *status = flow_status(&f);
		bool found =
		    status && strstr(json_object_to_json_string(json_get_array(status, "notices")), text);
		json_object_put(status);
		if (found)
			return;
	}
}

static void a_full_disk_takes_nothing_and_goes_on_by_itself(void **state)
{
	(void)state;
	weather_gateway(&f, true);
	weather->write_errno = ENOSPC;
	ask_in_two_chats();
	flow_await_log(&f, "No space left in ");
	expect_notice("No space left in ");
	assert_int_equal(flow_bot_messages(&f, "77") + flow_bot_messages(&f, "78"), 0);
	/* Commands of the operator are answered meanwhile. */
	assert_int_equal(flow_myna(&f, NULL, "status", NULL), 0);
	weather->write_errno = 0;
	expect_in_two_chats();
	expect_notice("There is space in ");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void what_a_full_disk_kept_out_the_platform_still_has(void **state)
{
	(void)state;
	weather_gateway(&f, true);
	weather->write_errno = ENOSPC;
	ask_in_two_chats();
	flow_await_log(&f, "No space left in ");
	flow_gateway_end(&f, SIGKILL);
	weather->write_errno = 0;
	weather_gateway(&f, true);
	expect_in_two_chats();
}

static void turns_in_the_middle_of_a_full_disk_end_once(void **state)
{
	(void)state;
	weather_gateway(&f, true);
	for (int i = 0; i < 5; i++) {
		int32_t failed = weather->writes_failed;
		char text[32], answer[16];
		snprintf(text, sizeof(text), "what is %d*1000", i + 1);
		snprintf(answer, sizeof(answer), "%d000", i + 1);
		/* Every time a little later in the turn. */
		weather->writes_left = i * WRITES_LATER;
		weather->write_errno = ENOSPC;
		flow_say(&f, "77", "77", text, "private");
		flow_until(&f, weather->writes_failed > failed || flow_bot_messages(&f, "77") > (size_t)i);
		weather->write_errno = 0;
		flow_expect(&f, "77", (size_t)i, answer);
	}
	assert_int_equal(flow_bot_messages(&f, "77"), 5);
}

static void a_disk_that_fails_to_sync_takes_nothing_and_says_so(void **state)
{
	(void)state;
	weather_gateway(&f, true);
	weather->sync_errno = EIO;
	ask_in_two_chats();
	flow_await_log(&f, "The disk of ");
	expect_notice("The disk of ");
	assert_int_equal(flow_bot_messages(&f, "77") + flow_bot_messages(&f, "78"), 0);
	weather->sync_errno = 0;
	expect_in_two_chats();
	flow_gateway_kill(&f);
	weather_gateway(&f, true);
	expect_in_two_chats();
}

static void a_state_that_cannot_be_written_is_refused_at_the_start(void **state)
{
	char *out;

	(void)state;
	weather->open_errno = EROFS;
	weather_run(&f);
	flow_await_log(&f, "cannot start store");
	out = flow_log(&f);
	assert_non_null(strstr(out, "/state"));
	assert_non_null(strstr(out, "Read-only file system"));
	free(out);
	assert_int_equal(flow_gateway_wait(&f), 1);
}

/* The real thing, where we may mount one; else as above, by the shim. */
static void a_small_file_system_that_fills_up(void **state)
{
	static const char block[65536];
	char dir[80], ballast[96];

	(void)state;
	snprintf(dir, sizeof(dir), "%s/state", f.dir);
	snprintf(ballast, sizeof(ballast), "%s/ballast", dir);
	mkdir(dir, 0700);
	mounted = geteuid() == 0 && mount("tmpfs", dir, "tmpfs", 0, "size=4m,mode=0700") == 0;
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 2*2", "private");
	flow_await(&f, "77", 1);
	FILE *out = mounted ? fopen(ballast, "w") : NULL;
	while (out && fwrite(block, 65536, 1, out) == 1 && fflush(out) == 0)
		;
	weather->write_errno = mounted ? 0 : ENOSPC;
	if (out)
		fclose(out);
	/* Room in the log's own pages may be left: more than that is asked for. */
	for (int i = 0; i < 12; i++)
		flow_say(&f, "78", "78", "what is 3*3", "private");
	flow_await_log(&f, "No space left in ");
	unlink(ballast);
	weather->write_errno = 0;
	flow_await(&f, "78", 12);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(flow_bot_messages(&f, "78"), 12);
	print_message("on a %s\n", mounted ? "tmpfs of 4 MiB" : "disk that the shim fills");
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_full_disk_takes_nothing_and_goes_on_by_itself),
	    FLOW(what_a_full_disk_kept_out_the_platform_still_has),
	    FLOW(turns_in_the_middle_of_a_full_disk_end_once),
	    FLOW(a_disk_that_fails_to_sync_takes_nothing_and_says_so),
	    FLOW(a_state_that_cannot_be_written_is_refused_at_the_start),
	    FLOW(a_small_file_system_that_fills_up),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
