#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/server/peer.h"
#include "net/server/server.h"

#define GET(path) "GET " path " HTTP/1.1\r\nHost: x\r\n\r\n"
#define BIG       (8u * 1024 * 1024)

static char pattern(size_t i)
{
	return (char)('a' + i % 25);
}

static void assert_pattern(const struct buf *b, size_t len)
{
	assert_int_equal(b->len, len);
	for (size_t i = 0; i < len; i++)
		if (b->data[i] != pattern(i))
			fail_msg("wrong byte at %zu", i);
}

static void answer_big(struct task *t, struct server_request *req, void *arg)
{
	char *body = xmalloc(BIG);

	(void)t;
	(void)arg;
	for (size_t i = 0; i < BIG; i++)
		body[i] = pattern(i);
	server_respond(req, 200, "application/octet-stream", NULL, body, BIG);
	free(body);
}

static void eight_megabytes_arrive_whole(void **state)
{
	struct server *s = serve(answer_big, NULL, NULL);
	struct answer a;

	(void)state;
	assert_int_equal(peer_ask(server_port(s), GET("/"), &a), 200);
	assert_pattern(&a.body, BIG);
	answer_clear(&a);
	serve_end(s);
}

/* A client that takes nothing, and sends on meanwhile, must not make the loop spin. */
static void a_slow_reader_costs_no_time_and_loses_nothing(void **state)
{
	struct server *s = serve(answer_big, NULL, NULL);
	struct peer p;
	struct answer a;
	clock_t start;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, GET("/"));
	run_for(100);
	peer_say(&p, GET("/ahead"));
	shutdown(p.fd, SHUT_WR);
	start = clock();
	run_for(400);
	assert_true((clock() - start) * 1000 / CLOCKS_PER_SEC < 200);
	peer_answer(&p, &a, true);
	assert_pattern(&a.body, BIG);
	answer_clear(&a);
	peer_close(&p);
	serve_end(s);
}

/* Writes BIG bytes in parts and notes how far it is. */
struct stream {
	size_t written;
	struct error err;
	bool ended;
};

static void stream_big(struct task *t, struct server_request *req, void *arg)
{
	struct stream *stream = arg;
	char part[10000];
	int rc = 0;

	server_stream_begin(req, 200, "text/plain", "X-Kind: stream\r\n");
	while (rc == 0 && stream->written < BIG) {
		size_t n = BIG - stream->written < sizeof(part) ? BIG - stream->written : sizeof(part);

		for (size_t i = 0; i < n; i++)
			part[i] = pattern(stream->written + i);
		rc = server_stream_write(t, req, part, n, &stream->err);
		stream->written += n;
	}
	server_stream_end(req);
	stream->ended = true;
}

static void a_stream_waits_for_its_reader(void **state)
{
	struct stream stream = {0};
	struct server *s = serve(stream_big, &stream, NULL);
	struct peer p;
	struct answer a;
	size_t stuck;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, GET("/"));
	/* The kernel may take more than it did at first. */
	do {
		stuck = stream.written;
		run_for(300);
	} while (stream.written == 0 || stream.written != stuck);
	/* What the kernel holds for the connection, and our 256 KiB. */
	assert_in_range(stuck, 256 * 1024, 7 * 1024 * 1024);
	assert_false(stream.ended);
	peer_answer(&p, &a, true);
	assert_pattern(&a.body, BIG);
	assert_non_null(strstr(a.head.data, "\r\nX-Kind: stream\r\n"));
	answer_clear(&a);
	assert_true(stream.ended);
	peer_say(&p, GET("/"));
	peer_read(&p, 12);
	assert_memory_equal(p.in.data, "HTTP/1.1 200", 12);
	peer_close(&p);
	serve_end(s);
}

