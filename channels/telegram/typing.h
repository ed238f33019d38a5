#ifndef CHANNELS_TELEGRAM_TYPING_H
#define CHANNELS_TELEGRAM_TYPING_H
/* sendChatAction: channel_ops' typing. */
struct address;
struct channel;
struct error;
struct task;

int telegram_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);

#endif
