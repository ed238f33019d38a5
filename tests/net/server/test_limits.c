#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/server/peer.h"
#include "net/server/server.h"

#define POST(length) "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " length "\r\n\r\n"

static size_t handled;

static void count(struct task *t, struct server_request *req, void *arg)
{
	(void)t;
	(void)arg;
	handled++;
	server_respond(req, 200, NULL, NULL, "ok", 2);
}

/* The request is answered with that status and a sentence, and the connection ends. */
static void assert_refused(unsigned port, const char *text, int status, const char *sentence)
{
	struct peer p;
	struct answer a;

	handled = 0;
	peer_open(&p, port);
	peer_say(&p, text);
	peer_answer(&p, &a, true);
	if (a.status != status)
		fail_msg("status %d for %.60s", a.status, text);
	if (!strstr(a.body.data, sentence))
		fail_msg("\"%s\" for %.60s", a.body.data, text);
	assert_int_equal(a.body.data[a.body.len - 1], '\n');
	assert_non_null(strstr(a.head.data, "\r\nConnection: close\r\n"));
	answer_clear(&a);
	peer_read_end(&p);
	assert_int_equal(p.in.len, 0);
	assert_int_equal(handled, 0);
	peer_close(&p);
}

static void bad_requests_are_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *text;
		int status;
		const char *sentence;
	} cases[] = {
	    {"garbage\r\n\r\n", 400, "not an HTTP request line"},
	    {"\026\003\001\002", 400, "not an HTTP request"},
	    {"GET / HTTP/1.1\nHost: x\n\n", 400, "not an HTTP request"},
	    {"GET / HTTP/1.1\r\nHost: x\r\rX: y\r\n\r\n", 400, "not an HTTP request"},
	    {"GET  / HTTP/1.1\r\n\r\n", 400, "not an HTTP request line"},
	    {"GET / FTP/1.1\r\n\r\n", 400, "not an HTTP request line"},
	    {"GET / HTTP/2.0\r\n\r\n", 505, "HTTP/1.1"},
	    {"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501, "BREW"},
	    {"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400, "slash"},
	    {"GET / HTTP/1.1\r\n\r\n", 400, "no Host"},
	    {"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, "twice"},
	    {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400, "Name: value"},
	    {"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400, "Name: value"},
	    {"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400, "Name: value"},
	    {POST("abc"), 400, "not a number"},
	    {POST("-1"), 400, "not a number"},
	    {POST("1, 1"), 400, "not a number"},
	    {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
		"two"},
	    {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "chunked"},
	    {"POST / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n", 417, "100-continue"},
	    {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400, "hexadecimal"},
	    {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400, "longer"},
	};
	struct server *s = serve(count, NULL, NULL);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_refused(server_port(s), cases[i].text, cases[i].status, cases[i].sentence);
	serve_end(s);
}

static void a_head_that_is_too_large_is_refused(void **state)
{
	struct server *s = serve(count, NULL, NULL);
	struct buf text = BUF_INIT;

	(void)state;
	buf_addstr(&text, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ");
	for (int i = 0; i < 100 * 1024; i++)
		buf_addch(&text, 'x');
	assert_refused(server_port(s), text.data, 431, "longer than 32768 bytes");
	buf_reset(&text);
	buf_addstr(&text, "GET / HTTP/1.1\r\nHost: x\r\n");
	for (int i = 0; i < 100; i++)
		buf_addf(&text, "X-%d: y\r\n", i);
	buf_addstr(&text, "\r\n");
	assert_refused(server_port(s), text.data, 431, "more than 100 headers");
	buf_reset(&text);
	buf_addstr(&text, "GET /");
	for (int i = 0; i < 9000; i++)
		buf_addch(&text, 'x');
	buf_addstr(&text, " HTTP/1.1\r\nHost: x\r\n\r\n");
	assert_refused(server_port(s), text.data, 414, "longer than 8192 bytes");
	buf_clear(&text);
	serve_end(s);
}

static void a_body_that_is_too_large_is_refused_before_it_is_read(void **state)
{
	struct server_options options = {.max_body = 1000};
	struct server *s = serve(count, NULL, &options);

	(void)state;
	assert_refused(server_port(s), POST("1001"), 413, "larger than 1000 bytes");
	assert_refused(server_port(s),
	    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", 413,
	    "larger than 1000 bytes");
	assert_refused(server_port(s),
	    "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", 413,
	    "larger");
	serve_end(s);
}

static void a_client_that_goes_on_sending_can_still_read_the_refusal(void **state)
{
	struct server_options options = {.max_body = 1000};
	struct server *s = serve(count, NULL, &options);
	size_t size = 4u * 1024 * 1024;
	char *body = xcalloc(1, size);
	struct peer p;
	struct answer a;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, POST("4194304"));
	peer_send(&p, body, size);
	assert_int_equal(p.error, 0);
	peer_answer(&p, &a, true);
	assert_int_equal(a.status, 413);
	answer_clear(&a);
	peer_read_end(&p);
	assert_int_equal(p.error, 0);
	peer_close(&p);
	free(body);
	serve_end(s);
}

struct held {
	size_t count;
	bool go;
};

static void hold(struct task *t, struct server_request *req, void *arg)
{
	struct held *held = arg;

	held->count++;
	while (!held->go && task_yield(t, NULL) == 0)
		;
	held->count--;
	server_respond(req, 200, NULL, NULL, NULL, 0);
}

static void more_requests_than_allowed_are_refused_until_one_ends(void **state)
{
	static const char get[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
	struct server_options options = {.max_requests = 2};
	struct held held = {0};
	struct server *s = serve(hold, &held, &options);
	struct peer p[2];
	struct answer a;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		peer_open(&p[i], server_port(s));
		peer_say(&p[i], get);
	}
	run_until_count(&held.count, 2);
	assert_int_equal(peer_ask(server_port(s), get, &a), 503);
	assert_non_null(strstr(a.body.data, "2 requests"));
	assert_non_null(strstr(a.head.data, "\r\nRetry-After: 1\r\n"));
	answer_clear(&a);
	held.go = true;
	run_until_count(&held.count, 0);
	assert_int_equal(peer_ask(server_port(s), get, NULL), 200);
	peer_close(&p[0]);
	peer_close(&p[1]);
	serve_end(s);
}

/* Anybody can send requests in a row that are refused at once. */
static void requests_that_are_answered_at_once_take_no_place(void **state)
{
	static const char get[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
	struct server_options options = {.max_requests = 2};
	struct server *s = serve(count, NULL, &options);
	struct peer p[4];
	struct buf row = BUF_INIT;
	struct answer a;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		buf_addstr(&row, get);
	handled = 0;
	for (size_t i = 0; i < ARRAY_LEN(p); i++) {
		peer_open(&p[i], server_port(s));
		peer_say(&p[i], row.data);
	}
	assert_int_equal(peer_ask(server_port(s), get, NULL), 200);
	/* It was answered between them. */
	assert_true(handled < 1000 * ARRAY_LEN(p));
	for (size_t i = 0; i < ARRAY_LEN(p); i++) {
		for (size_t n = 0; n < 1000; n++) {
			peer_answer(&p[i], &a, true);
			assert_int_equal(a.status, 200);
			answer_clear(&a);
		}
		peer_close(&p[i]);
	}
	buf_clear(&row);
	serve_end(s);
}

static bool wants_body(const struct server_request *req, void *arg)
{
	(void)arg;
	return server_header(req, "x-key");
}

static void a_body_that_is_not_wanted_is_not_waited_for(void **state)
{
	struct server_options options = {.wants_body = wants_body, .max_requests = 1};
	struct server *s = serve(count, NULL, &options);
	struct answer a;
	struct peer p;

	(void)state;
	/* Most of the body never comes; chunks neither. */
	assert_int_equal(peer_ask(server_port(s), POST("1000") "{", &a), 200);
	assert_non_null(strstr(a.head.data, "\r\nConnection: close\r\n"));
	answer_clear(&a);
	assert_int_equal(peer_ask(server_port(s),
			     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", NULL),
	    200);
	/* What comes of it is not taken for the next request. */
	handled = 0;
	peer_open(&p, server_port(s));
	peer_say(&p, POST("26") "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
	peer_read_end(&p);
	assert_int_equal(handled, 1);
	peer_close(&p);
	/* The wanted one is. */
	peer_open(&p, server_port(s));
	peer_say(&p, "POST / HTTP/1.1\r\nHost: x\r\nX-Key: 1\r\nContent-Length: 2\r\n\r\n{");
	assert_int_equal(peer_ask(server_port(s), "GET / HTTP/1.1\r\nHost: x\r\n\r\n", NULL), 503);
	peer_say(&p, "}");
	peer_answer(&p, &a, true);
	assert_int_equal(a.status, 200);
	assert_null(strstr(a.head.data, "Connection: close"));
	answer_clear(&a);
	peer_close(&p);
	serve_end(s);
}

static void a_new_connection_ends_the_one_that_waits_for_longest(void **state)
{
	static const char get[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
	struct server_options options = {.max_connections = 3};
	struct held held = {0};
	struct server *s = serve(hold, &held, &options);
	struct peer p[3], other;

	(void)state;
	peer_open(&p[0], server_port(s));
	peer_say(&p[0], get); /* at work */
	run_until_count(&held.count, 1);
	peer_open(&p[1], server_port(s));
	peer_say(&p[1], "GET / HT");
	peer_open(&p[2], server_port(s));
	peer_open(&other, server_port(s));
	peer_say(&other, get);
	run_until_count(&held.count, 2);
	peer_read_end(&p[1]);
	assert_false(p[2].ended);
	held.go = true;
	run_until_count(&held.count, 0);
	peer_close(&p[0]);
	peer_close(&p[1]);
	peer_close(&p[2]);
	peer_close(&other);
	serve_end(s);
}

static int status_with(struct server *s, const char *host, const char *origin)
{
	struct buf text = BUF_INIT;
	int status;

	buf_addstr(&text, "GET / HTTP/1.1\r\n");
	if (host)
		buf_addf(&text, "Host: %s\r\n", host);
	if (origin)
		buf_addf(&text, "Origin: %s\r\n", origin);
	buf_addstr(&text, "\r\n");
	status = peer_ask(server_port(s), text.data, NULL);
	buf_clear(&text);
	return status;
}

static void only_own_hosts_and_origins_pass(void **state)
{
	/* %u is the port. */
	static const struct {
		const char *host, *origin;
		int status;
	} cases[] = {
	    {"127.0.0.1:%u", NULL, 200},
	    {"localhost:%u", NULL, 200},
	    {"LocalHost:%u", NULL, 200},
	    {"[::1]:%u", NULL, 200},
	    {NULL, NULL, 403},
	    {"localhost", NULL, 403},
	    {"", NULL, 403},
	    {"localhost:1%u", NULL, 403},
	    {"evil.example:%u", NULL, 403},
	    {"10.0.0.1:%u", NULL, 403},
	    {"127.0.0.1.evil.example:%u", NULL, 403},
	    {":%u", NULL, 403},
	    {"127.0.0.1:%u", "http://127.0.0.1:%u", 200},
	    {"127.0.0.1:%u", "http://localhost:%u", 200},
	    {"127.0.0.1:%u", "https://127.0.0.1:%u", 403},
	    {"127.0.0.1:%u", "http://evil.example", 403},
	    {"127.0.0.1:%u", "http://127.0.0.1:80", 403},
	    {"127.0.0.1:%u", "null", 403},
	    {"127.0.0.1:%u", "", 403},
	    {"127.0.0.1:%u", "http://127.0.0.1:%u.evil.example", 403},
	};
	struct server_options options = {.check_host = true};
	struct server *s = serve(count, NULL, &options);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf host = BUF_INIT, origin = BUF_INIT;
		int status;

		if (cases[i].host)
			buf_addf(&host, cases[i].host, server_port(s));
		if (cases[i].origin)
			buf_addf(&origin, cases[i].origin, server_port(s));
		status =
		    status_with(s, cases[i].host ? host.data : NULL, cases[i].origin ? origin.data : NULL);
		if (status != cases[i].status)
			fail_msg("case %zu: status %d", i, status);
		buf_clear(&host);
		buf_clear(&origin);
	}
	assert_refused(
	    server_port(s), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, "Host header must name");
	serve_end(s);
}

static void a_server_on_all_addresses_takes_the_one_it_was_reached_at(void **state)
{
	struct server_options options = {.check_host = true, .listen = "0.0.0.0:0"};
	struct server *s = serve(count, NULL, &options);
	struct buf host = BUF_INIT;

	(void)state;
	buf_addf(&host, "127.0.0.1:%u", server_port(s));
	assert_int_equal(status_with(s, host.data, NULL), 200);
	buf_reset(&host);
	buf_addf(&host, "0.0.0.0:%u", server_port(s));
	assert_int_equal(status_with(s, host.data, NULL), 403);
	buf_clear(&host);
	serve_end(s);
}

/* From here on time stands still but for clock_advance. */
static int stop_time(void **state)
{
	(void)state;
	clock_fake(1700000000000, 1);
	return 0;
}

/* Asks on a connection of its own. The answer comes behind all that was sent or due before. */
static void ask_beside(struct peer *beside)
{
	struct answer a;

	peer_say(beside, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
	peer_answer(beside, &a, true);
	assert_int_equal(a.status, 200);
	answer_clear(&a);
}

/* What was sent reaches the server, and nothing comes back yet. */
static void assert_quiet(struct peer *p, struct peer *beside)
{
	char c;

	ask_beside(beside);
	assert_int_equal(recv(p->fd, &c, 1, MSG_DONTWAIT | MSG_PEEK), -1);
}

static void assert_times_out(struct server *s, const char *text, uint64_t ms, int status)
{
	struct peer p, beside;
	struct answer a;

	peer_open(&beside, server_port(s));
	peer_open(&p, server_port(s));
	peer_say(&p, text);
	assert_quiet(&p, &beside);
	clock_advance(ms - 1);
	assert_quiet(&p, &beside);
	clock_advance(1);
	if (status) {
		peer_answer(&p, &a, true);
		assert_int_equal(a.status, status);
		answer_clear(&a);
	}
	peer_read_end(&p);
	assert_int_equal(p.error, 0);
	peer_close(&p);
	peer_close(&beside);
}

static void a_client_that_keeps_waiting_is_let_go(void **state)
{
	struct server *s = serve(count, NULL, NULL);

	(void)state;
	assert_times_out(s, "", 75000, 0);
	assert_times_out(s, "GET / HT", 10000, 408);
	assert_times_out(s, POST("5") "abc", 30000, 408);
	serve_end(s);
}

static void a_head_that_trickles_in_is_not_waited_for_longer(void **state)
{
	struct server *s = serve(count, NULL, NULL);
	struct peer p, beside;

	(void)state;
	peer_open(&beside, server_port(s));
	peer_open(&p, server_port(s));
	for (int i = 0; i < 10; i++) {
		peer_say(&p, "G");
		assert_quiet(&p, &beside);
		clock_advance(1000);
	}
	peer_read(&p, 12);
	assert_memory_equal(p.in.data, "HTTP/1.1 408", 12);
	peer_close(&p);
	peer_close(&beside);
	serve_end(s);
}

static void a_body_that_goes_on_is_waited_for(void **state)
{
	struct server *s = serve(count, NULL, NULL);
	struct peer p, beside;

	(void)state;
	peer_open(&beside, server_port(s));
	peer_open(&p, server_port(s));
	peer_say(&p, POST("5"));
	for (int i = 0; i < 5; i++) {
		assert_quiet(&p, &beside);
		clock_advance(29999);
		peer_say(&p, "x");
	}
	peer_read(&p, 12);
	assert_memory_equal(p.in.data, "HTTP/1.1 200", 12);
	peer_close(&p);
	peer_close(&beside);
	serve_end(s);
}

/* 16 MiB for a POST. */
static void answer_much(struct task *t, struct server_request *req, void *arg)
{
	size_t len = strcmp(server_method(req), "POST") == 0 ? 16u * 1024 * 1024 : 0;
	char *body = xcalloc(1, len + 1);

	(void)t;
	(void)arg;
	server_respond(req, 200, NULL, NULL, body, len);
	free(body);
}

static void a_client_that_does_not_read_is_let_go(void **state)
{
	struct server *s = serve(answer_much, NULL, NULL);
	struct peer p, beside;

	(void)state;
	peer_open(&beside, server_port(s));
	peer_open(&p, server_port(s));
	peer_say(&p, POST("0"));
	ask_beside(&beside);
	/* Each part of the answer that the kernel takes restarts the limit. */
	do {
		clock_advance(1);
		ask_beside(&beside);
	} while (clock_first_due() == clock_now() + 60000);
	assert_int_equal(clock_first_due(), clock_now() + 59999);
	clock_advance(59999);
	peer_read_end(&p);
	assert_true(p.in.len < 16u * 1024 * 1024);
	peer_close(&p);
	peer_close(&beside);
	serve_end(s);
}

static void a_client_that_stays_after_the_last_answer_is_let_go(void **state)
{
	struct server *s = serve(count, NULL, NULL);
	struct peer p, beside;
	size_t files;

	(void)state;
	peer_open(&beside, server_port(s));
	peer_open(&p, server_port(s));
	peer_say(&p, "GET / HTTP/1.0\r\n\r\n");
	peer_read_end(&p);
	peer_say(&p, "still here");
	ask_beside(&beside);
	files = open_files();
	clock_advance(1999);
	ask_beside(&beside);
	assert_int_equal(open_files(), files);
	clock_advance(1);
	ask_beside(&beside);
	assert_int_equal(open_files(), files - 1);
	peer_close(&p);
	peer_close(&beside);
	serve_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_requests_are_refused_with_a_sentence),
	    cmocka_unit_test(a_head_that_is_too_large_is_refused),
	    cmocka_unit_test(a_body_that_is_too_large_is_refused_before_it_is_read),
	    cmocka_unit_test(a_client_that_goes_on_sending_can_still_read_the_refusal),
	    cmocka_unit_test(more_requests_than_allowed_are_refused_until_one_ends),
	    cmocka_unit_test(requests_that_are_answered_at_once_take_no_place),
	    cmocka_unit_test(a_body_that_is_not_wanted_is_not_waited_for),
	    cmocka_unit_test(a_new_connection_ends_the_one_that_waits_for_longest),
	    cmocka_unit_test(only_own_hosts_and_origins_pass),
	    cmocka_unit_test(a_server_on_all_addresses_takes_the_one_it_was_reached_at),
	    cmocka_unit_test_setup(a_client_that_keeps_waiting_is_let_go, stop_time),
	    cmocka_unit_test(a_head_that_trickles_in_is_not_waited_for_longer),
	    cmocka_unit_test(a_body_that_goes_on_is_waited_for),
	    cmocka_unit_test(a_client_that_does_not_read_is_let_go),
	    cmocka_unit_test(a_client_that_stays_after_the_last_answer_is_let_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
