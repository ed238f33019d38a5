#ifndef CHANNELS_TELEGRAM_TELEGRAM_H
#define CHANNELS_TELEGRAM_TELEGRAM_H
/* Telegram through the Bot API (10.x): long polling in, sendMessage out. No port is opened. */
#include <stdbool.h>
#include <stdint.h>

struct buf;
struct channel;
struct channel_ops;
struct error;
struct task;
struct telegram;
struct telegram_limits;
struct telegram_settings;

extern const struct channel_ops telegram_ops;

/* channel_ops.probe. */
int telegram_probe(struct task *t, const void *settings, struct buf *found, struct error *err);

/* telegram_ops.start with other limits, for tests that cannot wait for real ones. */
int telegram_start_with(struct channel *ch, const struct telegram_settings *settings,
    const struct telegram_limits *limits, struct error *err);
/* The token was refused: the channel stops until a person puts that right. why is Telegram's answer. */
void telegram_refused(struct telegram *tg, const struct error *why);
/* Telegram asked for a pause: no call to this chat for ms, and when that is long, no call anywhere that
 * nobody misses. */
void telegram_pause(struct telegram *tg, const char *chat, uint64_t ms);

#endif
