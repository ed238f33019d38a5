/* Requests as they leave and answers as they arrive, where nothing goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/task.h"
#include "config.h"
#include "net/http/http_call.h"
#include "net/raw_server.h"

#define AGENT "User-Agent: myna/" PACKAGE_VERSION "\r\n"
#define OK    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

static const struct raw_step ok_always[] = {READ, SEND(OK), AGAIN};
static const struct raw_step *const serves_ok[] = {ok_always};

/* A server that answers one request with these bytes and closes. */
struct answer {
	struct raw_step steps[3];
	const struct raw_step *scripts[1];
	struct raw_server *server;
};

static void answer_start(struct answer *a, enum raw_op op, const char *bytes, size_t len)
{
	a->steps[0] = (struct raw_step)READ;
	a->steps[1] = (struct raw_step){.op = op, .bytes = bytes, .len = len};
	a->steps[2] = (struct raw_step)END;
	a->scripts[0] = a->steps;
	a->server = raw_server_new(NULL, a->scripts, 1);
}

/* Runs c against a server that answers with bytes. */
static void run_against(struct call *c, const char *bytes, size_t len)
{
	struct answer a;

	answer_start(&a, RAW_SEND, bytes, len);
	snprintf(c->url, sizeof(c->url), "http://127.0.0.1:%u/path", raw_server_port(a.server));
	call_run(c);
	raw_server_free(a.server);
}

static void assert_body(const struct call *c, const char *body)
{
	assert_int_equal(c->rc, 0);
	assert_int_equal(c->res.body.len, strlen(body));
	assert_string_equal(c->res.body.data, body);
}

static void an_answer_arrives_whole(void **state)
{
	struct call c;

	(void)state;
	call_init(&c, 0);
	run_against(&c,
	    "HTTP/1.1 404 Not Found\r\nContent-Type:  application/json; charset=utf-8 \r\n"
	    "X-Request-ID: req_7\r\nContent-Length: 14\r\n\r\n{\"error\": \"x\"}",
	    0);
	assert_body(&c, "{\"error\": \"x\"}");
	assert_int_equal(c.res.status, 404);
	assert_true(c.res.sent);
	assert_string_equal(c.res.content_type, "application/json; charset=utf-8");
	assert_string_equal(c.res.request_id, "req_7");
	assert_int_equal(c.res.retry_after_ms, 0);
	call_clear(&c);
}

static void keep_header(const char *name, const char *value, void *arg)
{
	buf_addf(arg, "%s=%s;", name, value);
}

static void headers_are_shown_as_they_arrive(void **state)
{
	struct buf seen = BUF_INIT;
	struct call c;

	(void)state;
	call_init(&c, 0);
	c.req.on_header = keep_header;
	c.req.arg = &seen;
	run_against(
	    &c, "HTTP/1.1 200 OK\r\nX-RateLimit-Bucket: abc\r\nEmpty:\r\nContent-Length: 2\r\n\r\nok", 0);
	assert_body(&c, "ok");
	assert_string_equal(seen.data, "X-RateLimit-Bucket=abc;Empty=;Content-Length=2;");
	buf_clear(&seen);
	call_clear(&c);
}

/* Sends c to a server that says ok, and returns what that received. */
static char *request_of(struct call *c, size_t *len)
{
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);
	char *request;

	snprintf(c->url, sizeof(c->url), "http://127.0.0.1:%u/path?q=1", raw_server_port(s));
	call_run(c);
	assert_body(c, "ok");
	request = raw_server_last_request(s, len);
	raw_server_free(s);
	return request;
}

static void a_get_says_who_asks_and_no_more(void **state)
{
	struct call c;
	char *request, *expected;

	(void)state;
	call_init(&c, 0);
	request = request_of(&c, NULL);
	expected = xasprintf("GET /path?q=1 HTTP/1.1\r\nHost: %.*s\r\nAccept: */*\r\n" AGENT "\r\n",
	    (int)strcspn(c.url + 7, "/"), c.url + 7);
	assert_string_equal(request, expected);
	free(expected);
	free(request);
	call_clear(&c);
}

