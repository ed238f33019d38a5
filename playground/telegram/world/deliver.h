#ifndef PLAYGROUND_TELEGRAM_WORLD_DELIVER_H
#define PLAYGROUND_TELEGRAM_WORLD_DELIVER_H
/* Decides which bots get a message. */
#include <stdbool.h>

struct chat;
struct message;

/* Queues a person's new or edited message for the bots that may see it. */
void deliver_message(struct chat *c, const struct message *m, bool edited);

#endif
