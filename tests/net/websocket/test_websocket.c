#include <libwebsockets.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "net/loop.h"
#include "net/websocket/random_frames.h"
#include "net/websocket/websocket_fixture.h"

SOCKET_TEST(messages_of_any_size_go_both_ways)
{
	static const size_t sizes[] = {0, 1, 125, 126, 65535, 65536, 900000};
	struct websocket *w = socket_open(t, st, NULL);
	struct buf message = BUF_INIT;
	char *text = xmalloc(900000);

	for (size_t i = 0; i < 900000; i++)
		text[i] = (char)('a' + i % 23);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		assert_int_equal(websocket_send(t, w, text, sizes[i], NULL), 0);
		assert_int_equal(websocket_receive(t, w, &message, 30000, NULL), 1);
		assert_int_equal(message.len, sizes[i]);
		assert_memory_equal(message.data, text, sizes[i]);
	}
	assert_int_equal(websocket_pending(w), 0);
	websocket_close(t, w, 1000, NULL);
	socket_until(t, st->ended == 1);
	assert_int_equal(st->close_code, 1000);
	buf_clear(&message);
	free(text);
}

SOCKET_TEST(messages_arrive_in_order)
{
	struct websocket *w = socket_open(t, st, NULL);
	char text[16];

	for (int i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(websocket_send(t, w, text, strlen(text), NULL), 0);
	}
	for (int i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "%d", i);
		socket_expect(t, w, text);
	}
	websocket_close(t, w, 1000, NULL);
}

SOCKET_TEST(what_waits_to_be_sent_leaves_in_one_turn_of_the_loop)
{
	enum { COUNT = 200 };
	struct websocket *w = socket_open(t, st, NULL);
	int turns = 0;

	for (int i = 0; i < COUNT; i++)
		assert_int_equal(websocket_send(t, w, "ack", 3, NULL), 0);
	for (; websocket_pending(w) > 0; turns++)
		assert_int_equal(task_yield(t, NULL), 0);
	assert_in_range(turns, 1, COUNT / 4);
	for (int i = 0; i < COUNT; i++)
		socket_expect(t, w, "ack");
	websocket_close(t, w, 1000, NULL);
}

SOCKET_TEST(what_is_not_received_yet_waits_in_order_and_a_wait_ends)
{
	struct websocket *w = socket_open(t, st, NULL);
	struct buf message = BUF_INIT;
	uint64_t begun = clock_now();

	assert_int_equal(websocket_receive(t, w, &message, 0, NULL), 0);
	assert_int_equal(websocket_receive(t, w, &message, 20, NULL), 0);
	assert_true(clock_now() - begun >= 20);
	websocket_peer_post(st->peer, "one", 3, NULL);
	websocket_peer_post(st->peer, "two", 3, NULL);
	/* Behind them: when it is answered, both are there. */
	websocket_peer_ping(st->peer, "x", 1, NULL);
	socket_until(t, websocket_peer_pongs(st->peer) == 1);
	socket_expect(t, w, "one");
	socket_expect(t, w, "two");
	websocket_close(t, w, 1000, NULL);
	buf_clear(&message);
}

SOCKET_TEST(fragments_are_joined_also_around_a_ping)
{
	struct websocket *w = socket_open(t, st, NULL);

	websocket_peer_post_fragments(st->peer, "in many pieces", 14, 14, NULL);
	websocket_peer_post_raw(st->peer,
	    "\x01\x03"
	    "aro"
	    "\x89\x01p"
	    "\x00\x00"
	    "\x80\x03"
	    "und",
	    15, NULL);
	socket_expect(t, w, "in many pieces");
	socket_expect(t, w, "around");
	socket_until(t, websocket_peer_pongs(st->peer) == 1);
	websocket_close(t, w, 1000, NULL);
}

