#include "helpers/image/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>

#include "base/buf.h"
#include "base/mem.h"

const char *const sample_names[] = {"GIF", "JPEG", "PNG", "WebP"};

static const unsigned char red[] = {255, 0, 0}, blue[] = {0, 0, 255};

static unsigned char *pixels(uint32_t width, uint32_t height, int clear)
{
	unsigned char *rgba = xmalloc((size_t)width * height * 4), *px = rgba;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++, px += 4) {
			memcpy(px, x < width / 2 ? red : blue, 3);
			px[3] = clear && y < height / 2 ? 0 : 255;
		}
	return rgba;
}

static void add_png(struct buf *out, const unsigned char *rgba, uint32_t width, uint32_t height)
{
	png_image png = {
	    .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
	png_alloc_size_t len = PNG_IMAGE_PNG_SIZE_MAX(png);

	unsigned char *data = xmalloc(len);
	if (png_image_write_to_memory(&png, data, &len, 0, rgba, 0, NULL))
		buf_add(out, data, len);
	free(data);
}

static void add_webp(struct buf *out, const unsigned char *rgba, uint32_t width, uint32_t height)
{
	uint8_t *data = NULL;
	size_t len = WebPEncodeRGBA(rgba, (int)width, (int)height, (int)width * 4, 90, &data);

	buf_add(out, data, len);
	WebPFree(data);
}

static void add_jpeg(struct buf *out, const unsigned char *rgba, uint32_t width, uint32_t height)
{
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	unsigned char *data = NULL, *row = xmalloc((size_t)width * 3);
	unsigned long len = 0;

	jpeg.err = jpeg_std_error(&errors);
	jpeg_create_compress(&jpeg);
	jpeg_mem_dest(&jpeg, &data, &len);
	jpeg.image_width = width;
	jpeg.image_height = height;
	jpeg.input_components = 3;
	jpeg.in_color_space = JCS_RGB;
	jpeg_set_defaults(&jpeg);
	jpeg_start_compress(&jpeg, TRUE);
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x++)
			memcpy(row + (size_t)3 * x, rgba + 4 * ((size_t)y * width + x), 3);
		jpeg_write_scanlines(&jpeg, &row, 1);
	}
	jpeg_finish_compress(&jpeg);
	buf_add(out, data, len);
	jpeg_destroy_compress(&jpeg);
	free(data);
	free(row);
}

static int on_write(GifFileType *gif, const GifByteType *data, int len)
{
	buf_add(gif->UserData, data, (size_t)len);
	return len;
}

static void add_gif(struct buf *out, uint32_t width, uint32_t height, int clear)
{
	GifColorType colours[] = {{255, 0, 0}, {0, 0, 255}, {0, 255, 0}, {0, 0, 0}};
	GraphicsControlBlock control = {.TransparentColor = clear ? 3 : NO_TRANSPARENT_COLOR};
	ColorMapObject *map = GifMakeMapObject(4, colours);
	GifByteType *line = xmalloc(width), extension[4];
	int code;
	GifFileType *gif = EGifOpen(out, on_write, &code);

	EGifSetGifVersion(gif, true);
	EGifPutScreenDesc(gif, (int)width, (int)height, 2, 0, map);
	EGifGCBToExtension(&control, extension);
	EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, extension);
	EGifPutImageDesc(gif, 0, 0, (int)width, (int)height, false, NULL);
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x++)
			line[x] = clear && y < height / 2 ? 3 : x >= width / 2;
		EGifPutLine(gif, line, (int)width);
	}
	EGifCloseFile(gif, &code);
	GifFreeMapObject(map);
	free(line);
}

void sample_add(struct buf *out, enum sample_format format, uint32_t width, uint32_t height, int clear)
{
	static void (*const add[])(struct buf * out, const unsigned char *rgba, uint32_t width,
	    uint32_t height) = {[SAMPLE_JPEG] = add_jpeg, [SAMPLE_PNG] = add_png, [SAMPLE_WEBP] = add_webp};
	unsigned char *rgba;

	if (format == SAMPLE_GIF) {
		add_gif(out, width, height, clear);
		return;
	}
	rgba = pixels(width, height, clear);
	add[format](out, rgba, width, height);
	free(rgba);
}

void sample_add_noise(struct buf *out, uint32_t width, uint32_t height)
{
	unsigned char *rgba = pixels(width, height, 0);
	uint32_t n = 1;

	for (size_t i = 0; i < (size_t)width * height * 4; i++) {
		n = n * 1664525 + 1013904223;
		rgba[i] = i % 4 == 3 ? 255 : (unsigned char)(n >> 24);
	}
	add_png(out, rgba, width, height);
	free(rgba);
}

void sample_add_exif(struct buf *out, const struct buf *jpeg, int orientation)
{
	char exif[] = "\xff\xe1\0?Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0?\0\0\0\0\0\0\0"
		      "52 degrees north, 13 degrees";

	exif[28] = (char)orientation;
	exif[3] = (char)(sizeof(exif) - 1 - 2);
	buf_add(out, jpeg->data, 2);
	buf_add(out, exif, sizeof(exif) - 1);
	buf_add(out, jpeg->data + 2, jpeg->len - 2);
}

void sample_add_bomb(struct buf *out, enum sample_format format)
{
	static const struct {
		const char *bytes;
		size_t len;
	} bombs[] = {
	    [SAMPLE_GIF] = {"GIF89a\x60\xea\x60\xea\x80\0\0\0\0\0\xff\xff\xff,"
			    "\0\0\0\0\x60\xea\x60\xea\0\x02\x02\x44\x01\0;",
		34},
	    [SAMPLE_JPEG] = {"\xff\xd8\xff\xc0\0\x0b\x08\xea\x60\xea\x60\x01\x01\x11\0\xff\xda\0\x08\x01\x01"
			     "\0\0\x3f\0\0\xff\xd9",
		28},
	    [SAMPLE_PNG] = {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0", 29},
	    [SAMPLE_WEBP] = {"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\xff\xff\xff\x0f\0\0\0\0\0\0\0\0\0", 34},
	};

	buf_add(out, bombs[format].bytes, bombs[format].len);
	if (format == SAMPLE_PNG)
		buf_add(out, "\x80\xd2\x75\x42\0\0\0\0IDAT\x35\xaf\x06\x1e", 16);
}
