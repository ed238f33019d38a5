#ifndef PLAYGROUND_TELEGRAM_TELEGRAM_H
#define PLAYGROUND_TELEGRAM_TELEGRAM_H
/* Telegram's Bot API, version 10.3 (2026-08-24), as far as methods.c lists it. */
#include "playground/platform.h"

extern const struct platform telegram_platform;

#endif