SOCKET_TEST(a_message_may_come_byte_by_byte)
{
	static const char frames[] = "\x81\x05Hello\x81\x7e\x00\x80";
	struct websocket *w = socket_open(t, st, NULL);
	char text[129] = {0};

	memset(text, 'z', 128);
	for (size_t i = 0; i < sizeof(frames) - 1; i++) {
		websocket_peer_post_raw(st->peer, frames + i, 1, NULL);
		task_sleep(t, 1, NULL);
	}
	for (size_t i = 0; i < 128; i++) {
		websocket_peer_post_raw(st->peer, text, 1, NULL);
		task_yield(t, NULL);
	}
	socket_expect(t, w, "Hello");
	socket_expect(t, w, text);
	websocket_close(t, w, 1000, NULL);
}

SOCKET_TEST(text_must_be_utf8_and_binary_need_not)
{
	struct websocket *w = socket_open(t, st, NULL);

	websocket_peer_post_binary(st->peer, "\xff\xfe", 2, NULL);
	/* A character in two frames. */
	websocket_peer_post_raw(st->peer, "\x01\x01\xc3\x80\x01\xa4", 6, NULL);
	websocket_peer_post_raw(st->peer, "\x81\x02\xc3\x28", 4, NULL);
	socket_expect(t, w, "\xff\xfe");
	socket_expect(t, w, "\xc3\xa4");
	socket_expect_end(t, w, "not UTF-8");
	websocket_close(t, w, 1000, NULL);
	socket_until(t, st->ended == 1);
	assert_int_equal(st->close_code, 1007);
}

SOCKET_TEST(a_message_that_is_too_large_ends_the_connection)
{
	/* In one frame and in several. */
	static const struct {
		const char *bytes;
		size_t len;
	} cases[] = {
	    {"\x81\x0b"
	     "0123456789a",
		13},
	    {"\x01\x08"
	     "01234567"
	     "\x80\x03"
	     "89a",
		15},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct websocket *w = socket_open(t, st, &(struct websocket_options){.message_max = 10});

		websocket_peer_post(st->peer, "0123456789", 10, NULL);
		websocket_peer_post_raw(st->peer, cases[i].bytes, cases[i].len, NULL);
		socket_expect(t, w, "0123456789");
		socket_expect_end(t, w, "too large");
		websocket_close(t, w, 1000, NULL);
		socket_until(t, st->ended == i + 1);
		assert_int_equal(st->close_code, 1009);
	}
}

SOCKET_TEST(a_message_that_says_it_will_be_too_large_is_not_waited_for)
{
	struct websocket *w = socket_open(t, st, &(struct websocket_options){.message_max = 1000000});
	char *part = xcalloc(1, 100000);

	websocket_peer_post_raw(st->peer, "\x82\x7f\0\0\0\0\x40\0\0\0", 10, NULL);
	websocket_peer_post_raw(st->peer, part, 100000, NULL);
	socket_expect_end(t, w, "too large");
	websocket_close(t, w, 1000, NULL);
	free(part);
}

SOCKET_TEST(a_breach_of_the_protocol_ends_the_connection)
{
	static const struct {
		const char *bytes;
		size_t len;
	} cases[] = {
	    {"\x83\x00", 2},         /* unknown opcode */
	    {"\xc1\x01x", 3},        /* reserved bit */
	    {"\x80\x01x", 3},        /* nothing to continue */
	    {"\x09\x01x", 3},        /* a ping in pieces */
	    {"\x89\x7e\x00\x80", 4}, /* a ping of 128 bytes */
	    {"HTTP/1.1 400 Bad Request\r\n\r\n", 28},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct websocket *w = socket_open(t, st, NULL);

		websocket_peer_post_raw(st->peer, cases[i].bytes, cases[i].len, NULL);
		socket_expect_end(t, w, "");
		websocket_close(t, w, 1000, NULL);
		socket_until(t, st->ended == i + 1);
	}
}

