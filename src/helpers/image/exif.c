/* Reads one tag, the orientation of a picture. libexif would parse all other tags of a stranger's file,
 * too. */
#include "helpers/image/picture.h"

#include <string.h>

#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT      3
#define ENTRY_SIZE      12

/* A TIFF structure declares its own byte order. */
struct tiff {
	const unsigned char *data;
	size_t len;
	bool big_endian;
};

static uint32_t number(const struct tiff *t, size_t at, size_t bytes)
{
	uint32_t n = 0;

	if (at > t->len || t->len - at < bytes)
		return 0;
	for (size_t i = 0; i < bytes; i++)
		n |= (uint32_t)t->data[at + i] << 8 * (t->big_endian ? bytes - 1 - i : i);
	return n;
}

int picture_exif_orientation(const unsigned char *data, size_t len)
{
	struct tiff t = {.data = data, .len = len};

	if (len >= 6 && memcmp(data, "Exif\0\0", 6) == 0) {
		t.data += 6;
		t.len -= 6;
	}
	if (t.len < 8 || (memcmp(t.data, "II*\0", 4) != 0 && memcmp(t.data, "MM\0*", 4) != 0))
		return 1;
	t.big_endian = t.data[0] == 'M';
	size_t at = number(&t, 4, 4), count = number(&t, at, 2);
	for (at += 2; count > 0 && at < t.len; count--, at += ENTRY_SIZE) {
		uint32_t value = number(&t, at + 8, 2);
		if (number(&t, at, 2) == TAG_ORIENTATION && number(&t, at + 2, 2) == TYPE_SHORT)
			return value >= 1 && value <= 8 ? (int)value : 1;
	}
	return 1;
}
