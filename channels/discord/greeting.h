#ifndef CHANNELS_DISCORD_GREETING_H
#define CHANNELS_DISCORD_GREETING_H
/* Greetings of servers that we joined just now. They wait for some seconds: who talks to us by then needs
 * none. */
#include <stdint.h>

#include "base/list.h"

struct discord;
struct error;
struct message;
struct task;

/* Takes the message. A second one of the same server is dropped. */
void discord_greeting_later(struct discord *d, uint64_t guild, struct message *m);
/* Somebody of this server talks to us. */
void discord_greeting_drop(struct discord *d, uint64_t guild);
/* When the next one is due (clock_now()); UINT64_MAX: none waits. */
uint64_t discord_greeting_due(const struct discord *d);
/* Commits those that are due. */
int discord_greeting_commit(struct task *t, struct discord *d, struct error *err);
void discord_greeting_clear(struct discord *d);

#endif
