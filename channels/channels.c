#include "channels/channels.h"

#include <string.h>

#include "bus/channel.h"
#include "channels/console/console.h"
#include "channels/discord/discord.h"
#include "channels/slack/slack.h"
#include "channels/telegram/telegram.h"

const struct channel_ops *const channel_types[] = {
    &console_ops,
    &discord_ops,
    &slack_ops,
    &telegram_ops,
    NULL,
};

const struct channel_ops *channels_find(const char *type)
{
	for (size_t i = 0; channel_types[i]; i++) {
		if (strcmp(channel_types[i]->type, type) == 0)
			return channel_types[i];
	}
	return NULL;
}
