#ifndef PLAYGROUND_MODEL_IMAGES_H
#define PLAYGROUND_MODEL_IMAGES_H
/* Validates images in requests of any wire format, with the provider's error texts; decodes only their
 * headers. A model whose name ends with "-blind" refuses images as OpenRouter does. */

struct conversation;
struct json_object;
struct refusal;

/* Checks all images of messages or input. Returns 0, or -1 with the refusal. */
int images_check(struct json_object *request, struct refusal *r);
/* Adds a description of each image ("640x480 PNG") to d, including those in tool results. Returns their
 * number. */
int images_read(struct json_object *content, struct conversation *d);

#endif
