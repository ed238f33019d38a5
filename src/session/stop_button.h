#ifndef SESSION_STOP_BUTTON_H
#define SESSION_STOP_BUTTON_H
/* The button that ends a turn, under the message that shows its answer as it grows. Private to sessions. */
#include <stdbool.h>

#include "session/access/access.h"

struct message;
struct session;
struct sessions;

/* For the turn that is about to run: as struct outbound has buttons, malloc'd. It works until the next call,
 * and not after a restart. */
char *stop_button_new(struct session *s);
/* Is m a press of such a button? Then it was done, and *say is what the person is told, NULL for nothing. */
bool stop_button_pressed(
    struct sessions *all, const struct message *m, enum access_role role, const char **say);

#endif
