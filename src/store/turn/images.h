#ifndef STORE_TURN_IMAGES_H
#define STORE_TURN_IMAGES_H
/* Updates the images of a stored message. Calls behave as in store/store.h. */
#include <stdint.h>

struct error;
struct llm_message;
struct store;
struct task;

/* Replaces the stored images of a transcript message. Does nothing when the message is gone. */
int store_images_put(struct task *t, struct store *s, const struct llm_message *m, struct error *err);

#endif
