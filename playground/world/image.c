#include "playground/world/image.h"

#include <string.h>

#include "base/mem.h"

static unsigned big(const unsigned char *p, size_t bytes)
{
	unsigned value = 0;

	while (bytes-- > 0)
		value = value << 8 | *p++;
	return value;
}

static unsigned little(const unsigned char *p, size_t bytes)
{
	unsigned value = 0;

	while (bytes-- > 0)
		value = value << 8 | p[bytes];
	return value;
}

static bool png_size(const unsigned char *p, size_t len, unsigned *width, unsigned *height)
{
	if (len < 24 || memcmp(p + 12, "IHDR", 4) != 0)
		return false;
	*width = big(p + 16, 4);
	*height = big(p + 20, 4);
	return true;
}

static bool gif_size(const unsigned char *p, size_t len, unsigned *width, unsigned *height)
{
	if (len < 10)
		return false;
	*width = little(p + 6, 2);
	*height = little(p + 8, 2);
	return true;
}

/* A segment has a marker, and a length that counts itself; a start-of-frame segment has the size. */
static bool jpeg_size(const unsigned char *p, size_t len, unsigned *width, unsigned *height)
{
	size_t at = 2;

	while (at + 9 <= len && p[at] == 0xff) {
		unsigned marker = p[at + 1];

		if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
			*height = big(p + at + 5, 2);
			*width = big(p + at + 7, 2);
			return true;
		}
		at += 2 + big(p + at + 2, 2);
	}
	return false;
}

/* The three kinds of first chunk: lossy, lossless, extended. */
static bool webp_size(const unsigned char *p, size_t len, unsigned *width, unsigned *height)
{
	if (len < 30 || memcmp(p + 8, "WEBP", 4) != 0)
		return false;
	if (memcmp(p + 12, "VP8 ", 4) == 0) {
		*width = little(p + 26, 2) & 0x3fff;
		*height = little(p + 28, 2) & 0x3fff;
	} else if (memcmp(p + 12, "VP8L", 4) == 0) {
		*width = (little(p + 21, 4) & 0x3fff) + 1;
		*height = (little(p + 21, 4) >> 14 & 0x3fff) + 1;
	} else if (memcmp(p + 12, "VP8X", 4) == 0) {
		*width = little(p + 24, 3) + 1;
		*height = little(p + 27, 3) + 1;
	} else {
		return false;
	}
	return true;
}

bool image_size(const char *data, size_t len, unsigned *width, unsigned *height)
{
	static const struct {
		const char *begins;
		size_t len;
		bool (*size)(const unsigned char *p, size_t len, unsigned *width, unsigned *height);
	} formats[] = {
	    {"\x89PNG\r\n\x1a\n", 8, png_size},
	    {"\xff\xd8", 2, jpeg_size},
	    {"GIF8", 4, gif_size},
	    {"RIFF", 4, webp_size},
	};

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (len > formats[i].len && memcmp(data, formats[i].begins, formats[i].len) == 0)
			return formats[i].size((const unsigned char *)data, len, width, height);
	return false;
}
