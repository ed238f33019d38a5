#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http/http_call.h"
#include "net/fake_dns.h"
#include "net/raw_server.h"
#include "net/tls_server.h"

#define CALLS 20

static void call_https(struct call *c, const struct tls_server *s, const char *path)
{
	call_init(c, 0);
	snprintf(c->url, sizeof(c->url), "https://127.0.0.1:%u%s", tls_server_port(s), path);
}

static void assert_ok(const struct call *c)
{
	if (c->rc != 0)
		print_message("%s\n", c->err.text);
	assert_int_equal(c->rc, 0);
	assert_int_equal(c->res.status, 200);
	assert_string_equal(c->res.body.data, "ok");
}

static void assert_not_sent(const struct call *c, const char *words)
{
	assert_int_equal(c->rc, -1);
	if (!strstr(c->err.text, words))
		print_message("%s\n", c->err.text);
	assert_non_null(strstr(c->err.text, words));
	assert_int_equal(c->err.kind, ERROR_NETWORK);
	assert_false(c->res.sent);
	assert_false(c->err.uncertain);
}

static void a_certificate_that_nobody_vouches_for_is_refused(void **state)
{
	struct tls_server *s = tls_server_new("h2", 0);
	struct call c;

	(void)state;
	unsetenv("SSL_CERT_FILE");
	call_https(&c, s, "/now");
	call_run(&c);
	assert_not_sent(&c, "certificate of the server is not accepted");
	assert_non_null(strstr(c.err.text, "self-signed"));
	setenv("SSL_CERT_FILE", tls_server_certificate(s), 1);
	call_run(&c);
	assert_ok(&c);
	call_clear(&c);
	tls_server_free(s);
}

static void a_certificate_for_another_name_is_refused(void **state)
{
	static const char *const addresses[] = {"127.0.0.1", NULL};
	struct tls_server *s = tls_server_new("h2", 0);
	struct call c;

	(void)state;
	setenv("SSL_CERT_FILE", tls_server_certificate(s), 1);
	fake_dns_set(addresses, 0, false);
	call_init(&c, 0);
	snprintf(c.url, sizeof(c.url), "https://other.example:%u/now", tls_server_port(s));
	call_run(&c);
	assert_not_sent(&c, "certificate of the server is not accepted");
	assert_non_null(strstr(c.err.text, "other.example"));
	snprintf(c.url, sizeof(c.url), "https://localhost:%u/now", tls_server_port(s));
	call_run(&c);
	assert_ok(&c);
	call_clear(&c);
	tls_server_free(s);
}

static void a_server_without_tls_is_told_apart(void **state)
{
	static const struct raw_step steps[] = {SEND("220 mail.example ESMTP\r\n"), HOLD};
	static const struct raw_step *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;

	(void)state;
	unsetenv("SSL_CERT_FILE");
	call_init(&c, 0);
	snprintf(c.url, sizeof(c.url), "https://127.0.0.1:%u/", raw_server_port(s));
	call_run(&c);
	assert_not_sent(&c, "the TLS handshake failed");
	call_clear(&c);
	raw_server_free(s);
}

/* Runs CALLS requests that wait for one another. */
static void run_held(const struct tls_server *s)
{
	struct call calls[CALLS];

	for (size_t i = 0; i < CALLS; i++) {
		call_https(&calls[i], s, "/hold");
		calls[i].req.idle_ms = 20000;
		call_start(&calls[i]);
	}
	for (size_t i = 0; i < CALLS; i++) {
		call_finish(&calls[i]);
		assert_ok(&calls[i]);
		call_clear(&calls[i]);
	}
}

static void http2_requests_share_a_connection(void **state)
{
	struct tls_server *s = tls_server_new("h2", CALLS);

	(void)state;
	setenv("SSL_CERT_FILE", tls_server_certificate(s), 1);
	run_held(s);
	assert_int_equal(tls_server_held(s), CALLS);
	assert_int_equal(tls_server_connections(s), 1);
	tls_server_free(s);
}

/* More than the connections that a host may have while it is thought to speak HTTP/2. */
static void long_polls_over_http1_do_not_hold_up_one_another(void **state)
{
	struct tls_server *s = tls_server_new("http/1.1", CALLS);

	(void)state;
	setenv("SSL_CERT_FILE", tls_server_certificate(s), 1);
	run_held(s);
	assert_int_equal(tls_server_held(s), CALLS);
	/* One that is opened for a request which then finds another free is too many, and no harm. */
	assert_true(tls_server_connections(s) >= CALLS);
	tls_server_free(s);
}

static void a_host_that_answered_with_http1_is_remembered(void **state)
{
	struct tls_server *s = tls_server_new("http/1.1", CALLS);
	struct call c;

	(void)state;
	setenv("SSL_CERT_FILE", tls_server_certificate(s), 1);
	call_https(&c, s, "/now");
	call_run(&c);
	assert_ok(&c);
	/* Time stands still, so that none is moved for having waited long. */
	clock_fake(0, 1);
	alarm(300);
	run_held(s);
	alarm(0);
	assert_int_equal(tls_server_held(s), CALLS);
	call_clear(&c);
	tls_server_free(s);
}

static void cancelling_over_tls_leaves_nothing(void **state)
{
	static const char *const alpn[] = {"h2", "http/1.1"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(alpn); i++) {
		struct tls_server *s = tls_server_new(alpn[i], 2);
		struct call c, other;
		size_t fds;

		setenv("SSL_CERT_FILE", tls_server_certificate(s), 1);
		call_https(&c, s, "/hold");
		c.req.fresh = true;
		call_https(&other, s, "/now");
		other.req.fresh = true;
		/* Twice: after an answer with HTTP/1 the next request takes the other multi handle, and what
		 * that opens for good shall be open when we count. */
		for (int n = 0; n < 2; n++) {
			call_run(&other);
			assert_ok(&other);
		}
		fds = open_fds();
		call_start(&c);
		while (tls_server_held(s) == 0)
			loop_for(10);
		task_cancel(c.task);
		call_finish(&c);
		assert_int_equal(c.err.kind, ERROR_CANCELLED);
		assert_true(c.err.uncertain);
		/* curl takes leave of a server before it closes, from 8.9 on; also of the ones before. */
		assert_true(open_fds_settled(fds) <= fds);
		call_clear(&c);
		call_clear(&other);
		tls_server_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_teardown(fn, call_tear_down)
	    TEST(a_certificate_that_nobody_vouches_for_is_refused),
	    TEST(a_certificate_for_another_name_is_refused),
	    TEST(a_server_without_tls_is_told_apart),
	    TEST(http2_requests_share_a_connection),
	    TEST(long_polls_over_http1_do_not_hold_up_one_another),
	    TEST(cancelling_over_tls_leaves_nothing),
	    /* Last: it stops the clock. */
	    TEST(a_host_that_answered_with_http1_is_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
