#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "net/websocket/frame.h"
#include "net/websocket/random_frames.h"

/* Writes down what is read from bytes that come in parts of this size. */
static void describe(struct buf *out, const char *bytes, size_t len, size_t part)
{
	struct frame_reader f = {0};
	enum frame_event event;

	for (size_t from = 0; from < len; from += part) {
		size_t n = part < len - from ? part : len - from;
		unsigned char *copy = xmemdup(bytes + from, n);
		const unsigned char *at = copy;

		while ((event = frame_read(&f, &at, copy + n)) != FRAME_MORE) {
			if (event == FRAME_BAD)
				buf_addstr(out, "bad ");
			else if (event == FRAME_CONTROL)
				buf_addf(out, "control %d of %zu: %.*s ", f.opcode, f.control_len,
				    (int)f.control_len, f.control);
			else
				buf_add(out, f.piece, f.piece_len);
			if (event == FRAME_PIECE && f.left == 0 && f.final)
				buf_addstr(out, f.binary ? " binary " : " text ");
		}
		assert_ptr_equal(at, copy + n);
		free(copy);
	}
}

static void expect(const char *bytes, size_t len, const char *told)
{
	for (size_t part = 1; part <= len; part++) {
		struct buf out = BUF_INIT;

		describe(&out, bytes, len, part);
		assert_string_equal(out.data, told);
		buf_clear(&out);
	}
}

#define EXPECT(bytes, told) expect(bytes, sizeof(bytes) - 1, told)

static void frames_are_read_in_parts_of_any_size(void **state)
{
	(void)state;
	EXPECT("\x81\x05Hello", "Hello text ");
	EXPECT("\x82\x00\x81\x7e\x00\x02ok", " binary ok text ");
	EXPECT("\x81\x7f\0\0\0\0\0\0\0\x02ok", "ok text ");
	EXPECT("\x01\x03"
	       "aro\x89\x01p\x00\x00\x80\x03und",
	    "arocontrol 9 of 1: p und text ");
	EXPECT("\x88\x04\x03\xe8ok\x8a\x00", "control 8 of 4: \x03\xe8ok control 10 of 0:  ");
}

static void nothing_is_read_behind_a_breach_of_the_protocol(void **state)
{
	static const char *const heads[] = {
	    "\x83\x01", "\x8b\x01", "\xc1\x01", "\x91\x01", "\x80\x01", "\x09\x01", "\x89\x7e", "\x81\x81"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		char bytes[40];
		int len = snprintf(bytes, sizeof(bytes), "\x81\x01y%s............\x81\x01z", heads[i]);

		expect(bytes, (size_t)len, "y text bad ");
	}
	/* A message within another one. */
	EXPECT("\x01\x01y\x81\x01z", "ybad ");
}

/* What a client writes is what a server would write, but masked. */
static void our_frames_are_masked_and_have_the_shortest_head(void **state)
{
	static const struct {
		size_t len, head;
	} sizes[] = {{0, 6}, {1, 6}, {125, 6}, {126, 8}, {65535, 8}, {65536, 14}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		size_t len = sizes[i].len, head;
		unsigned char *room = xcalloc(1, FRAME_HEAD_MAX + len), *payload = room + FRAME_HEAD_MAX;
		const unsigned char *at;
		struct frame_reader f = {0};

		memset(payload, 'x', len);
		head = frame_write(payload, len, FRAME_TEXT);
		assert_int_equal(head, sizes[i].head);
		unsigned char *first = payload - head, *mask = payload - 4;
		assert_int_equal(first[0], 0x81);
		assert_int_equal(first[1] & 0x80, 0x80);
		for (size_t k = 0; k < len; k++)
			assert_int_equal(payload[k] ^ mask[k % 4], 'x');
		/* Without the mask a client reads it. */
		first[1] &= 0x7f;
		memmove(first + 4, first, head - 4);
		at = first + 4;
		assert_int_equal(frame_read(&f, &at, payload + len), FRAME_PIECE);
		assert_int_equal(f.piece_len, len);
		assert_true(f.final && f.left == 0 && !f.binary);
		free(room);
	}
}

static void any_bytes_are_read_in_parts_as_at_once(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct buf frames = BUF_INIT, whole = BUF_INIT, parts = BUF_INIT;

		for (uint64_t n = 1 + random_below(&seed, 8); n > 0; n--)
			random_frame(&frames, &seed, random_below(&seed, 40) == 0);
		describe(&whole, frames.data, frames.len, frames.len);
		describe(&parts, frames.data, frames.len, 1 + random_below(&seed, 50));
		assert_int_equal(whole.len, parts.len);
		assert_memory_equal(whole.data, parts.data, whole.len);
		buf_clear(&frames);
		buf_clear(&whole);
		buf_clear(&parts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(frames_are_read_in_parts_of_any_size),
	    cmocka_unit_test(nothing_is_read_behind_a_breach_of_the_protocol),
	    cmocka_unit_test(our_frames_are_masked_and_have_the_shortest_head),
	    cmocka_unit_test(any_bytes_are_read_in_parts_as_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
