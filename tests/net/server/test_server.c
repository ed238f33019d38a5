#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <uv.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/server/peer.h"
#include "net/server/server.h"

#define GET(path) "GET " path " HTTP/1.1\r\nHost: x\r\n\r\n"

/* Answers with what it was asked. */
static void tell(struct task *t, struct server_request *req, void *arg)
{
	struct buf out = BUF_INIT;
	const char *agent = server_header(req, "user-agent"), *custom = server_header(req, "x-custom-thing");
	size_t len;
	const char *body = server_body(req, &len);

	(void)t;
	(void)arg;
	buf_addf(&out, "%s|%s|%s|%s|%s|%zu|%s", server_method(req), server_path(req), server_query(req),
	    agent ? agent : "-", custom ? custom : "-", len, body);
	server_respond(req, 200, "text/plain", "X-Told: yes\r\n", out.data, out.len);
	buf_clear(&out);
}

static void assert_told(struct peer *p, const char *text)
{
	struct answer a;

	peer_answer(p, &a, true);
	assert_int_equal(a.status, 200);
	assert_string_equal(a.body.data, text);
	assert_non_null(strstr(a.head.data, "\r\nX-Told: yes\r\n"));
	answer_clear(&a);
}

static void a_handler_sees_method_path_query_headers_and_body(void **state)
{
	struct server *s = serve(tell, NULL, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p,
	    "POST /a%2Fb//c+d/../e?x=1;2&y=%26 HTTP/1.1\r\nHost: x\r\nUser-Agent:  me 1.0 \r\n"
	    "X-CUSTOM-Thing:five\r\nContent-Length: 5\r\n\r\nhello");
	assert_told(&p, "POST|/a%2Fb//c+d/../e|x=1;2&y=%26|me 1.0|five|5|hello");
	peer_close(&p);
	serve_end(s);
}

static void every_method_is_handed_on(void **state)
{
	static const char *const methods[] = {"DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT"};
	struct server *s = serve(tell, NULL, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		struct buf text = BUF_INIT;

		buf_addf(&text, "%s / HTTP/1.1\r\nHost: x\r\n\r\n", methods[i]);
		peer_say(&p, text.data);
		buf_reset(&text);
		buf_addf(&text, "%s|/||-|-|0|", methods[i]);
		assert_told(&p, text.data);
		buf_clear(&text);
	}
	peer_close(&p);
	serve_end(s);
}

static void head_gives_the_length_but_no_body(void **state)
{
	struct server *s = serve(tell, NULL, NULL);
	struct peer p;
	struct answer a;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" GET("/next"));
	peer_answer(&p, &a, false);
	assert_non_null(strstr(a.head.data, "\r\nContent-Length: 14\r\n"));
	answer_clear(&a);
	assert_told(&p, "GET|/next||-|-|0|");
	peer_close(&p);
	serve_end(s);
}

static void a_connection_is_kept_for_the_next_request(void **state)
{
	struct server *s = serve(tell, NULL, NULL);
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	for (int i = 0; i < 50; i++) {
		peer_say(&p, GET("/again"));
		assert_told(&p, "GET|/again||-|-|0|");
	}
	peer_close(&p);
	serve_end(s);
}

static void close_and_http_1_0_end_the_connection_after_the_answer(void **state)
{
	static const char *const requests[] = {
	    "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"};
	struct server *s = serve(tell, NULL, NULL);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
		struct peer p;

		peer_open(&p, server_port(s));
		peer_say(&p, requests[i]);
		assert_told(&p, "GET|/||-|-|0|");
		peer_read_end(&p);
		assert_int_equal(p.error, 0);
		assert_int_equal(p.in.len, 0);
		peer_close(&p);
	}
	serve_end(s);
}

/* Notes the order in which requests run, and waits a little in each. */
struct order {
	struct buf begun;
	size_t running, most;
};

static void take_turns(struct task *t, struct server_request *req, void *arg)
{
	struct order *order = arg;

	buf_addstr(&order->begun, server_path(req));
	if (++order->running > order->most)
		order->most = order->running;
	task_sleep(t, 3, NULL);
	order->running--;
	server_respond(req, 200, NULL, NULL, server_path(req), strlen(server_path(req)));
}

static void pipelined_requests_run_one_after_another(void **state)
{
	struct order order = {BUF_INIT, 0, 0};
	struct server *s = serve(take_turns, &order, NULL);
	static const char *const want[] = {"/1", "/2", "/3", "/4"};
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p,
	    "\r\n" GET("/1")
		GET("/2") "POST /3 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" GET("/4"));
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		struct answer a;

		peer_answer(&p, &a, true);
		assert_string_equal(a.body.data, want[i]);
		answer_clear(&a);
	}
	assert_string_equal(order.begun.data, "/1/2/3/4");
	assert_int_equal(order.most, 1);
	peer_close(&p);
	serve_end(s);
	buf_clear(&order.begun);
}

