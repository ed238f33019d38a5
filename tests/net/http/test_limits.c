/* The limits of a request, and what a cancelled one leaves behind. */
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
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

static const struct raw_step ok_always[] = {READ, SEND(OK), AGAIN};

static void silence_before_and_inside_an_answer_is_limited(void **state)
{
	static const struct raw_step before[] = {READ, HOLD};
	static const struct raw_step inside_head[] = {READ, SEND("HTTP/1.1 200 OK\r\n"), HOLD};
	static const struct raw_step inside_body[] = {READ, SEND("HTTP/1.1 200 OK\r\n\r\nx"), HOLD};
	static const struct raw_step *const rows[] = {before, inside_head, inside_body};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t begun = clock_now();
		struct call c;

		call_init(&c, 0);
		c.req.idle_ms = 100;
		call_run_against(&c, rows[i]);
		call_assert_failed(&c, ERROR_NETWORK, "the server was silent for 100 ms");
		assert_true(c.err.uncertain);
		assert_in_range(clock_now() - begun, 100, 60000);
		call_clear(&c);
	}
}

static void every_line_of_the_head_and_byte_of_the_body_is_a_sign_of_life(void **state)
{
	static const struct raw_step steps[] = {READ, SLEEP(600), SEND("HTTP/1.1 200 OK\r\n"), SLEEP(600),
	    SEND("Content-Length: 9\r\n"), SLEEP(600), SEND("\r\n"), TRICKLE("::::::::\n", 150), END};
	struct call c;

	(void)state;
	call_init(&c, 0);
	c.req.idle_ms = 2500;
	call_run_against(&c, steps);
	assert_int_equal(c.rc, 0);
	assert_string_equal(c.res.body.data, "::::::::\n");
	call_clear(&c);
}

#define BODY_BYTES (RAW_SLOW_BYTES + (8 << 20))
static void the_time_of_a_large_request_is_no_silence(void **state)
{
	/* Eight seconds. The last megabytes wait in the kernel, where they look like silence: they are read
	 * at once. */
	static const struct raw_step steps[] = {READ_SLOWLY(1000), SEND(OK), END};
	uint64_t begun = clock_now();
	char *body = xcalloc(1, BODY_BYTES);
	struct call c;

	(void)state;
	call_init(&c, 0);
	c.req.method = "POST";
	c.req.body = body;
	c.req.body_len = BODY_BYTES;
	c.req.idle_ms = 5000;
	call_run_against(&c, steps);
	if (c.rc != 0)
		fail_msg("%s", c.err.text);
	assert_true(clock_now() - begun >= 6000);
	free(body);
	call_clear(&c);
}

static void the_whole_request_has_a_limit_of_its_own(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SEND("HTTP/1.1 200 OK\r\n\r\n"), TRICKLE("................", 50), AGAIN};
	struct call c;

	(void)state;
	call_init(&c, 0);
	/* A busy machine may need longer for the head. */
	for (c.req.total_ms = 300; c.res.status == 0 && c.req.total_ms < 60000; c.req.total_ms *= 2) {
		call_run_against(&c, steps);
		call_assert_failed(&c, ERROR_NETWORK, "not complete within the limit of ");
	}
	assert_int_equal(c.res.status, 200);
	call_clear(&c);
}

/* A listener whose queue is full: a further connection gets no answer at all. */
struct full_queue {
	int listener, queued[4];
	unsigned port;
};

static void full_queue_init(struct full_queue *q)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	q->listener = raw_unused_port(&q->port);
	assert_int_equal(listen(q->listener, 0), 0);
	in.sin_port = htons((unsigned short)q->port);
	for (size_t i = 0; i < ARRAY_LEN(q->queued); i++) {
		q->queued[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		connect(q->queued[i], (struct sockaddr *)&in, sizeof(in));
	}
}

static void full_queue_clear(struct full_queue *q)
{
	for (size_t i = 0; i < ARRAY_LEN(q->queued); i++)
		close(q->queued[i]);
	close(q->listener);
}

