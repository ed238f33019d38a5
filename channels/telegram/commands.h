#ifndef CHANNELS_TELEGRAM_COMMANDS_H
#define CHANNELS_TELEGRAM_COMMANDS_H
/* Sets the command menu of clients (setMyCommands, Bot API 10.x), only when it changed: Telegram blocks
 * bots for minutes that set it at every start. Best effort. */
struct channel;
struct telegram;

/* Telegram refuses larger lists, though it documents 100 commands of 256 characters each. */
#define TELEGRAM_COMMANDS_MAX   50
#define TELEGRAM_COMMANDS_CHARS 5700

/* Starts the task that sets the menu. Call it once. */
void telegram_commands_start(struct telegram *tg);
/* channel_ops.admins_changed: updates the menu if it differs now. */
void telegram_commands_admins_changed(struct channel *ch);

#endif
