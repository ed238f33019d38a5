#ifndef PLAYGROUND_DISCORD_WORLD_SCHEDULED_H
#define PLAYGROUND_DISCORD_WORLD_SCHEDULED_H
/* Who is interested in a scheduled event. */
#include <stdbool.h>
#include <stdint.h>

struct cord_guild;
struct cord_record;

/* With the event to the bots. */
void cord_scheduled_attend(
    struct cord_guild *g, const struct cord_record *event, uint64_t user_id, bool remove);

#endif
