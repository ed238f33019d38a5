#ifndef PLAYGROUND_TELEGRAM_METHODS_QUOTE_H
#define PLAYGROUND_TELEGRAM_METHODS_QUOTE_H
/* Quotes of replies (Bot API: TextQuote, ReplyParameters.quote). */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct formatted;

#define QUOTE_MAX 1024 /* UTF-16 units */

/* Is quote an exact part of text, including its bold, italic, underline, strikethrough, spoiler,
 * custom_emoji and date_time entities? *position (UTF-16 units) is in: the expected, out: the nearest
 * position. */
bool quote_find(const struct formatted *text, const struct formatted *quote, size_t *position);
/* Appends the TextQuote. */
void quote_write(const char *quote, size_t position, struct buf *out);

#endif
