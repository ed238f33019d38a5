/* image: whatever claims to be an image ends as one within the limits, which can be read again, or with a
 * sentence. */
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "fuzz/fuzz.h"
#include "helpers/image/picture.h"

#define EDGE  48
#define BYTES (4 * 1024)
/* Of the file; what is decoded of them takes four bytes each. */
#define PIXELS (256 * 1024)

/* picture_write frees the pixels. */
static void expect_image(
    const struct buf *out, const struct picture *was, const char *mime, const struct picture_limits *limits)
{
	struct error err = {0};
	struct picture again;

	HOLDS(out->len > 0 && out->len <= limits->bytes);
	HOLDS(strcmp(mime, "image/jpeg") == 0 || strcmp(mime, "image/png") == 0);
	HOLDS(was->width > 0 && was->width <= EDGE && was->height > 0 && was->height <= EDGE);
	HOLDS(was->full_width > 0 && was->full_height > 0 &&
	    (uint64_t)was->full_width * was->full_height <= PIXELS);
	HOLDS(picture_read(&again, out, limits, &err) == 0);
	HOLDS(again.width == was->width && again.height == was->height);
	picture_clear(&again);
}

void fuzz_image(const uint8_t *data, size_t size)
{
	const struct picture_limits limits = {.edge = EDGE, .bytes = BYTES, .pixels = PIXELS};
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct error err = {0};
	struct picture p = {0};
	const char *mime = NULL;

	buf_add(&in, data, size);
	if (picture_read(&p, &in, &limits, &err) == 0) {
		picture_shrink(&p, limits.edge);
		picture_turn(&p);
		if (picture_write(&p, &limits, &out, &mime, &err) == 0)
			expect_image(&out, &p, mime, &limits);
	}
	HOLDS(mime || err.text[0] != '\0');
	picture_clear(&p);
	buf_clear(&in);
	buf_clear(&out);
}

FUZZ_PROGRAM(fuzz_image)
