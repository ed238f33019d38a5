#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "net/fake_dns.h"
#include "net/raw_server.h"
#include "net/resolve.h"
#include "net/server/server.h"
#include "net/websocket/websocket_fixture.h"
#include "net/tls_server.h"

static const char *const here[] = {"127.0.0.1", NULL};

/* It must fail, and the sentence must not hold the path, which may be a ticket. */
static void expect_refusal(
    struct task *t, const struct websocket_options *o, enum error_kind kind, int code, const char *words)
{
	struct error err = {0};
	struct websocket *w = websocket_open(t, o, &err);

	assert_null(w);
	if (err.kind != kind || err.code != code || !strstr(err.text, words))
		fail_msg("%s %d \"%s\", wanted %s %d \"%s\"", error_kind_name(err.kind), err.code, err.text,
		    error_kind_name(kind), code, words);
	assert_null(strstr(err.text, "ticket"));
	assert_int_equal(err.unanswered, kind == ERROR_NETWORK && code == 0);
}

SOCKET_TEST(a_url_that_is_not_allowed_is_refused_before_anything_is_sent)
{
	static const struct {
		const char *url, *words;
	} cases[] = {
	    {"http://127.0.0.1/ticket", "must begin with wss://"},
	    {"ws://chat.example/ticket", "use wss:// for chat.example"},
	    {"wss://me:secret@chat.example/ticket", "user name"},
	    {"wss://", "not valid"},
	    {"ws://127.0.0.1:99999/ticket", "not valid"},
	    {"ws://127.0.0.1/ticket with blanks", ""},
	    {"ws://127.0.0.1/ticket#part", "percent-encoded"},
	    {"ws://127.0.0.1/ticket\r\nX: y", ""},
	};

	(void)st;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		expect_refusal(
		    t, &(struct websocket_options){.url = cases[i].url}, ERROR_OURS, 0, cases[i].words);
}

SOCKET_TEST(a_header_that_would_begin_another_is_refused)
{
	const struct http_header headers[] = {{"X-One", "1"}, {"X-Two", "2\r\nX-Three: 3"}};
	const struct websocket_options o = {.url = st->url, .headers = headers, .header_count = 2};

	expect_refusal(t, &o, ERROR_OURS, 0, "line break");
}

