#ifndef CHANNELS_DISCORD_TYPING_H
#define CHANNELS_DISCORD_TYPING_H
/* channel_ops.typing. Discord shows it for ten seconds. */
#include <stdint.h>

struct address;
struct channel;
struct error;
struct task;

#define DISCORD_TYPINGS 64

struct discord_typings {
	struct {
		uint64_t channel, at_ms;
	} shown[DISCORD_TYPINGS]; /* a ring */
	unsigned next;
};

int discord_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);

#endif
