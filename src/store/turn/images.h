#ifndef STORE_TURN_IMAGES_H
#define STORE_TURN_IMAGES_H
/* What became known of the images of a message after it was stored. As in store/store.h, it suspends its
 * task. */
#include <stdint.h>

struct error;
struct llm_message;
struct store;
struct task;

/* Puts the images of a message, which has its row of the transcript, in the place of those that are stored. A
 * message that is gone stays so. */
int store_images_put(struct task *t, struct store *s, const struct llm_message *m, struct error *err);

#endif
