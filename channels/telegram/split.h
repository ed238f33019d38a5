#ifndef CHANNELS_TELEGRAM_SPLIT_H
#define CHANNELS_TELEGRAM_SPLIT_H
/* Cuts Markdown into messages. Telegram counts UTF-16 units, tags apart, and takes 4,096 (sendMessage, Bot
 * API 10.x). */
#include <stddef.h>

#define TELEGRAM_TEXT_UNITS 4096
/* Every part leaves room for this. */
#define TELEGRAM_REPEAT_MARK "\n\n(may be a repeat)"

/* channel_ops.split. Returns a NULL-terminated array of at least one valid UTF-8 Markdown text. Each part
 * renders alone within the limit, as HTML and as plain text. A part is blank only if the text is. */
char **telegram_split(const char *text);
/* The same for another limit, at least TELEGRAM_SPLIT_MIN. */
char **telegram_split_to(const char *text, size_t units);
#define TELEGRAM_SPLIT_MIN 500

#endif
