#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/loop.h"
#include "net/server/peer.h"
#include "net/websocket/random_frames.h"
#include "net/server/server.h"
#include "playground/server/websocket.h"

#define MESSAGE_MAX 200000
#define HEAD(key)                                                                                      \
	"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n" \
	"Sec-WebSocket-Key: " key "\r\nSec-WebSocket-Version: 13\r\n\r\n"
/* RFC 6455, 1.3. */
#define KEY    "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
/* RFC 6455, 5.7, as a client masks it. */
#define MASK         "\x37\xfa\x21\x3d"
#define MASKED_HELLO MASK "\x7f\x9f\x4d\x51\x58"

/* The socket that the handler has now, and how it ended. */
struct end_point {
	struct websocket_peer *socket;
	size_t received, woken, ended;
	enum error_kind end;
	unsigned close_code;
	char close_reason[128];
	bool quiet; /* does not echo */
};

/* Echoes texts until the end. */
static void echo(struct task *t, struct server_request *req, void *arg)
{
	struct end_point *e = arg;
	struct buf message = BUF_INIT;
	struct error err = {0};
	struct websocket_peer *socket = websocket_accept(req, MESSAGE_MAX, &err);
	int rc = 0;

	e->socket = socket;
	if (!socket)
		return;
	while (rc >= 0) {
		rc = websocket_peer_receive(t, socket, &message, UINT64_MAX, &err);
		e->received += rc == 1;
		e->woken += rc == 0;
		if (rc == 1 && !e->quiet)
			rc = websocket_peer_post(socket, message.data, message.len, &err);
	}
	e->end = err.kind;
	e->close_code = websocket_peer_close_code(socket);
	str_copy(e->close_reason, sizeof(e->close_reason), websocket_peer_close_reason(socket));
	websocket_peer_close(t, socket, 1000, NULL);
	e->socket = NULL;
	e->ended++;
	buf_clear(&message);
}

static void open_peer(struct server *s, struct peer *p)
{
	struct answer a;

	peer_open(p, server_port(s));
	peer_say(p, HEAD(KEY));
	peer_answer(p, &a, false);
	assert_int_equal(a.status, 101);
	assert_non_null(strstr(a.head.data, "\r\nSec-WebSocket-Accept: " ACCEPT "\r\n"));
	assert_non_null(strstr(a.head.data, "\r\nUpgrade: websocket\r\n"));
	assert_non_null(strstr(a.head.data, "\r\nConnection: Upgrade\r\n"));
	assert_null(strstr(a.head.data, "Sec-WebSocket-Extensions"));
	answer_clear(&a);
}

static void expect(struct peer *p, const char *bytes, size_t len)
{
	peer_read(p, len);
	assert_true(p->in.len >= len);
	assert_memory_equal(p->in.data, bytes, len);
	buf_consume(&p->in, len);
}
#define EXPECT(p, bytes) expect(p, bytes, sizeof(bytes) - 1)
#define SEND(p, bytes)   peer_send(p, bytes, sizeof(bytes) - 1)

/* A client's frame with a mask of zeroes. */
static void send_frame(struct peer *p, unsigned char first, const char *data, size_t len)
{
	struct buf b = BUF_INIT;

	buf_addch(&b, (char)first);
	buf_addch(&b, (char)(len < 126 ? 0x80 | len : len < 65536 ? 0xfe : 0xff));
	for (int shift = len < 126 ? -8 : len < 65536 ? 8 : 56; shift >= 0; shift -= 8)
		buf_addch(&b, (char)((uint64_t)len >> shift & 0xff));
	buf_add(&b, "\0\0\0\0", 4);
	buf_add(&b, data, len);
	peer_send(p, b.data, b.len);
	buf_clear(&b);
}

/* The refusal comes behind all that was sent or due before. */
static void ask_beside(struct server *s)
{
	assert_int_equal(peer_ask(server_port(s), "GET / HTTP/1.1\r\nHost: x\r\n\r\n", NULL), 426);
}

static void the_handshake_of_the_rfc_is_answered(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	SEND(&p, "\x81\x85" MASKED_HELLO);
	EXPECT(&p, "\x81\x05Hello");
	peer_close(&p);
	run_until_count(&e.ended, 1);
	assert_int_equal(e.end, ERROR_NETWORK);
	assert_int_equal(e.close_code, 0);
	serve_end(s);
}

