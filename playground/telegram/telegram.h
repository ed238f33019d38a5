#ifndef PLAYGROUND_TELEGRAM_TELEGRAM_H
#define PLAYGROUND_TELEGRAM_TELEGRAM_H
/* Telegram's Bot API, version 10.3 (2026-08-24), as far as methods.c lists it. */
#include "playground/platform.h"

/* Before anything begins: webhooks may be at that host, too, which is as in URLs and stays the caller's.
 * Returns false when it is none, or one too many. */
bool telegram_allow_webhook(const char *host);

extern const struct platform telegram_platform;

#endif
