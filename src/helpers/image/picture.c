#include "helpers/image/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

static const struct format {
	const char *magic;
	size_t len, at;
	int (*read)(
	    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err);
} formats[] = {
    {"\xff\xd8\xff", 3, 0, picture_read_jpeg},
    {"\x89PNG\r\n\x1a\n", 8, 0, picture_read_png},
    {"GIF87a", 6, 0, picture_read_gif},
    {"GIF89a", 6, 0, picture_read_gif},
    {"WEBP", 4, 8, picture_read_webp},
};

void picture_clear(struct picture *p)
{
	free(p->rgba);
	*p = (struct picture){0};
}

int picture_check_size(
    uint64_t width, uint64_t height, const struct picture_limits *limits, struct error *err)
{
	if (width == 0 || height == 0)
		return error_set(err, ERROR_REFUSED, "the image has no pixels");
	if (width > UINT32_MAX || height > UINT32_MAX || height > limits->pixels / width)
		return error_set(err, ERROR_REFUSED,
		    "the image has %llu x %llu pixels, more than %llu in all", (unsigned long long)width,
		    (unsigned long long)height, (unsigned long long)limits->pixels);
	return 0;
}

int picture_make(struct picture *p, uint32_t width, uint32_t height, struct error *err)
{
	unsigned char *rgba = calloc((size_t)width * height, 4);

	if (!rgba)
		return error_set(err, ERROR_REFUSED, "the image needs more memory than there is for one");
	free(p->rgba);
	p->rgba = rgba;
	p->width = width;
	p->height = height;
	return 0;
}

int picture_read(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err)
{
	*p = (struct picture){.orientation = 1};
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		const struct format *f = &formats[i];
		if (in->len >= f->at + f->len && memcmp(in->data + f->at, f->magic, f->len) == 0)
			return f->read(p, in, limits, err);
	}
	return error_set(err, ERROR_REFUSED, "this is no JPEG, PNG, GIF or WebP image");
}
