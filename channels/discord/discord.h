#ifndef CHANNELS_DISCORD_DISCORD_H
#define CHANNELS_DISCORD_DISCORD_H
/* Discord: its gateway (v10) in, its REST API (v10) out. No port is opened. */
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

/* channel_ops.probe. */
int discord_probe(struct task *t, const void *settings, struct buf *found, struct error *err);

/* discord_ops.start with other limits, for tests that cannot wait for real ones. */
int discord_start_with(struct channel *ch, const struct discord_settings *settings,
    const struct discord_limits *limits, struct error *err);
/* The token was refused: the channel stops until a person puts that right. why is Discord's answer. */
void discord_refused(struct discord *d, const struct error *why);
/* The same for anything else that a person has to change; the sentence ends without a full stop. */
void discord_stopped(struct discord *d, const char *sentence);
/* Discord asked for a pause: no call that shows in this channel for ms, and when that is long, none anywhere
 * that nobody misses. */
void discord_pause(struct discord *d, const char *channel, uint64_t ms);
/* The id of the channel that messages to the address are posted to: its thread, where it has one. */
const char *discord_channel_of(const struct address *where);

#endif
