#ifndef CHANNELS_SLACK_SEND_H
#define CHANNELS_SLACK_SEND_H
/* Deliveries of the outbox to messages: channel_ops' admit, send and reconcile. */
struct channel;
struct error;
struct outbound;
struct task;

int slack_send_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
int slack_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);
/* Looks in the conversation for a message that carries the delivery's id. */
int slack_send_reconcile(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);

#endif
