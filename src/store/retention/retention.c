#include "store/retention/retention.h"

#include <stddef.h>

#include "base/config/config.h"
#include "base/mem.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

static const struct config_key keys[] = {
    {.name = "conversations",
	.type = CONFIG_DURATION,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct retention, conversations_ms),
	.fallback = "90 d",
	.min = 0,
	.max = 36500 * DAY_MS,
	.help = "How long a conversation is kept after it has ended (/new). The current conversation of a "
		"chat is always kept. 0: for ever."},
    {.name = "messages",
	.type = CONFIG_DURATION,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct retention, messages_ms),
	.fallback = "30 d",
	.min = 30 * DAY_MS,
	.max = 36500 * DAY_MS,
	.help =
	    "How long messages are kept after they were answered, sent or given up. For as long, duplicates "
	    "are recognised: a message that a platform delivers again, or that is sent with the same key."},
    {.name = "size",
	.type = CONFIG_SIZE,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct retention, size),
	.fallback = "0",
	.min = 0,
	.max = INT64_C(1) << 44,
	.help = "If more of the database than this is in use, the oldest ended conversations are deleted "
		"early. 0: never."},
};

const struct config_section retention_section = {
    .path = "retention",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help =
	"How long old data is kept in the database. It is deleted once an hour, while the database is idle.",
};
