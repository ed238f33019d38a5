/* Servers that mean no good: what they cost is bounded in bytes and time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>
#include <zlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/loop.h"
#include "net/fake_dns.h"
#include "net/raw_server.h"
#include "net/web/web.h"
#include "net/web/guard.h"

#define BODY_BYTES_MAX (64 * 1024)
#define HEAD           "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
#define BOMB           (32 * 1024 * 1024)
#define FLOOD          (2 * 1024 * 1024)

/* Long answers, made once. */
static struct buf endless, chunks, gzip_bomb, zlib_bomb, double_bomb, long_header, many_headers, interim,
    trailers, tls;

static void repeat(struct buf *out, const char *piece, size_t bytes)
{
	while (out->len < bytes)
		buf_addstr(out, piece);
}

/* window: as deflateInit2 has it; 15 for zlib, 31 for gzip. */
static void squeeze(struct buf *out, const char *data, size_t len, int window)
{
	z_stream z = {0};

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
	size_t most = deflateBound(&z, len);
	char *room = xmalloc(most);
	z.next_in = (Bytef *)(uintptr_t)data;
	z.avail_in = (uInt)len;
	z.next_out = (Bytef *)room;
	z.avail_out = (uInt)most;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	buf_add(out, room, z.total_out);
	deflateEnd(&z);
	free(room);
}

static void make_bombs(void)
{
	char *zeros = xcalloc(1, BOMB);
	struct buf once = BUF_INIT;

	buf_addstr(&gzip_bomb, HEAD "Content-Encoding: gzip\r\n\r\n");
	squeeze(&gzip_bomb, zeros, BOMB, 31);
	buf_addstr(&zlib_bomb, HEAD "Content-Encoding: deflate\r\n\r\n");
	squeeze(&zlib_bomb, zeros, BOMB, 15);
	squeeze(&once, zeros, BOMB, 31);
	buf_addstr(&double_bomb, HEAD "Content-Encoding: gzip, gzip\r\n\r\n");
	squeeze(&double_bomb, once.data, once.len, 31);
	buf_clear(&once);
	free(zeros);
}

static int make_answers(void **state)
{
	(void)state;
	make_bombs();
	buf_addstr(&endless, HEAD "\r\n");
	repeat(&endless, "all work and no play makes a dull page\n", FLOOD);
	buf_addstr(&chunks, HEAD "Transfer-Encoding: chunked\r\n\r\n");
	repeat(&chunks, "10\r\n0123456789abcdef\r\n", FLOOD);
	buf_addstr(&long_header, HEAD "X-Long: ");
	repeat(&long_header, "long and ", FLOOD);
	buf_addstr(&many_headers, HEAD);
	repeat(&many_headers, "X-One-More: of many\r\n", FLOOD);
	repeat(&interim, "HTTP/1.1 100 Continue\r\n\r\n", FLOOD);
	buf_addstr(&trailers, HEAD "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n");
	repeat(&trailers, "X-Trailer: still not over\r\n", FLOOD);
	repeat(&tls, "\x16\x03\x03\x40\x01garbage", FLOOD);
	return 0;
}

struct fetch {
	struct web_request req;
	struct web_response res;
	struct error err;
	struct web_guard guard;
	char url[64], allowed[64];
	int rc;
	bool done;
};

static void fetch_task(struct task *t, void *arg)
{
	struct fetch *f = arg;

	f->rc = web_perform(t, &f->req, &f->res, &f->err);
	f->done = true;
}

static void fetch_init(struct fetch *f, const struct raw_server *s, const char *scheme)
{
	*f = (struct fetch){.req = {.method = "GET",
				.url = f->url,
				.total_ms = 60000,
				.max_body = BODY_BYTES_MAX,
				.redirects = 5,
				.guard = &f->guard}};
	snprintf(f->url, sizeof(f->url), "%s://127.0.0.1:%u/", scheme, raw_server_port(s));
	snprintf(f->allowed, sizeof(f->allowed), "127.0.0.1:%u", raw_server_port(s));
	assert_int_equal(web_guard_allow(&f->guard, f->allowed, NULL), 0);
}

static void fetch_clear(struct fetch *f)
{
	web_response_clear(&f->res);
	web_guard_clear(&f->guard);
}

#define FLOOD_OF(b)                                               \
	{                                                         \
		.op = RAW_SEND, .bytes = (b).data, .len = (b).len \
	}
#define STEPS(...) ((struct raw_step[]){__VA_ARGS__})

