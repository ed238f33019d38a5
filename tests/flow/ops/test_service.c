/* The gateway as a service manager sees it: sd_notify(3), the watchdog, and its stop. */
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;
static int manager = -1;

static int begin(void **state)
{
	struct sockaddr_un place = {.sun_family = AF_UNIX};

	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	snprintf(place.sun_path, sizeof(place.sun_path), "%s/notify", f.dir);
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(manager, (struct sockaddr *)&place, sizeof(place)), 0);
	setenv("NOTIFY_SOCKET", place.sun_path, 1);
	setenv("WATCHDOG_USEC", "600000", 1);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	flow_stop(&f);
	close(manager);
	return 0;
}

/* The next datagram, "" after ms without one; good until the next call. */
static const char *told(int ms)
{
	static char text[512];
	struct pollfd p = {.fd = manager, .events = POLLIN};
	ssize_t len = poll(&p, 1, ms) > 0 ? recv(manager, text, sizeof(text) - 1, 0) : 0;

	text[len > 0 ? len : 0] = '\0';
	return text;
}

/* Waits for a datagram that begins so; others pass. */
static void await_told(const char *begins)
{
	uint64_t due = flow_deadline();

	while (strncmp(told(100), begins, strlen(begins)) != 0)
		if (flow_now_ms() > due)
			fail_msg("the manager is not told %s", begins);
}

static void the_manager_is_told_of_the_start_the_loop_and_the_stop(void **state)
{
	(void)state;
	flow_gateway(&f, false);
	await_told("READY=1\nSTATUS=");
	await_told("WATCHDOG=1");
	await_told("WATCHDOG=1");
	/* A process that does nothing does not feed it. */
	assert_int_equal(kill(f.gateway, SIGSTOP), 0);
	while (*told(0))
		;
	assert_string_equal(told(1000), "");
	assert_int_equal(kill(f.gateway, SIGCONT), 0);
	await_told("WATCHDOG=1");
	assert_int_equal(kill(f.gateway, SIGTERM), 0);
	await_told("STOPPING=1");
	assert_int_equal(flow_gateway_wait(&f), 0);
}

/* Which systemd expects within WatchdogSec, from the same process. */
static void the_manager_hears_of_the_loop_after_a_restart_in_place(void **state)
{
	(void)state;
	flow_config(&f, "", "allow = [\"77\"]; admins = [\"77\"];");
	flow_gateway(&f, true);
	await_told("READY=1\nSTATUS=");
	flow_say(&f, "77", "77", "/restart", "private");
	await_told("READY=1\nSTATUS=");
	await_told("WATCHDOG=1");
	await_told("WATCHDOG=1");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void a_stop_in_the_middle_of_a_turn_parks_it_in_time(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "count to 20", "private");
	flow_until(&f, flow_turn_runs(&f));
	uint64_t began = flow_now_ms();
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	/* TimeoutStopSec of the unit. */
	assert_true(flow_now_ms() - began < 20000);
	flow_gateway(&f, true);
	flow_await_log(&f, "going on with turn=1");
	flow_await_log(&f, "turn ended: answered");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_bot_messages(&f, "77"), 1);
}

static void sigusr2_logs_what_goes_on(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "count to 20", "private");
	flow_until(&f, flow_turn_runs(&f));
	assert_int_equal(kill(f.gateway, SIGUSR2), 0);
	flow_await_log(&f, "state: channel telegram: ready");
	flow_await_log(&f, "state: session telegram:77: ");
	flow_await_log(&f, "state: task gateway: waits to be woken");
	flow_await_log(&f, "state: end sessions=1");
	/* And nothing else comes of it. */
	flow_await(&f, "77", 1);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

/* As an SQLite shell holds it that has read and waits for its person. */
static void a_start_waits_for_a_database_that_another_process_has_open(void **state)
{
	struct flock shared = {.l_type = F_RDLCK, .l_start = 0x40000002, .l_len = 510};
	char *path = xasprintf("%s/state/myna.db", f.dir);

	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(fcntl(fd, F_SETLK, &shared), 0);
	flow_run(&f);
	await_told("STATUS=another process has the database");
	flow_await_log(&f, "waiting to start, for 10 minutes at most: another process has the database");
	/* A stop ends the waiting. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_run(&f);
	await_told("STATUS=another process has the database");
	close(fd);
	await_told("READY=1");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	free(path);
}

/* The last test: what it takes from this process does not come back. */
static void a_start_waits_for_a_file_that_cannot_be_read(void **state)
{
	char *conf = xasprintf("%s/myna.conf", f.dir), *good = xasprintf("%s/state/config.good", f.dir);

	(void)state;
	/* Root reads whatever its rights are. */
	prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
	prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
	assert_int_equal(chmod(conf, 0), 0);
	flow_run(&f);
	flow_await_log(&f, "waiting to start, for 10 minutes at most, until these files can be read");
	/* A stop ends the waiting. */
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	flow_run(&f);
	flow_await_log(&f, "waiting to start, for 10 minutes at most, until these files can be read");
	assert_int_equal(chmod(conf, 0600), 0);
	flow_gateway_await(&f, true);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	/* What is wrong besides ends the start at once. */
	FILE *out = fopen(conf, "ae");
	fputs("\nnonsense = 1;\n", out);
	fclose(out);
	unlink(good);
	flow_run(&f);
	assert_int_equal(flow_gateway_wait(&f), 1);
	free(conf);
	free(good);
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(the_manager_is_told_of_the_start_the_loop_and_the_stop),
	    FLOW(the_manager_hears_of_the_loop_after_a_restart_in_place),
	    FLOW(sigusr2_logs_what_goes_on),
	    FLOW(a_stop_in_the_middle_of_a_turn_parks_it_in_time),
	    FLOW(a_start_waits_for_a_database_that_another_process_has_open),
	    FLOW(a_start_waits_for_a_file_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
