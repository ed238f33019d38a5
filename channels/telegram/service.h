#ifndef CHANNELS_TELEGRAM_SERVICE_H
#define CHANNELS_TELEGRAM_SERVICE_H
/* What Telegram tells by itself, without words of a person (Bot API 10.x). Pure, as update.h. */
#include <stdbool.h>

#include "channels/telegram/update.h"

/* A Message of which chat and sender were read: does it say that a group has become a supergroup? Either side
 * says so. */
bool telegram_service_moved(struct message *out, struct json_object *message);
/* ChatMemberUpdated about ourselves: a message when we were added to a group. */
enum telegram_update telegram_service_member(
    struct message *out, struct json_object *member, const struct telegram_self *self);
/* The stop button of a draft (stopped_message_generation): the same as /stop. */
enum telegram_update telegram_service_stopped(
    struct message *out, struct json_object *stopped, const struct telegram_self *self);

#endif
