#ifndef CHANNELS_TELEGRAM_ACCOUNT_H
#define CHANNELS_TELEGRAM_ACCOUNT_H
/* Who the bot is, and where its stream of updates was left. */
struct error;
struct task;
struct telegram;

/* Fills tg->self from the token, which begins with the bot's id. */
void telegram_account_init(struct telegram *tg, const char *channel, const char *token);
/* getMe, deleteWebhook, the stored offset: tried until they succeed. -1: cancelled, or the token was
 * refused. */
int telegram_account_load(struct task *t, struct telegram *tg, struct error *err);
/* One deleteWebhook, which keeps the updates that wait. */
int telegram_account_drop_webhook(struct task *t, struct telegram *tg, struct error *err);

#endif