SOCKET_TEST(the_close_code_and_reason_of_the_other_side_are_told)
{
	static const struct {
		unsigned sent, told;
		const char *reason;
	} cases[] = {
	    {1000, 1000, ""},
	    {1001, 1001, "going away"},
	    {1012, 1012, "restart"},
	    {4004, 4004, "bad token"},
	    {4014, 4014, ""},
	    {0, 1005, ""},
	    {1006, 1002, "not for the wire"},
	    {4999, 4999, "\xc3\xa4"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct websocket *w = socket_open(t, st, NULL);

		websocket_peer_post(st->peer, "last words", 10, NULL);
		websocket_peer_shut(st->peer, cases[i].sent, cases[i].reason);
		socket_expect(t, w, "last words");
		socket_expect_end(t, w, "closed the WebSocket with code");
		assert_int_equal(websocket_close_code(w), cases[i].told);
		assert_string_equal(websocket_close_reason(w), cases[i].reason);
		websocket_close(t, w, 4321, NULL);
		socket_until(t, st->ended == i + 1);
		/* Our server's wslay takes no 1012. */
		assert_int_equal(st->close_code, cases[i].told == 1012 ? 0 : cases[i].told);
	}
}

SOCKET_TEST(a_connection_that_breaks_off_has_no_close_code)
{
	struct websocket *w = socket_open(t, st, NULL);

	websocket_peer_abort(st->peer);
	socket_expect_end(t, w, "broke off");
	assert_int_equal(websocket_close_code(w), 0);
	websocket_close(t, w, 1000, NULL);
}

SOCKET_TEST(our_close_says_its_code_and_reason_after_what_waits)
{
	struct websocket *w;
	char reason[200];

	st->echo = false;
	w = socket_open(t, st, NULL);
	assert_int_equal(websocket_send(t, w, "before", 6, NULL), 0);
	websocket_close(t, w, 4000, "resume later");
	socket_until(t, st->ended == 1);
	assert_string_equal(st->heard.data, "before");
	assert_int_equal(st->close_code, 4000);
	assert_string_equal(st->close_reason, "resume later");
	/* 122 bytes, and one character of two. */
	memset(reason, 'r', sizeof(reason));
	memcpy(reason + 122, "\xc3\xa4", 3);
	w = socket_open(t, st, NULL);
	websocket_close(t, w, 0, reason);
	socket_until(t, st->ended == 2);
	assert_int_equal(st->close_code, 1000);
	assert_int_equal(strlen(st->close_reason), 122);
	websocket_close(t, NULL, 1000, NULL);
	websocket_abort(NULL);
}

SOCKET_TEST(an_abort_says_nothing)
{
	struct websocket *w = socket_open(t, st, NULL);

	assert_int_equal(websocket_send(t, w, "unsent", 6, NULL), 0);
	websocket_abort(w);
	socket_until(t, st->ended == 1);
	assert_int_equal(st->close_code, 0);
}

SOCKET_TEST(a_close_waits_two_seconds_for_a_silent_peer)
{
	struct websocket *w = socket_open(t, st, NULL);
	uint64_t begun = clock_now();

	websocket_peer_silence(st->peer, true);
	websocket_close(t, w, 1000, NULL);
	assert_in_range(clock_now() - begun, 1900, 60000);
	socket_until(t, st->ended == 1);
	assert_int_equal(st->close_code, 1000);
}

SOCKET_TEST(a_peer_that_answers_no_ping_is_given_up)
{
	uint64_t begun = clock_now();
	struct websocket *w = socket_open(t, st, &(struct websocket_options){.ping_ms = 600});

	websocket_peer_silence(st->peer, true);
	socket_expect_end(t, w, "no sign of life");
	assert_true(clock_now() - begun >= 1200);
	assert_true(websocket_peer_pings(st->peer) >= 1);
	/* Nor is its answer to a close waited for. */
	begun = clock_now();
	websocket_close(t, w, 4000, NULL);
	assert_true(clock_now() - begun < 1900);
}

SOCKET_TEST(pongs_keep_a_quiet_connection)
{
	struct websocket *w = socket_open(t, st, &(struct websocket_options){.ping_ms = 600});
	struct buf message = BUF_INIT;
	uint64_t opened = websocket_last_received_ms(w);

	while (websocket_peer_pings(st->peer) < 3)
		assert_int_equal(websocket_receive(t, w, &message, 50, NULL), 0);
	assert_true(websocket_last_received_ms(w) > opened);
	websocket_close(t, w, 1000, NULL);
	buf_clear(&message);
}

SOCKET_TEST(pings_of_the_other_side_are_signs_of_life)
{
	struct websocket *w = socket_open(t, st, NULL);
	uint64_t opened = websocket_last_received_ms(w);

	task_sleep(t, 20, NULL);
	assert_int_equal(websocket_last_received_ms(w), opened);
	websocket_peer_ping(st->peer, "x", 1, NULL);
	socket_until(t, websocket_peer_pongs(st->peer) == 1);
	assert_true(websocket_last_received_ms(w) >= opened + 19);
	websocket_close(t, w, 1000, NULL);
}

/* Also of the time in which nothing is received, and the kernel's buffers are full. */
SOCKET_TEST(a_slow_receiver_gets_everything)
{
	enum { COUNT = 160, SIZE = 100000 };
	struct websocket *w = socket_open(t, st, &(struct websocket_options){.ping_ms = 400});
	struct buf message = BUF_INIT;
	char *text = xmalloc(SIZE + 1);

	for (int i = 0; i < COUNT; i++) {
		memset(text, 'a' + i % 26, SIZE);
		assert_int_equal(websocket_peer_post(st->peer, text, SIZE, NULL), 0);
	}
	/* Longer than it waits for a sign of life. */
	task_sleep(t, 1000, NULL);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(websocket_receive(t, w, &message, 30000, NULL), 1);
		assert_int_equal(message.len, SIZE);
		assert_int_equal(message.data[SIZE - 1], 'a' + i % 26);
	}
	assert_true(websocket_is_open(w));
	websocket_close(t, w, 1000, NULL);
	buf_clear(&message);
	free(text);
}

