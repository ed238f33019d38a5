#include "helpers/image/picture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <png.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

/* A larger PNG is replaced by a JPEG, unless the image has transparency. */
#define PNG_MAX (512 * 1024)
/* Sides below this are not scaled down to save bytes. */
#define EDGE_MIN 64

struct writer {
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	jmp_buf failed;
	char why[JMSG_LENGTH_MAX];
	unsigned char *data;
	unsigned long len;
	unsigned char *row;
};

static void on_error(j_common_ptr jpeg)
{
	struct writer *w = jpeg->client_data;

	jpeg->err->format_message(jpeg, w->why);
	longjmp(w->failed, 1);
}

static bool is_opaque(const struct picture *p)
{
	size_t count = (size_t)p->width * p->height;

	for (size_t i = 0; i < count; i++)
		if (p->rgba[4 * i + 3] != 255)
			return false;
	return true;
}

/* Removes alpha: transparent pixels are blended with white. */
static void flatten(unsigned char *rgb, const unsigned char *rgba, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int c = 0; c < 3; c++) {
			unsigned a = rgba[4 * i + 3];
			rgb[3 * i + (size_t)c] =
			    (unsigned char)((rgba[4 * i + (size_t)c] * a + 255 * (255 - a) + 127) / 255);
		}
}

static int write_png(const struct picture *p, bool opaque, struct buf *out, struct error *err)
{
	png_image png = {.version = PNG_IMAGE_VERSION,
	    .width = p->width,
	    .height = p->height,
	    .format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA};
	size_t count = (size_t)p->width * p->height;
	png_alloc_size_t len = PNG_IMAGE_PNG_SIZE_MAX(png);
	unsigned char *rgb = opaque ? xmalloc(count * 3) : NULL, *to = xmalloc(len);

	if (opaque)
		flatten(rgb, p->rgba, count);
	int rc = png_image_write_to_memory(&png, to, &len, 0, opaque ? rgb : p->rgba, 0, NULL) ? 0 : -1;
	if (rc == 0)
		buf_add(out, to, len);
	else
		error_set(err, ERROR_OURS, "the image cannot be written as PNG: %s", png.message);
	png_image_free(&png);
	free(rgb);
	free(to);
	return rc;
}

static void write_rows(struct writer *w, const struct picture *p, int quality)
{
	struct jpeg_compress_struct *jpeg = &w->jpeg;

	jpeg_create_compress(jpeg);
	jpeg_mem_dest(jpeg, &w->data, &w->len);
	jpeg->image_width = p->width;
	jpeg->image_height = p->height;
	jpeg->input_components = 3;
	jpeg->in_color_space = JCS_RGB;
	jpeg_set_defaults(jpeg);
	jpeg_set_quality(jpeg, quality, TRUE);
	jpeg->optimize_coding = TRUE;
	jpeg_start_compress(jpeg, TRUE);
	while (jpeg->next_scanline < jpeg->image_height) {
		flatten(w->row, p->rgba + 4 * (size_t)p->width * jpeg->next_scanline, p->width);
		jpeg_write_scanlines(jpeg, &w->row, 1);
	}
	jpeg_finish_compress(jpeg);
}

static int write_jpeg(const struct picture *p, int quality, struct buf *out, struct error *err)
{
	struct writer *w = xcalloc(1, sizeof(*w));
	int rc = 0;

	w->jpeg.err = jpeg_std_error(&w->errors);
	w->errors.error_exit = on_error;
	w->jpeg.client_data = w;
	w->row = xmalloc((size_t)p->width * 3);
	if (setjmp(w->failed) == 0) {
		write_rows(w, p, quality);
		buf_add(out, w->data, w->len);
	} else {
		rc = error_set(err, ERROR_OURS, "the image cannot be written as JPEG: %s", w->why);
	}
	jpeg_destroy_compress(&w->jpeg);
	free(w->data);
	free(w->row);
	free(w);
	return rc;
}

/* Returns 1 when it fits into `most` bytes; 0 when it is larger. */
static int try_png(const struct picture *p, bool opaque, size_t most, struct buf *out, struct error *err)
{
	buf_reset(out);
	if (write_png(p, opaque, out, err) < 0)
		return -1;
	return out->len <= most;
}

static int try_jpeg(const struct picture *p, size_t most, struct buf *out, struct error *err)
{
	static const int qualities[] = {85, 70, 50};

	for (size_t i = 0; i < ARRAY_LEN(qualities); i++) {
		buf_reset(out);
		if (write_jpeg(p, qualities[i], out, err) < 0)
			return -1;
		if (out->len <= most)
			return 1;
	}
	return 0;
}

int picture_write(struct picture *p, const struct picture_limits *limits, struct buf *out, const char **mime,
    struct error *err)
{
	bool opaque = is_opaque(p);
	size_t png_max = opaque && limits->bytes > PNG_MAX ? PNG_MAX : limits->bytes;
	int rc = 0;

	*mime = "image/png";
	if (p->drawn || !opaque)
		rc = try_png(p, opaque, png_max, out, err);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	*mime = "image/jpeg";
	while ((rc = try_jpeg(p, limits->bytes, out, err)) == 0) {
		uint32_t longer = p->width > p->height ? p->width : p->height;
		if (longer / 2 < EDGE_MIN)
			return error_set(err, ERROR_REFUSED,
			    "the image cannot be made smaller than %zu bytes", limits->bytes);
		picture_shrink(p, longer / 2);
	}
	return rc < 0 ? -1 : 0;
}
