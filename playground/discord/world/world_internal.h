#ifndef PLAYGROUND_DISCORD_WORLD_WORLD_INTERNAL_H
#define PLAYGROUND_DISCORD_WORLD_WORLD_INTERNAL_H
/* What the sources of the world need. */
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/world.h"

#endif