static void methods_and_bodies_leave_as_asked(void **state)
{
	static const struct {
		const char *method, *body, *line, *tail;
	} rows[] = {
	    {"GET", NULL, "GET /path?q=1 HTTP/1.1\r\n", "\r\n\r\n"},
	    {"POST", "{}", "POST /path?q=1 HTTP/1.1\r\n", "\r\nContent-Length: 2\r\n\r\n{}"},
	    {"POST", NULL, "POST /path?q=1 HTTP/1.1\r\n", "\r\nContent-Length: 0\r\n\r\n"},
	    {"POST", "", "POST /path?q=1 HTTP/1.1\r\n", "\r\nContent-Length: 0\r\n\r\n"},
	    {"PUT", "{}", "PUT /path?q=1 HTTP/1.1\r\n", "\r\nContent-Length: 2\r\n\r\n{}"},
	    {"PATCH", "{}", "PATCH /path?q=1 HTTP/1.1\r\n", "\r\nContent-Length: 2\r\n\r\n{}"},
	    {"DELETE", NULL, "DELETE /path?q=1 HTTP/1.1\r\n", "\r\n" AGENT "\r\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct call c;
		char *request;
		size_t len;

		call_init(&c, 0);
		c.req.method = rows[i].method;
		c.req.body = rows[i].body;
		c.req.body_len = rows[i].body ? strlen(rows[i].body) : 0;
		request = request_of(&c, &len);
		assert_memory_equal(request, rows[i].line, strlen(rows[i].line));
		assert_string_equal(request + len - strlen(rows[i].tail), rows[i].tail);
		assert_null(strstr(request, "Content-Type"));
		free(request);
		call_clear(&c);
	}
}

/* Sends the request and returns what the server received. */
static char *sent_to(struct raw_server *s, const struct http_request *req)
{
	struct call c;
	size_t len;

	call_init(&c, raw_server_port(s));
	c.req = *req;
	call_run(&c);
	assert_body(&c, "ok");
	call_clear(&c);
	return raw_server_last_request(s, &len);
}

/* One handle of curl serves them one after the other. */
static void a_request_has_nothing_of_those_before(void **state)
{
	static const struct http_header ann[] = {{"Authorization", "Bearer ann"}},
					cat[] = {{"Authorization", "Bearer cat"}},
					bea[] = {{"Authorization", "Bearer bea"}, {"X-More", "1"}};
	static const struct http_part part = {.name = "a", .data = "b", .len = 1};
	static const struct {
		struct http_request req;
		const char *has, *end;
	} rows[] = {
	    {{.method = "POST", .headers = ann, .header_count = 1, .body = "first", .body_len = 5},
		"Bearer ann\r\n", "\r\nContent-Length: 5\r\n\r\nfirst"},
	    {{.method = "POST", .headers = ann, .header_count = 1, .body = "2nd", .body_len = 3},
		"Bearer ann\r\n", "\r\nContent-Length: 3\r\n\r\n2nd"},
	    {{.method = "POST", .headers = ann, .header_count = 1}, "Bearer ann\r\n",
		"\r\nContent-Length: 0\r\n\r\n"},
	    {{.method = "POST", .headers = cat, .header_count = 1, .body = "c", .body_len = 1},
		"Bearer cat\r\n", "\r\nContent-Length: 1\r\n\r\nc"},
	    {{.method = "POST", .headers = bea, .header_count = 2, .body = "b", .body_len = 1},
		"Bearer bea\r\n", "\r\nX-More: 1\r\nContent-Length: 1\r\n\r\nb"},
	    {{.method = "POST", .body = "n", .body_len = 1}, "POST /path",
		"\r\n" AGENT "Content-Length: 1\r\n\r\nn"},
	    {{.method = "POST", .parts = &part, .part_count = 1}, "multipart/form-data", "\r\n"},
	    {{.method = "POST", .parts = &part, .part_count = 1}, "multipart/form-data", "\r\n"},
	    {{.method = "GET"}, "GET /path", "\r\n" AGENT "\r\n"},
	    {{.method = "GET", .compressed = true}, "GET /path",
		"\r\nAccept-Encoding: gzip, deflate\r\n" AGENT "\r\n"},
	    {{.method = "PUT", .body = "n", .body_len = 1}, "PUT /path", "\r\nContent-Length: 1\r\n\r\nn"},
	};
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);

	(void)state;
	for (size_t i = 0; i < 3 * ARRAY_LEN(rows); i++) {
		size_t n = i % ARRAY_LEN(rows);
		char *request = sent_to(s, &rows[n].req);

		if (!strstr(request, rows[n].has) || !str_ends_with(request, rows[n].end))
			fail_msg("row %zu: %s", n, request);
		/* Not "bea" alone, which a boundary may have. */
		if (rows[n].req.headers != bea &&
		    (strstr(request, "Bearer bea") || strstr(request, "X-More")))
			fail_msg("row %zu has a header of another: %s", n, request);
		if (!rows[n].req.headers && strstr(request, "Authorization"))
			fail_msg("row %zu has a header: %s", n, request);
		free(request);
	}
	raw_server_free(s);
}

