#ifndef CHANNELS_DISCORD_REACT_H
#define CHANNELS_DISCORD_REACT_H
/* channel_ops.react. A channel that refuses one is not asked again. */
#include <stdint.h>

struct address;
struct channel;
struct error;
struct task;

#define DISCORD_REACTIONS 64

struct discord_reactions {
	struct {
		uint64_t message;
		char emoji[40];
	} ours[DISCORD_REACTIONS];           /* that we put, a ring */
	uint64_t refused[DISCORD_REACTIONS]; /* channels, a ring */
	unsigned next, next_refused;
};

int discord_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

#endif
