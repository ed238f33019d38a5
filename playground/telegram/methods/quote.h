#ifndef PLAYGROUND_TELEGRAM_METHODS_QUOTE_H
#define PLAYGROUND_TELEGRAM_METHODS_QUOTE_H
/* The part of a message that a reply quotes (Bot API: TextQuote, ReplyParameters.quote). */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct formatted;

#define QUOTE_MAX 1024 /* UTF-16 units */

/* Is quote exactly a part of text, with its bold, italic, underline, strikethrough, spoiler, custom_emoji and
 * date_time entities? *position (UTF-16 units): in, where it is thought to be; out, the nearest place. */
bool quote_find(const struct formatted *text, const struct formatted *quote, size_t *position);
/* Appends the TextQuote. */
void quote_write(const char *quote, size_t position, struct buf *out);

#endif