static void hostile_servers_cost_no_more_than_the_limits(void **state)
{
	const struct {
		const char *name;
		const struct raw_step *steps;
		enum web_failure failure; /* WEB_FINE: the answer is cut */
		bool https;
	} rows[] = {
	    {"endless body", STEPS(READ, FLOOD_OF(endless), HOLD), WEB_FINE, false},
	    {"endless chunks", STEPS(READ, FLOOD_OF(chunks), HOLD), WEB_FINE, false},
	    {"gzip bomb", STEPS(READ, FLOOD_OF(gzip_bomb), HOLD), WEB_FINE, false},
	    {"zlib bomb", STEPS(READ, FLOOD_OF(zlib_bomb), HOLD), WEB_FINE, false},
	    {"bomb in a bomb", STEPS(READ, FLOOD_OF(double_bomb), HOLD), WEB_FINE, false},
	    {"silence at once", STEPS(HOLD), WEB_LATE, false},
	    {"silence after the request", STEPS(READ, HOLD), WEB_LATE, false},
	    {"slow head", STEPS(READ, TRICKLE(HEAD HEAD HEAD, 20), HOLD), WEB_LATE, false},
	    {"slow body", STEPS(READ, SEND(HEAD "Content-Length: 99\r\n\r\n"), TRICKLE(HEAD HEAD, 20), HOLD),
		WEB_LATE, false},
	    {"slow chunks",
		STEPS(READ, SEND(HEAD "Transfer-Encoding: chunked\r\n\r\n"),
		    TRICKLE("1\r\nx\r\n1\r\nx\r\n1\r\n", 50), HOLD),
		WEB_LATE, false},
	    {"length beyond all bounds",
		STEPS(READ, SEND(HEAD "Content-Length: 900000000000000000\r\n\r\nx"), HOLD), WEB_LATE, false},
	    {"redirect without end",
		STEPS(READ, SEND("HTTP/1.1 302 F\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"), AGAIN),
		WEB_NO_HTTP, false},
	    {"long header", STEPS(READ, FLOOD_OF(long_header), HOLD), WEB_NO_HTTP, false},
	    {"many headers", STEPS(READ, FLOOD_OF(many_headers), HOLD), WEB_NO_HTTP, false},
	    {"flood of interim answers", STEPS(READ, FLOOD_OF(interim), HOLD), WEB_NO_HTTP, false},
	    {"trailers without end", STEPS(READ, FLOOD_OF(trailers), HOLD), WEB_NO_HTTP, false},
	    {"less than was promised", STEPS(READ, SEND(HEAD "Content-Length: 99\r\n\r\nx"), END),
		WEB_NO_HTTP, false},
	    {"negative length", STEPS(READ, SEND(HEAD "Content-Length: -5\r\n\r\nhello"), HOLD), WEB_NO_HTTP,
		false},
	    {"chunk of no size",
		STEPS(READ, SEND(HEAD "Transfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n"), HOLD), WEB_NO_HTTP,
		false},
	    {"chunk beyond all bounds",
		STEPS(READ, SEND(HEAD "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff0\r\nx"), HOLD),
		WEB_NO_HTTP, false},
	    {"chunks cut off", STEPS(READ, SEND(HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\nab"), END),
		WEB_NO_HTTP, false},
	    {"another protocol", STEPS(READ, SEND("SSH-2.0-OpenSSH_9.2p1\r\n"), END), WEB_NO_HTTP, false},
	    {"head cut off", STEPS(READ, SEND("HTTP/1.1 200 OK\r\nX: y\r\n"), END), WEB_NO_HTTP, false},
	    {"damaged gzip",
		STEPS(READ, SEND(HEAD "Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"), END),
		WEB_NO_HTTP, false},
	    {"reset", STEPS(READ, RESET), WEB_NO_HTTP, false},
	    {"no TLS", STEPS(SEND("HTTP/1.1 400 Bad Request\r\n\r\n"), END), WEB_NO_TLS, true},
	    {"garbage for TLS", STEPS(FLOOD_OF(tls), HOLD), WEB_NO_TLS, true},
	    {"silence for TLS", STEPS(HOLD), WEB_LATE, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct raw_step *const scripts[] = {rows[i].steps};
		struct raw_server *s = raw_server_new(NULL, scripts, 1);
		uint64_t begun = clock_now();
		struct fetch f;

		fetch_init(&f, s, rows[i].https ? "https" : "http");
		f.req.total_ms = rows[i].failure == WEB_LATE ? 200 : 60000;
		task_run("fetch", fetch_task, &f);
		if (f.res.failure != rows[i].failure || (f.rc == 0) != (rows[i].failure == WEB_FINE))
			fail_msg("%s: failure %d: %s", rows[i].name, f.res.failure, f.err.text);
		assert_true(f.res.body.len <= BODY_BYTES_MAX && f.res.body.cap <= 4 * BODY_BYTES_MAX);
		assert_int_equal(f.res.truncated, rows[i].failure == WEB_FINE);
		assert_true(clock_now() - begun < 30000);
		fetch_clear(&f);
		raw_server_free(s);
	}
}

static void no_cookie_is_kept(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SEND("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 2\r\n\r\nok"), AGAIN};
	const struct raw_step *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct fetch f;
	size_t len;

	(void)state;
	for (int i = 0; i < 2; i++) {
		fetch_init(&f, s, "http");
		task_run("fetch", fetch_task, &f);
		assert_int_equal(f.rc, 0);
		assert_string_equal(f.res.body.data, "ok");
		fetch_clear(&f);
	}
	char *last = raw_server_last_request(s, &len);
	assert_null(memmem(last, len, "Cookie", 6));
	free(last);
	web_finish();
	raw_server_free(s);
}

static void sixteen_run_at_once_and_the_others_wait_for_their_turn(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SLEEP(50), SEND("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok"), END};
	static struct fetch many[40];
	const struct raw_step *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	size_t done = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(many); i++) {
		fetch_init(&many[i], s, "http");
		task_start(NULL, "fetch", fetch_task, &many[i]);
	}
	while (done < ARRAY_LEN(many)) {
		uv_run(uv_default_loop(), UV_RUN_ONCE);
		size_t begun = (size_t)raw_server_connections(s);
		done = 0;
		for (size_t i = 0; i < ARRAY_LEN(many); i++)
			done += many[i].done;
		assert_true(begun <= done + 16);
	}
	for (size_t i = 0; i < ARRAY_LEN(many); i++) {
		assert_int_equal(many[i].rc, 0);
		fetch_clear(&many[i]);
	}
	assert_int_equal(raw_server_connections(s), ARRAY_LEN(many));
	raw_server_free(s);
}

