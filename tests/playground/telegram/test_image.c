#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "playground/world/image.h"

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *data;
	size_t len;
	unsigned width, height;
} images[] = {
    {BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x02\0\0\0\x03\x08\x02"), 258, 3},
    {BYTES("GIF89a\x02\x01\x03\0"), 258, 3},
    {BYTES("\xff\xd8\xff\xe0\0\4AB\xff\xc4\0\3C\xff\xc2\0\x11\x08\0\3\1\2xx"), 258, 3},
    {BYTES("RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\1*\2\1\3\0"), 258, 3},
    {BYTES("RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0/\1\x81\0\0\0\0\0\0\0"), 258, 3},
    {BYTES("RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\1\1\0\2\0\0"), 258, 3},
};

static void every_format_says_how_large_it_is(void **state)
{
	unsigned w, h;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(images); i++) {
		w = h = 0;
		if (!image_size(images[i].data, images[i].len, &w, &h) || w != images[i].width ||
		    h != images[i].height)
			fail_msg("image %zu: %u by %u", i, w, h);
	}
}

/* Copies of the exact length, so that reading beyond is noticed. */
static void what_is_cut_off_is_not_read_beyond(void **state)
{
	unsigned w, h;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(images); i++)
		for (size_t cut = 1; cut < images[i].len; cut++) {
			char *part = xmemdup(images[i].data, cut);

			image_size(part, cut, &w, &h);
			free(part);
		}
	assert_false(image_size("", 0, &w, &h));
	assert_false(image_size(BYTES("no image at all"), &w, &h));
	assert_false(image_size(BYTES("\xff\xd8\xff\xe0\0\0\0\0\0\0\0\0\0"), &w, &h));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_format_says_how_large_it_is),
	    cmocka_unit_test(what_is_cut_off_is_not_read_beyond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
