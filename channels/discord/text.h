#ifndef CHANNELS_DISCORD_TEXT_H
#define CHANNELS_DISCORD_TEXT_H
/* The text of a message as a person reads it: mentions, channels, emoji and times by name ("Message
 * Formatting", API v10). */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct discord_self;
struct discord_cache;
struct json_object;

enum discord_text_flag {
	DISCORD_TEXT_TO_US = 1,     /* names us, or the role that is ours */
	DISCORD_TEXT_TO_ANOTHER = 2 /* begins with the name of another bot */
};

/* Appends the content of a message object; our own name at its beginning is left out. our_role: in its
 * server, 0 if none. Returns enum discord_text_flag. Pure; cache may be NULL. */
unsigned discord_text_read(struct buf *out, struct json_object *message, const struct discord_self *self,
    struct discord_cache *cache, unsigned long long our_role);
/* What is in the message beside its text: stickers, polls and, where they are asked for, files: in brackets,
 * each on a line. */
void discord_text_describe(struct buf *out, struct json_object *message, bool files);

#endif