static void what_is_no_handshake_is_refused(void **state)
{
#define LINES(method, upgrade, connection, key, version)                                   \
	method " / HTTP/1.1\r\nHost: x\r\nUpgrade: " upgrade "\r\nConnection: " connection \
	       "\r\nSec-WebSocket-Key: " key "\r\nSec-WebSocket-Version: " version "\r\n\r\n"
	static const struct {
		const char *request;
		int status;
	} cases[] = {
	    {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 426},
	    {LINES("POST", "websocket", "Upgrade", KEY, "13"), 405},
	    {LINES("GET", "websockets", "Upgrade", KEY, "13"), 426},
	    {LINES("GET", "websocket", "close", KEY, "13"), 426},
	    {LINES("GET", "websocket", "Upgrade", KEY, "8"), 426},
	    {LINES("GET", "websocket", "Upgrade", "c2hvcnQ=", "13"), 400},
	    {LINES("GET", "websocket", "Upgrade", "not base64!", "13"), 400},
	};
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct answer a;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(peer_ask(server_port(s), cases[i].request, &a), cases[i].status);
		if (a.status == 426)
			assert_non_null(strstr(a.head.data, "\r\nSec-WebSocket-Version: 13\r\n"));
		answer_clear(&a);
	}
	assert_int_equal(e.received, 0);
	serve_end(s);
}

static void what_was_sent_with_the_handshake_is_received(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct answer a;
	struct peer p;

	(void)state;
	peer_open(&p, server_port(s));
	SEND(&p, HEAD(KEY) "\x81\x85" MASKED_HELLO);
	peer_answer(&p, &a, false);
	answer_clear(&a);
	EXPECT(&p, "\x81\x05Hello");
	peer_close(&p);
	run_until_count(&e.ended, 1);
	serve_end(s);
}

static void fragments_are_joined_and_pings_answered_between_them(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	send_frame(&p, 0x01, "Hel", 3);
	send_frame(&p, 0x89, "you?", 4);
	EXPECT(&p, "\x8a\x04you?");
	send_frame(&p, 0x00, "", 0);
	send_frame(&p, 0x80, "lo", 2);
	EXPECT(&p, "\x81\x05Hello");
	assert_int_equal(websocket_peer_pings(e.socket), 1);
	peer_close(&p);
	run_until_count(&e.ended, 1);
	serve_end(s);
}

static void frames_may_come_byte_by_byte_and_in_any_size(void **state)
{
	static const size_t sizes[] = {0, 1, 125, 126, 65535, 65536, 150000};
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	char *text = xmalloc(MESSAGE_MAX);
	struct peer p;

	(void)state;
	memset(text, 'x', MESSAGE_MAX);
	open_peer(s, &p);
	for (const char *byte = "\x81\x85" MASKED_HELLO, *end = byte + 11; byte < end; byte++)
		peer_send(&p, byte, 1);
	EXPECT(&p, "\x81\x05Hello");
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		size_t head = sizes[i] < 126 ? 2 : sizes[i] < 65536 ? 4 : 10;

		send_frame(&p, 0x81, text, sizes[i]);
		peer_read(&p, head + sizes[i]);
		assert_memory_equal(p.in.data + head, text, sizes[i]);
		buf_consume(&p.in, head + sizes[i]);
	}
	free(text);
	peer_close(&p);
	run_until_count(&e.ended, 1);
	serve_end(s);
}

static void a_breach_of_the_protocol_is_answered_with_its_code(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *code;
	} cases[] = {
	    {"\x81\x05Hello", 7, "\x03\xea"},                            /* not masked: 1002 */
	    {"\x83\x80" MASK, 6, "\x03\xea"},                            /* unknown opcode */
	    {"\x80\x80" MASK, 6, "\x03\xea"},                            /* nothing to continue */
	    {"\xc1\x80" MASK, 6, "\x03\xea"},                            /* reserved bit */
	    {"\x81\x82\0\0\0\0\xc3\x28", 8, "\x03\xef"},                 /* not UTF-8: 1007 */
	    {"\x81\xff\0\0\0\0\0\x03\x0d\x41\0\0\0\0x", 15, "\x03\xf1"}, /* 200,001 bytes: 1009 */
	};
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct peer p;

		open_peer(s, &p);
		peer_send(&p, cases[i].bytes, cases[i].len);
		peer_read(&p, 4);
		assert_true(p.in.len >= 4);
		assert_int_equal((unsigned char)p.in.data[0], 0x88);
		assert_memory_equal(p.in.data + 2, cases[i].code, 2);
		peer_read_end(&p);
		peer_close(&p);
		run_until_count(&e.ended, i + 1);
		assert_int_equal(e.end, ERROR_NETWORK);
	}
	assert_int_equal(e.received, 0);
	serve_end(s);
}

