#ifndef CHANNELS_DISCORD_TEXT_H
#define CHANNELS_DISCORD_TEXT_H
/* Converts the text of a message to readable text: mentions, channels, emoji and times by name (API v10,
 * "Message Formatting"). */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct channel_command;
struct discord_self;
struct discord_cache;
struct json_object;

enum discord_text_flag {
	DISCORD_TEXT_TO_US = 1,     /* mentions the bot or its managed role */
	DISCORD_TEXT_TO_ANOTHER = 2 /* starts with a mention of another bot */
};

/* Appends the content of a message object without a leading mention of the bot. our_role: the bot's role
 * in the guild, 0 if none. Returns enum discord_text_flag. Pure; cache and menu may be NULL. */
unsigned discord_text_read(struct buf *out, struct json_object *message, const struct discord_self *self,
    struct discord_cache *cache, const struct channel_command *menu, unsigned long long our_role);
/* Appends stickers, polls and, if files is set, files, each in brackets on its own line. */
void discord_text_describe(struct buf *out, struct json_object *message, bool files);

#endif
