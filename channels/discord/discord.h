#ifndef CHANNELS_DISCORD_DISCORD_H
#define CHANNELS_DISCORD_DISCORD_H
/* The Discord channel: gateway (v10) in, REST API (v10) out. Opens no port. */
#include <stdint.h>

struct address;
struct buf;
struct channel;
struct channel_ops;
struct discord;
struct discord_limits;
struct discord_settings;
struct error;
struct task;

extern const struct channel_ops discord_ops;

/* channel_ops.probe. Suspends. */
int discord_probe(struct task *t, const void *settings, struct buf *found, struct error *err);

/* discord_ops.start with other limits, for tests. */
int discord_start_with(struct channel *ch, const struct discord_settings *settings,
    const struct discord_limits *limits, struct error *err);
/* Stops the channel because Discord refused the token. why is Discord's error. */
void discord_refused(struct discord *d, const struct error *why);
/* Stops the channel until the operator changes something; the sentence has no final full stop. */
void discord_stopped(struct discord *d, const char *sentence);
/* Discord asked for a pause: blocks calls to this channel for ms, and if that is long, optional calls
 * (typing, previews) everywhere. */
void discord_pause(struct discord *d, const char *channel, uint64_t ms);
/* Returns the id of the channel to post to: the thread of the address if it has one. Borrowed from where. */
const char *discord_channel_of(const struct address *where);

#endif
