/* Images of strangers become ones that a model takes, or a sentence that says why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "helpers/image/picture.h"
#include "helpers/image/samples.h"

static const struct picture_limits usual = {.edge = 1568, .bytes = 1024 * 1024, .pixels = 64 * 1000 * 1000};

/* What comes out of the whole way. */
struct result {
	struct picture p;
	struct buf bytes;
	const char *mime;
	struct error err;
	int rc;
};

static struct result convert(const struct buf *in, const struct picture_limits *limits)
{
	struct result r = {.bytes = BUF_INIT};

	r.rc = picture_read(&r.p, in, limits, &r.err);
	if (r.rc == 0) {
		picture_shrink(&r.p, limits->edge);
		picture_turn(&r.p);
		r.rc = picture_write(&r.p, limits, &r.bytes, &r.mime, &r.err);
	}
	return r;
}

static void result_clear(struct result *r)
{
	picture_clear(&r->p);
	buf_clear(&r->bytes);
}

static void assert_near(const unsigned char *px, int r, int g, int b, int a)
{
	const int want[] = {r, g, b, a};

	for (int i = 0; i < 4; i++)
		assert_in_range(px[i] + 40, want[i], want[i] + 80);
}

static const unsigned char *pixel(const struct picture *p, uint32_t x, uint32_t y)
{
	return p->rgba + 4 * ((size_t)y * p->width + x);
}

static void every_format_gives_its_size_and_colours(void **state)
{
	(void)state;
	for (int f = 0; f < SAMPLE_FORMATS; f++) {
		struct buf in = BUF_INIT;
		sample_add(&in, (enum sample_format)f, 64, 48, 0);
		struct result r = convert(&in, &usual), again;
		assert_int_equal(r.rc, 0);
		again = convert(&r.bytes, &usual);
		assert_int_equal(again.rc, 0);
		assert_int_equal(again.p.width, 64);
		assert_int_equal(again.p.height, 48);
		assert_near(pixel(&again.p, 8, 24), 255, 0, 0, 255);
		assert_near(pixel(&again.p, 56, 24), 0, 0, 255, 255);
		result_clear(&again);
		result_clear(&r);
		buf_clear(&in);
	}
}

static void a_large_one_is_made_smaller_and_keeps_its_shape(void **state)
{
	(void)state;
	for (int f = 0; f < SAMPLE_FORMATS; f++) {
		struct buf in = BUF_INIT;
		sample_add(&in, (enum sample_format)f, 2400, 1200, 0);
		struct result r = convert(&in, &usual);
		assert_int_equal(r.rc, 0);
		assert_int_equal(r.p.width, 1568);
		assert_int_equal(r.p.height, 784);
		assert_int_equal(r.p.full_width, 2400);
		assert_near(pixel(&r.p, 300, 300), 255, 0, 0, 255);
		assert_near(pixel(&r.p, 1300, 300), 0, 0, 255, 255);
		result_clear(&r);
		buf_clear(&in);
	}
}

static void a_very_long_one_keeps_at_least_one_pixel(void **state)
{
	struct buf in = BUF_INIT;

	(void)state;
	sample_add(&in, SAMPLE_PNG, 9000, 2, 0);
	struct result r = convert(&in, &usual);
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.p.width, 1568);
	assert_int_equal(r.p.height, 1);
	result_clear(&r);
	buf_clear(&in);
}

static void what_shines_through_stays_so(void **state)
{
	(void)state;
	for (int f = 0; f < SAMPLE_FORMATS; f++) {
		struct buf in = BUF_INIT;
		if (f == SAMPLE_JPEG)
			continue;
		sample_add(&in, (enum sample_format)f, 64, 48, 1);
		struct result r = convert(&in, &usual);
		assert_int_equal(r.rc, 0);
		assert_string_equal(r.mime, "image/png");
		assert_int_equal(pixel(&r.p, 8, 4)[3], 0);
		assert_int_equal(pixel(&r.p, 8, 40)[3], 255);
		result_clear(&r);
		buf_clear(&in);
	}
}

static void a_small_screenshot_stays_png_and_a_large_one_does_not(void **state)
{
	struct buf in = BUF_INIT;

	(void)state;
	sample_add(&in, SAMPLE_PNG, 800, 600, 0);
	struct result r = convert(&in, &usual);
	assert_string_equal(r.mime, "image/png");
	result_clear(&r);
	buf_reset(&in);
	sample_add_noise(&in, 800, 600);
	r = convert(&in, &usual);
	assert_string_equal(r.mime, "image/jpeg");
	assert_true(r.bytes.len <= usual.bytes);
	result_clear(&r);
	buf_clear(&in);
}

static void the_limit_in_bytes_holds_whatever_is_in_it(void **state)
{
	const struct picture_limits small = {.edge = 1568, .bytes = 20000, .pixels = usual.pixels};
	const struct picture_limits none = {.edge = 1568, .bytes = 100, .pixels = usual.pixels};
	struct buf in = BUF_INIT;

	(void)state;
	sample_add_noise(&in, 600, 600);
	struct result r = convert(&in, &small);
	assert_int_equal(r.rc, 0);
	assert_true(r.bytes.len <= 20000);
	assert_true(r.p.width < 600);
	result_clear(&r);
	r = convert(&in, &none);
	assert_int_equal(r.rc, -1);
	assert_non_null(strstr(r.err.text, "cannot be made smaller"));
	result_clear(&r);
	buf_clear(&in);
}