SOCKET_TEST(what_waits_to_be_sent_is_bounded)
{
	enum { SIZE = 100000, SEND_MAX = 300000 };
	struct websocket *w;
	char *text = xmalloc(SEND_MAX + 1);
	struct error err = {0};
	int64_t spent;
	int sent = 0;

	memset(text, 's', SEND_MAX + 1);
	st->deaf = true;
	w = socket_open(t, st, &(struct websocket_options){.send_max = SEND_MAX});
	assert_int_equal(websocket_send(t, w, text, SEND_MAX + 1, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
	while (websocket_send(t, w, text, SIZE, &err) == 0 && sent++ < 1000)
		task_sleep(t, 1, NULL);
	assert_int_equal(err.kind, ERROR_LIMITED);
	assert_true(err.retry_ms > 0);
	assert_in_range(websocket_pending(w), SEND_MAX - SIZE, SEND_MAX);
	/* Nor does the loop spin meanwhile, also with something to read. */
	websocket_peer_post(st->peer, "here", 4, NULL);
	spent = clock();
	task_sleep(t, 300, NULL);
	assert_true((clock() - spent) * 1000 / CLOCKS_PER_SEC < 150);
	websocket_abort(w);
	free(text);
}

struct one_of_many {
	struct websocket_fixture *st;
	struct task_group *group;
	int number;
	bool good;
};

static void talk_a_while(struct task *t, void *arg)
{
	struct one_of_many *one = arg;
	struct websocket_options o = {.url = one->st->url};
	struct websocket *w = websocket_open(t, &o, NULL);
	struct buf message = BUF_INIT;
	char text[32];

	one->good = w;
	for (int i = 0; i < 20 && one->good; i++) {
		snprintf(text, sizeof(text), "%d/%d", one->number, i);
		one->good = websocket_send(t, w, text, strlen(text), NULL) == 0 &&
		    websocket_receive(t, w, &message, 30000, NULL) == 1 && strcmp(message.data, text) == 0;
	}
	websocket_close(t, w, 1000, NULL);
	buf_clear(&message);
}

SOCKET_TEST(fifty_connections_do_not_get_in_each_others_way)
{
	struct one_of_many all[50];
	struct task_group group;

	task_group_init(&group);
	for (int i = 0; i < 50; i++) {
		all[i] = (struct one_of_many){.st = st, .number = i};
		task_start(&group, "one of many", talk_a_while, &all[i]);
	}
	task_group_wait(t, &group, NULL);
	for (int i = 0; i < 50; i++)
		assert_true(all[i].good);
	socket_until(t, st->ended == 50);
	assert_int_equal(st->opened, 50);
}

/* Whatever a server sends: messages are UTF-8 or binary, and it ends. */
SOCKET_TEST(any_frames_are_survived)
{
	struct buf frames = BUF_INIT, message = BUF_INIT;
	uint64_t seed = 1;
	size_t messages = 0;

	for (size_t i = 0; i < 120; i++) {
		struct websocket *w = socket_open(t, st, &(struct websocket_options){.message_max = 100000});

		buf_reset(&frames);
		for (uint64_t n = 1 + random_below(&seed, 12); n > 0; n--)
			random_frame(&frames, &seed, false);
		websocket_peer_post_raw(st->peer, frames.data, frames.len - random_below(&seed, 2), NULL);
		if (random_below(&seed, 2) == 0)
			websocket_peer_shut(st->peer, 1000, NULL);
		while (websocket_receive(t, w, &message, 20 * random_below(&seed, 3), NULL) == 1)
			messages++;
		if (random_below(&seed, 4) == 0)
			websocket_abort(w);
		else if (st->peer && random_below(&seed, 2) == 0) {
			websocket_peer_abort(st->peer);
			websocket_close(t, w, 1000, NULL);
		} else {
			websocket_close(t, w, (unsigned)random_below(&seed, 5000), "done");
		}
	}
	socket_until(t, st->ended == 120);
	assert_true(messages > 50);
	buf_clear(&frames);
	buf_clear(&message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_of_any_size_go_both_ways),
	    cmocka_unit_test(messages_arrive_in_order),
	    cmocka_unit_test(what_waits_to_be_sent_leaves_in_one_turn_of_the_loop),
	    cmocka_unit_test(what_is_not_received_yet_waits_in_order_and_a_wait_ends),
	    cmocka_unit_test(fragments_are_joined_also_around_a_ping),
	    cmocka_unit_test(a_message_may_come_byte_by_byte),
	    cmocka_unit_test(text_must_be_utf8_and_binary_need_not),
	    cmocka_unit_test(a_message_that_is_too_large_ends_the_connection),
	    cmocka_unit_test(a_message_that_says_it_will_be_too_large_is_not_waited_for),
	    cmocka_unit_test(a_breach_of_the_protocol_ends_the_connection),
	    cmocka_unit_test(the_close_code_and_reason_of_the_other_side_are_told),
	    cmocka_unit_test(a_connection_that_breaks_off_has_no_close_code),
	    cmocka_unit_test(our_close_says_its_code_and_reason_after_what_waits),
	    cmocka_unit_test(an_abort_says_nothing),
	    cmocka_unit_test(a_close_waits_two_seconds_for_a_silent_peer),
	    cmocka_unit_test(a_peer_that_answers_no_ping_is_given_up),
	    cmocka_unit_test(pongs_keep_a_quiet_connection),
	    cmocka_unit_test(pings_of_the_other_side_are_signs_of_life),
	    cmocka_unit_test(a_slow_receiver_gets_everything),
	    cmocka_unit_test(what_waits_to_be_sent_is_bounded),
	    cmocka_unit_test(any_frames_are_survived),
	    cmocka_unit_test(fifty_connections_do_not_get_in_each_others_way),
	};

	loop_init();
	/* A proxy of the environment is not used: nothing answers there. */
	setenv("http_proxy", "http://127.0.0.1:9", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
