#ifndef CHANNELS_SLACK_ACCOUNT_H
#define CHANNELS_SLACK_ACCOUNT_H
/* Identifies the bot (auth.test) and loads the stored state. */
struct error;
struct slack;
struct task;

/* Retries while that can help. Suspends. Returns -1 when cancelled or when the channel has stopped. */
int slack_account_load(struct task *t, struct slack *sk, struct error *err);
/* Call before the bot writes in a thread: later messages there may be for the bot, also after a restart. */
void slack_account_note_thread(struct slack *sk, const char *chat, const char *thread);

#endif
