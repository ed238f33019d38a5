#ifndef HELPERS_IMAGE_PICTURE_H
#define HELPERS_IMAGE_PICTURE_H
/* Decodes, scales and encodes pictures. Every function explains its failure in err; it changes nothing else
 * of the process then. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;

struct picture {
	unsigned char *rgba; /* 4 bytes a pixel, row by row, straight alpha; malloc'd */
	uint32_t width, height;
	uint32_t full_width, full_height; /* of the file, after orientation */
	bool drawn;                       /* from a lossless format: usually a drawing or a screenshot */
	int orientation;                  /* 1 to 8, as in Exif */
};

struct picture_limits {
	uint64_t pixels; /* maximum of the file */
	/* target of the longer side: a larger picture may be decoded smaller, but not below it */
	uint32_t edge;
	size_t bytes; /* maximum of the result */
};

void picture_clear(struct picture *p);
/* Allocates width x height pixels; returns -1 above the limit. */
int picture_make(struct picture *p, uint32_t width, uint32_t height, struct error *err);
/* Returns -1 when the size is 0 or above the limit. */
int picture_check_size(
    uint64_t width, uint64_t height, const struct picture_limits *limits, struct error *err);

/* The first bytes alone determine the format. */
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

/* Shrinks it until its longer side has at most edge pixels; each new pixel is the mean of those that it
 * covers. */
void picture_shrink(struct picture *p, uint32_t edge);
/* Rotates and mirrors it by its orientation. */
void picture_turn(struct picture *p);
/* Returns the orientation in Exif data (a TIFF header and what follows), 1 for none. */
int picture_exif_orientation(const unsigned char *data, size_t len);

/* Appends it as PNG or JPEG (*mime) of at most limits->bytes, smaller if necessary. */
int picture_write(struct picture *p, const struct picture_limits *limits, struct buf *out, const char **mime,
    struct error *err);

#endif
