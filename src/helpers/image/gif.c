#include "helpers/image/picture.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

struct source {
	const struct buf *in;
	size_t at;
};

static int on_read(GifFileType *gif, GifByteType *to, int most)
{
	struct source *s = gif->UserData;
	size_t n = (size_t)most, left = s->in->len - s->at;

	n = n < left ? n : left;
	memcpy(to, s->in->data + s->at, n);
	s->at += n;
	return (int)n;
}

/* Reads the blocks of an extension; a graphic control extension gives the transparent colour. */
static int read_extension(GifFileType *gif, int *transparent)
{
	GraphicsControlBlock control;
	GifByteType *block;
	int code;

	if (DGifGetExtension(gif, &code, &block) == GIF_ERROR)
		return -1;
	while (block) {
		if (code == GRAPHICS_EXT_FUNC_CODE &&
		    DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
			*transparent = control.TransparentColor;
		if (DGifGetExtensionNext(gif, &block) == GIF_ERROR)
			return -1;
	}
	return 0;
}

/* Reads up to the first image. */
static int find_image(GifFileType *gif, int *transparent)
{
	GifRecordType type;

	for (;;) {
		if (DGifGetRecordType(gif, &type) == GIF_ERROR || type == TERMINATE_RECORD_TYPE)
			return -1;
		if (type == IMAGE_DESC_RECORD_TYPE)
			return DGifGetImageDesc(gif) == GIF_ERROR ? -1 : 0;
		if (type == EXTENSION_RECORD_TYPE && read_extension(gif, transparent) < 0)
			return -1;
	}
}

static void paint_row(const GifByteType *line, uint32_t width, const ColorMapObject *colours, int transparent,
    unsigned char *row)
{
	for (uint32_t x = 0; x < width; x++, row += 4) {
		if (line[x] == transparent || line[x] >= colours->ColorCount)
			continue;
		const GifColorType *c = &colours->Colors[line[x]];
		row[0] = c->Red;
		row[1] = c->Green;
		row[2] = c->Blue;
		row[3] = 255;
	}
}

/* Interlaced images come in four passes. */
static int read_rows(GifFileType *gif, struct picture *p, int transparent)
{
	static const uint32_t begins[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
	const ColorMapObject *colours = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
	uint32_t passes = gif->Image.Interlace ? 4 : 1;
	GifByteType *line = xmalloc(p->width);
	int rc = colours ? 0 : -1;

	for (uint32_t pass = 0; pass < passes && rc == 0; pass++)
		for (uint32_t y = passes > 1 ? begins[pass] : 0; y < p->height && rc == 0;
		     y += passes > 1 ? steps[pass] : 1) {
			if (DGifGetLine(gif, line, (int)p->width) == GIF_ERROR)
				rc = -1;
			else
				paint_row(
				    line, p->width, colours, transparent, p->rgba + 4 * (size_t)p->width * y);
		}
	free(line);
	return rc;
}

static int read_first(
    GifFileType *gif, struct picture *p, const struct picture_limits *limits, struct error *err)
{
	int transparent = NO_TRANSPARENT_COLOR;

	if (find_image(gif, &transparent) < 0)
		return error_set(err, ERROR_REFUSED, "the GIF image is broken: it has no frame");
	if (gif->Image.Width < 0 || gif->Image.Height < 0)
		return error_set(err, ERROR_REFUSED, "the GIF image is broken");
	p->full_width = (uint32_t)gif->Image.Width;
	p->full_height = (uint32_t)gif->Image.Height;
	if (picture_check_size(p->full_width, p->full_height, limits, err) < 0 ||
	    picture_make(p, p->full_width, p->full_height, err) < 0)
		return -1;
	if (read_rows(gif, p, transparent) < 0)
		return error_set(err, ERROR_REFUSED, "the GIF image is broken or not complete");
	return 0;
}

int picture_read_gif(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err)
{
	struct source source = {.in = in};
	int code = 0, rc;
	GifFileType *gif = DGifOpen(&source, on_read, &code);

	if (!gif)
		return error_set(err, ERROR_REFUSED, "the GIF image is broken");
	p->drawn = true;
	rc = read_first(gif, p, limits, err);
	DGifCloseFile(gif, &code);
	return rc;
}
