#ifndef CHANNELS_TELEGRAM_SPLIT_H
#define CHANNELS_TELEGRAM_SPLIT_H
/* Cuts Markdown into messages. Telegram counts UTF-16 units, tags apart, and takes 4,096 (sendMessage, Bot
 * API 10.x). */
#include <stddef.h>

#define TELEGRAM_TEXT_UNITS 4096
/* Room for this is left in every part. */
#define TELEGRAM_REPEAT_MARK "\n\n(may be a repeat)"

/* channel_ops.split: a NULL-terminated array of Markdown texts, valid UTF-8, at least one. Each renders alone
 * to what Telegram takes, as HTML and as plain text. Only a text that is nothing but blanks gives a blank
 * part. */
char **telegram_split(const char *text);
/* The same for another limit, of at least TELEGRAM_SPLIT_MIN. */
char **telegram_split_to(const char *text, size_t units);
#define TELEGRAM_SPLIT_MIN 500

#endif