static void a_close_of_the_client_is_answered_and_told(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	send_frame(&p, 0x88,
	    "\x0f\xa4"
	    "bye",
	    5);
	peer_read_end(&p);
	assert_true(p.in.len >= 4);
	assert_memory_equal(p.in.data, "\x88\x05\x0f\xa4", 4);
	peer_close(&p);
	run_until_count(&e.ended, 1);
	assert_int_equal(e.close_code, 4004);
	assert_string_equal(e.close_reason, "bye");
	serve_end(s);
}

static void any_close_code_can_be_sent(void **state)
{
	static const unsigned codes[] = {1000, 1001, 1006, 1012, 4000, 4014, 65535};
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		struct peer p;

		open_peer(s, &p);
		websocket_peer_shut(e.socket, codes[i], "enough");
		assert_false(websocket_peer_is_open(e.socket));
		assert_int_equal(websocket_peer_post(e.socket, "x", 1, NULL), -1);
		peer_read(&p, 10);
		assert_int_equal(p.in.len, 10);
		assert_int_equal((unsigned char)p.in.data[2] << 8 | (unsigned char)p.in.data[3], codes[i]);
		assert_memory_equal(p.in.data + 4, "enough", 6);
		send_frame(&p, 0x88, p.in.data + 2, 2);
		peer_read_end(&p);
		peer_close(&p);
		run_until_count(&e.ended, i + 1);
	}
	serve_end(s);
}

static void an_abort_resets_the_connection(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	websocket_peer_abort(e.socket);
	peer_read_end(&p);
	assert_int_equal(p.error, ECONNRESET);
	run_until_count(&e.ended, 1);
	assert_int_equal(e.end, ERROR_NETWORK);
	peer_close(&p);
	serve_end(s);
}

static void a_silent_socket_hears_but_says_nothing(void **state)
{
	struct end_point e = {.quiet = true};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	websocket_peer_silence(e.socket, true);
	send_frame(&p, 0x89, "?", 1);
	send_frame(&p, 0x81, "heard", 5);
	assert_int_equal(websocket_peer_post(e.socket, "lost", 4, NULL), 0);
	run_until_count(&e.received, 1);
	websocket_peer_silence(e.socket, false);
	assert_int_equal(websocket_peer_post(e.socket, "again", 5, NULL), 0);
	EXPECT(&p,
	    "\x81\x05"
	    "again");
	peer_close(&p);
	run_until_count(&e.ended, 1);
	serve_end(s);
}

static void a_silent_socket_does_not_answer_a_close(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	websocket_peer_silence(e.socket, true);
	send_frame(&p, 0x88, "\x03\xe8", 2);
	while (websocket_peer_close_code(e.socket) == 0)
		run_for(1);
	ask_beside(s);
	assert_int_equal(e.ended, 0);
	assert_int_equal(recv(p.fd, (char[1]){0}, 1, MSG_DONTWAIT), -1);
	peer_close(&p);
	run_until_count(&e.ended, 1);
	assert_int_equal(e.close_code, 1000);
	serve_end(s);
}

static void what_is_posted_goes_out_at_once_and_in_order(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	assert_int_equal(websocket_peer_post(e.socket, "one", 3, NULL), 0);
	assert_int_equal(websocket_peer_post_binary(e.socket, "\0\1", 2, NULL), 0);
	assert_int_equal(websocket_peer_post_fragments(e.socket, "split", 5, 2, NULL), 0);
	assert_int_equal(websocket_peer_ping(e.socket, "here?", 5, NULL), 0);
	assert_int_equal(websocket_peer_post_raw(e.socket, "\xff\xff", 2, NULL), 0);
	EXPECT(&p, "\x81\x03one\x82\x02\0\1\x01\x02sp\x00\x02li\x80\x01t\x89\x05here?\xff\xff");
	send_frame(&p, 0x8a, "here?", 5);
	while (websocket_peer_pongs(e.socket) == 0)
		run_for(1);
	peer_close(&p);
	run_until_count(&e.ended, 1);
	serve_end(s);
}