static void a_megabyte_of_pipelined_requests_is_answered(void **state)
{
	struct server *s = serve(tell, NULL, NULL);
	size_t count = 40000;
	struct buf text = BUF_INIT;
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	for (size_t i = 0; i < count; i++)
		buf_addstr(&text, GET("/"));
	peer_send(&p, text.data, 1000);
	/* Sends the rest while answers come back: both sides would block otherwise. */
	for (size_t done = 1000, n; done < text.len; done += n) {
		n = text.len - done < 4000 ? text.len - done : 4000;
		peer_send(&p, text.data + done, n);
		peer_read(&p, 1);
	}
	for (size_t i = 0; i < count; i++)
		assert_told(&p, "GET|/||-|-|0|");
	buf_clear(&text);
	peer_close(&p);
	serve_end(s);
}

/* Handlers that wait until they are let go. */
struct gate {
	struct task_cond opened;
	size_t waiting_count, answered, cancelled;
	bool open;
};

static void wait_at_gate(struct task *t, struct server_request *req, void *arg)
{
	struct gate *gate = arg;
	struct error err;
	int rc = 0;

	gate->waiting_count++;
	while (rc == 0 && !gate->open)
		rc = task_cond_wait(t, &gate->opened, &err);
	gate->waiting_count--;
	if (rc < 0) {
		assert_int_equal(err.kind, ERROR_CANCELLED);
		gate->cancelled++;
		return;
	}
	gate->answered++;
	server_respond(req, 200, NULL, NULL, "late", 4);
}

static void gate_open(struct gate *gate)
{
	gate->open = true;
	task_cond_broadcast(&gate->opened);
}

#define POLLS 200

static void two_hundred_long_polls_wait_and_are_answered(void **state)
{
	struct gate gate = {.opened = TASK_COND_INIT(gate.opened)};
	struct server *s = serve(wait_at_gate, &gate, NULL);
	struct peer p[POLLS];

	(void)state;
	for (size_t i = 0; i < POLLS; i++) {
		peer_open(&p[i], server_port(s));
		peer_say(&p[i], GET("/poll"));
	}
	run_until_count(&gate.waiting_count, POLLS);
	gate_open(&gate);
	for (size_t i = 0; i < POLLS; i++) {
		struct answer a;

		peer_answer(&p[i], &a, true);
		assert_string_equal(a.body.data, "late");
		answer_clear(&a);
		peer_close(&p[i]);
	}
	assert_int_equal(gate.answered, POLLS);
	serve_end(s);
}

static long cpu_ms(void)
{
	return (long)(clock() * 1000 / CLOCKS_PER_SEC);
}

static void sleep_a_while(struct task *t, void *arg)
{
	(void)arg;
	task_sleep(t, 300, NULL);
}

static void a_client_that_leaves_cancels_its_handler(void **state)
{
	struct gate gate = {.opened = TASK_COND_INIT(gate.opened)};
	struct server *s = serve(wait_at_gate, &gate, NULL);
	struct peer stays, leaves, resets;
	struct linger now = {1, 0};
	long cpu;

	(void)state;
	peer_open(&stays, server_port(s));
	peer_open(&leaves, server_port(s));
	peer_open(&resets, server_port(s));
	peer_say(&stays, GET("/"));
	peer_say(&leaves, GET("/") GET("/ahead"));
	peer_say(&resets, GET("/"));
	run_until_count(&gate.waiting_count, 3);
	peer_close(&leaves);
	run_until_count(&gate.cancelled, 1);
	setsockopt(resets.fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	peer_close(&resets);
	run_until_count(&gate.cancelled, 2);
	assert_int_equal(gate.waiting_count, 1);
	cpu = cpu_ms();
	task_run("quiet", sleep_a_while, NULL);
	assert_true(cpu_ms() - cpu < 100);
	gate_open(&gate);
	peer_read(&stays, 1);
	assert_int_equal(gate.answered, 1);
	peer_close(&stays);
	serve_end(s);
}

static void freeing_the_server_cancels_its_handlers(void **state)
{
	struct gate gate = {.opened = TASK_COND_INIT(gate.opened)};
	struct server *s = serve(wait_at_gate, &gate, NULL);
	struct peer p[3];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(p); i++) {
		peer_open(&p[i], server_port(s));
		peer_say(&p[i], GET("/"));
	}
	run_until_count(&gate.waiting_count, ARRAY_LEN(p));
	serve_end(s);
	assert_int_equal(gate.cancelled, ARRAY_LEN(p));
	assert_int_equal(task_count(), 0);
	for (size_t i = 0; i < ARRAY_LEN(p); i++) {
		struct answer a;

		peer_answer(&p[i], &a, true);
		assert_int_equal(a.status, 503);
		answer_clear(&a);
		peer_read_end(&p[i]);
		peer_close(&p[i]);
	}
}

static void say_nothing(struct task *t, struct server_request *req, void *arg)
{
	(void)t;
	(void)req;
	(void)arg;
}

