#ifndef HELPERS_IMAGE_PICTURE_H
#define HELPERS_IMAGE_PICTURE_H
/* A picture in memory, and how it comes there and leaves again. Every function here says with a sentence in
 * err why it failed; nothing else of the process is changed then. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;

struct picture {
	unsigned char *rgba; /* 4 bytes a pixel, row by row, alpha not multiplied in; malloc'd */
	uint32_t width, height;
	uint32_t full_width, full_height; /* of the file, as it is to be seen */
	bool drawn;      /* comes from a format that loses nothing: a drawing or a screenshot, mostly */
	int orientation; /* 1 to 8, as Exif counts */
};

struct picture_limits {
	uint64_t pixels; /* of the file */
	uint32_t edge;   /* wanted in the end: what is larger may be decoded smaller, but not below it */
	size_t bytes;    /* of the result */
};

void picture_clear(struct picture *p);
/* Room for width x height pixels, or -1 when the file has more than it may. */
int picture_make(struct picture *p, uint32_t width, uint32_t height, struct error *err);
/* Within the limit? -1 when not, or when there is nothing in it. */
int picture_check_size(
    uint64_t width, uint64_t height, const struct picture_limits *limits, struct error *err);

/* The format is told by the first bytes alone. */
int picture_read(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err);
int picture_read_gif(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err);
int picture_read_jpeg(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err);
int picture_read_png(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err);
int picture_read_webp(
    struct picture *p, const struct buf *in, const struct picture_limits *limits, struct error *err);

/* Makes it so small that its longer side has at most edge pixels; each new pixel is the mean of what it
 * covers. */
void picture_shrink(struct picture *p, uint32_t edge);
/* Turns and mirrors it as its orientation says. */
void picture_turn(struct picture *p);
/* The orientation in Exif data (a TIFF header and what follows), 1 when there is none. */
int picture_exif_orientation(const unsigned char *data, size_t len);

/* Appends it as PNG or JPEG, within limits->bytes, smaller if it must be; *mime says as which. */
int picture_write(struct picture *p, const struct picture_limits *limits, struct buf *out, const char **mime,
    struct error *err);

#endif
