#ifndef CHANNELS_TELEGRAM_TELEGRAM_H
#define CHANNELS_TELEGRAM_TELEGRAM_H
/* The Telegram channel (Bot API 10.x): long polling in, sendMessage out. Opens no port. */
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

/* channel_ops.probe. Suspends. */
int telegram_probe(struct task *t, const void *settings, struct buf *found, struct error *err);

/* telegram_ops.start with other limits, for tests. */
int telegram_start_with(struct channel *ch, const struct telegram_settings *settings,
    const struct telegram_limits *limits, struct error *err);
/* Stops the channel because Telegram refused the token. why is Telegram's error. */
void telegram_refused(struct telegram *tg, const struct error *why);
/* Telegram asked for a pause: blocks calls to this chat for ms, and if that is long, optional calls
 * (typing, previews) to all chats. */
void telegram_pause(struct telegram *tg, const char *chat, uint64_t ms);

#endif