static void those_that_wait_too_long_or_are_cancelled_take_no_turn(void **state)
{
	static const struct raw_step steps[] = {READ, HOLD};
	static struct fetch many[20];
	const struct raw_step *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct task_group group;
	size_t late = 0, cancelled = 0;

	(void)state;
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(many); i++) {
		fetch_init(&many[i], s, "http");
		many[i].req.total_ms = i < 18 ? 60000 : 100;
		task_start(&group, "fetch", fetch_task, &many[i]);
	}
	while (raw_server_requests(s) < 16 || !many[19].done)
		uv_run(uv_default_loop(), UV_RUN_ONCE);
	assert_int_equal(raw_server_connections(s), 16);
	task_group_cancel(&group);
	while (!task_group_is_empty(&group))
		uv_run(uv_default_loop(), UV_RUN_ONCE);
	for (size_t i = 0; i < ARRAY_LEN(many); i++) {
		late += many[i].res.failure == WEB_LATE;
		cancelled += many[i].res.failure == WEB_CANCELLED && many[i].err.kind == ERROR_CANCELLED;
		fetch_clear(&many[i]);
	}
	assert_int_equal(late, 2);
	assert_int_equal(cancelled, 18);
	raw_server_free(s);
}

static void turn_loop(struct clock_timer *timer, void *arg)
{
	unsigned *turns = arg;

	++*turns;
	clock_timer_start(timer, 10, turn_loop, turns);
}

/* curl would wait for its thread when the transfer is removed. */
static void a_name_that_is_not_answered_holds_up_neither_the_request_nor_the_loop(void **state)
{
	static const char *const nowhere[] = {"127.0.0.1", NULL};
	const struct raw_step *const scripts[] = {STEPS(HOLD)};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct clock_timer timer = {0};
	unsigned turns = 0;
	struct fetch f;

	(void)state;
	fake_dns_set(nowhere, 0, true);
	fetch_init(&f, s, "http");
	f.req.url = "http://silent.example.com/";
	f.req.total_ms = 300;
	clock_timer_start(&timer, 10, turn_loop, &turns);
	task_run("fetch", fetch_task, &f);
	clock_timer_stop(&timer);
	assert_int_equal(f.res.failure, WEB_LATE);
	assert_true(turns > 3);
	fake_dns_set(nowhere, 0, false);
	fetch_clear(&f);
	raw_server_free(s);
}

static void a_name_that_is_not_known_is_said_to_be(void **state)
{
	const struct raw_step *const scripts[] = {STEPS(HOLD)};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct fetch f;

	(void)state;
	fake_dns_set(NULL, EAI_NONAME, false);
	fetch_init(&f, s, "http");
	f.req.url = "https://nonexistent.example.com/page";
	task_run("fetch", fetch_task, &f);
	assert_int_equal(f.res.failure, WEB_NO_NAME);
	assert_non_null(strstr(f.err.text, "name"));
	fetch_clear(&f);
	raw_server_free(s);
}

static int end(void **state)
{
	struct buf *all[] = {&endless, &chunks, &gzip_bomb, &zlib_bomb, &double_bomb, &long_header,
	    &many_headers, &interim, &trailers, &tls};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		buf_clear(all[i]);
	web_finish();
	loop_finish();
	return task_count() == 0 ? 0 : -1;
}

static int begin(void **state)
{
	loop_init();
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	return make_answers(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hostile_servers_cost_no_more_than_the_limits),
	    cmocka_unit_test(no_cookie_is_kept),
	    cmocka_unit_test(sixteen_run_at_once_and_the_others_wait_for_their_turn),
	    cmocka_unit_test(those_that_wait_too_long_or_are_cancelled_take_no_turn),
	    cmocka_unit_test(a_name_that_is_not_answered_holds_up_neither_the_request_nor_the_loop),
	    cmocka_unit_test(a_name_that_is_not_known_is_said_to_be),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
