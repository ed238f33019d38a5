#ifndef PLAYGROUND_TELEGRAM_WORLD_WORLD_INTERNAL_H
#define PLAYGROUND_TELEGRAM_WORLD_WORLD_INTERNAL_H
/* What the sources of the world need. */
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/world/people.h"
#include "playground/telegram/world/update.h"
#include "playground/telegram/world/world.h"
#include "playground/world/json_members.h"

#endif
