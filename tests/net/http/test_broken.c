/* What a caller learns when a request fails: whether it was sent, and what to do. */
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http/http_call.h"
#include "net/fake_dns.h"
#include "net/raw_server.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

static _Atomic time_t ahead_s;

/* Stands before the C library's, for libcurl and libuv, too. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	int rc = (int)syscall(SYS_clock_gettime, id, ts);

	ts->tv_sec += ahead_s;
	return rc;
}

static const struct raw_step ok_always[] = {READ, SEND(OK), AGAIN};
/* Accepts a second request and closes without an answer: what a server does that was about to
 * close the idle connection anyway, and what one does that dies at work. */
static const struct raw_step dies_at_the_second[] = {READ, SEND(OK), READ, END};
static const struct raw_step *const dies_then_lives[] = {dies_at_the_second, ok_always};

static void a_once_request_on_a_dead_pooled_connection_is_uncertain_and_not_repeated(void **state)
{
	struct raw_server *s = raw_server_new(NULL, dies_then_lives, 2);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_run(&c);
	assert_int_equal(c.rc, 0);
	c.req.method = "POST";
	c.req.body = "{}";
	c.req.body_len = 2;
	c.req.once = true;
	call_run(&c);
	call_assert_failed(&c, ERROR_NETWORK, "was not repeated");
	assert_true(c.res.sent);
	assert_true(c.err.uncertain);
	assert_int_equal(raw_server_requests(s), 2);
	/* Asked again by the caller, it goes out again; nothing else did meanwhile. */
	call_run(&c);
	assert_int_equal(c.rc, 0);
	assert_int_equal(raw_server_requests(s), 3);
	call_clear(&c);
	raw_server_free(s);
}

static void other_requests_are_repeated_on_a_new_connection(void **state)
{
	struct raw_server *s = raw_server_new(NULL, dies_then_lives, 2);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_run(&c);
	c.req.method = "POST";
	c.req.body = "{}";
	c.req.body_len = 2;
	call_run(&c);
	assert_int_equal(c.rc, 0);
	assert_int_equal(raw_server_requests(s), 3);
	assert_int_equal(raw_server_connections(s), 2);
	call_clear(&c);
	raw_server_free(s);
}

static void a_multipart_body_is_repeated_whole(void **state)
{
	static const struct http_part parts[] = {
	    {.name = "document", .data = "0123456789", .len = 10, .filename = "f"}};
	struct raw_server *s = raw_server_new(NULL, dies_then_lives, 2);
	struct call c;
	char *request;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_run(&c);
	c.req.method = "POST";
	c.req.parts = parts;
	c.req.part_count = 1;
	call_run(&c);
	assert_int_equal(c.rc, 0);
	request = raw_server_last_request(s, NULL);
	assert_non_null(strstr(request, "\r\n\r\n0123456789\r\n--"));
	free(request);
	call_clear(&c);
	raw_server_free(s);
}

/* Has the server of this port closed all our connections, as far as we can know? */
static bool is_closed_by(unsigned port)
{
	for (int fd = 3; fd < 1024; fd++) {
		struct sockaddr_in peer;
		socklen_t len = sizeof(peer);
		struct pollfd p = {.fd = fd, .events = POLLRDHUP};
		if (getpeername(fd, (struct sockaddr *)&peer, &len) == 0 && peer.sin_family == AF_INET &&
		    ntohs(peer.sin_port) == port && poll(&p, 1, 0) == 0)
			return false;
	}
	return true;
}

static void count_turn(uv_prepare_t *prepare)
{
	++*(int *)prepare->data;
}

