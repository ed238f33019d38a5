#ifndef CHANNELS_TELEGRAM_RETRY_H
#define CHANNELS_TELEGRAM_RETRY_H
/* What the poller does after a call that failed. */
struct error;
struct task;
struct telegram;
struct telegram_outcome;

/* Says so in the channel's status, and waits as the outcome asks. 0: try again. -1: cancelled, or the token
 * was refused and the channel has stopped. */
int telegram_retry_wait(
    struct task *t, struct telegram *tg, const struct telegram_outcome *outcome, struct error *err);
/* The same after an error of our own side, e.g. a full disk. */
int telegram_retry_wait_error(
    struct task *t, struct telegram *tg, const struct error *why, struct error *err);

#endif
