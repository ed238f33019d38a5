#include <stddef.h>

#include "playground/discord/discord.h"
#include "playground/platform.h"
#include "playground/slack/slack.h"
#include "playground/telegram/telegram.h"

const struct platform *const platforms[] = {
    &slack_platform,
    &discord_platform,
    &telegram_platform,
    NULL,
};
