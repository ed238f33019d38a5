#ifndef CHANNELS_DISCORD_SPLIT_H
#define CHANNELS_DISCORD_SPLIT_H
/* Cuts Markdown into messages. Discord counts code points, marks and all, and takes 2,000 of them from a
 * bot. */

#define DISCORD_TEXT_CHARS 2000
/* Every part leaves room for this. */
#define DISCORD_REPEAT_MARK "\n\n(may be a repeat)"

/* channel_ops.split. Returns a NULL-terminated array of at least one valid UTF-8 Markdown text. Each part
 * renders alone within the limit. A part is blank only if the text is. */
char **discord_split(const char *text);

#endif