/* More than handles are kept. */
static void many_addresses_are_asked_in_turn(void **state)
{
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);

	(void)state;
	for (int i = 0; i < 3 * 300; i++) {
		char *url = xasprintf("http://127.0.0.1:%u/%d", raw_server_port(s), i % 300),
		     *line = xasprintf("GET /%d HTTP/1.1\r\n", i % 300),
		     *request = sent_to(s, &(struct http_request){.method = "GET", .url = url});

		assert_memory_equal(request, line, strlen(line));
		free(request);
		free(line);
		free(url);
	}
	raw_server_free(s);
}

/* What was accepted before, in other parts. */
static void a_line_break_is_refused_after_the_same_bytes_in_two_headers(void **state)
{
	static const struct http_header two[] = {{"X-A", "1"}, {"X-B", "2"}}, one[] = {{"X-A", "1\nX-B: 2"}};
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);
	struct call c;

	(void)state;
	free(sent_to(s, &(struct http_request){.method = "GET", .headers = two, .header_count = 2}));
	call_init(&c, raw_server_port(s));
	c.req.headers = one;
	c.req.header_count = 1;
	call_run(&c);
	assert_int_equal(c.rc, -1);
	assert_false(c.res.sent);
	call_clear(&c);
	raw_server_free(s);
}

static void headers_leave_as_given(void **state)
{
	static const struct http_header headers[] = {
	    {"Authorization", "Bearer t"}, {"content-type", "text/x"}, {"X-Empty", ""}};
	struct call c;
	char *request;

	(void)state;
	call_init(&c, 0);
	c.req.method = "POST";
	c.req.body = "b";
	c.req.body_len = 1;
	c.req.headers = headers;
	c.req.header_count = ARRAY_LEN(headers);
	request = request_of(&c, NULL);
	assert_non_null(strstr(request, "\r\nAuthorization: Bearer t\r\n"));
	assert_non_null(strstr(request, "\r\ncontent-type: text/x\r\n"));
	assert_non_null(strstr(request, "\r\nX-Empty:\r\n"));
	free(request);
	call_clear(&c);
}

static void a_header_with_a_line_break_is_refused_before_anything_is_sent(void **state)
{
	static const struct http_header bad[] = {
	    {"X-A", "1\r\nX-B: 2"}, {"X-A", "1\nX-B: 2"}, {"X-A: 1\r\nX-B", "2"}, {"X-A:", "1"}};
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct call c;

		call_init(&c, raw_server_port(s));
		c.req.headers = &bad[i];
		c.req.header_count = 1;
		call_run(&c);
		assert_int_equal(c.rc, -1);
		assert_int_equal(c.err.kind, ERROR_OURS);
		assert_false(c.res.sent);
		call_clear(&c);
	}
	assert_int_equal(raw_server_connections(s), 0);
	raw_server_free(s);
}

static void a_large_body_is_not_held_back_for_100_continue(void **state)
{
	struct call c;
	char *request, *body = xcalloc(1, 3 << 20);
	size_t len;

	(void)state;
	memset(body, 'b', 3 << 20);
	call_init(&c, 0);
	c.req.method = "POST";
	c.req.body = body;
	c.req.body_len = 3 << 20;
	request = request_of(&c, &len);
	assert_null(strcasestr(request, "Expect"));
	assert_memory_equal(request + len - c.req.body_len, body, c.req.body_len);
	free(request);
	free(body);
	call_clear(&c);
}

static int taken_status;

static void on_taken(int status, void *arg)
{
	taken_status = status;
	if (arg)
		memset(arg, 'x', 4); /* the body is the caller's again */
}

