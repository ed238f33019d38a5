#ifndef PLAYGROUND_TELEGRAM_WORLD_DELIVER_H
#define PLAYGROUND_TELEGRAM_WORLD_DELIVER_H
/* Which bots learn of a message. */
#include <stdbool.h>

struct chat;
struct message;

/* Puts the new or edited message of a person into the queues of the bots that may see it. */
void deliver_message(struct chat *c, const struct message *m, bool edited);

#endif
