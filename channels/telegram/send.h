#ifndef CHANNELS_TELEGRAM_SEND_H
#define CHANNELS_TELEGRAM_SEND_H
/* The way out: sendMessage and "typing". These are channel_ops' admit, send and typing. */
struct address;
struct channel;
struct error;
struct outbound;
struct task;

int telegram_send_admit(struct task *t, struct channel *ch, const struct outbound *row, struct error *err);
void telegram_send_row(struct task *t, struct channel *ch, const struct outbound *row);
int telegram_send_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);

#endif
