#ifndef PLAYGROUND_SLACK_METHODS_PINS_H
#define PLAYGROUND_SLACK_METHODS_PINS_H
/* Pinned messages of a conversation. */
struct slk_conv;
struct slk_message;

/* Send the event. user: an id. Return NULL or the error. */
const char *slk_pin_add(struct slk_conv *c, struct slk_message *m, const char *user);
const char *slk_pin_remove(struct slk_conv *c, struct slk_message *m, const char *user);

#endif
