#ifndef CHANNELS_DISCORD_ACCOUNT_H
#define CHANNELS_DISCORD_ACCOUNT_H
/* Who the bot is, what it may hear, and what the journal knows of it. */
struct discord;
struct error;
struct task;

/* Asks until all is known. -1: cancelled, or the token was refused. */
int discord_account_load(struct task *t, struct discord *d, struct error *err);

#endif
