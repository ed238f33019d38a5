#ifndef CHANNELS_DISCORD_SPLIT_H
#define CHANNELS_DISCORD_SPLIT_H
/* Cuts Markdown into messages. Discord counts code points, marks and all, and takes 2,000 of them from a
 * bot. */

#define DISCORD_TEXT_CHARS 2000
/* Room for this is left in every part. */
#define DISCORD_REPEAT_MARK "\n\n(may be a repeat)"

/* channel_ops.split: a NULL-terminated array of Markdown texts, valid UTF-8, at least one. Each renders alone
 * to what Discord takes. Only a text that is nothing but blanks gives a blank part. */
char **discord_split(const char *text);

#endif
