#ifndef CHANNELS_TELEGRAM_SEND_H
#define CHANNELS_TELEGRAM_SEND_H
/* The way out. These are channel_ops' admit and send. */
struct channel;
struct error;
struct outbound;
struct task;

int telegram_send_admit(
    struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
int telegram_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);

#endif
