#ifndef TESTS_HELPERS_IMAGE_SAMPLES_H
#define TESTS_HELPERS_IMAGE_SAMPLES_H
/* Generates real images for tests. */
#include <stddef.h>
#include <stdint.h>

struct buf;

enum sample_format { SAMPLE_GIF, SAMPLE_JPEG, SAMPLE_PNG, SAMPLE_WEBP, SAMPLE_FORMATS };
extern const char *const sample_names[];

/* Red on the left, blue on the right; with clear, nothing in the upper half. A GIF has only the two
 * colours. */
void sample_add(struct buf *out, enum sample_format format, uint32_t width, uint32_t height, int clear);
/* Random pixels as PNG: incompressible. */
void sample_add_noise(struct buf *out, uint32_t width, uint32_t height);
/* Appends the JPEG with Exif orientation and a location in its comment. */
void sample_add_exif(struct buf *out, const struct buf *jpeg, int orientation);
/* A file of a few bytes that claims that many pixels. */
void sample_add_bomb(struct buf *out, enum sample_format format);

#endif
