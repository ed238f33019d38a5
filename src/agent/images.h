#ifndef AGENT_IMAGES_H
#define AGENT_IMAGES_H
/*
 * Images of a conversation: their bytes for a request, descriptions by a vision model for models without
 * vision, and what is learned about them.
 */
#include <stdbool.h>

struct agent;
struct buf;
struct turn_state;
struct error;
struct json_object;
struct llm_image;
struct task;

/* Stores an image that a tool read, so that the model sees it with the result. Returns 0 with image and a
 * new object that describes what is shown, or -1 with an error sentence and image unchanged. Suspends. */
int images_show(struct task *t, struct turn_state *d, const char *path, const struct buf *bytes,
    struct llm_image *image, struct json_object **shown, struct error *err);
/* Implements struct llm_image_loader; arg is the struct agent. */
int images_load(struct task *t, void *arg, const struct llm_image *image, struct buf *out, struct error *err);
/* Before each request: chooses the images to show. If the first provider has no vision and a describing
 * provider is configured, gets a description of each image once. Returns -1 when cancelled. */
int images_prepare(struct task *t, struct turn_state *d, struct error *err);
/* After each request: stores what was learned about images. Logs what cannot be stored; it will be learned
 * again. */
void images_remember(struct task *t, struct turn_state *d);

#endif
