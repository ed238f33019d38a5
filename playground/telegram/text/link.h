#ifndef PLAYGROUND_TELEGRAM_TEXT_LINK_H
#define PLAYGROUND_TELEGRAM_TEXT_LINK_H
/* Links in formatted text: ordinary ones, and tg:// links to a user, emoji or time. */
#include <stddef.h>

#include "playground/telegram/text/formatted.h"

struct error;

/* Adds a text_link, or a text_mention for tg://user?id=N. Drops an invalid URL, as the platform does. */
void link_add(struct formatted *f, size_t offset, size_t length, const char *url);
/* custom_emoji (value: its id) or date_time (value: Unix time; format may be NULL). */
int link_add_special(struct formatted *f, enum entity_type type, size_t offset, size_t length,
    const char *value, const char *format, struct error *err);
/* Would the platform open it: a URL with a known scheme, or a host name? */
bool link_is_valid(const char *url);

#endif