static void the_body_belongs_to_the_caller_again_when_the_server_has_it(void **state)
{
	struct call c;
	char body[] = "body", *large = xcalloc(1, 64 << 20);

	(void)state;
	call_init(&c, 0);
	c.req = (struct http_request){
	    .method = "POST", .body = body, .body_len = 4, .on_taken = on_taken, .arg = body};
	run_against(
	    &c, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nok", 0);
	assert_body(&c, "ok");
	assert_int_equal(taken_status, 404);
	call_clear(&c);
	/* An answer that does not wait for all of it. */
	c.req.body = large;
	c.req.body_len = 64 << 20;
	c.req.arg = NULL;
	taken_status = 0;
	call_run_against(&c,
	    (const struct raw_step[]){SEND("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"), HOLD});
	assert_int_equal(c.res.status, 413);
	assert_int_equal(taken_status, 0);
	call_clear(&c);
	free(large);
}

static void parts_make_a_multipart_body(void **state)
{
	static const struct http_part parts[] = {
	    {.name = "chat_id", .data = "77", .len = 2},
	    {.name = "document",
		.data = "a\0b",
		.len = 3,
		.filename = "a \"b\".bin",
		.content_type = "application/x"},
	    {.name = "empty", .data = "", .len = 0},
	};
	static const char first[] = "\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n77\r\n--";
	static const char second[] =
	    "\r\nContent-Disposition: form-data; name=\"document\"; filename=\"a %22b%22.bin\"\r\n"
	    "Content-Type: application/x\r\n\r\na\0b\r\n--";
	static const char third[] = "\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--";
	struct call c;
	char *request;
	size_t len;

	(void)state;
	call_init(&c, 0);
	c.req.method = "POST";
	c.req.parts = parts;
	c.req.part_count = ARRAY_LEN(parts);
	request = request_of(&c, &len);
	assert_non_null(strstr(request, "\r\nContent-Type: multipart/form-data; boundary="));
	assert_non_null(memmem(request, len, first, sizeof(first) - 1));
	assert_non_null(memmem(request, len, second, sizeof(second) - 1));
	assert_non_null(memmem(request, len, third, sizeof(third) - 1));
	free(request);
	call_clear(&c);
}

static void a_part_with_a_line_break_in_its_type_is_refused(void **state)
{
	static const struct http_part part = {
	    .name = "a", .data = "b", .len = 1, .filename = "c", .content_type = "x/y\r\nX-Evil: 1"};
	struct call c;

	(void)state;
	call_init(&c, 0);
	c.req.method = "POST";
	c.req.parts = &part;
	c.req.part_count = 1;
	call_run(&c);
	assert_int_equal(c.rc, -1);
	assert_non_null(strstr(c.err.text, "line break"));
	call_clear(&c);
}

static int epoll_calls;

/* Comes before the C library's, for libuv too. */
int epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
	epoll_calls++;
	return (int)syscall(SYS_epoll_ctl, epoll, op, fd, event);
}

static void one_connection_serves_one_request_after_another(void **state)
{
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);
	struct call c;
	int calls = 0;

	(void)state;
	call_init(&c, raw_server_port(s));
	for (int i = 0; i < 5; i++) {
		c.req.once = i % 2 == 1;
		call_run(&c);
		assert_body(&c, "ok");
		if (i == 0)
			calls = epoll_calls;
	}
	assert_int_equal(raw_server_connections(s), 1);
	/* It has stayed polled. */
	assert_true(calls > 0);
	assert_int_equal(epoll_calls, calls);
	call_clear(&c);
	raw_server_free(s);
}

static void a_fresh_connection_is_new_and_not_used_again(void **state)
{
	struct raw_server *s = raw_server_new(NULL, serves_ok, 1);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	for (int i = 0; i < 4; i++) {
		c.req.fresh = i != 1;
		call_run(&c);
		assert_body(&c, "ok");
		assert_int_equal(raw_server_connections(s), i + 1);
	}
	c.req.fresh = false;
	call_run(&c);
	assert_int_equal(raw_server_connections(s), 4);
	call_clear(&c);
	raw_server_free(s);
}

