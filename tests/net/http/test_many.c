/* Many requests at the same time, each on a connection of its own. */
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http/http_call.h"

#define MANY 1000

/* Accepts until `expected` requests wait, then answers all of them; ends when all clients have closed. */
struct crowd {
	pthread_t thread;
	struct pollfd fds[MANY + 1]; /* the first is the listener */
	size_t count;
	int expected, waiting;
	unsigned port;
};

static void crowd_accept(struct crowd *crowd)
{
	int fd = accept4(crowd->fds[0].fd, NULL, NULL, SOCK_CLOEXEC);

	if (fd >= 0)
		crowd->fds[crowd->count++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

static void crowd_answer(struct crowd *crowd)
{
	static const char ok[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

	for (size_t i = 1; i < crowd->count; i++)
		assert_int_equal(send(crowd->fds[i].fd, ok, sizeof(ok) - 1, MSG_NOSIGNAL), sizeof(ok) - 1);
	crowd->waiting = 0;
}

/* Whole requests come in one piece: they are small, and nothing else is in the way. */
static void crowd_read(struct crowd *crowd, size_t i)
{
	char chunk[4096];
	ssize_t n = recv(crowd->fds[i].fd, chunk, sizeof(chunk), 0);

	if (n > 0) {
		if (++crowd->waiting == crowd->expected)
			crowd_answer(crowd);
		return;
	}
	close(crowd->fds[i].fd);
	crowd->fds[i] = crowd->fds[--crowd->count];
}

static void *crowd_main(void *arg)
{
	struct crowd *crowd = arg;

	do {
		poll(crowd->fds, crowd->count, -1);
		for (size_t i = crowd->count; i-- > 1;) {
			if (crowd->fds[i].revents != 0)
				crowd_read(crowd, i);
		}
		if (crowd->fds[0].revents != 0)
			crowd_accept(crowd);
	} while (crowd->count > 1);
	close(crowd->fds[0].fd);
	return NULL;
}

static struct crowd *crowd_new(int expected)
{
	struct crowd *crowd = xcalloc(1, sizeof(*crowd));
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&in, len), 0);
	assert_int_equal(listen(fd, MANY), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &len), 0);
	crowd->port = ntohs(in.sin_port);
	crowd->expected = expected;
	crowd->fds[0] = (struct pollfd){.fd = fd, .events = POLLIN};
	crowd->count = 1;
	assert_int_equal(pthread_create(&crowd->thread, NULL, crowd_main, crowd), 0);
	return crowd;
}

static void crowd_free(struct crowd *crowd)
{
	pthread_join(crowd->thread, NULL);
	free(crowd);
}

static struct call *calls_start(unsigned port)
{
	struct call *calls = xcalloc(MANY, sizeof(*calls));

	for (int i = 0; i < MANY; i++) {
		call_init(&calls[i], port);
		call_start(&calls[i]);
	}
	return calls;
}

static void calls_clear(struct call *calls)
{
	for (int i = 0; i < MANY; i++)
		call_clear(&calls[i]);
	free(calls);
}

static void a_thousand_wait_at_once_and_most_idle_connections_are_closed(void **state)
{
	size_t fds = open_fds();
	struct crowd *crowd = crowd_new(MANY);
	struct call *calls = calls_start(crowd->port);

	(void)state;
	for (int i = 0; i < MANY; i++) {
		call_finish(&calls[i]);
		assert_int_equal(calls[i].rc, 0);
		assert_string_equal(calls[i].res.body.data, "ok");
	}
	/* Both ends of each connection. 129 stay, and more where many answers came in one piece of work: curl
	 * closes one at most for each that finishes. */
	fds += 2 * MANY / 2;
	assert_in_range(open_fds_settled(fds), 1, fds);
	calls_clear(calls);
	http_finish();
	crowd_free(crowd);
}

static void a_thousand_that_are_cancelled_leave_nothing(void **state)
{
	struct crowd *crowd = crowd_new(MANY + 1);
	struct call *calls, first;
	size_t fds;

	(void)state;
	call_init(&first, 1);
	call_run(&first); /* what the client opens for good is open now */
	call_clear(&first);
	fds = open_fds();
	calls = calls_start(crowd->port);
	while (open_fds() < fds + 2 * MANY)
		loop_for(10);
	for (int i = 0; i < MANY; i++)
		task_cancel(calls[i].task);
	for (int i = 0; i < MANY; i++) {
		call_finish(&calls[i]);
		assert_int_equal(calls[i].err.kind, ERROR_CANCELLED);
	}
	loop_for(1);
	/* The crowd goes when its last client has gone. */
	crowd_free(crowd);
	assert_int_equal(open_fds(), fds - 1);
	calls_clear(calls);
}

static int set_up(void **state)
{
	struct rlimit files;

	(void)state;
	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return -1;
	files.rlim_cur = files.rlim_max;
	alarm(500);
	return setrlimit(RLIMIT_NOFILE, &files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(
		a_thousand_wait_at_once_and_most_idle_connections_are_closed, call_tear_down),
	    cmocka_unit_test_teardown(a_thousand_that_are_cancelled_leave_nothing, call_tear_down),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
