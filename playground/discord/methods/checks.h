#ifndef PLAYGROUND_DISCORD_METHODS_CHECKS_H
#define PLAYGROUND_DISCORD_METHODS_CHECKS_H
/* What the tables cannot say of objects in request bodies. The members of o have the right types. */
#include "playground/discord/http/errors.h"

typedef void cord_check_fn(struct json_object *o, struct cord_errors *e);

cord_check_fn cord_check_allowed_mentions, cord_check_button, cord_check_command, cord_check_embed,
    cord_check_option, cord_check_row, cord_check_select;

#endif
