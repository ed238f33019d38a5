#include "helpers/image/picture.h"

#include <stdio.h>
#include <string.h>

#include <png.h>

#include "base/buf.h"
#include "base/error.h"

#define SIGNATURE   8
#define CHUNK_FRAME 12 /* length, type and checksum */

static uint32_t big_endian(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The simple interface of libpng does not give access to the eXIf chunk. */
static int orientation_of(const struct buf *in)
{
	const unsigned char *data = (const unsigned char *)in->data;

	for (size_t at = SIGNATURE; in->len - at >= CHUNK_FRAME;) {
		size_t len = big_endian(data + at);
		if (len > in->len - at - CHUNK_FRAME)
			break;
		if (memcmp(data + at + 4, "eXIf", 4) == 0)
			return picture_exif_orientation(data + at + 8, len);
		at += len + CHUNK_FRAME;
	}
	return 1;
}

int picture_read_png(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err)
{
	png_image png = {.version = PNG_IMAGE_VERSION};
	int rc = -1;

	if (!png_image_begin_read_from_memory(&png, in->data, in->len))
		return error_set(err, ERROR_REFUSED, "the PNG image is broken: %s", png.message);
	png.format = PNG_FORMAT_RGBA;
	p->drawn = true;
	p->full_width = png.width;
	p->full_height = png.height;
	p->orientation = orientation_of(in);
	if (picture_check_size(png.width, png.height, limits, err) == 0 &&
	    picture_make(p, png.width, png.height, err) == 0) {
		rc = png_image_finish_read(&png, NULL, p->rgba, 0, NULL) ? 0 : -1;
		if (rc < 0)
			error_set(err, ERROR_REFUSED, "the PNG image is broken: %s", png.message);
	}
	png_image_free(&png);
	return rc;
}
