#include <stddef.h>

#include "playground/platform.h"
#include "playground/slack/slack.h"
#include "playground/telegram/telegram.h"

const struct platform *const platforms[] = {
    &slack_platform,
    &telegram_platform,
    NULL,
};