static void a_handler_without_an_answer_gives_500(void **state)
{
	struct server *s = serve(say_nothing, NULL, NULL);
	struct answer a;

	(void)state;
	assert_int_equal(peer_ask(server_port(s), GET("/"), &a), 500);
	assert_string_equal(a.body.data, "The server has no answer to this request.\n");
	answer_clear(&a);
	serve_end(s);
}

struct after {
	bool done;
};

static void go_on_after_the_answer(struct task *t, struct server_request *req, void *arg)
{
	struct after *after = arg;

	server_respond(req, 204, NULL, NULL, NULL, 0);
	assert_int_equal(task_sleep(t, 50, NULL), 0);
	after->done = true;
}

static void a_client_that_has_its_answer_may_leave(void **state)
{
	struct after after = {false};
	struct server *s = serve(go_on_after_the_answer, &after, NULL);
	struct peer p;
	struct answer a;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, GET("/"));
	peer_answer(&p, &a, true);
	assert_int_equal(a.status, 204);
	assert_null(strstr(a.head.data, "Content-Length"));
	answer_clear(&a);
	peer_close(&p);
	run_until(&after.done);
	serve_end(s);
}

static void a_body_may_come_in_small_pieces(void **state)
{
	size_t size = 900 * 1024, piece = 700;
	char *body = xmalloc(size + 1);
	struct server *s = serve(tell, NULL, NULL);
	struct buf want = BUF_INIT;
	struct peer p;

	(void)state;
	for (size_t i = 0; i < size; i++)
		body[i] = (char)('a' + i % 23);
	body[size] = '\0';
	peer_open(&p, server_port(s));
	peer_say(&p, "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 921600\r\n\r\n");
	for (size_t i = 0; i < size; i += piece)
		peer_send(&p, body + i, size - i < piece ? size - i : piece);
	buf_addf(&want, "POST|/up||-|-|%zu|%s", size, body);
	assert_told(&p, want.data);
	buf_clear(&want);
	free(body);
	peer_close(&p);
	serve_end(s);
}

static void a_chunked_body_is_put_together(void **state)
{
	struct server *s = serve(tell, NULL, NULL);
	const char *text = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
			   "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n" GET("/n");
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	for (size_t i = 0; text[i]; i++)
		peer_send(&p, text + i, 1);
	assert_told(&p, "POST|/c||-|-|11|hello world");
	assert_told(&p, "GET|/n||-|-|0|");
	peer_close(&p);
	serve_end(s);
}

static void a_client_that_asks_first_is_told_to_send_its_body(void **state)
{
	struct server *s = serve(tell, NULL, NULL);
	struct peer p;
	struct answer a;

	(void)state;
	peer_open(&p, server_port(s));
	peer_say(&p, "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	peer_answer(&p, &a, false);
	assert_int_equal(a.status, 100);
	answer_clear(&a);
	peer_say(&p, "ok");
	assert_told(&p, "POST|/||-|-|2|ok");
	peer_close(&p);
	serve_end(s);
}

/* What the loop would sleep for without an event, once all is done: -1 for ever. */
static int sleep_of_loop(void)
{
	int ms = 0;

	for (int i = 0; i < 500 && ms >= 0; i++) {
		run_for(10);
		ms = uv_backend_timeout(uv_default_loop());
	}
	return ms;
}

static void a_server_without_connections_does_not_wake_the_loop(void **state)
{
	struct server *s = serve(tell, NULL, NULL);

	(void)state;
	assert_int_equal(sleep_of_loop(), -1);
	assert_int_equal(peer_ask(server_port(s), GET("/"), NULL), 200);
	assert_int_equal(sleep_of_loop(), -1);
	assert_int_equal(peer_ask(server_port(s), GET("/"), NULL), 200);
	serve_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_handler_sees_method_path_query_headers_and_body),
	    cmocka_unit_test(every_method_is_handed_on),
	    cmocka_unit_test(head_gives_the_length_but_no_body),
	    cmocka_unit_test(a_connection_is_kept_for_the_next_request),
	    cmocka_unit_test(close_and_http_1_0_end_the_connection_after_the_answer),
	    cmocka_unit_test(pipelined_requests_run_one_after_another),
	    cmocka_unit_test(a_megabyte_of_pipelined_requests_is_answered),
	    cmocka_unit_test(two_hundred_long_polls_wait_and_are_answered),
	    cmocka_unit_test(a_client_that_leaves_cancels_its_handler),
	    cmocka_unit_test(freeing_the_server_cancels_its_handlers),
	    cmocka_unit_test(a_handler_without_an_answer_gives_500),
	    cmocka_unit_test(a_client_that_has_its_answer_may_leave),
	    cmocka_unit_test(a_body_may_come_in_small_pieces),
	    cmocka_unit_test(a_chunked_body_is_put_together),
	    cmocka_unit_test(a_client_that_asks_first_is_told_to_send_its_body),
	    cmocka_unit_test(a_server_without_connections_does_not_wake_the_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