static void connecting_has_a_limit_of_its_own(void **state)
{
	struct full_queue q;
	uv_poll_t others[2 * ARRAY_LEN(q.queued)];
	int fds[ARRAY_LEN(others)];
	struct call c;

	(void)state;
	full_queue_init(&q);
	call_init(&c, q.port);
	c.req.connect_ms = 200;
	call_run(&c);
	call_assert_failed(&c, ERROR_NETWORK, "no connection within 200 ms");
	assert_false(c.res.sent);
	full_queue_clear(&q);
	/* The socket is watched no more: one of these gets its number. */
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM, 0);
		assert_int_equal(uv_poll_init_socket(uv_default_loop(), &others[i], fds[i]), 0);
		uv_close((uv_handle_t *)&others[i], NULL);
	}
	uv_run(uv_default_loop(), UV_RUN_NOWAIT);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		close(fds[i]);
	call_clear(&c);
}

/* How long the loop would sleep while the answer to a second request is awaited. */
static int sleep_of_waiting(bool warm)
{
	static const struct raw_step steps[] = {READ, SEND(OK), READ, HOLD}, *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;
	int ms;

	call_init(&c, raw_server_port(s));
	c.req.connect_ms = 20 * 1000;
	call_run(&c);
	c.req.warm = warm;
	call_start(&c);
	while (raw_server_requests(s) < 2)
		loop_for(10);
	uv_update_time(uv_default_loop());
	ms = uv_backend_timeout(uv_default_loop());
	task_cancel(c.task);
	call_finish(&c);
	call_clear(&c);
	raw_server_free(s);
	return ms;
}

static void a_request_on_a_warm_host_does_not_wake_the_loop_while_it_waits(void **state)
{
	struct full_queue q;
	struct call c;

	(void)state;
	assert_in_range(sleep_of_waiting(false), 0, 20 * 1000);
	assert_in_range(sleep_of_waiting(true), 20 * 1000 + 1, 60 * 1000);
	full_queue_init(&q);
	call_init(&c, q.port);
	c.req.connect_ms = 200;
	c.req.warm = true;
	call_run(&c);
	call_assert_failed(&c, ERROR_NETWORK, "no connection within 200 ms");
	call_clear(&c);
	full_queue_clear(&q);
}

static void an_answer_that_is_too_large_ends_at_once(void **state)
{
	static const struct raw_step declared[] = {READ,
	    SEND("HTTP/1.1 200 OK\r\nContent-Length: 2000000000\r\n\r\n"), SEND("0123456789abcdef"), HOLD};
	static const struct raw_step endless[] = {
	    READ, SEND("HTTP/1.1 500 No\r\n\r\n"), TRICKLE("................", 0), AGAIN};
	static const struct raw_step *const rows[] = {declared, endless};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct call c;

		call_init(&c, 0);
		c.req.max_body = 15;
		if (i >= 2)
			call_stream(&c);
		call_run_against(&c, rows[i % 2]);
		call_assert_failed(&c, ERROR_OURS, "answer larger than 15 bytes");
		assert_int_equal(c.res.status, i % 2 == 0 ? 200 : 500);
		assert_in_range(c.res.body.len + c.streamed.len, 0, 15);
		call_clear(&c);
	}
}

static void a_reader_that_says_no_ends_the_transfer(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SEND("HTTP/1.1 200 OK\r\n\r\n"), TRICKLE("................", 1), AGAIN};
	struct call c;

	(void)state;
	call_init(&c, 0);
	call_stream(&c);
	c.stop_at = 5;
	call_run_against(&c, steps);
	call_assert_failed(&c, ERROR_OURS, "was not accepted");
	/* On a busy machine several bytes come at once. */
	assert_true(c.said_no && !c.after_no);
	call_clear(&c);
}

/* Cancels c, which has come to the phase that the test is about. */
static void cancel(struct call *c)
{
	assert_false(c->done);
	task_cancel(c->task);
	call_finish(c);
	assert_int_equal(c->rc, -1);
	assert_int_equal(c->err.kind, ERROR_CANCELLED);
	assert_int_equal(c->err.uncertain, c->res.sent);
	loop_for(1);
}

