#ifndef PLAYGROUND_SLACK_WORLD_WORLD_INTERNAL_H
#define PLAYGROUND_SLACK_WORLD_WORLD_INTERNAL_H
/* What the sources of the world need. */
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/slack/control/control.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/world/message.h"
#include "playground/slack/world/world.h"
#include "playground/world/json_members.h"

#endif
