#ifndef PLAYGROUND_MODEL_IMAGES_H
#define PLAYGROUND_MODEL_IMAGES_H
/* Validates images in requests of any wire format, with the provider's error texts; decodes only their
 * headers. A model whose name ends with "-blind" refuses images as OpenRouter does. */

#include <stddef.h>

struct conversation;
struct json_object;
struct refusal;

/* Checks all images of messages or input. Returns 0, or -1 with the refusal. */
int images_check(struct json_object *request, struct refusal *r);
/* Returns the tokens that the images of a valid request cost, and the bytes of their base64 in *text_len. */
size_t images_tokens(struct json_object *request, size_t *text_len);
/* Adds a description of each image ("640x480 PNG") to d, including those in tool results. Returns their
 * number. */
int images_read(struct json_object *content, struct conversation *d);

#endif