SOCKET_TEST(the_handshake_is_as_the_rfc_asks_and_carries_our_headers)
{
	static const struct raw_step steps[] = {
	    READ, SEND("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), HOLD};
	static const struct raw_step *const scripts[] = {steps};
	const struct http_header headers[] = {{"X-One", "1"}, {"X-Two", ""}};
	struct raw_server *raw = raw_server_new(NULL, scripts, 1);
	char url[64], host[64], *request;
	size_t len;

	(void)st;
	snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ticket?v=1&w=%%20", raw_server_port(raw));
	snprintf(host, sizeof(host), "\r\nHost: 127.0.0.1:%u\r\n", raw_server_port(raw));
	expect_refusal(t, &(struct websocket_options){.url = url, .headers = headers, .header_count = 2},
	    ERROR_REFUSED, 403, "answered 403");
	request = raw_server_last_request(raw, &len);
	assert_non_null(request);
	assert_memory_equal(request, "GET /ticket?v=1&w=%20 HTTP/1.1\r\n", 32);
	assert_non_null(strstr(request, host));
	assert_non_null(strstr(request, "\r\nUpgrade: websocket\r\n"));
	assert_non_null(strstr(request, "\r\nConnection: Upgrade\r\n"));
	assert_non_null(strstr(request, "\r\nSec-WebSocket-Version: 13\r\n"));
	assert_non_null(strstr(request, "\r\nX-One: 1\r\n"));
	assert_non_null(strstr(request, "\r\nX-Two: \r\n"));
	assert_non_null(strstr(request, "\r\nUser-Agent: myna/"));
	assert_null(strstr(request, "Sec-WebSocket-Extensions"));
	assert_null(strstr(request, "Sec-WebSocket-Protocol"));
	assert_null(strstr(request, "Origin"));
	free(request);
	raw_server_free(raw);
}

#define LATE "in time"
#define ANSWER(head)                                                               \
	{                                                                          \
		READ, SEND("HTTP/1.1 " head "\r\nContent-Length: 0\r\n\r\n"), HOLD \
	}
#define UPGRADE "101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade"

SOCKET_TEST(an_answer_that_opens_nothing_says_what_to_do_next)
{
	static const struct {
		struct raw_step steps[4];
		enum error_kind kind;
		int code;
		uint64_t retry_ms;
		const char *words;
	} cases[] = {
	    {ANSWER("200 OK"), ERROR_REFUSED, 200, 0, "answered 200"},
	    {ANSWER("301 Moved\r\nLocation: ws://127.0.0.1:9/"), ERROR_REFUSED, 301, 0, "answered 301"},
	    {ANSWER("401 Unauthorized"), ERROR_REFUSED, 401, 0, "answered 401"},
	    {ANSWER("404 Not Found"), ERROR_REFUSED, 404, 0, "answered 404"},
	    {ANSWER("429 Too Many\r\nRetry-After: 7"), ERROR_LIMITED, 429, 7000, "429"},
	    {ANSWER("429 Too Many\r\nRetry-After: 7 "), ERROR_LIMITED, 429, 7000, "429"},
	    {ANSWER("429 Too Many"), ERROR_LIMITED, 429, 5000, "429"},
	    {ANSWER("500 Oops"), ERROR_NETWORK, 500, 0, "answered 500"},
	    {ANSWER("503 Busy\r\nRetry-After: 2"), ERROR_LIMITED, 503, 2000, "503"},
	    {ANSWER("429 Too Many\r\nRetry-After: 99999999999"), ERROR_LIMITED, 429, 604800000, "429"},
	    {ANSWER("429 Too Many\r\nRetry-After: 99999999999999999999"), ERROR_LIMITED, 429, 604800000,
		"429"},
	    {ANSWER("429 Too Many\r\nRetry-After: -1"), ERROR_LIMITED, 429, 5000, "429"},
	    {ANSWER("429 Too Many\r\nRetry-After: 0.25"), ERROR_LIMITED, 429, 250, "429"},
	    {ANSWER("503 Busy\r\nRetry-After: Fri, 31 Dec 2199 23:59:59 GMT"), ERROR_LIMITED, 503, 604800000,
		"503"},
	    {ANSWER("503 Busy\r\nRetry-After: -1"), ERROR_NETWORK, 503, 0, "answered 503"},
	    {ANSWER("503 Busy"), ERROR_NETWORK, 503, 0, "answered 503"},
	    {ANSWER(UPGRADE), ERROR_NETWORK, 101, 0, "could not open"},
	    {ANSWER(UPGRADE "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), ERROR_NETWORK, 101, 0,
		"could not"},
	    {{READ, TRICKLE("HTTP/1.1 401 No\r\nA: b\r\nContent-Length: 0\r\n\r\n", 1), HOLD}, ERROR_REFUSED,
		401, 0, ""},
	    {{READ, SEND("220 mail.example ESMTP\r\n\r\n"), HOLD}, ERROR_NETWORK, 0, 0, LATE},
	    {{READ, END}, ERROR_NETWORK, 0, 0, "could not open"},
	    {{READ, RESET}, ERROR_NETWORK, 0, 0, "could not open"},
	    {{READ, SEND("HTTP/1.1 101 Swi"), END}, ERROR_NETWORK, 0, 0, "could not open"},
	    {{READ, HOLD}, ERROR_NETWORK, 0, 0, LATE},
	    {{HOLD}, ERROR_NETWORK, 0, 0, LATE},
	};

	(void)st;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct raw_step *const scripts[] = {cases[i].steps};
		struct raw_server *raw = raw_server_new(NULL, scripts, 1);
		struct error err = {0};
		char url[64];
		struct websocket_options o = {.url = url,
		    .label = "the events",
		    .connect_ms = strcmp(cases[i].words, LATE) == 0 ? 100 : 10000};

		snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ticket", raw_server_port(raw));
		expect_refusal(t, &o, cases[i].kind, cases[i].code, cases[i].words);
		assert_null(websocket_open(t, &o, &err));
		assert_int_equal(err.retry_ms, cases[i].retry_ms);
		assert_memory_equal(err.text, "the events (127.0.0.1): ", 24);
		raw_server_free(raw);
	}
}

SOCKET_TEST(the_next_address_is_tried_when_the_first_is_not_reached)
{
	struct server_options options = {.listen = "[::1]:0"};
	struct error err = {0};
	struct server *six;
	char url[64];

	options.handler = websocket_fixture_serve;
	options.arg = st;
	six = server_new(&options, &err);
	if (!six) {
		print_message("no IPv6 here: %s\n", err.text);
		return;
	}
	snprintf(url, sizeof(url), "ws://localhost:%u/", server_port(six));
	websocket_close(t, socket_open(t, st, &(struct websocket_options){.url = url}), 1000, NULL);
	assert_int_equal(st->opened, 1);
	snprintf(url, sizeof(url), "ws://[::1]:%u/", server_port(six));
	websocket_close(t, socket_open(t, st, &(struct websocket_options){.url = url}), 1000, NULL);
	server_free(t, six);
	expect_refusal(t, &(struct websocket_options){.url = url}, ERROR_NETWORK, 0, "could not");
}

SOCKET_TEST(a_name_that_is_unknown_is_a_network_error)
{
	(void)st;
	resolve_forget_all();
	fake_dns_set(NULL, -2, false);
	expect_refusal(t, &(struct websocket_options){.url = "wss://nowhere.example/ticket"}, ERROR_NETWORK,
	    0, "nowhere.example");
	resolve_forget_all();
}

static void url_of(char url[64], const char *host, const struct tls_server *tls)
{
	snprintf(url, 64, "wss://%s:%u/ticket", host, tls_server_port(tls));
}

SOCKET_TEST(messages_go_both_ways_over_tls)
{
	struct tls_server *tls = tls_server_new("http/1.1", 0);
	char url[64], *text = xcalloc(1, TLS_SERVER_ECHO + 1);
	struct websocket_options o = {.url = url, .ca_file = tls_server_certificate(tls), .ping_ms = 600};
	struct websocket *w;

	memset(text, 't', TLS_SERVER_ECHO);
	url_of(url, "localhost", tls);
	w = socket_open(t, st, &o);
	assert_int_equal(websocket_send(t, w, "hello", 5, NULL), 0);
	socket_expect(t, w, "hello");
	assert_int_equal(websocket_send(t, w, text, TLS_SERVER_ECHO, NULL), 0);
	socket_expect(t, w, text);
	/* Its pongs keep it. */
	for (int pongs = 0; pongs < 2; pongs++) {
		uint64_t heard = websocket_last_received_ms(w);
		socket_until(t, websocket_last_received_ms(w) > heard);
	}
	assert_true(websocket_is_open(w));
	websocket_close(t, w, 4000, "enough");
	setenv("SSL_CERT_FILE", o.ca_file, 1);
	o.ca_file = NULL;
	w = socket_open(t, st, &o);
	unsetenv("SSL_CERT_FILE");
	websocket_abort(w);
	free(text);
	tls_server_free(tls);
}

SOCKET_TEST(a_certificate_for_another_name_is_refused)
{
	struct tls_server *tls = tls_server_new("http/1.1", 0);
	char url[64];

	(void)st;
	resolve_forget_all();
	fake_dns_set(here, 0, false);
	url_of(url, "other.example", tls);
	expect_refusal(t, &(struct websocket_options){.url = url, .ca_file = tls_server_certificate(tls)},
	    ERROR_NETWORK, 0, "certificate of the server is not accepted");
	resolve_forget_all();
	tls_server_free(tls);
}

SOCKET_TEST(a_certificate_that_nobody_vouches_for_is_refused)
{
	struct tls_server *tls = tls_server_new("http/1.1", 0);
	char url[64];

	(void)st;
	url_of(url, "localhost", tls);
	expect_refusal(t, &(struct websocket_options){.url = url}, ERROR_NETWORK, 0,
	    "certificate of the server is not accepted");
	expect_refusal(t, &(struct websocket_options){.url = url, .ca_file = "/nonexistent/ca.pem"},
	    ERROR_OURS, 0, "/nonexistent/ca.pem cannot be read");
	tls_server_free(tls);
}

SOCKET_TEST(a_server_without_tls_is_told_apart)
{
	static const struct raw_step steps[] = {SEND("220 mail.example ESMTP\r\n"), HOLD};
	static const struct raw_step *const scripts[] = {steps};
	struct raw_server *raw = raw_server_new(NULL, scripts, 1);
	char url[64];

	(void)st;
	snprintf(url, sizeof(url), "wss://localhost:%u/ticket", raw_server_port(raw));
	expect_refusal(t, &(struct websocket_options){.url = url, .connect_ms = 2000}, ERROR_NETWORK, 0,
	    "could not open");
	raw_server_free(raw);
}

/* A task that opens, receives and closes, to be cancelled at some point of that. */
struct victim {
	const char *url, *ca_file;
	struct task_group group;
	struct task *task;
	struct error err;
	bool opened, received, silent;
};

static void live(struct task *t, void *arg)
{
	struct victim *v = arg;
	const struct websocket_options o = {.url = v->url, .ca_file = v->ca_file};
	struct websocket *w = websocket_open(t, &o, &v->err);
	struct buf message = BUF_INIT;

	v->opened = w;
	if (w) {
		websocket_send(t, w, "x", 1, NULL);
		v->received = websocket_receive(t, w, &message, 30000, &v->err) == 1;
		if (v->received)
			websocket_receive(t, w, &message, UINT64_MAX, &v->err);
	}
	websocket_close(t, w, 1000, NULL);
	buf_clear(&message);
}

static void victim_start(struct victim *v, const char *url)
{
	v->url = url;
	task_group_init(&v->group);
	v->task = task_start(&v->group, "victim", live, v);
}

static void victim_cancel(struct task *t, struct victim *v)
{
	task_group_finish(t, &v->group);
	assert_int_equal(v->err.kind, ERROR_CANCELLED);
}

SOCKET_TEST(a_cancel_while_the_name_is_looked_up_ends_the_opening)
{
	struct victim v = {0};

	(void)st;
	resolve_forget_all();
	fake_dns_set(here, 0, true);
	int calls = fake_dns_calls();
	victim_start(&v, "wss://held.example/");
	socket_until(t, fake_dns_calls() > calls);
	victim_cancel(t, &v);
	assert_false(v.opened);
	fake_dns_set(here, 0, false);
	task_sleep(t, 20, NULL);
	resolve_forget_all();
}

SOCKET_TEST(a_cancel_while_the_handshake_waits_ends_the_opening)
{
	static const struct raw_step steps[] = {HOLD};
	static const struct raw_step *const scripts[] = {steps};
	static const char *const schemes[] = {"ws", "wss"};
	struct raw_server *raw = raw_server_new(NULL, scripts, 1);
	char url[64];

	(void)st;
	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		struct victim v = {0};

		snprintf(url, sizeof(url), "%s://localhost:%u/", schemes[i], raw_server_port(raw));
		victim_start(&v, url);
		socket_until(t, raw_server_connections(raw) == (int)i + 1);
		victim_cancel(t, &v);
		assert_false(v.opened);
	}
	raw_server_free(raw);
}

SOCKET_TEST(a_cancel_while_receiving_closes_in_good_order)
{
	struct victim v = {0};

	victim_start(&v, st->url);
	socket_until(t, v.received);
	victim_cancel(t, &v);
	socket_until(t, st->ended == 1);
	assert_int_equal(st->close_code, 1000);
}

SOCKET_TEST(a_cancelled_task_does_not_wait_long_for_a_silent_peer)
{
	uint64_t quickest = UINT64_MAX;

	/* A machine that has no time may be slow once; who waits is so each time. */
	for (int i = 0; i < 5 && quickest >= 1900; i++) {
		struct victim v = {0};

		victim_start(&v, st->url);
		socket_until(t, v.received);
		websocket_peer_silence(st->peer, true);
		uint64_t begun = clock_now();
		victim_cancel(t, &v);
		quickest = clock_now() - begun < quickest ? clock_now() - begun : quickest;
	}
	assert_true(quickest < 1900);
}

/* With any number of turns of the loop between the start and the cancel. */
SOCKET_TEST(a_cancel_at_any_moment_leaves_nothing)
{
	struct tls_server *tls = tls_server_new("http/1.1", 0);
	char url[64];

	url_of(url, "localhost", tls);
	for (int moment = 0; moment < 120; moment++) {
		struct victim v = {.ca_file = tls_server_certificate(tls)};

		victim_start(&v, moment % 2 == 0 ? st->url : url);
		for (int turn = 0; turn < moment / 2; turn++)
			task_yield(t, NULL);
		task_group_finish(t, &v.group);
	}
	socket_until(t, st->ended == st->opened);
	tls_server_free(tls);
}

SOCKET_TEST(a_socket_without_a_free_descriptor_says_so)
{
	struct websocket *w = socket_open(t, st, NULL);
	struct rlimit limit, tight;
	struct error err = {0};
	int free_fd = dup(0);

	close(free_fd);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	tight = limit;
	tight.rlim_cur = (rlim_t)free_fd;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
	assert_null(websocket_open(t, &(struct websocket_options){.url = st->url}, &err));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	if (err.kind != ERROR_NETWORK || !strstr(err.text, "too many files are open (at most "))
		fail_msg("%s", err.text);
	websocket_close(t, w, 1000, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_url_that_is_not_allowed_is_refused_before_anything_is_sent),
	    cmocka_unit_test(a_header_that_would_begin_another_is_refused),
	    cmocka_unit_test(the_handshake_is_as_the_rfc_asks_and_carries_our_headers),
	    cmocka_unit_test(an_answer_that_opens_nothing_says_what_to_do_next),
	    cmocka_unit_test(the_next_address_is_tried_when_the_first_is_not_reached),
	    cmocka_unit_test(a_name_that_is_unknown_is_a_network_error),
	    cmocka_unit_test(a_socket_without_a_free_descriptor_says_so),
	    cmocka_unit_test(messages_go_both_ways_over_tls),
	    cmocka_unit_test(a_certificate_for_another_name_is_refused),
	    cmocka_unit_test(a_certificate_that_nobody_vouches_for_is_refused),
	    cmocka_unit_test(a_server_without_tls_is_told_apart),
	    cmocka_unit_test(a_cancel_while_the_name_is_looked_up_ends_the_opening),
	    cmocka_unit_test(a_cancel_while_the_handshake_waits_ends_the_opening),
	    cmocka_unit_test(a_cancel_while_receiving_closes_in_good_order),
	    cmocka_unit_test(a_cancelled_task_does_not_wait_long_for_a_silent_peer),
	    cmocka_unit_test(a_cancel_at_any_moment_leaves_nothing),
	};

	loop_init();
	unsetenv("SSL_CERT_FILE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