static void cancelling_while_resolving_leaves_nothing(void **state)
{
	static const char *const none[] = {NULL};
	struct call c;
	size_t fds;

	(void)state;
	call_init(&c, 1);
	call_run(&c); /* what the client opens for good is open now */
	fds = open_fds();
	fake_dns_reset();
	fake_dns_set(none, 0, true);
	c.req.url = "http://slow.example/path";
	call_start(&c);
	while (fake_dns_calls() == 0)
		loop_for(1);
	cancel(&c);
	fake_dns_set(none, 0, false);
	assert_false(c.res.sent);
	assert_int_equal(open_fds(), fds);
	call_clear(&c);
}

static void cancelling_while_connecting_leaves_nothing(void **state)
{
	struct full_queue q;
	struct call c;
	size_t fds;

	(void)state;
	full_queue_init(&q);
	call_init(&c, 1);
	call_run(&c);
	fds = open_fds();
	snprintf(c.url, sizeof(c.url), "http://127.0.0.1:%u/path", q.port);
	call_start(&c);
	while (open_fds() == fds)
		loop_for(1);
	cancel(&c);
	assert_false(c.res.sent);
	assert_int_equal(open_fds(), fds);
	call_clear(&c);
	full_queue_clear(&q);
}

static bool header_came;

static void note_header(const char *name, const char *value, void *arg)
{
	(void)name;
	(void)value;
	(void)arg;
	header_came = true;
}

static void cancelling_while_waiting_or_streaming_leaves_nothing(void **state)
{
	static const struct raw_step waits[] = {READ, HOLD};
	static const struct raw_step in_head[] = {READ, SEND("HTTP/1.1 200 OK\r\nX: 1\r\nY:"), HOLD};
	static const struct raw_step streams[] = {
	    READ, SEND("HTTP/1.1 200 OK\r\n\r\n"), TRICKLE("................", 1), AGAIN};
	static const struct raw_step *const scripts[] = {waits, in_head, streams, ok_always};
	struct raw_server *s = raw_server_new(NULL, scripts, ARRAY_LEN(scripts));
	struct call c;
	size_t fds;

	(void)state;
	call_init(&c, 1);
	call_run(&c);
	fds = open_fds();
	snprintf(c.url, sizeof(c.url), "http://127.0.0.1:%u/path", raw_server_port(s));
	call_stream(&c);
	c.req.on_header = note_header;
	for (int i = 0; i < 3; i++) {
		header_came = false;
		call_start(&c);
		while (i == 0 ? raw_server_requests(s) == 0 : i == 1 ? !header_came : c.streamed.len == 0)
			loop_for(1);
		cancel(&c);
		assert_true(c.res.sent);
		/* The server's end of the connection goes too. */
		assert_int_equal(open_fds_settled(fds), fds);
	}
	call_run(&c);
	assert_int_equal(c.rc, 0);
	call_clear(&c);
	raw_server_free(s);
}

static void a_task_that_is_cancelled_already_sends_nothing(void **state)
{
	static const struct raw_step *const scripts[] = {ok_always};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_start(&c);
	task_cancel(c.task);
	call_finish(&c);
	assert_int_equal(c.err.kind, ERROR_CANCELLED);
	assert_false(c.res.sent);
	/* The server takes connections in their order. */
	call_run(&c);
	assert_int_equal(c.rc, 0);
	assert_int_equal(raw_server_connections(s), 1);
	assert_int_equal(raw_server_requests(s), 1);
	call_clear(&c);
	raw_server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_teardown(fn, call_tear_down)
	    TEST(silence_before_and_inside_an_answer_is_limited),
	    TEST(every_line_of_the_head_and_byte_of_the_body_is_a_sign_of_life),
	    TEST(the_time_of_a_large_request_is_no_silence),
	    TEST(the_whole_request_has_a_limit_of_its_own),
	    TEST(connecting_has_a_limit_of_its_own),
	    TEST(a_request_on_a_warm_host_does_not_wake_the_loop_while_it_waits),
	    TEST(an_answer_that_is_too_large_ends_at_once),
	    TEST(a_reader_that_says_no_ends_the_transfer),
	    TEST(cancelling_while_resolving_leaves_nothing),
	    TEST(cancelling_while_connecting_leaves_nothing),
	    TEST(cancelling_while_waiting_or_streaming_leaves_nothing),
	    TEST(a_task_that_is_cancelled_already_sends_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