static void a_photo_is_turned_as_its_camera_was_held(void **state)
{
	/* Which edge of the turned picture is red, which was on the left. */
	static const char edges[] = "?lrrlttbb";
	struct buf jpeg = BUF_INIT, in = BUF_INIT;

	(void)state;
	sample_add(&jpeg, SAMPLE_JPEG, 64, 32, 0);
	for (int o = 1; o <= 8; o++) {
		buf_reset(&in);
		sample_add_exif(&in, &jpeg, o);
		struct result r = convert(&in, &usual);
		assert_int_equal(r.rc, 0);
		assert_int_equal(r.p.width, o < 5 ? 64 : 32);
		assert_int_equal(r.p.full_width, o < 5 ? 64 : 32);
		const struct {
			char edge;
			uint32_t x, y;
		} places[] = {{'l', 4, 16}, {'r', 60, 16}, {'t', 16, 4}, {'b', 16, 60}};
		for (int i = 0; i < 4; i++)
			if (places[i].edge == edges[o])
				assert_near(pixel(&r.p, places[i].x, places[i].y), 255, 0, 0, 255);
		result_clear(&r);
	}
	buf_clear(&in);
	buf_clear(&jpeg);
}

static void nothing_but_pixels_is_kept(void **state)
{
	struct buf jpeg = BUF_INIT, in = BUF_INIT;

	(void)state;
	sample_add(&jpeg, SAMPLE_JPEG, 64, 32, 0);
	sample_add_exif(&in, &jpeg, 1);
	assert_non_null(memmem(in.data, in.len, "degrees", 7));
	struct result r = convert(&in, &usual);
	assert_int_equal(r.rc, 0);
	assert_null(memmem(r.bytes.data, r.bytes.len, "degrees", 7));
	assert_null(memmem(r.bytes.data, r.bytes.len, "Exif", 4));
	result_clear(&r);
	buf_clear(&in);
	buf_clear(&jpeg);
}

static void bombs_are_refused_before_they_are_decoded(void **state)
{
	(void)state;
	for (int f = 0; f < SAMPLE_FORMATS; f++) {
		struct buf in = BUF_INIT;
		sample_add_bomb(&in, (enum sample_format)f);
		struct result r = convert(&in, &usual);
		assert_int_equal(r.rc, -1);
		if (!strstr(r.err.text, "more than 64000000"))
			fail_msg("%s: %s", sample_names[f], r.err.text);
		assert_null(r.p.rgba);
		result_clear(&r);
		buf_clear(&in);
	}
}

static void what_was_cut_off_is_refused_and_hurts_nobody(void **state)
{
	(void)state;
	for (int f = 0; f < SAMPLE_FORMATS; f++) {
		struct buf in = BUF_INIT;
		sample_add(&in, (enum sample_format)f, 40, 30, 0);
		for (size_t len = 0; len < in.len; len++) {
			struct buf cut = BUF_INIT;
			buf_add(&cut, in.data, len);
			struct result r = convert(&cut, &usual);
			if (len <= in.len / 2) {
				assert_int_equal(r.rc, -1);
				assert_true(strlen(r.err.text) > 10);
			}
			result_clear(&r);
			buf_clear(&cut);
		}
		buf_clear(&in);
	}
}

static void broken_bytes_hurt_nobody(void **state)
{
	uint32_t n = 7;

	(void)state;
	for (int f = 0; f < SAMPLE_FORMATS; f++) {
		struct buf in = BUF_INIT;
		sample_add(&in, (enum sample_format)f, 33, 17, f == SAMPLE_PNG);
		for (int i = 0; i < 300; i++) {
			struct buf broken = BUF_INIT;
			buf_add(&broken, in.data, in.len);
			for (int k = 0; k < 3; k++) {
				n = n * 1664525 + 1013904223;
				broken.data[n % broken.len] = (char)(n >> 24);
			}
			struct result r = convert(&broken, &usual);
			if (r.rc == 0)
				assert_true(r.bytes.len <= usual.bytes);
			result_clear(&r);
			buf_clear(&broken);
		}
		buf_clear(&in);
	}
}

static void what_is_no_image_is_said_to_be_none(void **state)
{
	static const char *const others[] = {
	    "", "hello", "<svg/>", "%PDF-1.4", "RIFF....WAVEfmt ", "\xff\xd8\xff", "BM1234567890"};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct buf in = BUF_INIT;
		buf_addstr(&in, others[i]);
		struct result r = convert(&in, &usual);
		assert_int_equal(r.rc, -1);
		assert_non_null(strstr(r.err.text, "image"));
		result_clear(&r);
		buf_clear(&in);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_format_gives_its_size_and_colours),
	    cmocka_unit_test(a_large_one_is_made_smaller_and_keeps_its_shape),
	    cmocka_unit_test(a_very_long_one_keeps_at_least_one_pixel),
	    cmocka_unit_test(what_shines_through_stays_so),
	    cmocka_unit_test(a_small_screenshot_stays_png_and_a_large_one_does_not),
	    cmocka_unit_test(the_limit_in_bytes_holds_whatever_is_in_it),
	    cmocka_unit_test(a_photo_is_turned_as_its_camera_was_held),
	    cmocka_unit_test(nothing_but_pixels_is_kept),
	    cmocka_unit_test(bombs_are_refused_before_they_are_decoded),
	    cmocka_unit_test(what_was_cut_off_is_refused_and_hurts_nobody),
	    cmocka_unit_test(broken_bytes_hurt_nobody),
	    cmocka_unit_test(what_is_no_image_is_said_to_be_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
