#ifndef CHANNELS_DISCORD_GREETING_H
#define CHANNELS_DISCORD_GREETING_H
/* Greets guilds that the bot has just joined, after a few seconds. A guild where somebody addresses the
 * bot in that time gets no greeting. */
#include <stdint.h>

#include "base/list.h"

struct discord;
struct error;
struct message;
struct task;

/* Takes the message. Drops a second one of the same guild. */
void discord_greeting_later(struct discord *d, uint64_t guild, struct message *m);
/* Drops the guild's greeting, because a person addresses the bot there. */
void discord_greeting_drop(struct discord *d, uint64_t guild);
/* Returns when the next greeting is due (clock_now()); UINT64_MAX: none. */
uint64_t discord_greeting_due(const struct discord *d);
/* Commits the greetings that are due. Suspends. */
int discord_greeting_commit(struct task *t, struct discord *d, struct error *err);
void discord_greeting_clear(struct discord *d);

#endif
