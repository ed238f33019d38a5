#ifndef CHANNELS_DISCORD_SEND_H
#define CHANNELS_DISCORD_SEND_H
/* Implements channel_ops' admit, send and reconcile. */
struct channel;
struct error;
struct outbound;
struct task;

int discord_send_admit(
    struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
int discord_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);
/* Sends an interrupted delivery again with the same nonce, as long as Discord remembers it. */
int discord_send_reconcile(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);
/* out holds DISCORD_NONCE_MAX bytes. A delivery keeps its nonce over restarts; in another database it has
 * another. */
void discord_send_nonce(const struct outbound *delivery, char *out);

#endif