static void answers_in_single_bytes_are_the_same(void **state)
{
	static const char chunked[] =
	    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Request-Id: r1\r\n\r\n"
	    "5\r\nhello\r\n1;ext=1\r\n \r\n5\r\nworld\r\n0\r\nRetry-After: 9\r\n\r\n";
	struct answer a;
	struct call c;

	(void)state;
	answer_start(&a, RAW_TRICKLE, chunked, 0);
	call_init(&c, raw_server_port(a.server));
	call_run(&c);
	assert_body(&c, "hello world");
	assert_string_equal(c.res.request_id, "r1");
	/* A trailer is not a header. */
	assert_int_equal(c.res.retry_after_ms, 0);
	call_clear(&c);
	raw_server_free(a.server);
}

static void a_stream_goes_through_on_data(void **state)
{
	static const struct raw_step steps[] = {READ,
	    SEND("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
	    SEND("9\r\ndata: a\n\n\r\n"), SLEEP(100), TRICKLE("9\r\ndata: b\n\n\r\n", 1), SEND("0\r\n\r\n"),
	    END};
	static const struct raw_step *const scripts[] = {steps};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	call_stream(&c);
	call_start(&c);
	while (c.streamed.len < 9)
		loop_for(1);
	assert_false(c.done);
	assert_int_equal(c.status, 200);
	call_finish(&c);
	assert_int_equal(c.rc, 0);
	assert_string_equal(c.streamed.data, "data: a\n\ndata: b\n\n");
	assert_int_equal(c.res.body.len, 0);
	assert_int_equal(c.status_calls, 1);
	call_clear(&c);
	raw_server_free(s);
}

static void an_error_answer_is_collected_even_where_a_stream_was_expected(void **state)
{
	struct call c;

	(void)state;
	call_init(&c, 0);
	call_stream(&c);
	run_against(&c,
	    "HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nDate: Sat, 21 Nov 2026 12:00:00 GMT\r\n"
	    "Content-Length: 4\r\n\r\nslow",
	    0);
	assert_body(&c, "slow");
	assert_true(c.res.date_ms == 1795262400000);
	assert_int_equal(c.streamed.len, 0);
	assert_int_equal(c.status, 429);
	assert_int_equal(c.res.retry_after_ms, 7000);
	call_clear(&c);
}

static void interim_answers_do_not_count(void **state)
{
	struct call c;

	(void)state;
	call_init(&c, 0);
	call_stream(&c);
	run_against(&c,
	    "HTTP/1.1 103 Early Hints\r\nContent-Type: no/thing\r\nRetry-After: 5\r\n\r\n"
	    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
	    0);
	assert_int_equal(c.rc, 0);
	assert_int_equal(c.status_calls, 1);
	assert_int_equal(c.status, 200);
	assert_string_equal(c.res.content_type, "");
	assert_int_equal(c.res.retry_after_ms, 0);
	assert_string_equal(c.streamed.data, "ok");
	call_clear(&c);
}

static void answers_without_a_body_end_with_their_head(void **state)
{
	static const struct raw_step steps[] = {READ, SEND("HTTP/1.1 204 No Content\r\n\r\n"), READ,
	    SEND("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"), READ,
	    SEND("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"), END};
	static const struct raw_step *const scripts[] = {steps};
	static const struct {
		const char *method;
		int status;
	} rows[] = {{"DELETE", 204}, {"HEAD", 200}, {"GET", 304}};
	struct raw_server *s = raw_server_new(NULL, scripts, 1);
	struct call c;

	(void)state;
	call_init(&c, raw_server_port(s));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		c.req.method = rows[i].method;
		call_run(&c);
		assert_int_equal(c.rc, 0);
		assert_int_equal(c.res.status, rows[i].status);
		assert_int_equal(c.res.body.len, 0);
	}
	assert_int_equal(raw_server_connections(s), 1);
	call_clear(&c);
	raw_server_free(s);
}

static void a_body_without_a_length_ends_with_the_connection(void **state)
{
	struct call c;

	(void)state;
	call_init(&c, 0);
	run_against(&c, "HTTP/1.0 200 OK\r\n\r\nall of it", 0);
	assert_body(&c, "all of it");
	call_clear(&c);
}

/* 4 times "hello hello hello hello\n". */
#define GZIPPED                                                                                            \
	"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x32\xa8\x24\x0e" \
	"\x00\xa2\x3c\xef\x51"                                                                             \
	"\x60\x00\x00\x00"
static const char gzipped[] =
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 33\r\n\r\n" GZIPPED;

