#ifndef PLAYGROUND_TELEGRAM_METHODS_REACTIONS_H
#define PLAYGROUND_TELEGRAM_METHODS_REACTIONS_H
/* The emoji that Telegram allows as reactions. */
#include <stdbool.h>

bool reaction_is_known(const char *emoji);

#endif
