#ifndef TESTS_HELPERS_IMAGE_SAMPLES_H
#define TESTS_HELPERS_IMAGE_SAMPLES_H
/* Real images, made for tests. */
#include <stddef.h>
#include <stdint.h>

struct buf;

enum sample_format { SAMPLE_GIF, SAMPLE_JPEG, SAMPLE_PNG, SAMPLE_WEBP, SAMPLE_FORMATS };
extern const char *const sample_names[];

/* Red on the left, blue on the right; with clear, nothing in the upper half. A GIF has only the two
 * colours. */
void sample_add(struct buf *out, enum sample_format format, uint32_t width, uint32_t height, int clear);
/* Pixels without any order, as PNG: they do not compress. */
void sample_add_noise(struct buf *out, uint32_t width, uint32_t height);
/* The same JPEG with Exif data that names the orientation, and a place in its comment. */
void sample_add_exif(struct buf *out, const struct buf *jpeg, int orientation);
/* A file of a few bytes that claims to have so many pixels. */
void sample_add_bomb(struct buf *out, enum sample_format format);

#endif
