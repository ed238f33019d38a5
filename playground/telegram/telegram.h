#ifndef PLAYGROUND_TELEGRAM_TELEGRAM_H
#define PLAYGROUND_TELEGRAM_TELEGRAM_H
/* Telegram's Bot API, version 10.3 (2026-08-24), as far as methods.table lists it. */
#include "playground/platform.h"

/* Allows webhooks at a further host, which is written as in URLs and borrowed. Call it before the start.
 * Returns false for an invalid host, or one too many. */
bool telegram_allow_webhook(const char *host);

extern const struct platform telegram_platform;

#endif