static void a_compressed_answer_is_unpacked_and_limited_by_its_unpacked_size(void **state)
{
	struct call c;
	char *request;

	(void)state;
	call_init(&c, 0);
	c.req.compressed = true;
	c.req.max_body = 96;
	run_against(&c, gzipped, sizeof(gzipped) - 1);
	assert_body(&c,
	    "hello hello hello hello\nhello hello hello hello\nhello hello hello hello\nhello hello hello "
	    "hello\n");
	c.req.max_body = 95;
	run_against(&c, gzipped, sizeof(gzipped) - 1);
	assert_int_equal(c.rc, -1);
	assert_int_equal(c.err.kind, ERROR_OURS);
	assert_non_null(strstr(c.err.text, "answer larger than 95 bytes"));
	c.req.max_body = 0;
	run_against(
	    &c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nthis is none", 0);
	assert_int_equal(c.rc, -1);
	assert_int_equal(c.err.kind, ERROR_NETWORK);
	request = request_of(&c, NULL);
	assert_non_null(strstr(request, "\r\nAccept-Encoding: gzip, deflate\r\n"));
	free(request);
	call_clear(&c);
}

static void a_redirect_is_an_answer_like_any_other(void **state)
{
	struct call c;

	(void)state;
	call_init(&c, 0);
	run_against(
	    &c, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 0);
	assert_int_equal(c.rc, 0);
	assert_int_equal(c.res.status, 302);
	call_clear(&c);
}

static void proxies_of_the_environment_are_not_used(void **state)
{
	struct call c;

	(void)state;
	setenv("http_proxy", "http://127.0.0.1:1/", 1);
	setenv("all_proxy", "http://127.0.0.1:1/", 1);
	call_init(&c, 0);
	run_against(&c, OK, 0);
	assert_body(&c, "ok");
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	call_clear(&c);
}

static void a_unix_socket_is_reached_by_its_path(void **state)
{
	char dir[] = "/tmp/myna-http-XXXXXX", path[64];
	struct raw_server *s;
	struct call c;
	char *request;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/socket", dir);
	s = raw_server_new(path, serves_ok, 1);
	call_init(&c, 0);
	c.req.unix_socket = path;
	c.req.url = "http://myna/v1/status";
	call_run(&c);
	assert_body(&c, "ok");
	call_run(&c);
	assert_int_equal(raw_server_connections(s), 1);
	request = raw_server_last_request(s, NULL);
	assert_memory_equal(request, "GET /v1/status HTTP/1.1\r\nHost: myna\r\n", 37);
	free(request);
	raw_server_free(s);
	unlink(path);
	c.req.fresh = true;
	call_run(&c);
	assert_int_equal(c.rc, -1);
	assert_int_equal(c.err.kind, ERROR_NETWORK);
	assert_false(c.res.sent);
	assert_non_null(strstr(c.err.text, path));
	assert_non_null(strstr(c.err.text, "No such file"));
	rmdir(dir);
	call_clear(&c);
}

static void retry_after_is_read_in_all_its_forms(void **state)
{
	static const struct {
		const char *headers;
		uint64_t low, high;
	} rows[] = {
	    {"Retry-After: 12\r\n", 12000, 12000},
	    {"retry-after:0.25\r\n", 250, 250},
	    {"Retry-After: 1.0005\r\n", 1000, 1000},
	    {"Retry-After-Ms: 1500\r\n", 1500, 1500},
	    {"Retry-After: 2\r\nRetry-After-Ms: 1500\r\n", 1500, 1500},
	    {"Retry-After-Ms: 1500\r\nRetry-After: 2\r\n", 1500, 1500},
	    {"Retry-After-Ms: soon\r\nRetry-After: 2\r\n", 2000, 2000},
	    {"Retry-After: 99999999999999999999999\r\n", 604800000, 604800000},
	    {"Retry-After: 604801\r\n", 604800000, 604800000},
	    {"Retry-After: Fri, 31 Dec 2199 23:59:59 GMT\r\n", 604800000, 604800000},
	    {"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 0, 0},
	    {"Retry-After: -5\r\n", 0, 0},
	    {"Retry-After: 0\r\n", 0, 0},
	    {"Retry-After:\r\n", 0, 0},
	    {"Retry-After: later\r\n", 0, 0},
	    {"X-Retry-After: 5\r\n", 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *answer = xasprintf("HTTP/1.1 429 Slow\r\n%sContent-Length: 0\r\n\r\n", rows[i].headers);
		struct call c;

		call_init(&c, 0);
		run_against(&c, answer, 0);
		assert_int_equal(c.rc, 0);
		if (c.res.retry_after_ms < rows[i].low || c.res.retry_after_ms > rows[i].high)
			print_message("%s", rows[i].headers);
		assert_in_range(c.res.retry_after_ms, rows[i].low, rows[i].high);
		free(answer);
		call_clear(&c);
	}
}

static void a_retry_after_date_counts_from_now(void **state)
{
	time_t when = time(NULL) + 90;
	struct tm tm;
	char answer[128];
	struct call c;

	(void)state;
	gmtime_r(&when, &tm);
	strftime(answer, sizeof(answer),
	    "HTTP/1.1 503 Busy\r\nRetry-After: %a, %d %b %Y %H:%M:%S GMT\r\n\r\n", &tm);
	call_init(&c, 0);
	run_against(&c, answer, 0);
	assert_in_range(c.res.retry_after_ms, 80000, 90000);
	call_clear(&c);
}

static void only_https_and_loopback_urls_are_allowed(void **state)
{
	static const char *const good[] = {"https://api.example/v1", "http://127.0.0.1:8090",
	    "http://localhost/x", "http://[::1]:9/", "HTTPS://A.EXAMPLE", "http://127.9.9.9"};
	static const char *const bad[] = {"http://api.example/v1", "http://127.0.0.1@api.example/",
	    "http://10.0.0.1/", "http://127.0.0.1.api.example/", "https://user@api.example/",
	    "https://user:word@api.example/", "ftp://127.0.0.1/", "file:///etc/passwd", "api.example", "",
	    "https://", "http://127.0.0.1 /", "https://a\nb/", "http://localhost.api.example/"};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(http_url_allowed(good[i], &err));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		error_clear(&err);
		assert_false(http_url_allowed(bad[i], &err));
		assert_int_equal(err.kind, ERROR_OURS);
		assert_null(strstr(err.text, "word"));
	}
	assert_false(http_url_allowed(bad[0], NULL));
}

static void url_encoding_leaves_unreserved_characters(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	http_url_encode(&out, "az-AZ_09.~ /?&=+%\0\xc3\xa9", 20);
	assert_string_equal(out.data, "az-AZ_09.~%20%2F%3F%26%3D%2B%25%00%C3%A9");
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_teardown(fn, call_tear_down)
	    TEST(an_answer_arrives_whole),
	    TEST(headers_are_shown_as_they_arrive),
	    TEST(a_get_says_who_asks_and_no_more),
	    TEST(methods_and_bodies_leave_as_asked),
	    TEST(a_request_has_nothing_of_those_before),
	    TEST(many_addresses_are_asked_in_turn),
	    TEST(a_line_break_is_refused_after_the_same_bytes_in_two_headers),
	    TEST(headers_leave_as_given),
	    TEST(a_header_with_a_line_break_is_refused_before_anything_is_sent),
	    TEST(a_large_body_is_not_held_back_for_100_continue),
	    TEST(the_body_belongs_to_the_caller_again_when_the_server_has_it),
	    TEST(parts_make_a_multipart_body),
	    TEST(a_part_with_a_line_break_in_its_type_is_refused),
	    TEST(one_connection_serves_one_request_after_another),
	    TEST(a_fresh_connection_is_new_and_not_used_again),
	    TEST(answers_in_single_bytes_are_the_same),
	    TEST(a_stream_goes_through_on_data),
	    TEST(an_error_answer_is_collected_even_where_a_stream_was_expected),
	    TEST(interim_answers_do_not_count),
	    TEST(answers_without_a_body_end_with_their_head),
	    TEST(a_body_without_a_length_ends_with_the_connection),
	    TEST(a_compressed_answer_is_unpacked_and_limited_by_its_unpacked_size),
	    TEST(a_redirect_is_an_answer_like_any_other),
	    TEST(proxies_of_the_environment_are_not_used),
	    TEST(a_unix_socket_is_reached_by_its_path),
	    TEST(retry_after_is_read_in_all_its_forms),
	    TEST(a_retry_after_date_counts_from_now),
	    TEST(only_https_and_loopback_urls_are_allowed),
	    TEST(url_encoding_leaves_unreserved_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
