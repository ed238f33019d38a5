#ifndef CHANNELS_TELEGRAM_COMMANDS_H
#define CHANNELS_TELEGRAM_COMMANDS_H
/*
 * The list of commands that clients show (setMyCommands, Bot API 10.x). Set only when it has changed: bots
 * that set it at every start were blocked for minutes. Nothing depends on it.
 */
struct channel;
struct telegram;

/* In practice more are refused, though 100 and 256 characters each are documented. */
#define TELEGRAM_COMMANDS_MAX   50
#define TELEGRAM_COMMANDS_CHARS 5700

/* Starts the task that sets it; once. */
void telegram_commands_start(struct telegram *tg);
/* channel_ops.admins_changed: sets it anew where it is another one now. */
void telegram_commands_admins_changed(struct channel *ch);

#endif
