#ifndef CHANNELS_SLACK_ACCOUNT_H
#define CHANNELS_SLACK_ACCOUNT_H
/* Who we are (auth.test), and what is remembered over restarts. */
struct error;
struct slack;
struct task;

/* Finds out who the bot is and reads what is remembered, trying again as long as that may help. -1:
 * cancelled, or the channel has stopped. */
int slack_account_load(struct task *t, struct slack *sk, struct error *err);
/* We are about to write in a thread: what is said there from now on may be for us, also after a restart. */
void slack_account_note_thread(struct slack *sk, const char *chat, const char *thread);

#endif
