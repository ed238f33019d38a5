#include "session/session_settings.h"

#include <stddef.h>

#include "base/mem.h"
#include "session/queue_mode.h"

static const struct config_key keys[] = {
    {.name = "queue", .type = CONFIG_ENUM, .offset = offsetof(struct session_settings, queue), .fallback = "queue",
        .choices = queue_mode_choices,
        .help = "What becomes of a message that comes while one is answered: it waits its turn (queue), all that wait become "
                "one turn (collect), the running turn is told of it (steer), or ends for it (interrupt). /queue sets it for one chat."},
};

const struct config_section sessions_section = {
    .path = "sessions",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Conversations.",
};