static void a_stream_ends_when_its_reader_leaves(void **state)
{
	struct stream stream = {0};
	struct server *s = serve(stream_big, &stream, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, GET("/"));
	run_for(100);
	assert_false(stream.ended);
	peer_close(&p);
	run_until(&stream.ended);
	assert_int_equal(stream.err.kind, ERROR_CANCELLED);
	assert_true(stream.written < BIG);
	serve_end(s);
}

static void a_stream_to_http_1_0_has_no_chunks(void **state)
{
	struct stream stream = {.written = BIG - 5};
	struct server *s = serve(stream_big, &stream, NULL);
	struct peer p;
	const char *body;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
	peer_read_end(&p);
	assert_null(strstr(p.in.data, "chunked"));
	assert_non_null(strstr(p.in.data, "\r\nConnection: close\r\n"));
	body = strstr(p.in.data, "\r\n\r\n") + 4;
	assert_int_equal(strlen(body), 5);
	assert_int_equal(body[0], pattern(BIG - 5));
	peer_close(&p);
	serve_end(s);
}

static void head_of_a_stream_has_no_body(void **state)
{
	struct stream stream = {.written = BIG - 5};
	struct server *s = serve(stream_big, &stream, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	peer_read_end(&p);
	assert_string_equal(p.in.data + p.in.len - 4, "\r\n\r\n");
	peer_close(&p);
	serve_end(s);
}

static void leave_the_stream_open(struct task *t, struct server_request *req, void *arg)
{
	(void)arg;
	server_stream_begin(req, 200, NULL, NULL);
	server_stream_write(t, req, "half", 4, NULL);
	task_sleep(t, 20, NULL);
}

static void a_stream_that_is_not_ended_resets_the_connection(void **state)
{
	struct server *s = serve(leave_the_stream_open, NULL, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, GET("/"));
	peer_read_end(&p);
	assert_int_equal(p.error, ECONNRESET);
	peer_close(&p);
	serve_end(s);
}

static void answer_twice(struct task *t, struct server_request *req, void *arg)
{
	struct error err;

	(void)arg;
	server_respond(req, 201, NULL, NULL, "first", 5);
	server_respond(req, 202, NULL, NULL, "second", 6);
	assert_int_equal(server_stream_write(t, req, "x", 1, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
}

static void only_the_first_answer_counts(void **state)
{
	struct server *s = serve(answer_twice, NULL, NULL);
	struct peer p;
	struct answer a;

	(void)state;
	peer_open(&p, server_port(s));
	for (int i = 0; i < 2; i++) {
		peer_say(&p, GET("/"));
		peer_answer(&p, &a, true);
		assert_int_equal(a.status, 201);
		assert_string_equal(a.body.data, "first");
		answer_clear(&a);
	}
	peer_close(&p);
	serve_end(s);
}

static void answer_json(struct task *t, struct server_request *req, void *arg)
{
	struct buf json = BUF_INIT;

	(void)t;
	(void)arg;
	buf_addstr(&json, "{\"ok\":true}");
	server_respond_json(req, 418, &json);
	buf_clear(&json);
}

static void json_is_named_as_such_and_any_status_goes(void **state)
{
	struct server *s = serve(answer_json, NULL, NULL);
	struct answer a;

	(void)state;
	assert_int_equal(peer_ask(server_port(s), GET("/"), &a), 418);
	assert_string_equal(a.body.data, "{\"ok\":true}");
	assert_non_null(strstr(a.head.data, "\r\nContent-Type: application/json\r\n"));
	assert_non_null(strstr(a.head.data, "\r\nDate: "));
	answer_clear(&a);
	serve_end(s);
}

/* What the server does instead of an answer; at_byte for server_respond_cut. */
struct trick {
	bool abort, in_stream, at_once;
	size_t at_byte;
};

static void play_trick(struct task *t, struct server_request *req, void *arg)
{
	const struct trick *trick = arg;

	if (trick->in_stream) {
		server_stream_begin(req, 200, NULL, NULL);
		server_stream_write(t, req, "part", 4, NULL);
		if (!trick->at_once)
			task_sleep(t, 20, NULL);
	}
	if (trick->abort)
		server_abort(req);
	else
		server_respond_cut(req, trick->at_byte, 200, "text/plain", NULL, "0123456789abcdefghij", 20);
	/* The request is over for the client, not yet for the handler. */
	assert_string_equal(server_method(req), "GET");
	if (trick->abort)
		server_respond(req, 500, NULL, NULL, "no", 2);
}

static void peer_play(struct server *s, struct peer *p)
{
	peer_open(p, server_port(s));
	peer_say(p, GET("/"));
	peer_read_end(p);
}

static void abort_resets_without_a_byte(void **state)
{
	struct trick trick = {.abort = true};
	struct server *s = serve(play_trick, &trick, NULL);
	struct peer p;

	(void)state;
	peer_play(s, &p);
	assert_int_equal(p.error, ECONNRESET);
	assert_int_equal(p.in.len, 0);
	peer_close(&p);
	serve_end(s);
}

static void abort_in_a_stream_resets_after_what_was_sent(void **state)
{
	struct trick trick = {.abort = true, .in_stream = true};
	struct server *s = serve(play_trick, &trick, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, GET("/"));
	peer_read(&p, 1);
	peer_read_end(&p);
	assert_int_equal(p.error, ECONNRESET);
	assert_non_null(strstr(p.in.data, "4\r\npart\r\n"));
	peer_close(&p);
	serve_end(s);
}

static void abort_drops_what_was_written_in_the_same_step(void **state)
{
	struct trick trick = {.abort = true, .in_stream = true, .at_once = true};
	struct server *s = serve(play_trick, &trick, NULL);
	struct peer p;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		peer_play(s, &p);
		assert_int_equal(p.error, ECONNRESET);
		assert_int_equal(p.in.len, 0);
		peer_close(&p);
	}
	serve_end(s);
}

static void an_answer_can_be_cut_at_every_byte(void **state)
{
	struct trick trick = {.at_byte = 100000};
	struct server *s = serve(play_trick, &trick, NULL);
	struct peer whole;

	(void)state;
	peer_play(s, &whole);
	assert_non_null(strstr(whole.in.data, "\r\n\r\n0123456789abcdefghij"));
	for (trick.at_byte = 0; trick.at_byte < 300; trick.at_byte++) {
		size_t want = trick.at_byte < whole.in.len ? trick.at_byte : whole.in.len;
		char *date = strstr(whole.in.data, "Date: ");
		struct peer p;

		peer_play(s, &p);
		assert_int_equal(p.error, 0);
		assert_int_equal(p.in.len, want);
		/* The second may have changed: compare up to the date. */
		if (want > (size_t)(date - whole.in.data))
			want = (size_t)(date - whole.in.data);
		assert_memory_equal(p.in.data, whole.in.data, want);
		peer_close(&p);
	}
	peer_close(&whole);
	serve_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(eight_megabytes_arrive_whole),
	    cmocka_unit_test(a_slow_reader_costs_no_time_and_loses_nothing),
	    cmocka_unit_test(a_stream_waits_for_its_reader),
	    cmocka_unit_test(a_stream_ends_when_its_reader_leaves),
	    cmocka_unit_test(a_stream_to_http_1_0_has_no_chunks),
	    cmocka_unit_test(head_of_a_stream_has_no_body),
	    cmocka_unit_test(a_stream_that_is_not_ended_resets_the_connection),
	    cmocka_unit_test(only_the_first_answer_counts),
	    cmocka_unit_test(json_is_named_as_such_and_any_status_goes),
	    cmocka_unit_test(abort_resets_without_a_byte),
	    cmocka_unit_test(abort_in_a_stream_resets_after_what_was_sent),
	    cmocka_unit_test(abort_drops_what_was_written_in_the_same_step),
	    cmocka_unit_test(an_answer_can_be_cut_at_every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
