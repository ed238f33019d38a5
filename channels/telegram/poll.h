#ifndef CHANNELS_TELEGRAM_POLL_H
#define CHANNELS_TELEGRAM_POLL_H
/* The loop around getUpdates (Bot API 10.x): one poll at a time, its offset moved only after a commit. */
struct task;
struct telegram;

/* Starts the task that settles the account and polls, and its watchdog. */
void telegram_poll_start(struct telegram *tg);
/* After the poller has ended: one short call with the offset, so that what was handled is confirmed. */
void telegram_poll_confirm(struct task *t, struct telegram *tg);

#endif