static void a_pooled_connection_that_was_closed_in_time_costs_nothing(void **state)
{
	static const struct raw_step closes[] = {READ, SEND(OK), END};
	static const struct raw_step *const scripts[] = {closes};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	uv_prepare_t each_turn;
	struct call c;
	int turns = 0;

	(void)state;
	call_init(&c, raw_server_port(s));
	c.req.once = true;
	for (int i = 1; i <= 3; i++) {
		call_run(&c);
		assert_int_equal(c.rc, 0);
		while (!is_closed_by(raw_server_port(s)))
			loop_for(1);
		assert_int_equal(raw_server_requests(s), i);
	}
	/* Nor does the loop spin. */
	uv_prepare_init(uv_default_loop(), &each_turn);
	each_turn.data = &turns;
	uv_prepare_start(&each_turn, count_turn);
	loop_for(300);
	assert_in_range(turns, 1, 20);
	uv_close((uv_handle_t *)&each_turn, NULL);
	uv_run(uv_default_loop(), UV_RUN_NOWAIT);
	call_clear(&c);
	raw_server_free(s);
}

static void a_once_request_does_not_use_a_connection_that_was_idle_for_4_s(void **state)
{
	static const struct raw_step *const scripts[] = {ok_always};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	c.req.once = true;
	call_run(&c);
	ahead_s = 4;
	call_run(&c);
	assert_int_equal(c.rc, 0);
	assert_int_equal(raw_server_connections(s), 2);
	call_clear(&c);
	raw_server_free(s);
}

static void a_refused_connection_sent_nothing(void **state)
{
	unsigned port;
	int fd = raw_unused_port(&port);
	struct call c;

	(void)state;
	call_init(&c, port);
	c.req.label = "getUpdates";
	call_run(&c);
	call_assert_failed(
	    &c, ERROR_NETWORK, "getUpdates (127.0.0.1): could not connect: Connection refused");
	assert_false(c.res.sent);
	call_clear(&c);
	close(fd);
}

static void a_name_that_does_not_resolve_sent_nothing(void **state)
{
	struct call c;

	(void)state;
	fake_dns_set(NULL, EAI_NONAME, false);
	call_init(&c, 0);
	c.req.url = "http://api.example/bot-token/path";
	c.req.label = "api.example";
	call_run(&c);
	call_assert_failed(
	    &c, ERROR_NETWORK, "api.example: \"api.example\" was not resolved: there is no such name");
	assert_null(strstr(c.err.text, "token"));
	assert_false(c.res.sent);
	call_clear(&c);
}

static void names_are_looked_up_by_us_and_new_addresses_replace_old_ones(void **state)
{
	static const struct raw_step *const scripts[] = {ok_always};
	static const char *const wrong[] = {"127.0.0.9", "::9", NULL}, *const right[] = {"127.0.0.1", NULL};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;
	char url[64];

	(void)state;
	fake_dns_reset();
	fake_dns_set(wrong, 0, false);
	snprintf(url, sizeof(url), "http://Api.example:%u/path", raw_server_port(s));
	call_init(&c, 0);
	c.req.url = url;
	call_run(&c);
	call_assert_failed(&c, ERROR_NETWORK, "could not connect");
	assert_int_equal(fake_dns_calls(), 1);
	fake_dns_set(right, 0, false);
	clock_fake(0, 1);
	clock_advance(60001);
	call_run(&c);
	assert_int_equal(c.rc, 0);
	/* Once by us; curl has not asked. */
	assert_int_equal(fake_dns_calls(), 2);
	call_clear(&c);
	raw_server_free(s);
}

static void wrong_urls_are_our_error(void **state)
{
	static const char *const urls[] = {"", "127.0.0.1/path", "ftp://127.0.0.1/path",
	    "http://u:w@127.0.0.1/path", "http://", "http://127.0.0.1:99999/path", "http://127.0.0.1/ path"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		struct call c;

		call_init(&c, 0);
		c.req.url = urls[i];
		c.req.label = "try";
		call_run(&c);
		call_assert_failed(&c, ERROR_OURS, "try");
		assert_false(c.res.sent);
		call_clear(&c);
	}
}

