#ifndef AGENT_IMAGES_H
#define AGENT_IMAGES_H
/*
 * Images of a conversation, for the model: their bytes when a request is built, what a model that sees says
 * of them for one that does not, and what is to be remembered of them. Private to the agent.
 */
#include <stdbool.h>

struct agent;
struct buf;
struct turn_state;
struct error;
struct json_object;
struct llm_image;
struct task;

/* Keeps an image that a tool has read, so that the model is shown it with the result: 0 with image, and a new
 * object that says what is shown; -1 with a sentence, image is as it was. */
int images_show(struct task *t, struct turn_state *d, const char *path, const struct buf *bytes,
    struct llm_image *image, struct json_object **shown, struct error *err);
/* For struct llm_image_loader, whose arg is the struct agent. */
int images_load(struct task *t, void *arg, const struct llm_image *image, struct buf *out, struct error *err);
/* Before each request: decides which images it shows. Where who is asked first sees none, and a provider is
 * named that describes them, each is described once. -1: cancelled. */
int images_prepare(struct task *t, struct turn_state *d, struct error *err);
/* After it: stores what was learned of images that are stored. What cannot be stored is logged, and learned
 * again. */
void images_remember(struct task *t, struct turn_state *d);

#endif
