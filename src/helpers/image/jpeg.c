#include "helpers/image/picture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

#define MARKER_MAX 0xffff

/* libjpeg leaves a failing function by longjmp; warnings are recorded. */
struct reader {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	jmp_buf failed;
	char why[JMSG_LENGTH_MAX];
	bool cut;
};

static void on_error(j_common_ptr jpeg)
{
	struct reader *r = jpeg->client_data;

	jpeg->err->format_message(jpeg, r->why);
	longjmp(r->failed, 1);
}

static void on_message(j_common_ptr jpeg, int level)
{
	struct reader *r = jpeg->client_data;

	if (level < 0 && (jpeg->err->msg_code == JWRN_JPEG_EOF || jpeg->err->msg_code == JWRN_HIT_MARKER))
		r->cut = true;
}

static int orientation_of(const struct jpeg_decompress_struct *jpeg)
{
	for (const struct jpeg_marker_struct *m = jpeg->marker_list; m; m = m->next) {
		int o = m->marker == JPEG_APP0 + 1 ? picture_exif_orientation(m->data, m->data_length) : 1;
		if (o != 1)
			return o;
	}
	return 1;
}

/* Decoding to 1/2, 1/4 or 1/8 is cheaper than scaling down afterwards. */
static unsigned shrink_by(const struct jpeg_decompress_struct *jpeg, uint32_t edge)
{
	uint32_t longer = jpeg->image_width > jpeg->image_height ? jpeg->image_width : jpeg->image_height;
	unsigned by = 1;

	while (by < 8 && longer / (by * 2) >= edge)
		by *= 2;
	return by;
}

/* Widens a row of gray, RGB or CMYK samples, which are at its start, to RGBA. CMYK is stored inverted, as
 * Adobe does. */
static void widen(unsigned char *row, uint32_t width, int components)
{
	for (uint32_t x = width; x-- > 0;) {
		unsigned char *to = row + 4 * (size_t)x;
		const unsigned char *from = row + (size_t)components * x;
		unsigned char rgb[3] = {from[0], from[0], from[0]};
		for (int i = 0; i < 3 && components > 1; i++)
			rgb[i] = components == 4 ? (unsigned char)(from[i] * from[3] / 255) : from[i];
		to[0] = rgb[0];
		to[1] = rgb[1];
		to[2] = rgb[2];
		to[3] = 255;
	}
}

static int read_rows(struct reader *r, struct picture *p, struct error *err)
{
	if (picture_make(p, r->jpeg.output_width, r->jpeg.output_height, err) < 0)
		return -1;
	while (r->jpeg.output_scanline < r->jpeg.output_height) {
		JSAMPROW row = p->rgba + 4 * (size_t)p->width * r->jpeg.output_scanline;
		jpeg_read_scanlines(&r->jpeg, &row, 1);
		widen(row, p->width, r->jpeg.output_components);
	}
	jpeg_finish_decompress(&r->jpeg);
	return r->cut ? error_set(err, ERROR_REFUSED, "the JPEG image is not complete") : 0;
}

static int read_all(struct reader *r, struct picture *p, const struct buf *in,
    const struct picture_limits *limits, struct error *err)
{
	struct jpeg_decompress_struct *jpeg = &r->jpeg;

	jpeg_mem_src(jpeg, (const unsigned char *)in->data, in->len);
	jpeg_save_markers(jpeg, JPEG_APP0 + 1, MARKER_MAX);
	jpeg_read_header(jpeg, TRUE);
	if (picture_check_size(jpeg->image_width, jpeg->image_height, limits, err) < 0)
		return -1;
	p->full_width = jpeg->image_width;
	p->full_height = jpeg->image_height;
	p->orientation = orientation_of(jpeg);
	jpeg->scale_num = 1;
	jpeg->scale_denom = shrink_by(jpeg, limits->edge);
	if (jpeg->num_components == 4)
		jpeg->out_color_space = JCS_CMYK;
	else if (jpeg->num_components == 3)
		jpeg->out_color_space = JCS_RGB;
	else if (jpeg->num_components != 1)
		return error_set(
		    err, ERROR_REFUSED, "the JPEG image has %d colour components", jpeg->num_components);
	jpeg_start_decompress(jpeg);
	return read_rows(r, p, err);
}

int picture_read_jpeg(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err)
{
	struct reader *r = xcalloc(1, sizeof(*r));
	int rc;

	r->jpeg.err = jpeg_std_error(&r->errors);
	r->errors.error_exit = on_error;
	r->errors.emit_message = on_message;
	r->jpeg.client_data = r;
	if (setjmp(r->failed) == 0) {
		jpeg_create_decompress(&r->jpeg);
		rc = read_all(r, p, in, limits, err);
	} else {
		rc = error_set(err, ERROR_REFUSED, "the JPEG image is broken: %s", r->why);
	}
	jpeg_destroy_decompress(&r->jpeg);
	free(r);
	return rc;
}