static void a_wake_ends_a_wait(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	websocket_peer_wake(e.socket);
	run_until_count(&e.woken, 1);
	SEND(&p, "\x81\x85" MASKED_HELLO);
	EXPECT(&p, "\x81\x05Hello");
	assert_int_equal(e.woken, 1);
	peer_close(&p);
	run_until_count(&e.ended, 1);
	serve_end(s);
}

static void a_client_that_does_not_read_holds_up_its_own_echo_only(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	char *text = xmalloc(100000);
	struct peer slow, other;
	const size_t frame = 10 + 100000, count = 100;

	(void)state;
	memset(text, 'x', 100000);
	open_peer(s, &slow);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(websocket_peer_post(e.socket, text, 100000, NULL), 0);
	open_peer(s, &other);
	SEND(&other, "\x81\x85" MASKED_HELLO);
	EXPECT(&other, "\x81\x05Hello");
	peer_read(&slow, count * frame);
	assert_int_equal(slow.in.len, count * frame);
	peer_close(&slow);
	run_until_count(&e.ended, 1);
	peer_close(&other);
	run_until_count(&e.ended, 2);
	free(text);
	serve_end(s);
}

static void any_frames_of_a_client_are_survived(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct buf frames = BUF_INIT;
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < 300; i++) {
		struct peer p;

		open_peer(s, &p);
		buf_reset(&frames);
		for (uint64_t n = 1 + random_below(&seed, 12); n > 0; n--)
			random_frame(&frames, &seed, true);
		peer_send(&p, frames.data, frames.len);
		peer_close(&p);
		run_until_count(&e.ended, i + 1);
	}
	assert_true(e.received > 100);
	buf_clear(&frames);
	serve_end(s);
}

static void the_end_of_the_server_ends_its_sockets(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	open_peer(s, &p);
	serve_end(s);
	assert_int_equal(e.ended, 1);
	assert_int_equal(e.end, ERROR_CANCELLED);
	peer_read_end(&p);
	EXPECT(&p, "\x88\x02\x03\xe8");
	peer_close(&p);
}

static void a_client_that_does_not_answer_a_close_is_cut_off_after_two_seconds(void **state)
{
	struct end_point e = {0};
	struct server *s = serve(echo, &e, NULL);
	struct peer p;

	(void)state;
	clock_fake(0, 1);
	open_peer(s, &p);
	websocket_peer_shut(e.socket, 0, NULL);
	EXPECT(&p, "\x88\x00");
	clock_advance(1999);
	ask_beside(s);
	assert_int_equal(e.ended, 0);
	clock_advance(1);
	run_until_count(&e.ended, 1);
	peer_read_end(&p);
	peer_close(&p);
	serve_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_handshake_of_the_rfc_is_answered),
	    cmocka_unit_test(what_is_no_handshake_is_refused),
	    cmocka_unit_test(what_was_sent_with_the_handshake_is_received),
	    cmocka_unit_test(fragments_are_joined_and_pings_answered_between_them),
	    cmocka_unit_test(frames_may_come_byte_by_byte_and_in_any_size),
	    cmocka_unit_test(a_breach_of_the_protocol_is_answered_with_its_code),
	    cmocka_unit_test(a_close_of_the_client_is_answered_and_told),
	    cmocka_unit_test(any_close_code_can_be_sent),
	    cmocka_unit_test(an_abort_resets_the_connection),
	    cmocka_unit_test(a_silent_socket_hears_but_says_nothing),
	    cmocka_unit_test(a_silent_socket_does_not_answer_a_close),
	    cmocka_unit_test(what_is_posted_goes_out_at_once_and_in_order),
	    cmocka_unit_test(a_wake_ends_a_wait),
	    cmocka_unit_test(a_client_that_does_not_read_holds_up_its_own_echo_only),
	    cmocka_unit_test(any_frames_of_a_client_are_survived),
	    cmocka_unit_test(the_end_of_the_server_ends_its_sockets),
	    /* Time stands still from here on. */
	    cmocka_unit_test(a_client_that_does_not_answer_a_close_is_cut_off_after_two_seconds),
	};

	loop_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
