#ifndef CHANNELS_DISCORD_COMMANDS_H
#define CHANNELS_DISCORD_COMMANDS_H
/*
 * Slash commands (Bulk Overwrite Global Application Commands, API v10). Set only when they have changed: 200
 * may be created in a day. Nothing depends on them: what is typed as text works, too.
 */
struct discord;

/* Starts the task that sets them; once. */
void discord_commands_start(struct discord *d);

#endif
