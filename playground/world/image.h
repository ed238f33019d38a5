#ifndef PLAYGROUND_WORLD_IMAGE_H
#define PLAYGROUND_WORLD_IMAGE_H
/* How large an image is, read from its first bytes: PNG, JPEG, GIF and WebP. */
#include <stdbool.h>
#include <stddef.h>

/* Returns false, with width and height unchanged, for anything else. */
bool image_size(const char *data, size_t len, unsigned *width, unsigned *height);

#endif