static void an_answer_that_is_cut_off_is_uncertain(void **state)
{
	static const struct {
		struct raw_step steps[4];
		int status;
		const char *words;
	} rows[] = {
	    {{READ, END}, 0, "closed without an answer"},
	    {{READ, RESET}, 0, "closed without an answer"},
	    {{READ, SEND("HTTP/1.1 2"), END}, 0, "closed without an answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\n"), END}, 0, "cut off in mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nContent-Le"), END}, 0, "cut off in mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"), END}, 0, "cut off in mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r"), END}, 0, "cut off in mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), END}, 200, "cut off in mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour"), END}, 200,
		"mid-answer, after 4 bytes"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour"), RESET}, 200,
		"cut off in mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour"), END}, 200,
		"mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n"), END}, 200,
		"mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n"), END},
		200, "mid-answer"},
	    {{READ, SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), END}, 200,
		"mid-answer"},
	    {{READ, SEND("220 mail.example ESMTP\r\n\r\n"), END}, 0, "not HTTP"},
	    {{READ, SEND("HTTP/1.1 banana\r\n\r\n"), END}, 0, "not HTTP"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct call c;

		call_init(&c, 0);
		call_run_against(&c, rows[i].steps);
		if (c.rc == 0 || !strstr(c.err.text, rows[i].words))
			print_message("row %zu: %s\n", i, c.err.text);
		call_assert_failed(&c, ERROR_NETWORK, rows[i].words);
		assert_true(c.res.sent);
		assert_true(c.err.uncertain);
		assert_int_equal(c.res.status, rows[i].status);
		call_clear(&c);
	}
}

/* A value that some socket of this process has for an option of TCP. */
static bool some_socket_has(int option, unsigned value)
{
	for (int fd = 0; fd < 100; fd++) {
		unsigned got = 0;
		socklen_t len = sizeof(got);

		if (getsockopt(fd, IPPROTO_TCP, option, &got, &len) == 0 && got == value)
			return true;
	}
	return false;
}

static void a_path_that_dies_in_silence_ends_its_connections(void **state)
{
	static const struct raw_step waits[] = {READ, HOLD};
	static const struct raw_step *const scripts[] = {waits};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_start(&c);
	while (raw_server_requests(s) == 0)
		loop_for(1);
	assert_true(some_socket_has(TCP_USER_TIMEOUT, 30000));
	assert_true(some_socket_has(TCP_KEEPIDLE, 30));
	assert_true(some_socket_has(TCP_KEEPINTVL, 30));
	task_cancel(c.task);
	call_finish(&c);
	call_clear(&c);
	raw_server_free(s);
}

/* Libraries only say that they failed. */
static void a_request_without_a_free_descriptor_says_so(void **state)
{
	static const struct raw_step *const scripts[] = {ok_always};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct rlimit limit, tight;
	struct call c, other;
	int free_fd;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_run(&c);
	call_init(&other, 1);
	free_fd = dup(0);
	close(free_fd);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	tight = limit;
	tight.rlim_cur = (rlim_t)free_fd;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
	call_run(&other);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	call_assert_failed(&other, ERROR_NETWORK, "could not connect: too many files are open (at most ");
	assert_non_null(strstr(other.err.text, "raise LimitNOFILE of the service"));
	assert_false(other.res.sent);
	call_clear(&other);
	call_clear(&c);
	raw_server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_teardown(fn, call_tear_down)
	    TEST(a_once_request_on_a_dead_pooled_connection_is_uncertain_and_not_repeated),
	    TEST(other_requests_are_repeated_on_a_new_connection),
	    TEST(a_multipart_body_is_repeated_whole),
	    TEST(a_pooled_connection_that_was_closed_in_time_costs_nothing),
	    TEST(a_once_request_does_not_use_a_connection_that_was_idle_for_4_s),
	    TEST(a_refused_connection_sent_nothing),
	    TEST(a_request_without_a_free_descriptor_says_so),
	    TEST(a_name_that_does_not_resolve_sent_nothing),
	    TEST(wrong_urls_are_our_error),
	    TEST(an_answer_that_is_cut_off_is_uncertain),
	    TEST(a_path_that_dies_in_silence_ends_its_connections),
	    /* Last: it stops the clock. */
	    TEST(names_are_looked_up_by_us_and_new_addresses_replace_old_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
